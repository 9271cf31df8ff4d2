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
import { createPerUserSemaphore } from '../concurrency/per-user-semaphore.ts'
import { findDashboard } from '../dashboard/find-dashboard.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { buildChartPicture, type DrawingInput, type PictureContext } from './chart-picture.ts'
import { buildDashboardPicture } from './dashboard-picture.ts'

const types: Readonly<Record<Picture['format'], string>> = {
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Concurrent images per user, because their data is held in memory. */
const maxPerUser = 2

export function pictureRoutes(app: App, deps: ChartDeps): void {
  const withSlot = createPerUserSemaphore(maxPerUser)
  const send = async (
    prepare: () => Promise<DrawingInput>,
    { principal, signal }: PictureContext,
    reply: FastifyReply,
  ) => {
    const requester = requesterKey(principal)
    const [picture, bytes] = await withSlot(requester, signal, async () => {
      const { picture: prepared, messages } = await prepare()
      return [prepared, await deps.runners.draw(prepared, messages, signal, requester)] as const
    })
    return reply
      .type(types[picture.format])
      .header('Content-Disposition', 'attachment')
      .header('Cache-Control', 'no-store')
      .send(bytes)
  }

  const find = (name: string, principal: Principal) =>
    findDashboard({ db: deps.db, principal, dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true }, name)

  serve(app, chartRoute, async ({ body, principal, signal, reply, request }) => {
    const onlyCached = request.headers['cache-control'] === 'only-if-cached'
    const context = { deps, principal, signal, onlyCached }
    const dashboard = body.dashboard_id === undefined ? null : await find(String(body.dashboard_id), principal)
    const metadata = parseExactJson(dashboard?.json_metadata || '{}') as Picture['metadata']
    try {
      return await send(() => buildChartPicture(body, metadata, context), context, reply)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_cached') throw error
      return reply.code(204).send()
    }
  })

  serve(app, dashboardRoute, async ({ params, body, principal, signal, reply, event }) => {
    const dashboard = await find(params.id, principal)
    event.dashboard_id = dashboard.id
    if (body.format === 'xlsx' && !hasPermission(principal, ['can_csv', 'Superset'])) throw new AppError('forbidden')
    const context = { deps, principal, signal }
    return send(() => buildDashboardPicture(dashboard, body, context), context, reply)
  })
}
