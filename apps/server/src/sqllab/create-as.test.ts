import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineOf } from '@parquetry/engines'
import { buildCreateAs } from './create-as.ts'
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
    const answer = await create('SELECT 1 AS a', 'v', { ctas_method: 'VIEW' })
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining('does not support views')])
  })

  it('leaves nothing behind when the query fails', async () => {
    const answer = await create('SELECT error(name) FROM cars', 'broken')
    expect(answer.statusCode).toBe(400)
    expect((await lab.run('SELECT * FROM broken')).statusCode).toBe(400)
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
      const answer = await create(sql, 'no', { database_id: open, ctas_method })
      return answer.json<{ errors: { error_type: string; extra: { offset?: number } }[] }>().errors[0]!
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
