import { AppError, dashboardData, framesType } from '@parquetry/model'
import { Readable } from 'node:stream'
import type { ChartDeps } from '../chart/deps.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { can } from '../access/access.ts'
import { dashboardStream } from './data-stream.ts'

export function dashboardDataRoutes(app: App, deps: ChartDeps): void {
  serve(app, dashboardData, async ({ params, body, principal, signal, reply, event }) => {
    const access = { db: deps.db, principal, dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true }
    const named = /^\d+$/.test(params.id) ? (['id', Number(params.id)] as const) : (['slug', params.id] as const)
    const dashboard = await deps.db
      .selectFrom('dashboard')
      .selectAll()
      .where(named[0], '=', named[1])
      .executeTakeFirst()
    if (!dashboard || !(await can(access, ['can_read', 'Dashboard'], { kind: 'dashboard', id: dashboard.id })))
      throw new AppError('not_found')
    event.dashboard_id = dashboard.id
    const mayEdit = await can(access, ['can_write', 'Dashboard'], { kind: 'dashboard', id: dashboard.id })
    const stream = dashboardStream(dashboard, body, { deps, principal, signal, mayEdit })
    // A guest who asks for what nobody declared is answered so, and not by a stream that breaks.
    const begun = principal.kind === 'guest' ? after(await stream.next(), stream) : stream
    return reply
      .type(framesType)
      .header('Cache-Control', 'no-store')
      .send(Readable.from(begun, { objectMode: false }))
  })
}

async function* after<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return
  yield first.value
  yield* rest
}
