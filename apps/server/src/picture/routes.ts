import {
  parseExactJson,
  AppError,
  chartPicture as chartRoute,
  chartRoutes,
  dashboardPicture as dashboardRoute,
  dashboardRoutes,
  type Picture,
} from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { hasPermission, requesterKey, type Principal } from '../access/principal.ts'
import { chartResource, type ChartRow } from '../chart/chart-resource.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { buildFormData } from '../chart/form-data.ts'
import { PerUserSemaphore } from '../concurrency/per-user-semaphore.ts'
import { findDashboard } from '../dashboard/find-dashboard.ts'
import type { App } from '../http/app.ts'
import { redirect } from '../http/redirect.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { thumbnailUrl } from '../http/thumbnail.ts'
import { buildChartPicture, type DrawingInput, type PictureContext } from './chart-picture.ts'
import { buildDashboardPicture } from './dashboard-picture.ts'
import { drawingKey } from './drawing-key.ts'
import { mediaTypes } from './media-types.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

/** Size of the thumbnail of a chart, in CSS pixels. */
const thumbnailSize = { width: 400, height: 300 }

/** Memory for thumbnails that were drawn. */
const maxThumbnailBytes = 16 << 20

/** Concurrent images per user, because their data is held in memory. */
const maxPerUser = 2

/** @throws AppError `forbidden` for numbers without the permission to download them */
function checkFormat(format: Picture['format'], principal: Principal): void {
  if (format === 'xlsx' && !hasPermission(principal, ['can_csv', 'Superset'])) throw new AppError('forbidden')
}

export function pictureRoutes(app: App, deps: ChartDeps): void {
  const semaphore = new PerUserSemaphore(maxPerUser)
  const send = async (
    prepare: () => Promise<DrawingInput>,
    { principal, signal }: PictureContext,
    reply: FastifyReply,
  ) => {
    const requester = requesterKey(principal)
    const [picture, bytes] = await semaphore.run(requester, signal, async () => {
      const { picture: prepared, messages } = await prepare()
      return [prepared, await deps.runners.draw(prepared, messages, signal, requester)] as const
    })
    return reply
      .type(mediaTypes[picture.format])
      .header('Content-Disposition', 'attachment')
      .header('Cache-Control', 'no-store')
      .send(bytes)
  }

  /** Drawn thumbnails by what they show. */
  const thumbnails = new LRUCache<string, Buffer>({
    maxSize: maxThumbnailBytes,
    sizeCalculation: ({ byteLength }) => byteLength + 1024,
  })
  /** Queries the data as for other images, but draws only what was not drawn before. */
  const sendThumbnail = async (
    prepare: () => Promise<DrawingInput>,
    { principal, signal }: PictureContext,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const requester = requesterKey(principal)
    return semaphore.run(requester, signal, async () => {
      const { picture, messages } = await prepare()
      const key = drawingKey({ picture, messages })
      const etag = `"${key}"`
      reply.header('ETag', etag).header('Cache-Control', 'private, no-cache')
      if (request.headers['if-none-match'] === etag) return reply.code(304).send()
      const draw = (drawSignal: AbortSignal) => deps.runners.draw(picture, messages, drawSignal, requester)
      const bytes = thumbnails.get(key) ?? (await deps.cache.singleFlight(`thumbnail ${key}`, signal, draw))
      thumbnails.set(key, bytes)
      return reply.type(mediaTypes[picture.format]).header('Content-Disposition', 'inline').send(bytes)
    })
  }

  const find = (name: string, principal: Principal) =>
    findDashboard({ db: deps.db, principal, ...readViewerRules(deps.settings) }, name)

  serve(app, chartRoute, async ({ body, principal, signal, reply, request }) => {
    checkFormat(body.format, principal)
    const onlyCached = request.headers['cache-control'] === 'only-if-cached'
    const context = { deps, principal, signal, onlyCached }
    const dashboard = body.dashboard_id === undefined ? null : await find(String(body.dashboard_id), principal)
    const style = {
      metadata: parseExactJson(dashboard?.json_metadata || '{}') as Picture['metadata'],
      theme_id: dashboard?.theme_id ?? null,
    }
    try {
      return await send(() => buildChartPicture(body, style, context), context, reply)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_cached') throw error
      return reply.code(204).send()
    }
  })

  serve(app, dashboardRoute, async ({ params, body, principal, signal, reply, event }) => {
    const dashboard = await find(params.id, principal)
    event.dashboard_id = dashboard.id
    checkFormat(body.format, principal)
    const context = { deps, principal, signal }
    return send(() => buildDashboardPicture(dashboard, body, context), context, reply)
  })

  /** Redirects to the address of the current thumbnail if the caller used another one. */
  const redirectOutdated = (to: string, request: FastifyRequest, reply: FastifyReply): boolean => {
    if (deps.settings.flags['THUMBNAILS'] !== true) throw new AppError('not_found')
    const isCurrent = `${request.url.split('?')[0]?.replace(/\/$/, '')}/` === to
    if (!isCurrent) redirect(reply, to)
    return !isCurrent
  }

  serve(app, chartRoutes.thumbnail, async ({ params, principal, signal, request, reply }) => {
    const chart = await visibleRow<ChartRow>(chartResource, params.id, readContext(app, principal))
    if (redirectOutdated(thumbnailUrl('chart', chart), request, reply)) return reply
    const context = { deps, principal, signal }
    const body = { form_data: buildFormData(chart), format: 'png', title: chart.slice_name, ...thumbnailSize } as const
    return sendThumbnail(
      () => buildChartPicture(body, { metadata: {}, theme_id: null }, context),
      context,
      request,
      reply,
    )
  })

  serve(app, dashboardRoutes.thumbnail, async ({ params, principal, signal, request, reply }) => {
    const dashboard = await find(params.id, principal)
    if (redirectOutdated(thumbnailUrl('dashboard', dashboard), request, reply)) return reply
    const context = { deps, principal, signal }
    return sendThumbnail(() => buildDashboardPicture(dashboard, { format: 'png' }, context), context, request, reply)
  })
}
