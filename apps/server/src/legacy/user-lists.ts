import { AppError, legacyListRoutes as routes } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import type { Principal } from '../access/principal.ts'
import { chartResource, chartUrl, type ChartRow } from '../chart/chart-resource.ts'
import { buildFormData } from '../chart/form-data.ts'
import { dashboardResource, type DashboardRow } from '../dashboard/dashboard-resource.ts'
import { dashboardUrl } from '../dashboard/dashboard-url.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { fullName } from '../http/column-resolvers.ts'
import { accessConditions, type Resource } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { and, or, type Condition } from '../store/conditions.ts'
import { parseStoredTime } from '../store/time.ts'
import { escapeHtml } from '../http/escape-html.ts'

type Kind = 'chart' | 'dashboard'

/** Columns that the lists read besides those of the object. */
interface Listed {
  dttm: string
  username: string | null
  first_name: string | null
  last_name: string | null
}

const isCreatedBy = (kind: Kind, userId: number): Condition =>
  sql<SqlBool>`(${sql.ref(`${kind}.created_by_fk`)} = ${userId} or ${sql.ref(`${kind}.changed_by_fk`)} = ${userId})`

const isOwnedBy = (userId: number): Condition =>
  sql<SqlBool>`chart.id in (select chart_id from chart_owner where user_id = ${userId})`

const isFavorite: Condition = sql<SqlBool>`favorite.user_id is not null`

const creator = ({ username, first_name, last_name }: Listed) =>
  username === null
    ? {}
    : {
        creator: fullName({ first_name: first_name ?? '', last_name: last_name ?? '' }),
        creator_url: `/superset/profile/${encodeURIComponent(username)}/`,
      }

const showChart = (row: ChartRow & Listed) => ({
  id: row.id,
  title: row.slice_name ?? '',
  url: chartUrl(row.id),
  dttm: parseStoredTime(row.dttm).getTime(),
  viz_type: row.viz_type,
})

const showDashboard = (row: DashboardRow & Listed) => {
  const title = row.dashboard_title ?? ''
  const url = dashboardUrl(row)
  const link = `<a href="${escapeHtml(url)}">${escapeHtml(title || '[ untitled dashboard ]')}</a>`
  return { id: row.id, dashboard: link, title, url, dttm: parseStoredTime(row.dttm).getTime() }
}

/** `/superset/created_…`, `user_slices` and `fave_…`: charts and dashboards of a user for clients older than `/api/v1`. */
export function userListRoutes(app: App, { db }: HttpDeps): void {
  /** Visible objects of a user, the last changed or marked first. `dttm` is the time of the mark, or else of the change. */
  async function find<Row extends { id: number }>(
    resource: Resource<Row> & { kind: Kind },
    condition: Condition,
    userId: number,
    principal: Principal,
  ): Promise<(Row & Listed)[]> {
    const { kind } = resource
    const table = sql.table(kind)
    const where = and([condition, ...accessConditions(resource, readContext(app, principal))])
    const { rows } = await sql<
      Row & Listed
    >`select ${table}.*, coalesce(favorite.created_on, ${table}.changed_on) as dttm,
        person.username, person.first_name, person.last_name
      from ${table}
      left join favorite on favorite.object_id = ${table}.id and favorite.kind = ${kind} and favorite.user_id = ${userId}
      left join ${sql.table('user')} as person on person.id = ${table}.created_by_fk
      where ${where} order by dttm desc, ${table}.id desc`.execute(db)
    return rows
  }

  const createdCharts = async (userId: number, principal: Principal) =>
    (await find<ChartRow>(chartResource, isCreatedBy('chart', userId), -1, principal)).map(showChart)
  const favoriteCharts = async (userId: number, principal: Principal) =>
    (await find<ChartRow>(chartResource, isFavorite, userId, principal)).map((row) => ({
      ...showChart(row),
      ...creator(row),
    }))
  const userCharts = async (userId: number, principal: Principal) =>
    (await find<ChartRow>(chartResource, or([isOwnedBy(userId), isFavorite]), userId, principal)).map((row) => ({
      ...showChart(row),
      data: buildFormData(row),
    }))
  const favoriteDashboards = async (userId: number, principal: Principal) =>
    (await find<DashboardRow>(dashboardResource, isFavorite, userId, principal)).map((row) => ({
      ...showDashboard(row),
      ...creator(row),
    }))

  /** @throws AppError `forbidden` for favorites of other users, unless the caller is an administrator */
  const authorizeUser = (userId: number, { id, isAdmin }: Principal): number => {
    if (userId !== id && !isAdmin) throw new AppError('forbidden')
    return userId
  }
  const self = ({ id }: Principal): number => id ?? -1

  serve(app, routes.createdDashboards, async ({ params: { user_id }, principal }) =>
    (await find<DashboardRow>(dashboardResource, isCreatedBy('dashboard', user_id), -1, principal)).map(showDashboard),
  )
  serve(app, routes.createdCharts, ({ principal }) => createdCharts(self(principal), principal))
  serve(app, routes.createdChartsOf, ({ params, principal }) => createdCharts(params.user_id, principal))
  serve(app, routes.userCharts, ({ principal }) => userCharts(self(principal), principal))
  serve(app, routes.userChartsOf, ({ params, principal }) =>
    userCharts(authorizeUser(params.user_id, principal), principal),
  )
  serve(app, routes.favoriteCharts, ({ principal }) => favoriteCharts(self(principal), principal))
  serve(app, routes.favoriteChartsOf, ({ params, principal }) =>
    favoriteCharts(authorizeUser(params.user_id, principal), principal),
  )
  serve(app, routes.favoriteDashboards, ({ params, principal }) =>
    favoriteDashboards(authorizeUser(params.user_id, principal), principal),
  )
  serve(app, routes.favoriteDashboardsByName, async ({ params, principal }) => {
    const found = await db.selectFrom('user').select('id').where('username', '=', params.username).executeTakeFirst()
    // Names of other users are not revealed.
    return favoriteDashboards(authorizeUser(found?.id ?? -2, principal), principal)
  })
}
