import { type Bundle, readArchive, readFolder, writeArchive } from '@parquetry/bundle'
import { listReferenceBundles } from '@parquetry/testing'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultConfig } from '../settings/config.ts'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'

type Json = Record<string, unknown>

/** The tables of the fixtures, see `scripts/superset/objects.ts`. */
const tables = `
create table orders (id integer, day date, region text, product text, amount real, quantity integer);
create table customers (id integer, name text, region text);
insert into orders values
  (1, '2025-01-03', 'north', 'tea', 12.5, 2), (2, '2025-01-17', 'south', 'coffee', 30, 3),
  (3, '2025-02-02', 'north', 'coffee', 20, 2), (4, '2026-01-09', 'west', 'tea', 6.25, 1);
insert into customers values (1, 'Ada', 'north'), (2, 'Grace', 'south');`

const passwords = JSON.stringify({
  'databases/shop_pg.yaml': 'p',
  'databases/Old_MySQL.yaml': 'p',
  'databases/lab.yaml': 'p',
})
const secrets = {
  passwords,
  ssh_tunnel_private_keys: JSON.stringify({ 'databases/Old_MySQL.yaml': 'k' }),
  ssh_tunnel_private_key_passwords: JSON.stringify({ 'databases/Old_MySQL.yaml': 'p' }),
}

/** Settings that name objects by ids, which are others here. */
const idFields = new Set(['datasource', 'slice_id', 'annotation_layers', 'dashboards', 'url_params', 'dashboardId'])
const withoutIds = (form: Json): Json =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !idFields.has(name)))

describe('forms of imported charts', () => {
  let lab: TestLab
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parquetry-shop-'))
    const shop = new DatabaseSync(join(folder, 'shop.db'))
    shop.exec(tables)
    shop.close()
    lab = await startTestLab({
      settings: {
        config: { ...structuredClone(defaultConfig), PREVENT_UNSAFE_DB_CONNECTIONS: false },
        files: [folder],
        flags: { ENABLE_TEMPLATE_PROCESSING: true },
      },
    })
  })
  afterAll(async () => {
    await lab.close()
    rmSync(folder, { recursive: true })
  })

  const send = async (kind: string, bundle: Bundle) => sendFile(kind, await writeArchive(bundle, 'root'))
  const sendFile = async (kind: string, bytes: Buffer) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...secrets, overwrite: 'true' })) form.set(name, value)
    form.set('formData', new Blob([new Uint8Array(bytes)]), 'file')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const answer = await lab.server.as('admin').send('POST', `/api/v1/${kind}/import/`, {
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'OK' }])
  }
  const get = (path: string) => lab.server.as('admin').get(path)
  const datasetOf = async (chart: number) =>
    (
      await lab.server.deps.db
        .selectFrom('chart')
        .select('datasource_id')
        .where('id', '=', chart)
        .executeTakeFirstOrThrow()
    ).datasource_id
  const idOf = async (kind: 'chart' | 'dashboard', uuid: unknown) =>
    (await lab.server.deps.db.selectFrom(kind).select('id').where('uuid', '=', String(uuid)).executeTakeFirstOrThrow())
      .id

  /** The dashboards of the releases; their other bundles contain the same charts. */
  const bundles = listReferenceBundles().filter(({ name }) => name.endsWith('/dashboard'))
  it.each(bundles)(
    'API-091: of $name open in Explore and on their dashboard, and have data where the engine is there',
    async ({ path }) => {
      const bundle = await readFolder(path)
      const uris = [...bundle.files.values()].flatMap(({ sqlalchemy_uri }) => sqlalchemy_uri ?? [])
      const isHere = uris.every((uri) => uri === 'sqlite:///shop.db')
      for (const [file, document] of bundle.files)
        if (isHere && document['sqlalchemy_uri'])
          bundle.files.set(file, { ...document, sqlalchemy_uri: `sqlite:///${join(folder, 'shop.db')}` })
      await send('dashboard', bundle)
      const charts = [...bundle.files].filter(([file]) => file.startsWith('charts/'))
      expect(charts).not.toEqual([])
      for (const [file, { uuid, params, query_context }] of charts) {
        const id = await idOf('chart', uuid)
        const explore = await get(`/api/v1/explore/?slice_id=${id}`)
        const { result } = explore.json<{ result: { form_data: Json; message: string | null } }>()
        expect([file, explore.statusCode, result.message]).toEqual([file, 200, null])
        expect(result.form_data).toMatchObject(withoutIds(params as Json))
        if (!isHere || typeof query_context !== 'string') continue
        const data = await get(`/api/v1/chart/${id}/data/`)
        expect([file, data.statusCode]).toEqual([file, 200])
        const queried = data.json<{ result: { rowcount: number; error: unknown; rejected_filters: unknown }[] }>()
          .result
        for (const { rowcount, error, rejected_filters } of queried)
          expect([file, rowcount > 0, error, rejected_filters]).toEqual([file, true, null, []])
      }
      const shown = new Set<number>()
      for (const [file, { uuid }] of bundle.files) {
        if (!file.startsWith('dashboards/')) continue
        const address = `/api/v1/dashboard/${await idOf('dashboard', uuid)}`
        for (const part of ['', '/charts', '/datasets'])
          expect([part, (await get(`${address}${part}`)).statusCode]).toEqual([part, 200])
        const { result } = (await get(`${address}/charts`)).json<{ result: { id: number }[] }>()
        for (const { id } of result) shown.add(id)
      }
      expect(shown.size).toBe(charts.length)
    },
  )

  it('API-091: of types that this product does not have stay as they are, with all their settings', async () => {
    const uuid = (n: number) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`
    const settings: Json = {
      viz_type: '',
      spatial: { type: 'latlon', latCol: 'lat', lonCol: 'lon' },
      mapbox_style: 'mapbox://styles/mapbox/light-v9',
      point_radius_fixed: { type: 'metric', value: { expressionType: 'SQL', sqlExpression: 'count(*)', label: 'n' } },
      js_data_mutator: '',
      filter_configs: [{ column: 'region', key: 'f', clearable: true }],
      entity: 'region',
      select_country: 'France',
      row_limit: '1000',
      markup_type: 'markdown',
      order_desc: null,
      'a setting': [{ of: ['a', 'later', { release: 1.5 }] }],
    }
    const types = [
      'deck_scatter',
      'deck_multi',
      'markup',
      'filter_box',
      'country_map',
      'event_flow',
      'iframe',
      'of_a_plugin',
      'rose',
    ]
    const files: Bundle['files'] = new Map<string, Json>([
      ['databases/lab.yaml', { database_name: 'forms', sqlalchemy_uri: 'duckdb://', uuid: uuid(1) }],
      [
        'datasets/forms/t.yaml',
        {
          table_name: 't',
          sql: 'select 1 as region',
          columns: [{ column_name: 'region' }],
          uuid: uuid(2),
          database_uuid: uuid(1),
        },
      ],
      ...types.map((viz_type, index): [string, Json] => [
        `charts/${viz_type}_${900 + index}.yaml`,
        {
          slice_name: viz_type,
          viz_type,
          params: { ...settings, viz_type },
          uuid: uuid(10 + index),
          dataset_uuid: uuid(2),
        },
      ]),
    ])
    await send('chart', {
      metadata: { version: '1.0.0', type: 'Slice', timestamp: '2026-01-01T00:00:00+00:00' },
      files,
    })
    for (const [index, viz_type] of types.entries()) {
      const id = await idOf('chart', uuid(10 + index))
      const explore = await get(`/api/v1/explore/?slice_id=${id}`)
      const { form_data } = explore.json<{ result: { form_data: Json } }>().result
      expect([explore.statusCode, form_data]).toMatchObject([200, { ...settings, viz_type }])
      const exported = await readArchive((await get(`/api/v1/chart/export/?q=!(${id})`)).rawPayload)
      const { params } = [...exported.files].find(([path]) => path.startsWith('charts/'))![1]
      const { datasource, ...own } = params as Json
      expect([viz_type, datasource, own]).toEqual([
        viz_type,
        expect.stringMatching(/^\d+__table$/),
        { ...settings, viz_type },
      ])
    }
  })

  it('LIST-007, API-091: of dashboards that Superset 1.x exported in JSON open, also those of Druid and of filter charts', async () => {
    const slice = (id: number, slice_name: string, viz_type: string, form: Json = {}) => ({
      __Slice__: {
        id,
        slice_name,
        viz_type,
        datasource_type: 'table',
        params: JSON.stringify({
          datasource: '3__table',
          viz_type,
          database_name: 'files',
          datasource_name: 'old',
          ...form,
        }),
      },
    })
    const filter = slice(501, 'Old filter', 'filter_box', { filter_configs: [{ column: 'name', key: 'k' }] })
    const druid = { datasource: '4__druid', database_name: 'events', datasource_name: 'wiki', granularity: 'one day' }
    const charts = [
      filter,
      slice(502, 'Old table', 'table', { groupby: ['name'] }),
      slice(503, 'Old pages', 'table', druid),
    ]
    const dashboard = (dashboard_title: string, slices: object[], json_metadata: Json) => ({
      __Dashboard__: { dashboard_title, slices, json_metadata: JSON.stringify(json_metadata), position_json: null },
    })
    const exported = {
      dashboards: [
        dashboard('Old one', charts, {
          remote_id: 1,
          filter_immune_slices: [502],
          expanded_slices: { 502: true },
          timed_refresh_immune_slices: [503],
          default_filters: JSON.stringify({ 501: { name: ['b'] } }),
        }),
        dashboard('Old two', charts.slice(1, 2), { remote_id: 2 }),
      ],
      datasources: [
        {
          __SqlaTable__: {
            table_name: 'old',
            sql: 'select 1 as name',
            params: '{"database_name": "files"}',
            columns: [{ __TableColumn__: { column_name: 'name' } }],
            metrics: [],
          },
        },
        {
          __DruidDatasource__: {
            datasource_name: 'wiki',
            cluster_name: 'events',
            columns: [],
            metrics: [{ __DruidMetric__: { metric_name: 'count', json: '{}' } }],
          },
        },
      ],
    }
    const bytes = Buffer.from(JSON.stringify(exported))
    await sendFile('dashboard', bytes)
    const { db } = lab.server.deps
    const rows = await db
      .selectFrom('chart')
      .select(['id', 'slice_name'])
      .where('slice_name', 'like', 'Old %')
      .orderBy('slice_name')
      .execute()
    expect(rows.map(({ slice_name }) => slice_name)).toEqual(['Old filter', 'Old pages', 'Old table'])
    const [filterId, pagesId, tableId] = rows.map(({ id }) => Number(id))
    for (const { id } of rows) expect((await get(`/api/v1/explore/?slice_id=${id}`)).statusCode).toBe(200)
    const boards = await db
      .selectFrom('dashboard')
      .select(['id', 'json_metadata'])
      .where('dashboard_title', 'in', ['Old one', 'Old two'])
      .orderBy('dashboard_title')
      .execute()
    expect(JSON.parse(boards[0]!.json_metadata ?? '')).toMatchObject({
      filter_scopes: { [filterId!]: { name: { scope: ['ROOT_ID'], immune: [tableId] } } },
      expanded_slices: { [tableId!]: true },
      timed_refresh_immune_slices: [pagesId],
      default_filters: JSON.stringify({ [filterId!]: { name: ['b'] } }),
    })
    const onBoards = await Promise.all(
      boards.map(
        async ({ id }) => (await get(`/api/v1/dashboard/${id}/charts`)).json<{ result: unknown[] }>().result.length,
      ),
    )
    expect(onBoards).toEqual([3, 1])
    const query = { datasource: { id: await datasetOf(pagesId!), type: 'table' }, queries: [{ metrics: ['count'] }] }
    const refused = await lab.server.as('admin').post('/api/v1/chart/data', query)
    expect([refused.statusCode, refused.body]).toEqual([
      400,
      expect.stringContaining('Parquetry cannot connect to Apache Druid'),
    ])
    // A second import finds what the first one has made.
    await sendFile('dashboard', bytes)
    const { n } = await db
      .selectFrom('chart')
      .select(({ fn }) => fn.countAll().as('n'))
      .where('slice_name', 'like', 'Old %')
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBe(3)
  })
})
