import { legacyDataRoutes, legacyRoutes, queryRoutes as routes, toLikePattern } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import type { App } from '../http/app.ts'
import type { Principal } from '../access/principal.ts'
import { serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { formatClampedTime } from '../store/time.ts'
import type { SqllabDeps } from './deps.ts'
import { queryResource } from './query-resource.ts'
import { queryView } from './query-view.ts'

/** `/api/v1/query/` and its legacy endpoint: the query history of the user. */
export function historyRoutes(app: App, { db, settings }: SqllabDeps): void {
  serveReading(app, routes, queryResource)

  const changedSince = async (ms: number, principal: Principal) => {
    const rows = await db
      .selectFrom('query')
      .innerJoin('database', 'database.id', 'query.database_id')
      .selectAll('query')
      .select('database_name')
      .where('user_id', '=', principal.id ?? -1)
      .where('query.changed_on', '>=', formatClampedTime(ms))
      .execute()
    return rows.map(({ database_name, ...row }) => ({ ...queryView(row, database_name, principal) }))
  }
  serve(app, routes.updatedSince, async ({ rison, principal }) => ({
    result: await changedSince(rison.last_updated_ms, principal),
  }))
  serve(app, legacyRoutes.queries, async ({ params, principal }) =>
    Object.fromEntries((await changedSince(params.since, principal)).map((view) => [view.id, view])),
  )
  serve(app, legacyDataRoutes.searchQueries, async ({ query, principal }) => {
    const { user_id, database_id, search_text, status, from, to } = query
    if (user_id !== undefined && user_id !== principal.id) return []
    let found = db
      .selectFrom('query')
      .innerJoin('database', 'database.id', 'query.database_id')
      .selectAll('query')
      .select('database_name')
      .where('user_id', '=', principal.id ?? -1)
    if (database_id !== undefined) found = found.where('database_id', '=', database_id)
    if (status) found = found.where('status', '=', status)
    if (search_text)
      found = found.where(sql<SqlBool>`lower(query.sql) like ${toLikePattern(search_text.toLowerCase())} escape '\\'`)
    if (from !== undefined) found = found.where('start_time', '>', from)
    if (to !== undefined) found = found.where('start_time', '<', to)
    const rows = await found
      .orderBy('query.id', 'desc')
      .limit(Math.min(settings.config.QUERY_SEARCH_LIMIT, 1000))
      .execute()
    return rows.map(({ database_name, ...row }) => ({ ...queryView(row, database_name, principal) }))
  })
}
