import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import type { CarsServer } from './chart/testing.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a client would read them
type Body = any

/** Values of path parameters: by the path up to the parameter, or by the parameter in braces. */
export type PathValues = Readonly<Record<string, string | number>>

/** Fills the parameters of a documented path. @throws Error for a parameter without a value */
export const fillPath = (path: string, values: PathValues): string =>
  path.replaceAll(/\{\w+\}/g, (parameter: string, at: number) => {
    const value = values[path.slice(0, at + parameter.length)] ?? values[parameter]
    if (value === undefined) throw new Error(`no value for ${parameter} of ${path}`)
    return encodeURIComponent(value)
  })

/** Creates an object of every kind, with the name `name`, and returns the values of the parameters that name them. */
export async function createObjects({ server, dataset: cars }: CarsServer, name: string): Promise<PathValues> {
  const client = server.as('admin')
  const post = async (path: string, body: object): Promise<Body> => {
    const response = await client.post(path, body)
    if (response.statusCode >= 300) throw new Error(`${path}: ${response.statusCode} ${response.body}`)
    return response.json()
  }
  const postForm = async (path: string, fields: Record<string, string>): Promise<Body> => {
    const response = await client.send('POST', path, {
      payload: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    if (response.statusCode >= 300) throw new Error(`${path}: ${response.statusCode} ${response.body}`)
    return response.json()
  }
  const get = async (path: string): Promise<Body> => (await client.get(path)).json()

  const dataset = await post('/api/v1/dataset/', { database: 1, table_name: name, sql: 'SELECT 1 AS a' })
  const { result: withColumns } = await get(`/api/v1/dataset/${dataset.id}`)
  const query = { columns: ['Origin'], metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: name }] }
  const queryContext = { datasource: { id: cars, type: 'table' }, queries: [query] }
  const chart = await post('/api/v1/chart/', {
    slice_name: name,
    datasource_id: cars,
    datasource_type: 'table',
    viz_type: 'table',
    params: '{}',
    query_context: JSON.stringify(queryContext),
  })
  const dashboard = await post('/api/v1/dashboard/', { dashboard_title: name, slug: name })
  const at = `/api/v1/dashboard/${dashboard.id}`
  const filterSet = await post(`${at}/filtersets`, {
    name,
    owner_type: 'Dashboard',
    json_metadata: '{"nativeFilters":{}}',
  })
  const filterState = await post(`${at}/filter_state`, { value: '{}' })
  const dashboardLink = await post(`${at}/permalink`, { urlParams: [] })
  const embedded = await post(`${at}/embedded`, { allowed_domains: [] })
  const layer = await post('/api/v1/annotation_layer/', { name, descr: '' })
  const annotation = await post(`/api/v1/annotation_layer/${layer.id}/annotation/`, {
    short_descr: name,
    start_dttm: '2020-01-01T00:00:00',
    end_dttm: '2020-01-02T00:00:00',
  })
  const css = await post('/api/v1/css_template/', { template_name: name, css: '' })
  const theme = await post('/api/v1/theme/', { theme_name: name, json_data: '{}' })
  const plugin = await post('/dynamic-plugins/api/create', {
    name,
    key: name,
    form: [],
    module: 'export const mount = () => {}',
  })
  const tag = await post('/api/v1/tag/', { name: `tag of ${name}` })
  const formData = await post('/api/v1/explore/form_data', {
    datasource_id: cars,
    datasource_type: 'table',
    form_data: '{}',
  })
  const exploreLink = await post('/api/v1/explore/permalink', { formData: { datasource: `${cars}__table` } })
  const rule = await post('/api/v1/rowlevelsecurity/', {
    name,
    filter_type: 'Regular',
    tables: [dataset.id],
    roles: [1],
    clause: '1 = 1',
  })
  const report = await post('/api/v1/report/', {
    type: 'Report',
    name,
    crontab: '0 9 * * *',
    dashboard: dashboard.id,
    active: false,
  })
  const reportRun = await server.deps.db
    .insertInto('report_run')
    .values({
      uuid: randomUUID(),
      report_id: report.id,
      trigger: 'now',
      slot: null,
      user_id: null,
      owner: null,
      next_attempt_at: null,
      state: 'Success',
      scheduled_dttm: '2026-01-01T00:00:00.000',
      start_dttm: null,
      end_dttm: null,
      value: null,
      value_row_json: null,
      error_message: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const savedQuery = await post('/api/v1/saved_query/', { label: name, sql: 'select 1', db_id: 1 })
  const group = await post('/api/v1/security/groups/', { name })
  const role = await post('/api/v1/security/roles/', { name })
  const resource = await post('/api/v1/security/resources/', { name })
  const pair = await post('/api/v1/security/permissions-resources/', { permission_id: 1, view_menu_id: resource.id })
  const person = { username: name, first_name: name, last_name: name, email: `${name}@example.com` }
  const user = await post('/api/v1/security/users/', { ...person, password: `${name} of the users`, roles: [1] })
  const registration = await post('/api/v1/security/user_registrations/', {
    ...person,
    username: `${name}-asks`,
    email: `${name}-asks@example.com`,
  })
  const sqlLink = await post('/api/v1/sqllab/permalink', { dbId: 1, name, sql: 'select 1', schema: 'main' })
  const kv = await postForm('/kv/store/', { data: '{}' })
  const editor = { dbId: 1, title: name, sql: '' }
  const tab = await postForm('/tabstateview/', { queryEditor: JSON.stringify(editor) })
  const opened = { dbId: 1, schema: 'main', name: 'cars', queryEditorId: String(tab.id) }
  const table = await postForm('/tableschemaview/', { table: JSON.stringify(opened) })
  const client_id = `c-${name}`
  const run = await post('/api/v1/sqllab/execute/', { database_id: 1, sql: 'select 1', client_id, runAsync: false })
  await server.deps.db.updateTable('database').set({ ssh_tunnel: '{}' }).where('id', '=', 1).execute()
  const { ids: logs } = await get('/api/v1/log/')
  const form = { viz_type: 'dist_bar', datasource: `${cars}__table`, metrics: query.metrics, groupby: ['Origin'] }
  const chartJob = await post('/api/v1/chart/data', queryContext)
  const exploreJob = await postForm('/superset/explore_json/', { form_data: JSON.stringify(form) })
  for (const path of [`/api/v1/chart/data/${chartJob.job_id}`, `/superset/explore_json/data/${exploreJob.job_id}`])
    await vi.waitFor(async () => expect((await client.get(path)).statusCode).toBe(200), 15_000)

  return {
    '/api/v1/annotation_layer/{pk}': layer.id,
    '{layer_id}': layer.id,
    '/annotationlayer/{pk}': layer.id,
    '{annotation_id}': annotation.id,
    '/api/v1/annotation_layer/related/{column_name}': 'created_by',
    '/api/v1/chart/{pk}': chart.id,
    '{slice_id}': chart.id,
    '{obj_id}': chart.id,
    '{class_name}': 'slice',
    '{action}': 'count',
    '/api/v1/chart/related/{column_name}': 'owners',
    '/api/v1/chart/data/{cache_key}': chartJob.job_id,
    '/superset/explore_json/data/{cache_key}': exploreJob.job_id,
    '{digest}': 'digest',
    '/api/v1/css_template/{pk}': css.id,
    '/api/v1/theme/{pk}': theme.id,
    '/api/v1/theme/related/{column_name}': 'created_by',
    '/api/v1/tag/{pk}': tag.id,
    '/dynamic-plugins/api/update/{pk}': plugin.id,
    '/dynamic-plugins/api/delete/{pk}': plugin.id,
    '/api/v1/css_template/related/{column_name}': 'created_by',
    '/api/v1/dashboard/{pk}': dashboard.id,
    '{dashboard_id}': dashboard.id,
    '{dashboard_id_or_slug}': name,
    '/api/v1/dashboard/related/{column_name}': 'owners',
    '/api/v1/dashboard/{pk}/filter_state/{key}': filterState.key,
    '/api/v1/dashboard/permalink/{key}': dashboardLink.key,
    '/superset/dashboard/p/{key}': dashboardLink.key,
    '/api/v1/dashboard/{dashboard_id}/filtersets/{pk}': filterSet.id,
    '{uuid}': embedded.result.uuid,
    '/api/v1/database/{pk}': 1,
    '{database_id}': 1,
    '{db_id}': 1,
    '/api/v1/database/related/{column_name}': 'created_by',
    '{table_name}': 'cars',
    '{schema_name}': 'main',
    '{schema}': 'main',
    '{force_refresh}': 'true',
    '/api/v1/dataset/{pk}': dataset.id,
    '/dataset/{pk}': dataset.id,
    '/tablemodelview/edit/{pk}': dataset.id,
    '/api/v1/dataset/distinct/{column_name}': 'schema',
    '/api/v1/dataset/related/{column_name}': 'owners',
    '{column_id}': withColumns.columns[0].id,
    '{metric_id}': withColumns.metrics[0].id,
    '{datasource_type}': 'table',
    '{datasource_id}': cars,
    '/api/v1/datasource/{datasource_type}/{datasource_id}/column/{column_name}': 'Origin',
    '{column}': 'Origin',
    '/api/v1/explore/form_data/{key}': formData.key,
    '/api/v1/explore/permalink/{key}': exploreLink.key,
    '/superset/explore/p/{key}': exploreLink.key,
    '/api/v1/log/{pk}': logs[0],
    '/api/v1/query/{pk}': run.query.queryId,
    '/api/v1/query/distinct/{column_name}': 'status',
    '/api/v1/query/related/{column_name}': 'user',
    '/api/v1/report/{pk}': report.id,
    '/report/{pk}': report.id,
    '{log_id}': reportRun.id,
    '/api/v1/report/related/{column_name}': 'owners',
    '/api/v1/rowlevelsecurity/{pk}': rule.id,
    '/api/v1/rowlevelsecurity/related/{column_name}': 'tables',
    '/api/v1/saved_query/{pk}': savedQuery.id,
    '/savedqueryviewapi/api/get/{pk}': savedQuery.id,
    '/savedqueryviewapi/api/update/{pk}': savedQuery.id,
    '/savedqueryviewapi/show/{pk}': savedQuery.id,
    '/api/v1/saved_query/distinct/{column_name}': 'schema',
    '/api/v1/saved_query/related/{column_name}': 'database',
    '/api/v1/security/groups/{pk}': group.id,
    '/api/v1/security/roles/{pk}': role.id,
    '{role_id}': role.id,
    '/api/v1/security/permissions/{pk}': 1,
    '/api/v1/security/resources/{pk}': resource.id,
    '/api/v1/security/permissions-resources/{pk}': pair.id,
    '/api/v1/security/users/{pk}': user.id,
    '/api/v1/security/user_registrations/{pk}': registration.id,
    '{user_id}': user.id,
    '{username}': name,
    '/api/v1/sqllab/permalink/{key}': sqlLink.key,
    '{permalink}': sqlLink.key,
    '{client_id}': client_id,
    '/superset/results/{key}': run.query.resultsKey ?? 'none',
    '{last_updated_ms}': 0,
    '{key_id}': kv.id,
    '{tab_state_id}': tab.id,
    '{table_schema_id}': table.id,
    '{object_type}': 1,
    '{object_id}': savedQuery.id,
    '{tag}': name,
    '{lang}': 'en',
    '{locale}': 'en',
    // Kinds of objects that cannot be created yet.
    '{pk}': 1,
    '{id}': 1,
    '{column_name}': 'created_by',
    '{file}': 'index.js',
    '{url_id}': 1,
    '{activation_hash}': 'hash',
  }
}
