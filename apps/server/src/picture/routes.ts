import {
  parseExactJson,
  AppError,
  chartPicture as chartRoute,
  dashboardPicture as dashboardRoute,
  type Picture,
} from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import { hasPermission, requesterKey, type Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { PerUserSemaphore } from '../concurrency/per-user-semaphore.ts'
import { findDashboard } from '../dashboard/find-dashboard.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { buildChartPicture, type DrawingInput, type PictureContext } from './chart-picture.ts'
import { buildDashboardPicture } from './dashboard-picture.ts'
import { mediaTypes } from './media-types.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

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
}
