import { chartPicture as chartRoute, dashboardPicture as dashboardRoute, type Picture } from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import { personOf } from '../access/principal.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { findDashboard } from '../dashboard/find-dashboard.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { chartPicture, type Answered, type Asker } from './chart-picture.ts'
import { dashboardPicture } from './dashboard-picture.ts'

const types: Readonly<Record<Picture['format'], string>> = {
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  pdf: 'application/pdf',
}

export function pictureRoutes(app: App, deps: ChartDeps): void {
  const send = async ({ picture, messages }: Answered, { principal, signal }: Asker, reply: FastifyReply) => {
    const bytes = await deps.runners.draw(picture, messages, signal, personOf(principal))
    return reply
      .type(types[picture.format])
      .header('Content-Disposition', 'attachment')
      .header('Cache-Control', 'no-store')
      .send(bytes)
  }

  serve(app, chartRoute, async ({ body, principal, signal, reply }) => {
    const asker = { deps, principal, signal }
    return send(await chartPicture(body, asker), asker, reply)
  })

  serve(app, dashboardRoute, async ({ params, body, principal, signal, reply, event }) => {
    const dashboardRoles = deps.settings.flags['DASHBOARD_RBAC'] === true
    const dashboard = await findDashboard({ db: deps.db, principal, dashboardRoles }, params.id)
    event.dashboard_id = dashboard.id
    const asker = { deps, principal, signal }
    return send(await dashboardPicture(dashboard, body, asker), asker, reply)
  })
}
