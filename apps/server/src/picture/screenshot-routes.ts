import { createHash } from 'node:crypto'
import { AppError, chartRoutes, dashboardRoutes, type DashboardScreenshotPost } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { requesterKey, type Principal } from '../access/principal.ts'
import { chartResource, type ChartRow } from '../chart/chart-resource.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { buildFormData } from '../chart/form-data.ts'
import { PerUserSemaphore } from '../concurrency/per-user-semaphore.ts'
import { findDashboard } from '../dashboard/find-dashboard.ts'
import type { DashboardRow } from '../dashboard/dashboard-resource.ts'
import type { App } from '../http/app.ts'
import { resolveOrigin } from '../http/origin.ts'
import { redirect } from '../http/redirect.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { thumbnailUrl } from '../http/thumbnail.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'
import { countAccessChanges, isTracked } from '../store/changes.ts'
import { BackgroundDrawings, type DrawnImage } from './background-drawings.ts'
import { buildChartPicture, type DrawingInput } from './chart-picture.ts'
import { buildDashboardPicture } from './dashboard-picture.ts'
import { drawingKey } from './drawing-key.ts'
import { mediaTypes } from './media-types.ts'
import { readDashboardState } from './report-state.ts'

/** Size of the thumbnail of a chart, in CSS pixels. */
const thumbnailSize = { width: 400, height: 300 }
/** Size of a screenshot for which none is given. */
const screenshotSize = { width: 800, height: 600 }

/** All drawings in the background count as those of one user, so that they take few of the slots. */
const backgroundRequester = 'background'
const maxPerUser = 2
const maxScreenshots = 1000

type Prepare = (signal: AbortSignal, format?: 'png' | 'pdf', force?: boolean) => Promise<DrawingInput>

/** A screenshot that a caller requested. */
interface Screenshot {
  of: string
  /** Only the same caller with the same rights gets it. */
  reader: string
  prepare: Prepare
}

/** Thumbnails and screenshots, which are drawn in the background. */
export function screenshotRoutes(app: App, deps: ChartDeps): void {
  const semaphore = new PerUserSemaphore(maxPerUser)
  const drawings = new BackgroundDrawings({
    draw: ({ picture, messages }, signal) => deps.runners.draw(picture, messages, signal, backgroundRequester),
    now: () => deps.now().getTime(),
  })
  const screenshots = new LRUCache<string, Screenshot>({ max: maxScreenshots })

  /** The caller and the state of all rights and rules; null if this process may not learn of every change of them. */
  const readerOf = (principal: Principal): string | null =>
    principal.kind === 'user' && isTracked(deps.db) ? `${requesterKey(principal)} ${countAccessChanges(deps.db)}` : null

  const requireFlag = (): void => {
    if (deps.settings.flags['THUMBNAILS'] !== true) throw new AppError('not_found')
  }
  const findBoard = (name: string, principal: Principal) =>
    findDashboard({ db: deps.db, principal, ...readViewerRules(deps.settings) }, name)
  const findChart = (id: string | number, principal: Principal) =>
    visibleRow<ChartRow>(chartResource, id, readContext(app, principal))

  const drawChart =
    (chart: ChartRow, principal: Principal, size: { width: number; height: number }): Prepare =>
    (signal, format = 'png', force = false) => {
      const body = { form_data: buildFormData(chart), format, title: chart.slice_name ?? '', ...size }
      return buildChartPicture(body, { metadata: {}, theme_id: null }, { deps, principal, signal, force })
    }
  const drawBoard =
    (dashboard: DashboardRow, principal: Principal, state: DashboardScreenshotPost = {}): Prepare =>
    (signal, format = 'png', force = false) => {
      const { dataMask, tabs } = readDashboardState({ dashboard: toState(state) }, dashboard)
      const body = { format, ...(dataMask && { data_mask: dataMask }), ...(tabs && { tabs }) }
      return buildDashboardPicture(dashboard, body, { deps, principal, signal, force })
    }

  /** Draws now, with the rights of now. */
  const drawNow = (prepare: Prepare, principal: Principal, signal: AbortSignal, format: 'png' | 'pdf' = 'png') => {
    const requester = requesterKey(principal)
    return semaphore.run(requester, signal, async (): Promise<DrawnImage> => {
      const input = await prepare(signal, format)
      const bytes = await deps.runners.draw(input.picture, input.messages, signal, requester)
      return { bytes, etag: `"${drawingKey(input)}"` }
    })
  }

  const sendImage = ({ bytes, etag }: DrawnImage, request: FastifyRequest, reply: FastifyReply) => {
    reply.header('ETag', etag).header('Cache-Control', 'private, no-cache')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type(mediaTypes.png).header('Content-Disposition', 'inline').send(bytes)
  }

  const sendUnfinished = (reply: FastifyReply) =>
    reply.code(202).header('Retry-After', '1').header('Cache-Control', 'no-store').send({ message: 'OK Async' })

  async function sendThumbnail(
    url: string,
    prepare: Prepare,
    { principal, signal, request, reply }: Call,
  ): Promise<FastifyReply> {
    // Any other digest leads to the current one.
    if (`${request.url.split('?')[0]?.replace(/\/$/, '')}/` !== url) {
      redirect(reply, url)
      return reply
    }
    const reader = readerOf(principal)
    const image =
      reader === null ? await drawNow(prepare, principal, signal) : drawings.find(`${url} ${reader}`, prepare)
    return image ? sendImage(image, request, reply) : sendUnfinished(reply)
  }

  serve(app, chartRoutes.thumbnail, async (call) => {
    requireFlag()
    const chart = await findChart(call.params.id, call.principal)
    return sendThumbnail(thumbnailUrl('chart', chart), drawChart(chart, call.principal, thumbnailSize), call)
  })
  serve(app, dashboardRoutes.thumbnail, async (call) => {
    requireFlag()
    const dashboard = await findBoard(call.params.id, call.principal)
    return sendThumbnail(thumbnailUrl('dashboard', dashboard), drawBoard(dashboard, call.principal), call)
  })

  /** Starts to draw a screenshot, and says where it will be. @param force  queries again, also if it has been drawn already */
  function startScreenshot(
    of: { kind: 'chart' | 'dashboard'; id: number; changed_on: string; asked: unknown },
    { prepare, force }: { prepare: Prepare; force: boolean },
    { principal, request, reply }: Call,
  ): FastifyReply {
    const reader = readerOf(principal)
    const name = JSON.stringify([of.kind, of.id, of.changed_on, of.asked])
    const cache_key = createHash('sha256')
      .update(`${name} ${requesterKey(principal)}`)
      .digest('hex')
      .slice(0, 32)
    screenshots.set(cache_key, { of: `${of.kind} ${of.id}`, reader: reader ?? requesterKey(principal), prepare })
    const drawing = `${cache_key} ${reader}`
    if (reader !== null && force) drawings.redraw(drawing, (signal) => prepare(signal, 'png', true))
    const status = reader === null ? 'Updated' : findStatus(drawing, prepare)
    const origin = resolveOrigin(deps.settings, request)
    const page = of.kind === 'chart' ? `/explore/?slice_id=${of.id}` : `/superset/dashboard/${of.id}/`
    return reply.code(status === 'Updated' ? 200 : 202).send({
      cache_key,
      [`${of.kind}_url`]: origin + page,
      image_url: `${origin}/api/v1/${of.kind}/${of.id}/screenshot/${cache_key}/`,
      task_status: status,
      task_updated_at: deps.now().toISOString(),
    })
  }

  function findStatus(request: string, prepare: Prepare): 'Updated' | 'Pending' | 'Error' {
    try {
      return drawings.find(request, prepare) ? 'Updated' : 'Pending'
    } catch {
      return 'Error'
    }
  }

  /** @throws AppError `not_found` for a screenshot of another object, of another caller, or with other rights */
  async function sendScreenshot(
    of: string,
    digest: string,
    format: 'png' | 'pdf',
    { principal, signal, request, reply }: Call,
  ): Promise<FastifyReply> {
    const reader = readerOf(principal)
    const screenshot = screenshots.get(digest)
    if (!screenshot || screenshot.of !== of || screenshot.reader !== (reader ?? requesterKey(principal)))
      throw new AppError('not_found')
    if (format === 'pdf' || reader === null) {
      const image = await drawNow(screenshot.prepare, principal, signal, format)
      if (format === 'png') return sendImage(image, request, reply)
      return reply.type(mediaTypes.pdf).header('Content-Disposition', 'attachment').send(image.bytes)
    }
    const image = drawings.find(`${digest} ${reader}`, screenshot.prepare)
    return image ? sendImage(image, request, reply) : sendUnfinished(reply)
  }

  serve(app, chartRoutes.cacheScreenshot, async ({ rison, ...call }) => {
    requireFlag()
    const chart = await findChart(call.params.id, call.principal)
    const [width = screenshotSize.width, height = screenshotSize.height] = rison.window_size ?? []
    const size = { width, height }
    const drawing = { prepare: drawChart(chart, call.principal, size), force: rison.force === true }
    return startScreenshot({ kind: 'chart', ...chart, asked: size }, drawing, call)
  })
  serve(app, chartRoutes.screenshot, async (call) => {
    requireFlag()
    const chart = await findChart(call.params.id, call.principal)
    return sendScreenshot(`chart ${chart.id}`, call.params.digest, 'png', call)
  })
  serve(app, dashboardRoutes.cacheScreenshot, async ({ body, rison, ...call }) => {
    requireFlag()
    const dashboard = await findBoard(call.params.id, call.principal)
    const asked = toState(body)
    const drawing = { prepare: drawBoard(dashboard, call.principal, body), force: rison.force === true }
    return startScreenshot({ kind: 'dashboard', ...dashboard, asked }, drawing, call)
  })
  serve(app, dashboardRoutes.screenshot, async (call) => {
    requireFlag()
    const dashboard = await findBoard(call.params.id, call.principal)
    const format = call.query.download_format === 'pdf' ? 'pdf' : 'png'
    return sendScreenshot(`dashboard ${dashboard.id}`, call.params.digest, format, call)
  })
}

interface Call {
  principal: Principal
  signal: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

const toState = ({ dataMask, activeTabs, anchor }: DashboardScreenshotPost) => ({
  ...(dataMask && { dataMask }),
  ...(activeTabs && { activeTabs }),
  ...(anchor && { anchor }),
})
