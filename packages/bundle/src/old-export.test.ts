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
