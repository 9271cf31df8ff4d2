import {
  AppError,
  chartPicture as chartRoute,
  dashboardPicture as dashboardRoute,
  type Picture,
} from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import { holds, personOf, type Principal } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { turns } from '../concurrency/turns.ts'
import { findDashboard } from '../dashboard/find-dashboard.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { chartPicture, type Answered, type Asker } from './chart-picture.ts'
import { dashboardPicture } from './dashboard-picture.ts'

const types: Readonly<Record<Picture['format'], string>> = {
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** So many pictures of one person at once: what they are drawn from is held in memory as a whole. */
const most = 2

export function pictureRoutes(app: App, deps: ChartDeps): void {
  const inTurn = turns(most)
  const send = async (answer: () => Promise<Answered>, { principal, signal }: Asker, reply: FastifyReply) => {
    const person = personOf(principal)
    const [picture, bytes] = await inTurn(person, signal, async () => {
      const { picture: asked, messages } = await answer()
      return [asked, await deps.runners.draw(asked, messages, signal, person)] as const
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
    const asker = { deps, principal, signal, onlyCached }
    const dashboard = body.dashboard_id === undefined ? null : await find(String(body.dashboard_id), principal)
    const metadata = JSON.parse(dashboard?.json_metadata || '{}') as Picture['metadata']
    try {
      return await send(() => chartPicture(body, metadata, asker), asker, reply)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_cached') throw error
      return reply.code(204).send()
    }
  })

  serve(app, dashboardRoute, async ({ params, body, principal, signal, reply, event }) => {
    const dashboard = await find(params.id, principal)
    event.dashboard_id = dashboard.id
    if (body.format === 'xlsx' && !holds(principal, ['can_csv', 'Superset'])) throw new AppError('forbidden')
    const asker = { deps, principal, signal }
    return send(() => dashboardPicture(dashboard, body, asker), asker, reply)
  })
}
