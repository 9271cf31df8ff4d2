import { legacyListRoutes, legacyRoutes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { type DashboardRow, dashboardResource } from '../dashboard/dashboard-resource.ts'
import { dashboardUrl } from '../dashboard/dashboard-url.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { accessConditions } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { savedQueryResource } from '../saved-query/saved-query-resource.ts'
import { and } from '../store/conditions.ts'
import { escapeHtml } from '../http/escape-html.ts'

const answer = <Row extends { id: number }>(result: Row[], modelview_name: string) => ({
  count: result.length,
  pks: result.map(({ id }) => id),
  result,
  modelview_name,
})

/** Lists of `/dashboardasync` and `/savedqueryviewapi` for clients older than `/api/v1`. */
export function modelListRoutes(app: App, { db }: HttpDeps): void {
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
      dashboard_link: `<a href="${escapeHtml(dashboardUrl(row))}">${escapeHtml(row.dashboard_title ?? '[ untitled dashboard ]')}</a>`,
      url: dashboardUrl(row),
      changed_on: row.changed_on,
    }))
    return answer(result, 'DashboardModelViewAsync')
  })
  serve(app, legacyListRoutes.savedQueries, async ({ principal }) =>
    answer(
      await db
        .selectFrom('saved_query')
        .select(['id', 'label', 'description', 'sql', 'schema', 'db_id', 'extra_json', 'changed_on'])
        .where(and(accessConditions(savedQueryResource, readContext(app, principal))))
        .orderBy('changed_on', 'desc')
        .execute(),
      'SavedQueryViewApi',
    ),
  )
}
