import Type, { type Static } from 'typebox'
import { openObject, body, text } from './fields.ts'
import { imageTypes, type ImageType } from './dashboard-image.ts'
import { ById } from './resource.ts'
import { defineRoute } from './route.ts'
import { fileField } from './form.ts'

/** An image that is stored with a dashboard. */
export const DashboardFile = openObject({
  /** SHA-256 of its bytes. */
  hash: Type.String(),
  /**
   * Address for use in the dashboard's text. The fragment contains the size, so that the page can reserve space before the image
   * loads.
   */
  url: Type.String(),
  media_type: Type.Unsafe<ImageType>({ type: 'string', enum: Object.keys(imageTypes) }),
  /** In pixels; null for an SVG without a width. */
  width: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  height: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
  size: Type.Integer(),
})
export type DashboardFile = Static<typeof DashboardFile>

/** `/api/v1/dashboard/{id}/files`: images of a dashboard. */
export const dashboardFileRoutes = {
  add: defineRoute({
    method: 'POST',
    path: '/api/v1/dashboard/:id/files',
    summary: 'Adds an image to a dashboard, from a file (form field `file`) or from a URL that is fetched once',
    params: ById,
    body: 'multipart',
    form: Type.Object({ file: fileField() }),
    json: body({ url: text(1, 4000) }),
    reply: openObject({ result: DashboardFile }),
    can: ['can_write', 'Dashboard'],
    object: 'the dashboard, by ownership',
    rate: 'write',
    audit: 'dashboard.file',
    csrf: 'token',
    errors: 'plain',
    fails: [
      'bad_request',
      'invalid_payload',
      'not_found',
      'missing_ownership',
      'too_large',
      'unprocessable',
      'disk_full',
    ],
  }),
  read: defineRoute({
    method: 'GET',
    path: '/api/v1/dashboard/:id/files/:hash',
    summary: 'Returns an image of a dashboard',
    params: Type.Object({ id: Type.String(), hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
    body: 'none',
    reply: 'bytes',
    can: ['can_read', 'Dashboard'],
    object: 'the dashboard must be visible',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['not_found'],
  }),
}
