import { legacyRoutes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import type { App, HttpDeps } from '../http/app.ts'
import { dashboardUrl } from './dashboard-url.ts'
import { and } from '../store/conditions.ts'
import { accessConditions } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { type DashboardRow, dashboardResource } from './dashboard-resource.ts'

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** `/dashboardasync/api/read`: the list of dashboards for clients older than `/api/v1`. */
export function legacyDashboardRoutes(app: App, { db }: HttpDeps): void {
  serve(app, legacyRoutes.dashboards, async ({ query, principal }) => {
    const owner = query?._flt_0_owners
    const isOwned = sql<SqlBool>`exists (select 1 from dashboard_owner as own
      where own.dashboard_id = dashboard.id and own.user_id = ${owner ?? -1})`
    const conditions = accessConditions(dashboardResource, readContext(app, principal))
    const rows: DashboardRow[] = await db
      .selectFrom('dashboard')
      .selectAll()
      .where(and(owner === undefined ? conditions : [isOwned, ...conditions]))
      .orderBy('changed_on', 'desc')
      .execute()
    const result = rows.map((row) => ({
      id: row.id,
      dashboard_title: row.dashboard_title,
      dashboard_link: `<a href="${escape(dashboardUrl(row))}">${escape(row.dashboard_title ?? '[ untitled dashboard ]')}</a>`,
      url: dashboardUrl(row),
      changed_on: row.changed_on,
    }))
    return { count: rows.length, pks: rows.map(({ id }) => id), result, modelview_name: 'DashboardModelViewAsync' }
  })
}
