import Type from 'typebox'
import { AnyObject, body, nullish, openObject, text } from './fields.ts'
import { bulkDelete, readingRoutes, writingRoutes } from './resource.ts'
import { defineRoute } from './route.ts'

/** Body of a CSS template. As in Superset's API, every field is optional. */
export const CssTemplateBody = body({ template_name: nullish(text(0, 250)), css: nullish(text()) })
export type CssTemplateBody = Type.Static<typeof CssTemplateBody>

const part = { name: 'css_template', view: 'CssTemplate', errors: 'plain-422' } as const

/** `/api/v1/css_template/`: reusable styles for dashboards. */
export const cssTemplateRoutes = {
  ...readingRoutes({ ...part, listed: AnyObject, detail: AnyObject }),
  ...writingRoutes({ ...part, post: CssTemplateBody, put: CssTemplateBody }),
  bulkDelete: bulkDelete(part),
  older: defineRoute({
    method: 'GET',
    path: '/csstemplateasyncmodelview/api/read',
    summary: 'Lists CSS templates for clients older than `/api/v1`',
    body: 'none',
    reply: openObject({ count: Type.Integer(), pks: Type.Array(Type.Integer()), result: Type.Array(AnyObject) }),
    can: ['can_read', 'CssTemplate'],
    object: 'none: the permission covers every template',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'legacy',
    fails: [],
  }),
}
