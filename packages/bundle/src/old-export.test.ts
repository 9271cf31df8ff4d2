import { describe, expect, it } from 'vitest'
import { readArchive, writeYaml } from './index.ts'

const chart = (id: number, name: string, params = {}) => ({
  __Slice__: {
    id,
    cache_timeout: null,
    datasource_name: 'births',
    datasource_type: 'table',
    slice_name: name,
    viz_type: 'big_number_total',
    params: JSON.stringify({
      datasource: '3__table',
      metric: 'count',
      remote_id: id,
      datasource_name: 'births',
      schema: null,
      database_name: 'lab',
      ...params,
    }),
  },
})

const stamp = { __datetime__: '2020-10-07T15:50:00' }

const table = {
  __SqlaTable__: {
    table_name: 'births',
    schema: null,
    sql: null,
    database_id: 7,
    main_dttm_col: 'ds',
    template_params: null,
    params: '{"remote_id": 3, "database_name": "lab", "import_time": 1604342885}',
    columns: [
      {
        __TableColumn__: { column_name: 'ds', is_dttm: true, type: 'DATETIME', id: 1, table_id: 3, changed_on: stamp },
      },
    ],
    metrics: [
      { __SqlMetric__: { metric_name: 'count', expression: 'COUNT(*)', id: 9, table_id: 3, created_by_fk: 1 } },
    ],
  },
}

const layout = {
  DASHBOARD_VERSION_KEY: 'v2',
  ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
  GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['ROW-1'], parents: ['ROOT_ID'] },
  'ROW-1': { id: 'ROW-1', type: 'ROW', children: ['CHART-1'], parents: ['ROOT_ID', 'GRID_ID'] },
  'CHART-1': {
    id: 'CHART-1',
    type: 'CHART',
    children: [],
    meta: { chartId: 83, height: 50, width: 4, uuid: 'c77bb4b3-09f4-4d9a-a9e2-66a627c64343' },
  },
}

const dashboards = (own: Record<string, unknown> = {}) => ({
  dashboards: [
    {
      __Dashboard__: {
        dashboard_title: 'Births / 2',
        slug: null,
        css: '',
        json_metadata: '{"expanded_slices": {"83": true}, "remote_id": 1}',
        position_json: JSON.stringify(layout),
        slices: [chart(83, 'California'), chart(84, 'Texas')],
        ...own,
      },
    },
  ],
  datasources: [table],
})

const read = (value: unknown) => readArchive(Buffer.from(JSON.stringify(value)))

describe('an export of Superset 1.x', () => {
  it('LIST-007, API-091: of dashboards, in JSON, is read as a bundle', async () => {
    const { metadata, files } = await read(dashboards())
    expect(metadata.type).toBe('Dashboard')
    expect([...files.keys()]).toEqual([
      'datasets/lab/births.yaml',
      'charts/California_83.yaml',
      'charts/Texas_84.yaml',
      'dashboards/Births_2_1.yaml',
    ])
    const dataset = files.get('datasets/lab/births.yaml')!
    expect(dataset).toEqual({
      table_name: 'births',
      schema: null,
      sql: null,
      main_dttm_col: 'ds',
      template_params: null,
      params: null,
      columns: [{ column_name: 'ds', is_dttm: true, type: 'DATETIME' }],
      metrics: [{ metric_name: 'count', expression: 'COUNT(*)' }],
      uuid: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      database_name: 'lab',
      version: '1.0.0',
    })
    expect(files.get('charts/California_83.yaml')).toEqual({
      slice_name: 'California',
      viz_type: 'big_number_total',
      cache_timeout: null,
      params: { datasource: '3__table', metric: 'count' },
      uuid: 'c77bb4b3-09f4-4d9a-a9e2-66a627c64343',
      dataset_uuid: dataset['uuid'],
      version: '1.0.0',
    })
    expect(files.get('dashboards/Births_2_1.yaml')).toMatchObject({
      dashboard_title: 'Births / 2',
      metadata: { expanded_slices: { 83: true } },
      position: { 'CHART-1': { meta: { chartId: 83, uuid: 'c77bb4b3-09f4-4d9a-a9e2-66a627c64343' } } },
    })
  })

  it('gives charts without a place in the layout a row, and the same UUIDs each time', async () => {
    for (const position_json of [JSON.stringify(layout), null, '', '[{"slice_id": 83, "col": 1}]', 'no JSON']) {
      const { files } = await read(dashboards({ position_json }))
      const dashboard = files.get('dashboards/Births_2_1.yaml')!
      const items = Object.values(dashboard['position'] as Record<string, { type?: string; meta?: { uuid: string } }>)
      const placed = items.filter(({ type }) => type === 'CHART').map(({ meta }) => meta?.uuid)
      const charts = [...files].filter(([path]) => path.startsWith('charts/')).map(([, { uuid }]) => uuid)
      expect(placed).toEqual(charts)
      expect(await read(dashboards({ position_json }))).toEqual({ metadata: expect.anything() as unknown, files })
    }
  })

  it('keeps rows, order and sizes of layouts before version 2, in both of their grids', async () => {
    const place = (slice_id: number | string, col: number, row: number, size_x: number, size_y: number) => ({
      slice_id,
      col,
      row,
      size_x,
      size_y,
    })
    const slices = [83, 84, 85, 86].map((id) => chart(id, String(id)))
    const layoutOf = async (places: object[]) => {
      const { files } = await read(dashboards({ slices, position_json: JSON.stringify(places) }))
      type Item = { type?: string; children: string[]; meta: { chartId: number; width: number; height: number } }
      const position = files.get('dashboards/Births_2_1.yaml')!['position'] as Record<string, Item>
      return position['GRID_ID']!.children.map((row) =>
        position[row]!.children.map((id) => {
          const { chartId, width, height } = position[id]!.meta
          return [chartId, width, height]
        }),
      )
    }
    const fine = [place('84', 25, 4, 24, 16), place('83', 1, 4, 24, 16), place(85, 1, 1, 48, 8)]
    const rows = [
      [[85, 12, 25]],
      [
        [83, 6, 50],
        [84, 6, 50],
      ],
      [[86, 4, 50]],
    ]
    expect(await layoutOf(fine)).toEqual(rows)
    expect(await layoutOf([place('84', 7, 4, 6, 4), place('83', 1, 4, 6, 4), place(85, 1, 1, 12, 2)])).toEqual(rows)
    const wide = [place(83, 1, 1, 8, 4), place(84, 9, 1, 8, 1000), place(85, 1, 2, 0, 0)]
    expect(await layoutOf(wide)).toEqual([
      [
        [83, 2, 13],
        [84, 2, 400],
      ],
      [[85, 4, 50]],
      [[86, 4, 50]],
    ])
  })

  it('exempts the same charts from filters, as dashboards did before they had scopes', async () => {
    const filter = chart(83, 'Filter', {
      date_filter: true,
      filter_configs: [{ column: 'state' }, { column: 'gender' }, {}],
    })
    filter.__Slice__.viz_type = 'filter_box'
    const scopesOf = async (settings: object) => {
      const json_metadata = JSON.stringify({ remote_id: 1, ...settings })
      const { files } = await read(dashboards({ slices: [filter, chart(84, 'Texas')], json_metadata }))
      return files.get('dashboards/Births_2_1.yaml')!['metadata']
    }
    const immune = {
      filter_immune_slices: [85],
      filter_immune_slice_fields: { 84: ['state', '__time_range'], 85: ['state'] },
    }
    const of = (ids: number[]) => ({ scope: ['ROOT_ID'], immune: ids })
    expect(await scopesOf(immune)).toEqual({
      filter_scopes: { 83: { __time_range: of([85, 84]), state: of([85, 84]), gender: of([85]) } },
    })
    const filter_scopes = { 83: { state: of([]) } }
    expect(await scopesOf({ ...immune, filter_scopes })).toEqual({ filter_scopes })
    expect(await scopesOf({})).toEqual({})
  })

  it('of Druid clusters, in JSON and YAML, is read as connections that explain themselves', async () => {
    const columns = [{ column_name: 'page', type: 'STRING', dimension_spec_json: '{}' }]
    const metrics = [{ metric_name: 'count', metric_type: 'count', json: '{"type": "count"}' }]
    const wrap = (name: string, list: object[]) => list.map((item) => ({ [name]: item }))
    const wiki = {
      datasource_name: 'wiki',
      cluster_name: 'events',
      params: '{"remote_id": 4, "database_name": "events"}',
    }
    const druidChart = chart(90, 'Pages', { datasource: '4__druid', datasource_name: 'wiki', database_name: 'events' })
    const datasources = [
      table,
      {
        __DruidDatasource__: {
          ...wiki,
          columns: wrap('__DruidColumn__', columns),
          metrics: wrap('__DruidMetric__', metrics),
        },
      },
    ]
    const { files } = await read({ ...dashboards({ slices: [chart(83, 'California'), druidChart] }), datasources })
    expect(files.get('databases/events.yaml')).toEqual({
      database_name: 'events',
      sqlalchemy_uri: 'druid://cluster',
      version: '1.0.0',
    })
    const dataset = files.get('datasets/events/wiki.yaml')
    expect(dataset).toMatchObject({
      table_name: 'wiki',
      database_name: 'events',
      columns,
      metrics: [{ ...metrics[0], expression: '{"type": "count"}' }],
    })
    expect(files.get('charts/Pages_90.yaml')).toMatchObject({ dataset_uuid: dataset!['uuid'] })
    const clusters = {
      druid_clusters: [{ cluster_name: 'events', datasources: [{ datasource_name: 'wiki', columns, metrics }] }],
    }
    const alone = await readArchive(Buffer.from(writeYaml(clusters)))
    expect(alone.metadata.type).toBe('SqlaTable')
    expect(alone.files.get('datasets/events/wiki.yaml')).toMatchObject({ uuid: dataset!['uuid'], columns })
  })

  it('of databases and tables, in YAML, is read as a bundle of datasets', async () => {
    const tables = [{ table_name: 'births', columns: [{ column_name: 'ds' }], metrics: [] }]
    const databases = { databases: [{ database_name: 'lab', sqlalchemy_uri: 'sqlite://', tables }] }
    const { metadata, files } = await readArchive(Buffer.from(writeYaml(databases)))
    expect(metadata.type).toBe('SqlaTable')
    expect(files.get('databases/lab.yaml')).toEqual({
      database_name: 'lab',
      sqlalchemy_uri: 'sqlite://',
      version: '1.0.0',
    })
    expect(files.get('datasets/lab/births.yaml')).toMatchObject({
      table_name: 'births',
      columns: [{ column_name: 'ds' }],
      database_name: 'lab',
    })
    const list = await readArchive(
      Buffer.from('- table_name: births\n  params: \'{"database_name": "lab"}\'\n  columns: []\n'),
    )
    expect(list.files.get('datasets/lab/births.yaml')).toMatchObject({ table_name: 'births', database_name: 'lab' })
  })

  it.each([
    ['slice_name: a b\nviz_type: pie\n', 'Slice', 'charts/a_b.yaml'],
    ['\uFEFFdashboard_title: a\nposition: {}\n', 'Dashboard', 'dashboards/a.yaml'],
    ['{"table_name": "a", "columns": []}', 'SqlaTable', 'datasets/a.yaml'],
  ])('one document of a bundle, %j, is read alone', async (text, type, path) => {
    const { metadata, files } = await readArchive(Buffer.from(text))
    expect([metadata.type, ...files.keys()]).toEqual([type, path])
  })

  it.each([
    ['a,b\n1,2\n', 'neither a ZIP archive nor an export'],
    ['', 'neither a ZIP archive nor an export'],
    ["import { it } from 'vitest'\n", 'neither a ZIP archive nor an export'],
    ['slice_name: [a\nviz_type: b', 'Error importing the bundle'],
    ['%PDF-1.4\0\x01', 'neither a ZIP archive nor an export'],
    ['{"a": 1}', 'neither a ZIP archive nor an export'],
    ['{"dashboards": [],\n "datasources": [}', 'Error importing the bundle'],
    [`{"slice_name": "a", "viz_type": ${'['.repeat(200)}${']'.repeat(200)}}`, 'Error importing the bundle'],
  ])('any other file, such as %j, is refused', async (text, sentence) => {
    await expect(readArchive(Buffer.from(text))).rejects.toThrow(sentence)
  })
})
