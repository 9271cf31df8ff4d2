import { AppError, legacyRoutes as routes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { dashboardUrl, type DashboardRow } from '../dashboard/dashboard-resource.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import { and, type Condition } from '../http/filters.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import type { Principal } from '../http/principal.ts'
import { visible } from '../security/access.ts'
import { queryView } from '../sqllab/query-view.ts'
import { timeText } from '../store/time.ts'

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** Calls of the time before `/api/v1`: each reads what the newer ones read, through the same rights. */
export function legacyRoutes(app: App, { db }: Deps): void {
  const seen = (kind: 'chart' | 'dashboard' | 'dataset', principal: Principal): Condition[] => {
    const condition = visible(kind, readContext(app, principal))
    return condition ? [condition] : []
  }

  serve(app, routes.formData, async ({ query, principal }) => {
    const is = sql<SqlBool>`chart.id = ${query?.slice_id ?? -1}`
    const chart = await db
      .selectFrom('chart')
      .select(['id', 'params'])
      .where(and([is, ...seen('chart', principal)]))
      .executeTakeFirst()
    return chart ? { ...(JSON.parse(chart.params || '{}') as object), slice_id: chart.id } : {}
  })

  serve(app, routes.queries, async ({ params, principal }) => {
    const rows = await db
      .selectFrom('query')
      .leftJoin('database', 'database.id', 'database_id')
      .selectAll('query')
      .select('database_name')
      .where('user_id', '=', principal.id)
      .where('query.changed_on', '>=', timeText(new Date(Math.min(params.since, 8.64e15))))
      .execute()
    return Object.fromEntries(rows.map((row) => [row.client_id, queryView(row, row.database_name, principal)]))
  })

  serve(app, routes.datasources, async ({ principal }) => {
    const rows = await db
      .selectFrom('dataset')
      .innerJoin('database', 'database.id', 'dataset.database_id')
      .select(['dataset.id', 'table_name', 'schema', 'database_name'])
      .where(and(seen('dataset', principal)))
      .orderBy('table_name')
      .execute()
    return rows.map(({ id, table_name, schema, database_name }) => ({
      id,
      uid: `${id}__table`,
      name: table_name,
      schema,
      type: 'table',
      connection: database_name,
      edit_url: `/tablemodelview/edit/${id}`,
    }))
  })

  serve(app, routes.dashboards, async ({ query, principal }) => {
    const owner = query?._flt_0_owners
    const isOwned = sql<SqlBool>`exists (select 1 from dashboard_owner as own
      where own.dashboard_id = dashboard.id and own.user_id = ${owner ?? -1})`
    const rows: DashboardRow[] = await db
      .selectFrom('dashboard')
      .selectAll()
      .where(and([...(owner === undefined ? [] : [isOwned]), ...seen('dashboard', principal)]))
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

  serve(app, routes.stars, async ({ params, principal }) => {
    const kind = { slice: 'chart', dashboard: 'dashboard' }[params.kind.toLowerCase()]
    if (kind !== 'chart' && kind !== 'dashboard') throw new AppError('not_found')
    const star = await db
      .selectFrom('favorite')
      .select('created_on')
      .where('user_id', '=', principal.id)
      .where('kind', '=', kind)
      .where('object_id', '=', params.id)
      .executeTakeFirst()
    return { count: star ? 1 : 0 }
  })
}
