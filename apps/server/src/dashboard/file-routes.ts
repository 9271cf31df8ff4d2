import { AppError, dashboardFileRoutes as routes, imageLimits, message } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requesterKey } from '../access/principal.ts'
import { PerUserSemaphore } from '../concurrency/per-user-semaphore.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { readMultipart } from '../http/multipart.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { authorizeChange } from '../http/writing.ts'
import { fetchImage } from '../image/fetch-image.ts'
import { readImage, tooLarge } from '../image/read-image.ts'
import { urlPolicy } from '../runners/outgoing.ts'
import { logRow } from '../store/audit-log.ts'
import { type DashboardRow, dashboardResource } from './dashboard-resource.ts'
import { findDashboardFile, hasFile, storeDashboardFile } from './files.ts'
import { findDashboard } from './find-dashboard.ts'

/** Maximum concurrent image downloads per user. */
const maxFetchesPerUser = 2

/** An image opened as a page runs no script, sends no request and has no origin; only its own styles apply. */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"

const fieldsLimit = 64 << 10

/** Returns the bytes of the uploaded file. */
async function readUploadedFile(home: string, request: FastifyRequest): Promise<Buffer> {
  const folder = join(home, 'uploads')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const filePart = { fields: ['file'], path, limit: imageLimits.bytes, tooLarge }
  try {
    const { fileName } = await readMultipart(request, { limit: fieldsLimit, file: filePart })
    if (fileName === undefined)
      throw new AppError('bad_request', {
        message: message('errors.dashboard.noFile', 'No file was sent. Send it in the form field "file".'),
      })
    return await readFile(path)
  } finally {
    await rm(path, { force: true })
  }
}

/** `/api/v1/dashboard/{id}/files`. */
export function fileRoutes(app: App, deps: HttpDeps): void {
  const semaphore = new PerUserSemaphore(maxFetchesPerUser)

  serve(app, routes.add, async ({ params, body, principal, event, signal, request }) => {
    const context = readContext(app, principal)
    const { id } = await visibleRow<DashboardRow>(dashboardResource, params.id, context)
    await authorizeChange(context, ['can_write', 'Dashboard'], { kind: 'dashboard', id })
    event.dashboard_id = id
    const bytes = body
      ? await semaphore.run(requesterKey(principal), signal, () =>
          fetchImage(body.url, urlPolicy(deps.settings), signal),
        )
      : await readUploadedFile(deps.settings.home, request)
    const image = await readImage(bytes)
    const result = await deps.db.transaction().execute(async (trx) => {
      const stored = await storeDashboardFile(trx, id, image, {
        author: principal.id,
        now: context.now,
        quotaMb: deps.settings.config.IMAGE_QUOTA_MB,
      })
      event.json = { hash: stored.hash, media_type: stored.media_type, size: stored.size }
      await trx.insertInto('log').values(logRow(event, context.now)).execute()
      return stored
    })
    event.isWritten = true
    return { result }
  })

  serve(app, routes.read, async ({ params, principal, request, reply }) => {
    const context = readContext(app, principal)
    const { id } = await findDashboard(context, params.id)
    const etag = `"${params.hash}"`
    // Prevents the next user of the same browser from getting a cached image of the last one.
    const headers = {
      etag,
      vary: 'Cookie, Authorization, X-GuestToken',
      'cache-control': 'private, max-age=31536000, immutable',
    }
    if (request.headers['if-none-match'] === etag && (await hasFile(context.db, id, params.hash)))
      return reply.code(304).headers(headers).send()
    const file = await findDashboardFile(context.db, id, params.hash)
    if (!file) throw new AppError('not_found')
    return reply
      .headers({ ...headers, 'content-security-policy': imagePolicy })
      .type(file.media_type)
      .send(file.bytes)
  })
}
