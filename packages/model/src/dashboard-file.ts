import Type, { type Static } from 'typebox'
import { answer, body, text } from './fields.ts'
import { ById } from './resource.ts'
import { defineRoute } from './route.ts'

/** Kinds of images that a dashboard keeps, by media type, with the ending of their names. */
export const imageTypes = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
} as const
export type ImageType = keyof typeof imageTypes

export const imageLimits = {
  /** Of one image. */
  bytes: 5 << 20,
  /** Of all images of one dashboard together: as much as a bundle holds. */
  allBytes: 40 << 20,
  files: 500,
}

/** An image that a dashboard keeps. */
export const DashboardFile = answer({
  /** SHA-256 of its bytes. */
  hash: Type.String(),
  /** Address for the text of the dashboard; its fragment says the size, so that there is room before the image has come. */
  url: Type.String(),
  media_type: Type.Unsafe<ImageType>({ type: 'string', enum: Object.keys(imageTypes) }),
  /** In pixels; null of an SVG that does not say it. */
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
    summary:
      'Keeps an image with a dashboard: the file of a form (field file), or what an address leads to, fetched once',
    params: ById,
    body: 'multipart',
    json: body({ url: text(1, 4000) }),
    reply: answer({ result: DashboardFile }),
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
    summary: 'An image of a dashboard',
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

/** Address of an image for the text of its dashboard. */
export const fileUrl = (id: number, hash: string, width: number | null, height: number | null): string =>
  `/api/v1/dashboard/${id}/files/${hash}${width && height ? `#${Math.round(width)}x${Math.round(height)}` : ''}`

const named = /\/api\/v1\/dashboard\/([^/\s"'()<>\\]+)\/files\/([0-9a-f]{64})(?![0-9a-f])/g

/** Hashes of the images that a text names, whichever dashboard they are of; also in JSON. */
export const filesNamed = (text: string | null): Set<string> =>
  new Set([...(text ?? '').matchAll(named)].map(([, , hash = '']) => hash))

/**
 * A text that is of another dashboard now: its images are found there.
 * @param hashes  hash in the text -> hash there; images that are not in it are left as they are
 */
export const withFilesOf = (text: string, id: number, hashes: ReadonlyMap<string, string>): string =>
  text.replace(named, (whole: string, _of: string, hash: string) => {
    const there = hashes.get(hash)
    return there === undefined ? whole : `/api/v1/dashboard/${id}/files/${there}`
  })
