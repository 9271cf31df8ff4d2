import { type SqllabBootstrap } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, testStores } from '../testing.ts'
import { newId, startTestLab, type TestLab } from './testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const form = (fields: Record<string, unknown>) => ({
  payload: new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const jsonForm = (fields: Record<string, unknown>) =>
  form(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])))

describe.each(testStores)('SQL Lab tools, store on %s', (_name, store) => {
  let lab: TestLab
  let ada: Client
  let page: Client
  let other: Client
  beforeAll(async () => {
    const flags = { SQLLAB_BACKEND_PERSISTENCE: true, KV_STORE: true, ENABLE_TEMPLATE_PROCESSING: true }
    lab = await startTestLab({ store, settings: { flags } })
    ada = lab.server.as('admin')
    page = lab.server.as('admin', 'session')
    other = lab.server.as('sqllab')
  }, 30_000)
  afterAll(() => lab.close())

  const boot = async (client: Client): Promise<SqllabBootstrap> => {
    const response = await client.get('/api/v1/sqllab/')
    expect(response.statusCode, response.body).toBe(200)
    return response.json<{ result: SqllabBootstrap }>().result
  }

  it('SQL-065: opens with the names of all tabs and the complete active tab', async () => {
    expect(await boot(ada)).toMatchObject({ tab_state_ids: [], active_tab: null, queries: {} })
    const tab = async (name: string) =>
      (
        await ada.send(
          'POST',
          '/tabstateview/',
          jsonForm({ queryEditor: { dbId: lab.files, name, sql: `SELECT '${name}'` } }),
        )
      ).json<{ id: number }>().id
    const ids = [await tab('a'), await tab('b'), await tab('c')]
    const client_id = newId()
    await lab.run('SELECT 1 AS a', { client_id, sql_editor_id: String(ids[0]) })
    await ada.send('POST', `/tabstateview/${ids[1]}/activate`)
    const found = await boot(ada)
    expect(found.tab_state_ids).toEqual(ids.map((id, index) => ({ id, label: 'abc'[index] })))
    expect(found.active_tab).toMatchObject({ id: ids[1], label: 'b', sql: `SELECT 'b'`, active: true })
    expect(Object.keys(found.queries)).toEqual([client_id])
    expect(found.queries[client_id]).toMatchObject({ state: 'success', sqlEditorId: String(ids[0]) })
    expect(found.databases[lab.files]).toEqual({
      id: lab.files,
      database_name: 'files',
      backend: 'duckdb',
      allow_ctas: true,
      allow_cvas: true,
      allow_dml: false,
      allow_file_upload: false,
      allow_run_async: true,
      allows_subquery: true,
      allows_cost_estimate: false,
      expose_in_sqllab: true,
      force_ctas_schema: null,
      disable_data_preview: false,
      disable_drill_to_detail: false,
      allow_multi_catalog: false,
    })
    await ada.delete(`/tabstateview/${ids[1]}`)
    expect((await boot(ada)).active_tab?.id).toBe(ids[2])
  })

  it('PERM-003, PERM-004: only users with SQL Lab open it, and see only their own work', async () => {
    expect(await boot(other)).toEqual({ tab_state_ids: [], active_tab: null, databases: {}, queries: {} })
    expect((await lab.server.as('gamma').get('/api/v1/sqllab/')).statusCode).toBe(403)
    expect((await lab.server.as('nobody').get('/api/v1/sqllab/')).statusCode).toBe(401)
    for (const address of ['/sqllab/', '/superset/sqllab/', '/sqllab/p/abc/', '/sqllab/history/']) {
      // The link is unknown.
      expect((await page.get(address)).statusCode, address).toBe(address === '/sqllab/p/abc/' ? 404 : 200)
      expect((await lab.server.as('gamma', 'session').get(address)).statusCode, address).toBe(302)
    }
  })

  it('API-011, SQL-066: without persistence it opens with databases only', async () => {
    const { flags } = lab.server.deps.settings
    flags['SQLLAB_BACKEND_PERSISTENCE'] = false
    const found = await boot(ada)
    flags['SQLLAB_BACKEND_PERSISTENCE'] = true
    expect(found).toMatchObject({ tab_state_ids: [], active_tab: null, queries: {} })
    expect(Object.keys(found.databases)).toEqual([String(lab.files)])
  })

  const readRequestedQuery = (html: string): unknown => {
    const text = /<script[^>]*id="boot"[^>]*>([^<]*)</.exec(html)?.[1] ?? /requested_query":(\{[^}]*\})/.exec(html)?.[0]
    return text === undefined ? undefined : text
  }

  it('API-033, SQL-014, SQL-021, SQL-022: embeds a posted query in the page, in both forms and at both addresses', async () => {
    const fieldValues = { datasourceKey: '12__table', sql: `SELECT '</script>' & 1` }
    for (const address of ['/superset/sqllab/', '/sqllab/'])
      for (const fields of [fieldValues, { form_data: JSON.stringify(fieldValues) }]) {
        const response = await page.send('POST', address, form(fields))
        expect(response.statusCode, response.body.slice(0, 200)).toBe(200)
        expect(response.headers['content-type']).toContain('text/html')
        const found = String(readRequestedQuery(response.body))
        expect((JSON.parse(found) as { common: object }).common).toMatchObject({ requested_query: fieldValues })
        expect(response.body).not.toContain(`'</script>'`)
      }
    expect((await page.send('POST', '/sqllab/', form({ form_data: '[]' }))).statusCode).toBe(400)
    const foreign = await page.send('POST', '/sqllab/', {
      ...form(fieldValues),
      headers: { ...form(fieldValues).headers, 'x-csrftoken': '' },
    })
    expect(foreign.statusCode).toBe(400)
    expect((await lab.server.as('gamma', 'session').send('POST', '/sqllab/', form(fieldValues))).statusCode).toBe(302)
  })

  it('creates a short link to unsaved SQL, for users who can see its database', async () => {
    const state = {
      dbId: lab.files,
      name: 'Shared',
      sql: 'SELECT 1',
      schema: null,
      autorun: true,
      templateParams: '{}',
    }
    const made = await ada.post('/api/v1/sqllab/permalink', state)
    const { key, url } = made.json<{ key: string; url: string }>()
    expect([made.statusCode, url]).toEqual([201, expect.stringMatching(new RegExp(`/sqllab/p/${key}/$`)) as string])
    expect((await ada.post('/api/v1/sqllab/permalink', state)).json<{ key: string }>().key).toBe(key)
    expect((await ada.get(`/api/v1/sqllab/permalink/${key}`)).json()).toEqual(state)
    expect((await other.get(`/api/v1/sqllab/permalink/${key}`)).statusCode).toBe(404)
    expect((await ada.get('/api/v1/sqllab/permalink/nope')).statusCode).toBe(404)
    expect((await other.post('/api/v1/sqllab/permalink', state)).statusCode).toBe(403)
    expect((await ada.post('/api/v1/sqllab/permalink', { ...state, dbId: 9999 })).statusCode).toBe(403)
    expect((await ada.post('/api/v1/sqllab/permalink', { sql: 'x' })).json()).toEqual({
      message: { dbId: ['Missing data for required field.'], name: ['Missing data for required field.'] },
    })
  })

  it('API-026, SQL-012: shares SQL under a key that cannot be enumerated', async () => {
    const data = JSON.stringify({
      dbId: lab.files,
      title: 'Shared',
      schema: null,
      autorun: false,
      sql: 'SELECT 1 -- é',
    })
    const ids: number[] = []
    for (let n = 0; n < 3; n++)
      ids.push((await ada.send('POST', '/kv/store/', form({ data }))).json<{ id: number }>().id)
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 1000)).toBe(true)
    const response = await other.get(`/kv/${ids[0]}`)
    expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([
      200,
      'text/plain; charset=utf-8',
      data,
    ])
    const none = await ada.get('/kv/1/')
    expect([none.statusCode, none.body]).toEqual([404, ''])
    expect((await ada.send('POST', '/kv/store/', form({ data: '{' }))).statusCode).toBe(400)
    expect((await ada.send('POST', '/kv/store/', form({}))).statusCode).toBe(400)
    expect((await lab.server.as('gamma').get(`/kv/${ids[0]}`)).statusCode).toBe(403)
  })

  it('formats SQL for the given engine, or for that of the database', async () => {
    const format = async (body: object, client = ada) =>
      (await client.post('/api/v1/sqllab/format_sql/', body)).json<{ result: string }>().result
    expect(await format({ sql: 'select a from t', database_id: lab.files })).toBe('SELECT a\nFROM t')
    expect(await format({ sql: 'select a from t', engine: 'postgresql' })).toBe('SELECT a\nFROM t')
    const escaped = `select 'a\\'  from  b' from t`
    expect(await format({ sql: escaped })).toBe(escaped)
    expect(await format({ sql: 'select a from t', database_id: lab.files }, other)).toBe('select a\nfrom t')
    expect(await format({ sql: 'select {{ x }} from t' })).toBe('select {{ x }}\nfrom t')
    expect((await ada.post('/api/v1/sqllab/format_sql/', {})).statusCode).toBe(400)
    expect((await lab.server.as('gamma').post('/api/v1/sqllab/format_sql/', { sql: 'a' })).statusCode).toBe(403)
  })

  it('formats a script of 10,000 lines without blocking other requests', async () => {
    const sql = Array.from({ length: 10_000 }, (_, n) => `select a,b from t${n} where c=1;`).join('\n')
    let isDone = false
    const formatting = ada.post('/api/v1/sqllab/format_sql/', { sql, engine: 'duckdb' }).finally(() => (isDone = true))
    let responseCount = 0
    while (!isDone) {
      expect((await ada.get('/api/v1/me/')).statusCode).toBe(200)
      responseCount += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    const response = await formatting
    expect(response.json<{ result: string }>().result).toContain('FROM t9999')
    expect(responseCount).toBeGreaterThan(5)
  }, 120_000)

  it('regression: limits formatting by the work it causes, not by the time it takes on a busy machine', async () => {
    const sql = `select 1;\n`.repeat(100_000)
    const formatting = lab.runners.formatSql(
      { sql, dialect: null, workMs: 1 },
      new AbortController().signal,
      'somebody',
    )
    await expect(formatting).rejects.toMatchObject({
      code: 'bad_request',
      message: 'The SQL is too long to format.',
    })
  })

  it('KV_STORE off: the endpoint does not exist', async () => {
    const plain = await startTestLab({ settings: { flags: {} } })
    expect((await plain.server.as('admin').get('/kv/1/')).statusCode).toBe(404)
    await plain.close()
  })

  it('API-029, API-030, API-031: turns a result into a virtual dataset with its columns and one metric', async () => {
    const data = {
      dbId: lab.files,
      datasourceName: 'Of a result',
      sql: 'SELECT id, name FROM cars',
      schema: 'main',
      templateParams: '{"a": 1}',
      columns: [{ name: 'id', type: 'BIGINT', is_dttm: true }],
      metrics: [],
      chartType: 'table',
    }
    const response = await ada.send('POST', '/superset/sqllab_viz/', jsonForm({ data }))
    expect(response.statusCode, response.body).toBe(200)
    const made = response.json<{ table_id: number; data: Record<string, unknown> }>()
    expect(made.data).toMatchObject({
      id: made.table_id,
      datasource_name: 'Of a result',
      schema: 'main',
      sql: data.sql,
      is_sqllab_view: true,
      metrics: [{ metric_name: 'count', expression: 'count(*)', verbose_name: null }],
      columns: [
        { column_name: 'id', is_dttm: true },
        { column_name: 'name', is_dttm: false },
      ],
      owners: [{ username: 'admin' }],
    })
    const kept = (await ada.get(`/api/v1/dataset/${made.table_id}`)).json<{ result: object }>()
    expect(kept.result).toMatchObject({ template_params: data.templateParams, database: { id: lab.files } })
    const again = await ada.send('POST', '/superset/sqllab_viz/', jsonForm({ data }))
    expect([again.statusCode, again.json()]).toMatchObject([422, { errors: [{ error_type: 'GENERIC_BACKEND_ERROR' }] }])
    const missing = await ada.send('POST', '/superset/sqllab_viz/', jsonForm({ data: { ...data, dbId: 999 } }))
    expect([missing.statusCode, missing.json()]).toMatchObject([
      404,
      { errors: [{ error_type: 'DATABASE_NOT_FOUND_ERROR' }] },
    ])
    expect((await other.send('POST', '/superset/sqllab_viz/', jsonForm({ data }))).statusCode).toBe(404)
    expect((await ada.send('POST', '/superset/sqllab_viz/', jsonForm({ data: { sql: 'x' } }))).statusCode).toBe(400)
    expect((await ada.send('POST', '/superset/sqllab_viz/', form({}))).statusCode).toBe(400)
  })

  it('API-028: returns a dataset without the labels of its fields', async () => {
    const made = await ada.post('/api/v1/dataset/get_or_create/', { table_name: 'cars', database_id: lab.files })
    const { table_id } = made.json<{ result: { table_id: number } }>().result
    const bare = await ada.get(`/api/v1/dataset/${table_id}?q=(keys:!(none))`)
    expect(Object.keys(bare.json<object>()).toSorted()).toEqual(['id', 'result'])
  })

  it('API-032: finds or creates the dataset of a table', async () => {
    const ask = async () =>
      (await ada.post('/api/v1/dataset/get_or_create/', { table_name: 'cars', database_id: lab.files })).json<{
        result: { table_id: number }
      }>().result.table_id
    const first = await ask()
    expect(await ask()).toBe(first)
    const older = (data: object, client = ada) =>
      client.send('POST', '/superset/get_or_create_table/', jsonForm({ data }))
    expect((await older({ dbId: lab.files, datasourceName: 'cars' })).json()).toEqual({ table_id: first })
    expect((await older({ dbId: lab.files, datasourceName: 'nope' })).statusCode).toBe(422)
    expect((await older({ dbId: 9999, datasourceName: 'cars' })).statusCode).toBe(404)
    expect((await older({ dbId: lab.files, datasourceName: 'cars' }, other)).statusCode).toBe(403)
  })

  it('SQL-050: lists past queries with their details', async () => {
    const client_id = newId()
    await lab.run('SELECT name FROM cars', { client_id, tab: 'Listed', schema: 'main' })
    const { result } = (await ada.get('/api/v1/query/?q=(filters:!((col:sql,opr:ct,value:name)))')).json<{
      result: object[]
    }>()
    expect(result[0]).toMatchObject({
      id: expect.any(Number) as number,
      changed_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      database: { database_name: 'files' },
      schema: 'main',
      sql: 'SELECT name FROM cars',
      executed_sql: expect.stringContaining('SELECT name FROM cars') as string,
      sql_tables: [{ table: 'cars' }],
      status: 'success',
      tab_name: 'Listed',
      user: { first_name: 'Ada', last_name: 'Admin' },
      start_time: expect.any(Number) as number,
      end_time: expect.any(Number) as number,
      rows: 3,
      tmp_table_name: null,
      tracking_url: null,
    })
  })

  it('API-027: returns a past query by its id, only to its user', async () => {
    const client_id = newId()
    const { query_id } = (await lab.run('SELECT 42 AS a', { client_id })).json<{ query_id: number }>()
    const response = await ada.get(`/api/v1/query/${query_id}`)
    expect(response.json()).toMatchObject({
      id: query_id,
      result: { client_id, sql: 'SELECT 42 AS a', status: 'success' },
    })
    expect((await other.get(`/api/v1/query/${query_id}`)).statusCode).toBe(404)
    expect((await ada.get('/api/v1/query/_info?q=(keys:!(permissions))')).statusCode).toBe(404)
    const mine = await other.get('/api/v1/query/?q=(keys:!(none))')
    expect(mine.json<{ count: number }>().count).toBe(0)
    const related = await ada.get('/api/v1/query/related/user')
    expect(related.json<{ result: { text: string }[] }>().result.map(({ text }) => text)).toContain('Ada Admin')
    expect((await ada.get('/api/v1/query/distinct/status')).json()).toMatchObject({
      result: [{ text: 'success', value: 'success' }],
    })
  })

  it('shows the history of all users only with all_query_access', async () => {
    const { db } = lab.server.deps
    const { id } = await db.selectFrom('user').select('id').where('username', '=', 'sqllab').executeTakeFirstOrThrow()
    const client_id = newId()
    await db
      .insertInto('query')
      .values({
        client_id,
        database_id: lab.files,
        user_id: id,
        sql: 'SELECT theirs',
        limiting_factor: 'NOT_LIMITED',
        select_as_cta: 0,
        status: 'failed',
        progress: 0,
        extra_json: '{}',
        changed_on: '2026-01-01T00:00:00.000',
        sql_tables: null,
      })
      .execute()
    const listFound = async (client: Client) =>
      (
        await client.get(
          `/api/v1/query/?q=(filters:!((col:sql,opr:ct,value:THEIRS),(col:status,opr:eq,value:failed)),keys:!(none))`,
        )
      ).json<{
        result: { sql_tables: unknown; user: { first_name: string } }[]
      }>().result
    expect(await listFound(ada)).toMatchObject([{ sql_tables: [] }])
    expect(await listFound(other)).toHaveLength(1)
    await db.updateTable('query').set({ user_id: 1 }).where('client_id', '=', client_id).execute()
    expect(await listFound(other)).toEqual([])
  })

  describe.skipIf(!url)('cost estimates', () => {
    let database: number
    let off: number
    beforeAll(async () => {
      database = await lab.connect({ database_name: `costs`, sqlalchemy_uri: url })
      const extra = JSON.stringify({ cost_estimate_enabled: false })
      off = await lab.connect({ database_name: `no costs`, sqlalchemy_uri: url, extra })
    })
    const estimate = async (body: object, client = ada) => {
      const response = await client.post('/api/v1/sqllab/estimate/', { database_id: database, ...body })
      return [response.statusCode, response.json()] as const
    }
    const cost = { 'Start-up cost': '0.0', 'Total cost': '0.01' }

    it('API-003, SQL-008: return one per statement, in the terms of the engine, on every endpoint', async () => {
      expect(await estimate({ sql: 'SELECT 1; SELECT 2' })).toEqual([200, { result: [cost, cost] }])
      expect(await estimate({ sql: 'SELECT {{ n }}', template_params: { n: 1 } })).toEqual([200, { result: [cost] }])
      const ofSchema = await estimate({ sql: 'SELECT 1 FROM tables LIMIT 0', schema: 'information_schema' })
      expect(ofSchema).toMatchObject([200, { result: [{ 'Total cost': expect.anything() as string }] }])
      expect(await estimate({ sql: 'SELECT 1 FROM tables LIMIT 0' })).toMatchObject([
        400,
        { errors: [{ error_type: 'TABLE_DOES_NOT_EXIST_ERROR' }] },
      ])
      const address = `/superset/estimate_query_cost/${database}/`
      for (const spelling of [address, `${address}public/`]) {
        const response = await ada.send('POST', spelling, jsonForm({ sql: 'SELECT {{ n }}', templateParams: { n: 1 } }))
        expect([response.statusCode, response.json()]).toEqual([200, [cost]])
      }
    })

    it('explain why SQL cannot be estimated', async () => {
      expect(await estimate({ sql: 'SELEC 1' })).toMatchObject([400, { errors: [{ error_type: 'SYNTAX_ERROR' }] }])
      expect(await estimate({ sql: 'SELECT 1;\nSELECT nope' })).toMatchObject([
        400,
        { errors: [{ error_type: 'COLUMN_DOES_NOT_EXIST_ERROR', extra: { line: 2, column: 8 } }] },
      ])
      expect(await estimate({ sql: 'DROP TABLE x' })).toMatchObject([
        400,
        { errors: [{ error_type: 'DML_NOT_ALLOWED_ERROR' }] },
      ])
      expect(await estimate({ sql: 'SELECT 1', database_id: lab.files })).toMatchObject([
        400,
        { errors: [{ error_type: 'GENERIC_DB_ENGINE_ERROR' }] },
      ])
      expect(await estimate({ sql: 'SELECT 1', database_id: off })).toMatchObject([400, {}])
      expect(await estimate({ sql: 'SELECT 1', database_id: 9999 })).toMatchObject([
        404,
        { errors: [{ error_type: 'RESULTS_BACKEND_ERROR' }] },
      ])
      expect(await estimate({ sql: 'SELECT 1' }, other), 'as if it were not there').toMatchObject([404, {}])
      expect(await estimate({})).toMatchObject([400, {}])
    })
  })
})
