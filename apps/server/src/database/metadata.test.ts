import pg from 'pg'
import { measureEventLoop } from '@parquetry/testing/processor-time'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { encodeRison } from '@parquetry/model'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import { addDatabase } from '../database.testing.ts'
import type { Runners } from '../runners/runners.ts'
import { type Client, startTestServer, type TestServer, testStores } from '../testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const schema = `catalogue_${process.pid}`
const hidden = `${schema}_hidden`

async function admin(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

interface Listed {
  count: number
  result: { value: string; type: string; rows?: number | null }[]
}

describe.skipIf(!url).each(testStores)('the catalog of a database, store on %s', (_name, store) => {
  let lab: TestLab
  let database: number
  let ada: Client
  /** A user who may read only the one dataset that they own. */
  let reader: Client

  const q = (value: object) => `q=${encodeURIComponent(encodeRison(value))}`
  const path = (rest: string) => `/api/v1/database/${database}/${rest}`
  const tables = async (client: Client, options: object = {}): Promise<Listed> =>
    (await client.get(path(`tables/?${q({ schema_name: schema, ...options })}`))).json<Listed>()

  beforeAll(async () => {
    await admin(
      `CREATE SCHEMA ${schema}`,
      `CREATE SCHEMA ${hidden}`,
      `CREATE TABLE ${schema}.cars ("Name" text PRIMARY KEY, n numeric(10,2), "order" int)`,
      `COMMENT ON COLUMN ${schema}.cars.n IS 'how many'`,
      `INSERT INTO ${schema}.cars SELECT i::text, i, i FROM generate_series(1, 50) AS i`,
      `ANALYZE ${schema}.cars`,
      `CREATE TABLE ${schema}.secret (s text, car text REFERENCES ${schema}.cars)`,
      `CREATE VIEW ${schema}.v_cars AS SELECT n FROM ${schema}.cars`,
      `CREATE TABLE ${schema}.days (d date) PARTITION BY RANGE (d)`,
      `CREATE TABLE ${hidden}.other (a int)`,
    )
    lab = await startTestLab({ store, settings: { flags: { ENABLE_TEMPLATE_PROCESSING: true } } })
    database = await lab.connect({ database_name: 'pg', sqlalchemy_uri: url })
    ada = lab.server.as('admin')
    reader = lab.server.as('sqllab')
    const created = await ada.post('/api/v1/dataset/', { database, schema, table_name: 'cars' })
    const { id } = await lab.server.deps.db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'sqllab')
      .executeTakeFirstOrThrow()
    await lab.server.deps.db
      .insertInto('dataset_owner')
      .values({ dataset_id: created.json<{ id: number }>().id, user_id: id })
      .execute()
  }, 60_000)
  afterAll(async () => {
    await lab.close()
    await admin(`DROP SCHEMA ${schema} CASCADE`, `DROP SCHEMA ${hidden} CASCADE`)
  })

  it('creates the missing permissions on a database, its schemas and its datasets, and keeps grants', async () => {
    const { db } = lab.server.deps
    const listViews = async () =>
      (await db.selectFrom('permission').select(['id', 'view']).where('view', 'like', '[pg].%').execute()).toSorted(
        (a, b) => a.id - b.id,
      )
    const sync = (client: Client, id: number) => client.post(`/api/v1/database/${id}/sync_permissions/`)
    await db.deleteFrom('permission').where('view', 'like', '[pg].[%').execute()
    const [kept] = await listViews()
    expect((await sync(ada, database)).json()).toEqual({ message: 'OK' })
    const created = await listViews()
    expect(created.map(({ view }) => view)).toEqual(
      expect.arrayContaining([
        `[pg].(id:${database})`,
        `[pg].[${schema}]`,
        `[pg].[${hidden}]`,
        expect.stringMatching(/^\[pg\]\.\[cars\]\(id:\d+\)$/),
      ]),
    )
    expect(created).toContainEqual(kept)
    expect((await sync(ada, database)).statusCode).toBe(200)
    expect(await listViews()).toEqual(created)
    expect([(await sync(ada, 99_999)).statusCode, (await sync(reader, database)).statusCode]).toEqual([404, 403])
  })

  it('lists schemas and tables by name, without those that the user may not read', async () => {
    const schemas = async (client: Client) => (await client.get(path('schemas/'))).json<{ result: string[] }>().result
    expect(await schemas(ada)).toEqual(expect.arrayContaining([schema, hidden, 'public']))
    expect(await schemas(reader)).toEqual([schema])
    expect((await tables(ada)).result.map(({ value, type }) => `${type} ${value}`)).toEqual([
      'table cars',
      'table days',
      'table secret',
      'view v_cars',
    ])
    expect(await tables(reader)).toEqual({ count: 1, result: [{ value: 'cars', type: 'table', extra: null }] })
    expect((await tables(reader, { schema_name: hidden })).result).toEqual([])
    expect((await ada.get(path('catalogs/'))).json()).toEqual({ result: [] })
    expect((await lab.server.as('gamma').get(path('schemas/'))).statusCode).toBe(404)
    expect((await ada.get('/api/v1/database/99999/schemas/')).statusCode).toBe(404)
  })

  it('finds tables by search and page, with row counts from the statistics', async () => {
    expect(await tables(ada, { search: 'CARS', page_size: 10 })).toEqual({
      count: 2,
      result: [
        { value: 'cars', type: 'table', extra: null, rows: 50 },
        { value: 'v_cars', type: 'view', extra: null, rows: null },
      ],
    })
    const pages = await Promise.all([0, 1, 2].map((page) => tables(ada, { page, page_size: 3 })))
    expect(pages.map(({ count, result }) => [count, ...result.map(({ value }) => value)])).toEqual([
      [4, 'cars', 'days', 'secret'],
      [4, 'v_cars'],
      [4],
    ])
    expect((await tables(reader, { search: 'e', page_size: 5 })).count, 'secret is not found either').toBe(0)
    expect((await tables(ada, { search: '%', page_size: 5 })).count).toBe(0)
  })

  it('caches responses until force is set', async () => {
    const before = (await tables(ada)).count
    await admin(`CREATE TABLE ${schema}.late (a int)`)
    expect((await tables(ada)).count).toBe(before)
    expect((await tables(ada, { force: true })).count).toBe(before + 1)
    expect((await tables(ada)).count).toBe(before + 1)
    await admin(`DROP TABLE ${schema}.late`)
    expect((await tables(ada, { force: true })).count).toBe(before)
  })

  it('lists a table immediately after SQL Lab created it', async () => {
    const writing = await lab.connect({ database_name: 'writing', sqlalchemy_uri: url, allow_dml: true })
    const names = async () => {
      const q = encodeURIComponent(encodeRison({ schema_name: schema }))
      const response = await ada.get(`/api/v1/database/${writing}/tables/?q=${q}`)
      return response.json<Listed>().result.map(({ value }) => value)
    }
    expect(await names()).not.toContain('fresh')
    for (const [sql, isThere] of [
      [`CREATE TABLE ${schema}.fresh (a int)`, true],
      [`DROP TABLE ${schema}.fresh`, false],
    ] as const) {
      expect((await lab.run(sql, { database_id: writing })).statusCode).toBe(200)
      expect((await names()).includes('fresh')).toBe(isThere)
    }
  })

  it('regression: returns types in the spelling of the API, and an empty object for a missing primary key', async () => {
    await admin(`CREATE TABLE ${schema}.kinds
      (a double precision, b timestamp, c timestamptz(3), d time, e varchar(20), f numeric(10,2))`)
    const { columns, primaryKey } = (await ada.get(path(`table/kinds/${schema}/`))).json<{
      columns: { type: string; longType: string }[]
      primaryKey: object
    }>()
    await admin(`DROP TABLE ${schema}.kinds`)
    expect(columns.map(({ type, longType }) => [type, longType])).toEqual([
      ['DOUBLE_PRECISION', 'DOUBLE_PRECISION'],
      ['TIMESTAMP', 'TIMESTAMP'],
      ['TIMESTAMP', 'TIMESTAMP'],
      ['TIME', 'TIME'],
      ['VARCHAR', 'VARCHAR(20)'],
      ['NUMERIC', 'NUMERIC(10, 2)'],
    ])
    expect(primaryKey).toMatchObject({ constrained_columns: [], name: null })
  })

  it('API-006: returns columns, keys, comment and SELECT of a table in both spellings', async () => {
    const legacy = (await ada.get(path(`table/cars/${schema}/`))).json<Record<string, unknown>>()
    expect(legacy).toMatchObject({
      name: 'cars',
      columns: [
        { name: 'Name', type: 'TEXT', longType: 'TEXT', comment: null, keys: [{ type: 'pk' }] },
        { name: 'n', type: 'NUMERIC', longType: 'NUMERIC(10, 2)', comment: 'how many', keys: [] },
        { name: 'order', type: 'INTEGER' },
      ],
      selectStar: `SELECT "Name",\n       n,\n       "order"\nFROM ${schema}.cars\nLIMIT 100`,
      primaryKey: { type: 'pk', column_names: ['Name'] },
      foreignKeys: [],
      rows: 50,
    })
    expect((await ada.get(path(`table_metadata/?name=cars&schema=${schema}`))).json()).toEqual(legacy)
    expect((await ada.get(path(`table/secret/${schema}/`))).json()).toMatchObject({
      foreignKeys: [
        { type: 'fk', column_names: ['car'], referred_table: 'cars', referred_columns: ['Name'], options: {} },
      ],
      indexes: [{ type: 'fk' }],
    })
  })

  it('API-007, API-008: returns partitions and view definitions in every spelling', async () => {
    const spellings = (table: string) => [
      path(`table_extra/${table}/${schema}/`),
      path(`table_metadata/extra/?name=${table}&schema=${schema}`),
      path(`table_metadata/extra/?table=${table}&schema=${schema}`),
      `/superset/extra_table_metadata/${database}/${table}/${schema}/`,
    ]
    for (const address of spellings('days'))
      expect((await ada.get(address)).json(), address).toMatchObject({
        partitions: { cols: ['d'], latest: {}, partitionQuery: expect.stringContaining('pg_inherits') as string },
      })
    for (const address of spellings('v_cars'))
      expect((await ada.get(address)).json(), address).toEqual({ view: expect.stringContaining('SELECT') as string })
    for (const address of spellings('cars')) expect((await ada.get(address)).json(), address).toEqual({})
    expect((await ada.get(path('table_metadata/extra/'))).statusCode).toBe(400)
  })

  it('returns the same error for unreadable and missing tables in every spelling', async () => {
    const spellings = [
      (table: string) => path(`table/${table}/${schema}/`),
      (table: string) => path(`table_extra/${table}/${schema}/`),
      (table: string) => path(`table_metadata/?name=${table}&schema=${schema}`),
      (table: string) => path(`table_metadata/extra/?name=${table}&schema=${schema}`),
      (table: string) => path(`select_star/${table}/${schema}/`),
      (table: string) => `/superset/extra_table_metadata/${database}/${table}/${schema}/`,
    ]
    for (const address of spellings) {
      const [secret, missing] = [await reader.get(address('secret')), await reader.get(address('nope'))]
      expect([secret.statusCode, secret.body.replaceAll('secret', 'nope')]).toEqual([404, missing.body])
      expect((await reader.get(address('cars'))).statusCode).toBe(200)
    }
    const typed = await ada.get(path(`table_metadata/?name=nope&schema=${schema}`))
    expect(typed.json()).toMatchObject({ errors: [{ error_type: 'TABLE_NOT_FOUND_ERROR' }] })
    expect((await ada.get(`/api/v1/database/9999/table_metadata/?name=a`)).json()).toMatchObject({
      errors: [{ error_type: 'DATABASE_NOT_FOUND_ERROR' }],
    })
  })

  it('API-009, API-010: lists only functions that users may call, and hides those of an invisible database', async () => {
    const { function_names } = (await ada.get(path('function_names/'))).json<{ function_names: string[] }>()
    expect(function_names).toEqual(expect.arrayContaining(['abs', 'date_trunc', 'coalesce', 'jsonb_agg']))
    expect(function_names.filter((name) => /^(pg_read_file|pg_sleep|set_config|dblink)$/.test(name))).toEqual([])
    expect((await ada.get('/api/v1/database/99999/function_names/')).statusCode).toBe(404)
    const filesResponse = await ada.get(`/api/v1/database/${lab.files}/function_names/`)
    const names = filesResponse.json<{ function_names: string[] }>().function_names
    expect(names).toContain('strftime')
    expect(names).not.toContain('read_csv')
  })

  const validate = async (sql: string, overrides: object = {}, client = ada, databaseId = database) => {
    const response = await client.post(`/api/v1/database/${databaseId}/validate_sql/`, { sql, schema, ...overrides })
    return {
      status: response.statusCode,
      ...response.json<{ result?: unknown[]; errors?: unknown[]; message?: unknown }>(),
    }
  }

  it.each([
    ['valid SQL', 'SELECT n FROM cars', []],
    ['blank text', ' ', []],
    ['only a comment', '-- x', []],
    ['a statement that writes', 'DELETE FROM cars', []],
    [
      'a typo in the second line',
      'SELECT 1\nFRM x y',
      [{ line_number: 2, start_column: 5, end_column: 6, message: 'syntax error at or near "x"' }],
    ],
    [
      'a missing column in the second statement',
      'SELECT 1;\nSELECT n,\n  nope FROM cars',
      [
        {
          line_number: 3,
          start_column: 3,
          end_column: 7,
          message: expect.stringContaining('column "nope" does not exist') as string,
        },
      ],
    ],
    [
      'a missing table',
      'SELECT * FROM nope',
      [
        {
          line_number: 1,
          start_column: 15,
          end_column: 19,
          message: expect.stringContaining('relation "nope" does not exist') as string,
        },
      ],
    ],
  ])('checks %s', async (_name, sql, result) => {
    expect(await validate(sql)).toEqual({ status: 200, result })
  })

  it('SQL-009, API-005: a check returns line, columns and message of each error', async () => {
    const validateTemplate = async (template_params: object) =>
      (await validate('SELECT\n {{ wanted }} FROM cars', { template_params })).result
    expect(await validateTemplate({ wanted: 'n' })).toEqual([])
    expect(await validateTemplate({ wanted: 'nope' })).toEqual([
      { line_number: 2, start_column: 2, end_column: 6, message: expect.stringContaining('nope') as string },
    ])
    expect((await validate('SELECT a FROM other')).result).toMatchObject([{ start_column: 15, end_column: 20 }])
    expect((await validate('SELECT a FROM other', { schema: hidden })).result).toEqual([])
  })

  it('checks with the embedded engine too', async () => {
    const found = await validate('SELECT id FROM cars WHERE nope = 1', { schema: null }, ada, lab.files)
    expect(found.result).toMatchObject([{ line_number: 1, start_column: 27, end_column: 31 }])
    expect((await validate('SELEC', { schema: null }, ada, lab.files)).result).toMatchObject([{ line_number: 1 }])
    expect((await validate('SELECT id FROM cars', { schema: null }, ada, lab.files)).result).toEqual([])
  })

  it('a check reveals nothing about tables that the user may not read', async () => {
    for (const sql of ['SELECT s FROM secret', 'SELECT nope FROM secret', 'SELECT nope FROM nope'])
      expect(await validate(sql, {}, reader)).toEqual({ status: 200, result: [] })
    expect((await validate('SELECT nope FROM cars', {}, reader)).result).toHaveLength(1)
    expect((await validate('SELECT 1', {}, lab.server.as('gamma'))).status).toBe(404)
  })

  it('a check does not run the SQL; a request without SQL is refused', async () => {
    await admin(`CREATE SEQUENCE IF NOT EXISTS ${schema}.counter`)
    expect((await validate(`SELECT nextval('${schema}.counter')`)).result).toEqual([])
    expect((await validate('SELECT pg_sleep(20)')).result).toEqual([])
    const emptyResponse = await ada.post(path('validate_sql/'), {})
    expect([emptyResponse.statusCode, emptyResponse.json()]).toEqual([
      400,
      { message: { sql: ['Missing data for required field.'] } },
    ])
  })

  it('the legacy check route returns the bare list', async () => {
    const response = await ada.send('POST', '/superset/validate_sql_json/', {
      payload: new URLSearchParams({
        client_id: 'x',
        database_id: String(database),
        sql: 'SELEC 1',
        schema,
        templateParams: '',
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(response.json()).toMatchObject([{ line_number: 1, start_column: 1, end_column: 6 }])
  })

  it('returns 422 for an engine without a validator and for one that does not respond', async () => {
    const { config } = lab.server.deps.settings
    const before = config.SQL_VALIDATORS_BY_ENGINE['postgresql']
    config.SQL_VALIDATORS_BY_ENGINE['postgresql'] = null
    const disabled = await validate('SELECT 1')
    config.SQL_VALIDATORS_BY_ENGINE['postgresql'] = before ?? null
    expect(disabled).toMatchObject({ status: 422, errors: [{ error_type: 'GENERIC_DB_ENGINE_ERROR' }] })
    const broken = await lab.server.deps.db
      .updateTable('database')
      .set({ settings: JSON.stringify({ host: '127.0.0.1', port: 1, database: 'x', username: 'x' }) })
      .where('id', '=', await lab.connect({ database_name: 'broken', sqlalchemy_uri: url }))
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await validate('SELECT 1', {}, ada, broken.id)).toMatchObject({
      status: 422,
      errors: [{ error_type: 'GENERIC_DB_ENGINE_ERROR' }],
    })
  })
})

describe.skipIf(!url)('a catalog of thousands of tables', () => {
  const many = `many_${process.pid}`
  let lab: TestLab
  let database: number
  beforeAll(async () => {
    await admin(
      `CREATE SCHEMA ${many}`,
      `DO $$ BEGIN FOR i IN 1..2000 LOOP EXECUTE format('CREATE VIEW ${many}.table_%s AS SELECT 1 AS a', i); END LOOP; END $$`,
    )
    lab = await startTestLab()
    database = await lab.connect({ database_name: 'many', sqlalchemy_uri: url })
  }, 60_000)
  afterAll(async () => {
    await lab.close()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    // a single statement would need more locks than the server has
    for (let from = 1; from <= 2000; from += 500)
      await client.query(
        `DO $$ BEGIN FOR i IN ${from}..${from + 499} LOOP EXECUTE format('DROP VIEW ${many}.table_%s', i); END LOOP; END $$`,
      )
    await client.query(`DROP SCHEMA ${many}`)
    await client.end()
  }, 60_000)

  it('answers a search from the cache within 50 ms', async () => {
    const ada = lab.server.as('admin')
    const searchUrl = (search: string) =>
      `/api/v1/database/${database}/tables/?q=${encodeURIComponent(encodeRison({ schema_name: many, search, page_size: 50 }))}`
    const describeSpy = vi.spyOn(lab.server.deps.runners, 'describe')
    await ada.get(searchUrl('table'))
    expect(describeSpy).toHaveBeenCalled()
    describeSpy.mockClear()
    const times: number[] = []
    for (const text of ['table_1', '99', 'TABLE_3', 'x', '2000']) {
      const { result: response, totalMs } = await measureEventLoop(() => ada.get(searchUrl(text)))
      times.push(totalMs)
      expect(response.json<Listed>().result.length).toBeLessThanOrEqual(50)
    }
    expect(Math.min(...times)).toBeLessThan(50)
    expect(describeSpy).not.toHaveBeenCalled()
    describeSpy.mockRestore()
  })
})

describe.each(testStores)('a connection with several catalogs, store on %s', (_name, store) => {
  let server: TestServer
  let database: number
  const described: object[] = []
  const q = (value: object) => `q=${encodeURIComponent(encodeRison(value))}`
  const path = (rest: string) => `/api/v1/database/${database}/${rest}`

  beforeAll(async () => {
    const descriptions: Record<string, object> = {
      catalogs: { what: 'catalogs', catalogs: ['other', 'home', 'system'] },
      schemas: { what: 'schemas', schemas: ['s', 'information_schema'] },
      tables: {
        what: 'tables',
        tables: [
          { name: 't', type: 'table' },
          { name: 'u', type: 'table' },
        ],
      },
    }
    const runners = {
      describe: (source: { catalog?: string | null }, { what }: { what: string }) => {
        described.push({ what, catalog: source.catalog })
        return Promise.resolve(descriptions[what])
      },
      close: () => Promise.resolve(),
    } as unknown as Runners
    server = await startTestServer({ store, runners })
    database = await addDatabase(server)
    const { db } = server.deps
    const settings = JSON.stringify({ host: 'h', port: 1, username: 'u', catalog: 'home' })
    await db.updateTable('database').set({ backend: 'trino', settings }).where('id', '=', database).execute()
    const user = await db.selectFrom('user').select('id').where('username', '=', 'sqllab').executeTakeFirstOrThrow()
    const at = '2026-01-01T00:00:00.000'
    for (const [table_name, catalog] of [
      ['t', null],
      ['u', 'other'],
    ] as const) {
      const created = await db
        .insertInto('dataset')
        .values({
          uuid: crypto.randomUUID(),
          database_id: database,
          table_name,
          schema: 's',
          catalog,
          offset: 0,
          filter_select_enabled: 0,
          is_sqllab_view: 0,
          normalize_columns: 0,
          always_filter_main_dttm: 0,
          is_managed_externally: 0,
          created_on: at,
          changed_on: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.insertInto('dataset_owner').values({ dataset_id: created.id, user_id: user.id }).execute()
    }
  })
  afterAll(() => server.close())

  it('a dataset grants its table only in its own catalog; no catalog means that of the connection', async () => {
    const reader = server.as('sqllab')
    const names = async (options: object) =>
      (await reader.get(path(`tables/?${q({ schema_name: 's', ...options })}`)))
        .json<Listed>()
        .result.map(({ value }) => value)
    expect((await reader.get(path('catalogs/'))).json()).toEqual({ result: ['home', 'other'] })
    expect((await server.as('admin').get(path('catalogs/'))).json()).toEqual({ result: ['home', 'other', 'system'] })
    expect(await names({})).toEqual(['t'])
    expect(await names({ catalog_name: 'home' })).toEqual(['t'])
    expect(await names({ catalog_name: 'other' })).toEqual(['u'])
    expect(await names({ catalog_name: 'system' })).toEqual([])
    expect((await reader.get(path(`schemas/?${q({ catalog: 'other' })}`))).json()).toEqual({ result: ['s'] })
    expect((await reader.get(path(`schemas/?${q({ catalog: 'system' })}`))).json()).toEqual({ result: [] })
    expect(described).toContainEqual({ what: 'tables', catalog: 'other' })
  })
})
