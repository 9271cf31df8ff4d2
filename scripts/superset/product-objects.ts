import { writeArchive, type Bundle } from '@parquetry/bundle'
import type { Api } from './api.ts'

type Json = Record<string, unknown>

/**
 * Adds objects of the kinds that the examples of the product lack, and ones with contents that other programs may stumble over: a
 * theme, a saved query, tags, a dataset with folders, and a dashboard whose chart was deleted.
 */
export async function addObjects(api: Api): Promise<void> {
  const { ids: databases } = await api.call('GET', 'database/')
  const { ids: dashboards } = await api.call('GET', 'dashboard/')
  const { ids: charts } = await api.call('GET', 'chart/')
  await api.call('POST', 'saved_query/', {
    db_id: databases[0],
    schema: 'main',
    label: 'Flights: "all"',
    description: 'Every one',
    sql: 'select *\nfrom flights -- all\n',
  })
  const theme = await api.call('POST', 'theme/', {
    theme_name: 'Green',
    json_data: JSON.stringify({ token: { colorPrimary: '#1a7f37' } }),
  })
  await api.call('PUT', `dashboard/${dashboards[0]}`, { theme_id: theme.id })
  const tagged = [
    ['dashboard', dashboards[0]],
    ['chart', charts[0]],
  ]
  await api.call('POST', 'tag/', { name: 'Flights', description: 'Of planes', objects_to_tag: tagged })
  await addFolders(api)
  await addFieldsOfOthers(api)
  await addDashboardOfDeletedChart(api, charts[0] as number)
}

async function addFolders(api: Api): Promise<void> {
  const { ids } = await api.call('GET', 'dataset/')
  const { result } = await api.call('GET', `dataset/${ids[0]}`)
  const [metric] = result.metrics as { uuid: string }[]
  const [first, second] = result.columns as { uuid: string }[]
  const folder = (name: string, last: number, children: unknown[]): Json => ({
    uuid: `00000000-0000-4000-8000-00000000000${last}`,
    type: 'folder',
    name,
    children,
  })
  await api.call('PUT', `dataset/${ids[0]}`, {
    folders: [folder('Important', 1, [metric, folder('More', 2, [first])]), folder('Rest', 3, [second])].map(toFolder),
  })
}

/** Keeps of columns and metrics what an entry of a folder has. */
function toFolder(entry: unknown): unknown {
  const { uuid, children, ...rest } = entry as Json
  return Array.isArray(children) ? { ...rest, uuid, children: children.map(toFolder) } : { uuid }
}

async function addDashboardOfDeletedChart(api: Api, chartId: number): Promise<void> {
  const { result } = await api.call('GET', `chart/${chartId}`)
  const { datasource_id } = JSON.parse(result.params as string) as Json
  const { ids: datasets } = await api.call('GET', 'dataset/')
  const { id: deleted } = await api.call('POST', 'chart/', {
    slice_name: 'Deleted',
    viz_type: 'pie',
    datasource_id: datasource_id ?? datasets[0],
    datasource_type: 'table',
    params: '{}',
  })
  const { id } = await api.call('POST', 'dashboard/', { dashboard_title: 'With a deleted chart' })
  const node = (key: string, type: string, parents: string[], children: string[], meta: Json = {}): Json => ({
    [key]: { id: key, type, parents, children, meta },
  })
  const row = ['ROOT_ID', 'GRID_ID', 'ROW-a']
  const scope = { rootPath: ['ROOT_ID'], excluded: [deleted] }
  const target = { datasetId: datasets[0], column: { name: 'none' } }
  await api.call('PUT', `dashboard/${id}`, {
    position_json: JSON.stringify({
      DASHBOARD_VERSION_KEY: 'v2',
      ...node('ROOT_ID', 'ROOT', [], ['GRID_ID']),
      ...node('GRID_ID', 'GRID', ['ROOT_ID'], ['ROW-a']),
      ...node('ROW-a', 'ROW', row.slice(0, 2), ['CHART-a', 'CHART-b']),
      ...node('CHART-a', 'CHART', row, [], { chartId, width: 4, height: 50 }),
      ...node('CHART-b', 'CHART', row, [], { chartId: deleted, width: 4, height: 50 }),
    }),
    json_metadata: JSON.stringify({
      timed_refresh_immune_slices: [chartId, deleted],
      expanded_slices: { [chartId]: true, [deleted]: true },
      filter_scopes: { [deleted]: { day: { scope: ['ROOT_ID'], immune: [chartId] } } },
      chart_configuration: { [deleted]: { id: deleted, crossFilters: { scope, chartsInScope: [chartId] } } },
      global_chart_configuration: { scope, chartsInScope: [chartId] },
      native_filter_configuration: [
        {
          id: 'NATIVE_FILTER-a',
          type: 'NATIVE_FILTER',
          name: 'A',
          filterType: 'filter_select',
          targets: [target],
          scope,
        },
      ],
    }),
  })
  await api.call('DELETE', `chart/${deleted}`)
}

/** A connection, a dataset and a chart with fields that Superset refuses, at every level. */
async function addFieldsOfOthers(api: Api): Promise<void> {
  const uuid = (last: number): string => `00000000-0000-4000-8000-0000000000f${last}`
  const later = { kept: [1, null] }
  const files: Bundle['files'] = new Map<string, Json>([
    [
      'databases/later.yaml',
      {
        database_name: 'later',
        sqlalchemy_uri: 'duckdb://',
        configuration_method: 'sqlalchemy_form',
        extra: { later, cost_estimate_enabled: true, allow_multi_catalog: 'yes' },
        later,
        uuid: uuid(1),
      },
    ],
    [
      'datasets/later/numbers.yaml',
      {
        table_name: 'numbers of a later release',
        sql: 'select 1 as n',
        columns: [{ column_name: 'n', type: 'INTEGER', later }],
        metrics: [{ metric_name: 'count', expression: 'count(*)', currency: { symbol: 'EUR', later } }],
        template_params: 'no JSON',
        later,
        uuid: uuid(2),
        database_uuid: uuid(1),
      },
    ],
    [
      'charts/later_1.yaml',
      {
        slice_name: 'Later',
        viz_type: 'table',
        params: { viz_type: 'table', later },
        later,
        uuid: uuid(3),
        dataset_uuid: uuid(2),
      },
    ],
  ])
  const metadata = { version: '1.0.0', type: 'Slice', timestamp: '2026-01-01T00:00:00+00:00' } as const
  const { status, body } = await api.upload(
    'chart/import/',
    await writeArchive({ metadata, files }, 'bundle'),
    {},
    'formData',
  )
  if (status !== 200) throw new Error(`chart/import/: ${status} ${JSON.stringify(body)}`)
}
