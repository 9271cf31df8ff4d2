import { formatScope, type RouteContract, type ScopeResource } from '@parquetry/model'

/** Calls for every key: what clients send before they do anything else, and the documentation. */
const open = 'open'

/**
 * The resource that a scope must name, by the start of a route's path. The longest start counts. Keys with scopes are refused on
 * all other routes.
 */
const resources: Readonly<Record<string, ScopeResource | typeof open>> = {
  '/api/v1/_openapi': open,
  '/api/v1/security/csrf_token/': open,
  '/api/v1/annotation_layer/': 'annotation',
  '/superset/annotation_json/': 'annotation',
  '/api/v1/chart/': 'chart',
  '/superset/explore_json/': 'chart',
  '/superset/slice_json/': 'chart',
  '/superset/warm_up_cache/': 'chart',
  '/superset/created_slices': 'chart',
  '/superset/fave_slices': 'chart',
  '/superset/user_slices': 'chart',
  '/api/v1/dashboard/': 'dashboard',
  '/api/v1/embedded_dashboard/': 'dashboard',
  '/api/v1/css_template/': 'dashboard',
  '/dynamic-plugins/': 'chart',
  '/dashboardasync/api/': 'dashboard',
  '/csstemplateasyncmodelview/api/': 'dashboard',
  '/superset/add_slices/': 'dashboard',
  '/superset/copy_dash/': 'dashboard',
  '/superset/created_dashboards/': 'dashboard',
  '/superset/save_dash/': 'dashboard',
  '/superset/fave_dashboards/': 'dashboard',
  '/superset/fave_dashboards_by_username/': 'dashboard',
  '/api/v1/database/': 'database',
  '/api/v1/upload/': 'database',
  '/superset/tables/': 'database',
  '/superset/testconn': 'database',
  '/superset/schemas_access_for_file_upload': 'database',
  '/api/v1/dataset/': 'dataset',
  '/api/v1/datasource/': 'dataset',
  '/datasource/': 'dataset',
  '/superset/datasources/': 'dataset',
  '/superset/filter/': 'dataset',
  '/superset/fetch_datasource_metadata': 'dataset',
  '/superset/get_or_create_table/': 'dataset',
  '/api/v1/explore/': 'explore',
  '/api/v1/form_data/': 'explore',
  '/api/v1/time_range/': 'explore',
  '/api/v1/query/': 'query',
  '/superset/queries/': 'query',
  '/superset/search_queries': 'query',
  '/superset/stop_query/': 'query',
  '/api/v1/security/roles/': 'role',
  '/api/v1/security/permissions/': 'role',
  '/api/v1/security/permissions-resources/': 'role',
  '/api/v1/security/resources/': 'role',
  '/api/v1/rowlevelsecurity/': 'rls',
  '/api/v1/saved_query/': 'savedquery',
  '/savedqueryviewapi/api/': 'savedquery',
  '/api/v1/sqllab/': 'sqllab',
  '/superset/sql_json/': 'sqllab',
  '/superset/results/': 'sqllab',
  '/superset/csv/': 'sqllab',
  '/superset/sqllab_viz/': 'sqllab',
  '/superset/validate_sql_json/': 'sqllab',
  '/superset/estimate_query_cost/': 'sqllab',
  '/superset/extra_table_metadata/': 'sqllab',
  '/tabstateview/': 'sqllab',
  '/tableschemaview/': 'sqllab',
  '/api/v1/tag/': 'tag',
  '/tagview/tags/': 'tag',
  '/api/v1/theme/': 'theme',
  '/api/v1/task/': 'task',
  '/api/v1/report/': 'report',
  '/api/v1/me/': 'user',
  '/api/v1/user/': 'user',
  '/api/v1/security/users/': 'user',
  '/api/v1/security/groups/': 'user',
  '/api/v1/security/subject/': 'user',
  '/api/v1/security/user_registrations/': 'user',
  '/api/v1/security/invitations/': 'user',
}

/** Calls of other methods than GET that change nothing. */
const readingCalls: ReadonlySet<string> = new Set([
  'POST /api/v1/chart/data',
  'POST /api/v1/chart/picture',
  'POST /api/v1/dashboard/:id/data',
  'POST /api/v1/dashboard/:id/picture',
  'POST /api/v1/database/:id/validate_sql/',
  'POST /api/v1/datasource/:type/:id/validate_expression/',
  'POST /api/v1/rowlevelsecurity/preview',
  'POST /api/v1/query/',
  'POST /api/v1/sqllab/estimate/',
  'POST /api/v1/sqllab/format_sql/',
  'POST /datasource/samples',
  'POST /superset/estimate_query_cost/:database_id/',
  'POST /superset/estimate_query_cost/:database_id/:schema/',
  'POST /superset/explore_json/',
  'POST /superset/explore_json/:datasource_type/:datasource_id/',
  'POST /superset/validate_sql_json/',
])

/** Calls of another resource than their address says: this one reads the data of charts, not the query history. */
const otherResources: Readonly<Record<string, ScopeResource>> = { 'POST /api/v1/query/': 'chart' }

const starts = Object.keys(resources).toSorted((a, b) => b.length - a.length)

type Route = Pick<RouteContract, 'method' | 'path'>

/** Scope that a route requires: `open` for none, undefined for routes that no scope includes. */
export function scopeOf({ method, path }: Route): string | undefined {
  const start = starts.find((each) => path.startsWith(each) || `${path}/` === each)
  const resource = otherResources[`${method} ${path}`] ?? (start === undefined ? undefined : resources[start])
  if (resource === undefined || resource === open) return resource
  return formatScope(resource, method === 'GET' || readingCalls.has(`${method} ${path}`) ? 'read' : 'write')
}

/** @param scopes  as stored; null includes every route */
export function createScopeCheck(scopes: string | null): (route: Route) => boolean {
  if (scopes === null) return () => true
  const allowed = new Set([...scopes.split(','), open])
  return (route) => {
    const scope = scopeOf(route)
    return scope !== undefined && allowed.has(scope)
  }
}
