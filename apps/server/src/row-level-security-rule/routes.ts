import { rowLevelSecurityRuleRoutes as routes } from '@parquetry/model'
import type { ChartDeps } from '../chart/deps.ts'
import type { App } from '../http/app.ts'
import { relatedSubjects } from '../http/related.ts'
import { serveRemoving } from '../http/removing.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { previewRule } from './preview-rule.ts'
import { ruleResource } from './rule-resource.ts'
import { createRule, updateRule } from './save-rule.ts'

/** `/api/v1/rowlevelsecurity/` */
export function rowLevelSecurityRuleRoutes(app: App, deps: ChartDeps): void {
  const subjects = relatedSubjects(app.deps.settings.config.SUBJECTS_RELATED_TYPES_RLS)
  serveReading(app, routes, { ...ruleResource, related: { ...ruleResource.related, subjects } })
  serve(app, routes.create, async ({ body, principal, event, signal, reply }) => {
    const context = { ...readContext(app, principal), event }
    return reply.code(201).send({ id: await createRule(deps, context, body, signal), result: body })
  })
  serve(app, routes.update, async ({ params, body, principal, event, signal, request }) => {
    const context = { ...readContext(app, principal), event }
    await updateRule(deps, context, params.id, body, request.headers['if-match'], signal)
    return { id: params.id, result: body }
  })
  serve(app, routes.preview, ({ body, principal, signal }) =>
    previewRule(deps, readContext(app, principal), body, signal),
  )
  serveRemoving(app, routes, {
    resource: ruleResource,
    action: ['can_write', 'Row Level Security'],
    words: ['rule', 'rules'],
    async remove(trx, { id }) {
      await trx.deleteFrom('row_rule').where('id', '=', id).execute()
    },
  })
}
