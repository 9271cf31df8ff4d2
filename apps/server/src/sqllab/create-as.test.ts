import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineOf } from '@parquetry/engines'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { buildCreateAs } from './create-as.ts'
import { grantTable } from './hostile.testing.ts'
import { type ExecuteResult, newId, startTestLab, type TestLab } from './testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']

let lab: TestLab
beforeAll(async () => {
  lab = await startTestLab()
}, 60_000)
afterAll(() => lab.close())

const create = (sql: string, tmp_table_name: string, more: object = {}) =>
  lab.run(sql, { client_id: newId(), select_as_cta: true, ctas_method: 'TABLE', tmp_table_name, ...more })

describe('CREATE TABLE AS on the embedded database', () => {
  it('SQL-044: creates a table that every query sees immediately', async () => {
    const made = await create('SELECT 1; SELECT id * 2 AS twice, name FROM cars', 'Doubled "cars"')
    expect(made.json(), made.body).toMatchObject({
      data: [],
      columns: [],
      query: { ctas: true, tempTable: 'Doubled "cars"', tempSchema: null, resultsKey: null, rows: 0 },
    })
    const read = await lab.run('SELECT * FROM "Doubled ""cars""" ORDER BY twice')
    expect(read.json<ExecuteResult>().data).toEqual([
      { twice: 2, name: 'ä' },
      { twice: 4, name: 'b' },
      { twice: 6, name: 'c' },
    ])
    const again = await create('SELECT 1 AS a', 'doubled "CARS"')
    expect([again.statusCode, again.body]).toEqual([400, expect.stringContaining('already exists')])
  })

  it('stores the rows within the limit, or all of them', async () => {
    await create('SELECT range AS n FROM range(100)', 'ten', { queryLimit: 10 })
    expect((await lab.run('SELECT count(*) AS n FROM ten')).json()).toMatchObject({ data: [{ n: 10 }] })
    lab.server.deps.settings.config.SQLLAB_CTAS_NO_LIMIT = true
    const all = await create('SELECT range AS n FROM range(100)', 'hundred', { queryLimit: 10 })
    lab.server.deps.settings.config.SQLLAB_CTAS_NO_LIMIT = false
    expect(all.statusCode, all.body).toBe(200)
    expect((await lab.run('SELECT count(*) AS n FROM hundred')).json()).toMatchObject({ data: [{ n: 100 }] })
  })

  it('works in the background', async () => {
    const client_id = newId()
    expect((await create('SELECT 5 AS five', 'later', { client_id, runAsync: true })).statusCode).toBe(202)
    expect(await lab.until(client_id, 'success')).toMatchObject({ tempTable: 'later', resultsKey: null })
    expect((await lab.run('SELECT * FROM later')).json()).toMatchObject({ data: [{ five: 5 }] })
  })

  it('reports that views are not supported', async () => {
    const response = await create('SELECT 1 AS a', 'v', { ctas_method: 'VIEW' })
    expect([response.statusCode, response.body]).toEqual([400, expect.stringContaining('does not support views')])
  })

  it('leaves nothing behind when the query fails', async () => {
    const response = await create('SELECT error(name) FROM cars', 'broken')
    expect(response.statusCode).toBe(400)
    expect((await lab.run('SELECT * FROM broken')).statusCode).toBe(400)
  })
})

describe('a table created on an embedded database', () => {
  it('belongs to its creator, who can remove it, counts for the quota, and stays when the connection is saved', async () => {
    const { server } = lab
    await create('SELECT 1 AS a', 'mine')
    const rows = await server.deps.db.selectFrom('embedded_table').selectAll().execute()
    const mine = rows.find(({ name }) => name === 'mine')!
    expect(mine).toMatchObject({ size: expect.any(Number) as number, created_by_fk: expect.any(Number) as number })
    expect((await server.as('admin').put(`/api/v1/database/${lab.files}`, { allow_ctas: true })).statusCode).toBe(200)
    expect((await lab.run('SELECT * FROM mine, cars')).json()).toMatchObject({ query: { rows: 3 } })

    const { config } = server.deps.settings
    const { UPLOAD_QUOTA_MB } = config
    config.UPLOAD_QUOTA_MB = 0.000_001
    const refused = await create('SELECT 1 AS a', 'beyond')
    config.UPLOAD_QUOTA_MB = UPLOAD_QUOTA_MB
    expect([refused.statusCode, refused.body]).toEqual([413, expect.stringContaining('UPLOAD_QUOTA_MB')])

    const removed = await server.as('admin').delete(`/api/v1/upload/table/?database=${lab.files}&table_name=mine`)
    expect(removed.statusCode, removed.body).toBe(200)
    expect((await lab.run('SELECT * FROM mine')).statusCode).toBe(400)
  })

  it('cannot be created, renamed, removed or loaded while the driver arguments say `read_only`', async () => {
    const admin = lab.server.as('admin')
    const path = `/api/v1/database/${lab.files}`
    const saved = (await admin.get(path)).json<{ result: { extra: string; allow_file_upload: boolean } }>().result
    const extra = JSON.stringify({ engine_params: { connect_args: { read_only: true } } })
    await create('SELECT 1 AS a', 'before')
    const changed = await admin.put(path, { extra, allow_file_upload: true })
    expect(changed.statusCode, changed.body).toBe(200)
    expect((await admin.get(path)).json()).toMatchObject({ result: { extra } })
    const table = { database: lab.files, table_name: 'before' }
    const query = `database=${lab.files}&table_name=before`
    const answers = [
      await create('SELECT 1 AS a', 'after'),
      await lab.run('CREATE TABLE after AS SELECT 1 AS a'),
      await admin.put('/api/v1/upload/table/', { ...table, new_name: 'after' }),
      await admin.delete(`/api/v1/upload/table/?${query}`),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 400, 422, 422])
    const targets = (await admin.get('/api/v1/upload/targets/')).json<{ databases: { id: number }[] }>()
    expect(JSON.stringify(targets)).not.toContain(`"id":${lab.files},`)
    expect((await lab.run('SELECT * FROM before')).json()).toMatchObject({ data: [{ a: 1 }] })
    await admin.put(path, { extra: saved.extra, allow_file_upload: saved.allow_file_upload })
    expect((await admin.delete(`/api/v1/upload/table/?${query}`)).statusCode).toBe(200)
  })

  it('regression: is managed by its creator without the permission to upload files, and by no other user', async () => {
    const { server } = lab
    const { db } = server.deps
    const me = server.as('sqllab')
    const table = { name: 'of_creator', file: 'of_creator.duckdb', version: 1, format: 'duckdb', inner_table: 'data' }
    const creator = await db.selectFrom('user').select('id').where('username', '=', 'sqllab').executeTakeFirstOrThrow()
    await db
      .insertInto('embedded_table')
      .values({ ...table, database_id: lab.files, created_by_fk: creator.id })
      .execute()
    const remove = (name: string) => me.delete(`/api/v1/upload/table/?database=${lab.files}&table_name=${name}`)
    expect((await me.get('/api/v1/upload/tables/')).json()).toMatchObject({ result: [{ table_name: 'of_creator' }] })
    expect((await remove('cars')).statusCode).toBe(403)
    const rename = { database: lab.files, table_name: 'OF_creator', new_name: 'of_mine' }
    expect((await me.put('/api/v1/upload/table/', { ...rename, new_name: 'a.b' })).statusCode).toBe(422)
    expect((await me.put('/api/v1/upload/table/', rename)).statusCode).toBe(200)
    expect((await server.as('gamma').get('/api/v1/upload/tables/')).json()).toEqual({ result: [] })
    expect((await remove('of_mine')).statusCode).toBe(200)
    expect((await me.get('/api/v1/upload/tables/')).json()).toEqual({ result: [] })
  })

  it('is refused in another schema than the only one, and where its creator could not read it', async () => {
    const { server } = lab
    await server.as('admin').put(`/api/v1/database/${lab.files}`, { force_ctas_schema: 'other' })
    const elsewhere = await create('SELECT 1 AS a', 'elsewhere')
    await server.as('admin').put(`/api/v1/database/${lab.files}`, { force_ctas_schema: '' })
    for (const [answer, text] of [
      [elsewhere, 'must go to the schema \\"other\\"'],
      [await create('SELECT 1 AS a', 'elsewhere', { schema: 'other' }), 'cannot be created in the schema \\"other\\"'],
      [
        await create('SELECT 1 AS a', 'elsewhere', { catalog: 'other' }),
        'cannot be created in the catalog \\"other\\"',
      ],
    ] as const) {
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(text)])
      expect(answer.body, 'the text about a missing SELECT is untrue').not.toContain('1023')
    }
    const named = await create('SELECT 1 AS a', 'information_schema.tables')
    expect([named.statusCode, named.body]).toEqual([422, expect.stringContaining('Table names have')])
    const inMain = await create('SELECT 1 AS a', 'in_main', { schema: 'MAIN' })
    expect(inMain.json(), inMain.body).toMatchObject({ query: { tempSchema: 'MAIN' } })
    await grantTable(lab, lab.files, { schema: 'main', table: 'cars' })
    const partial = await lab.run('SELECT 1 AS a', { select_as_cta: true, tmp_table_name: 'unseen' }, 'sqllab')
    expect([partial.statusCode, partial.body]).toEqual([403, expect.stringContaining('could not read a new one')])
  })

  it('regression: does not copy a table with a row-level security rule for anybody, under any spelling', async () => {
    const { db } = lab.server.deps
    const cars = await db
      .selectFrom('dataset')
      .select('id')
      .where('database_id', '=', lab.files)
      .where('table_name', '=', 'cars')
      .executeTakeFirstOrThrow()
    await addRowLevelSecurityRule(db, cars.id, 'Gamma', 'id = 1')
    for (const sql of [
      'SELECT * FROM cars',
      'SELECT 1 AS a; SELECT * FROM main."CARS"',
      'WITH c AS (SELECT * FROM cars) SELECT * FROM c',
      'SELECT (SELECT max(id) FROM cars) AS a',
      'FROM cars',
    ]) {
      const response = await create(sql, 'copy')
      expect([response.statusCode, response.body], sql).toEqual([
        403,
        expect.stringContaining('has row-level security rules, which a copy would not have') as string,
      ])
    }
    expect((await create('WITH cars AS (SELECT 1 AS a) SELECT * FROM cars', 'other')).statusCode).toBe(200)
  })

  it('is named by the refusal of CREATE TABLE, which a session of the engine cannot run', async () => {
    const response = await lab.run('CREATE TABLE x AS SELECT 1 AS a')
    expect(response.body).toContain('choose CREATE TABLE AS in the menu of Run')
  })
})

describe.skipIf(!url)('CREATE TABLE and VIEW AS on PostgreSQL', () => {
  const table = `ctas_${process.pid}`
  let open: number
  let shut: number
  beforeAll(async () => {
    const both = { sqlalchemy_uri: url }
    open = await lab.connect({ ...both, database_name: 'open', allow_ctas: true, allow_cvas: true })
    shut = await lab.connect({ ...both, database_name: 'shut' })
  })
  afterAll(async () => {
    const writing = await lab.connect({ sqlalchemy_uri: url, database_name: 'writing', allow_dml: true })
    await lab.run(`DROP VIEW IF EXISTS "${table}_v"; DROP TABLE IF EXISTS "${table}"`, { database_id: writing })
  })

  it('are created by a session that may write, with quoted names', async () => {
    const made = await create('SELECT 7 AS seven -- last', table, { database_id: open })
    expect(made.json<ExecuteResult>().query, made.body).toMatchObject({
      ctas: true,
      tempTable: table,
      executedSql: expect.stringContaining(`CREATE TABLE "${table}" AS`) as string,
    })
    const view = await create(`SELECT * FROM ${table}`, `${table}_v`, { database_id: open, ctas_method: 'VIEW' })
    expect(view.statusCode, view.body).toBe(200)
    expect((await lab.run(`SELECT * FROM ${table}_v`, { database_id: open })).json()).toMatchObject({
      data: [{ seven: 7 }],
    })
    const hostile = await create('SELECT 1 AS a', 'x AS SELECT 1; DROP TABLE cars; --', { database_id: open })
    expect(hostile.statusCode).toBe(200)
    const writing = await lab.connect({ sqlalchemy_uri: url, database_name: 'w', allow_dml: true })
    await lab.run('DROP TABLE "x AS SELECT 1; DROP TABLE cars; --"', { database_id: writing })
  })

  it('are rejected where the database does not allow them, whatever the client sends', async () => {
    for (const ctas_method of ['TABLE', 'VIEW'])
      expect((await create('SELECT 1 AS a', 'no', { database_id: shut, ctas_method })).statusCode).toBe(403)
  })

  it('report SQL that they cannot be created from, and the error position in the SQL that was sent', async () => {
    const typeOf = async (sql: string, ctas_method: string) => {
      const response = await create(sql, 'no', { database_id: open, ctas_method })
      return response.json<{ errors: { error_type: string; extra: { offset?: number } }[] }>().errors[0]!
    }
    expect((await typeOf('SHOW search_path', 'TABLE')).error_type).toBe('INVALID_CTAS_QUERY_ERROR')
    expect((await typeOf('SELECT 1 AS a; SELECT 2 AS a', 'VIEW')).error_type).toBe('INVALID_CVAS_QUERY_ERROR')
    expect(await typeOf('SELECT 1 AS one, nope', 'TABLE')).toMatchObject({ extra: { offset: 17, line: 1, column: 18 } })
    expect(await typeOf('DROP TABLE x', 'TABLE')).toMatchObject({ error_type: 'DML_NOT_ALLOWED_ERROR' })
  })
})

it.each([
  ['postgresql', 'CREATE TABLE "s"."a""b" AS '],
  ['mysql', 'CREATE TABLE `s`.`a"b` AS '],
  ['trino', 'CREATE TABLE "s"."a""b" AS '],
  ['clickhouse', 'CREATE TABLE "s"."a\\"b" ENGINE = MergeTree ORDER BY tuple() AS '],
])('creates a table in the syntax of %s', (engine, text) => {
  const { dialect } = engineOf(engine)!
  expect(buildCreateAs({ method: 'TABLE', schema: 's', table: 'a"b' }, dialect)).toBe(`${text}\n`)
  expect(buildCreateAs({ method: 'VIEW', schema: null, table: 'v' }, dialect)).not.toContain('ENGINE')
})
