import { randomUUID } from 'node:crypto'
import { AppError, embeddedRoutes as routes } from '@parquetry/model'
import type { Selectable } from 'kysely'
import type { App, HttpDeps } from '../http/app.ts'
import { readContext } from '../http/serve-resource.ts'
import { type Call, serve } from '../http/serve.ts'
import { changedBy, createdBy } from '../http/writing.ts'
import type { EmbeddedDashboardTable } from '../store/tables.ts'
import { findDashboard } from './find-dashboard.ts'

type Row = Selectable<EmbeddedDashboardTable>

/** Settings of dashboards that other sites may embed. Without the feature flag these routes do not exist. */
export function embeddingRoutes(app: App, { db, settings }: HttpDeps): void {
  if (!settings.flags['EMBEDDED_SUPERSET']) return

  const findByDashboard = (id: number) =>
    db.selectFrom('embedded_dashboard').selectAll().where('dashboard_id', '=', id).executeTakeFirst()

  async function present(row: Row) {
    const changed_by = await db
      .selectFrom('user')
      .select(['id', 'username', 'first_name', 'last_name'])
      .where('id', '=', row.changed_by_fk ?? -1)
      .executeTakeFirst()
    return {
      result: {
        uuid: row.uuid,
        dashboard_id: String(row.dashboard_id),
        allowed_domains: JSON.parse(row.allowed_domains) as string[],
        changed_on: row.changed_on,
        changed_by: changed_by ?? null,
      },
    }
  }

  async function save({ params, body, principal, event }: Call<typeof routes.create | typeof routes.update>) {
    const context = readContext(app, principal)
    const { id } = await findDashboard(context, params.id)
    event.dashboard_id = id
    const allowed_domains = JSON.stringify(body.allowed_domains)
    const existing = await findByDashboard(id)
    const row = {
      uuid: randomUUID(),
      dashboard_id: id,
      ...createdBy(principal, context.now),
      ...existing,
      allowed_domains,
    }
    const changed = changedBy(principal, context.now)
    await db
      .insertInto('embedded_dashboard')
      .values({ ...row, ...changed })
      .onConflict((conflict) => conflict.column('dashboard_id').doUpdateSet({ allowed_domains, ...changed }))
      .execute()
    return present({ ...row, ...changed })
  }

  serve(app, routes.create, save)
  serve(app, routes.update, save)
  serve(app, routes.remove, async ({ params, principal, event }) => {
    const { id } = await findDashboard(readContext(app, principal), params.id)
    event.dashboard_id = id
    await db.deleteFrom('embedded_dashboard').where('dashboard_id', '=', id).execute()
    return { message: 'OK' }
  })
  serve(app, routes.ofDashboard, async ({ params, principal }) => {
    const { id } = await findDashboard(readContext(app, principal), params.id)
    const row = await findByDashboard(id)
    if (!row) throw new AppError('not_found')
    return present(row)
  })
  serve(app, routes.item, async ({ params, principal }) => {
    const row = await db.selectFrom('embedded_dashboard').selectAll().where('uuid', '=', params.uuid).executeTakeFirst()
    if (!row) throw new AppError('not_found')
    await findDashboard(readContext(app, principal), String(row.dashboard_id))
    return present(row)
  })
}
