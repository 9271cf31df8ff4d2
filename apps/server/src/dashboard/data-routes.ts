import { dashboardData, framesType } from '@parquetry/model'
import { Readable } from 'node:stream'
import type { ChartDeps } from '../chart/deps.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { can } from '../access/access.ts'
import { PrefetchedDashboards, findReadableDashboard } from './prefetch-dashboard.ts'
import { dashboardStream } from './data-stream.ts'

export function dashboardDataRoutes(app: App, deps: ChartDeps): void {
  const prefetched = new PrefetchedDashboards(deps)
  app.prefetchDashboard = (principal, idOrSlug) => prefetched.prefetch(principal, idOrSlug)
  serve(app, dashboardData, async ({ params, body, principal, signal, reply, event }) => {
    const access = { db: deps.db, principal, dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true }
    const dashboard = await findReadableDashboard(deps, principal, params.id)
    event.dashboard_id = dashboard.id
    prefetched.handOver(principal, dashboard)
    const canEdit = await can(access, ['can_write', 'Dashboard'], { kind: 'dashboard', id: dashboard.id })
    const stream = dashboardStream(dashboard, body, { deps, principal, signal, canEdit: canEdit })
    // Reads the first part before responding, so that a guest with an undeclared data mask gets an error status, not a broken
    // stream.
    const checked = principal.kind === 'guest' ? after(await stream.next(), stream) : stream
    return reply
      .type(framesType)
      .header('Cache-Control', 'no-store')
      .send(Readable.from(checked, { objectMode: false }))
  })
}

async function* after<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return
  yield first.value
  yield* rest
}
