import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunners } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing.ts'
import { grantTable } from './hostile.testing.ts'

const url = process.env['PARQUETRY_TEST_MYSQL']
const schema = `sqllab_${process.pid}`

describe.skipIf(!url)('SQL Lab on MySQL', () => {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-mysql-'))
  let runners: Runners
  let server: TestServer
  let database_id: number
  let writer: number

  async function add(database_name: string, sqlalchemy_uri: string, own: object = {}): Promise<number> {
    const made = await server.as('admin').post('/api/v1/database/', { database_name, sqlalchemy_uri, ...own })
    expect(made.statusCode, made.body).toBe(201)
    return made.json<{ id: number }>().id
  }
  const admin = async (sql: string): Promise<unknown[]> => {
    const { status, body } = await run(sql, { database_id: writer, schema: 'information_schema' })
    expect(status, body).toBe(200)
    return (JSON.parse(body) as { data: unknown[] }).data
  }

  beforeAll(async () => {
    runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 128, spillFolder: join(home, 'spill') })
    server = await startTestServer({ runners })
    writer = await add('writer', url!, { allow_dml: true })
    for (const sql of [
      `CREATE DATABASE ${schema}`,
      `CREATE TABLE ${schema}.sales (name varchar(20), amount bigint, day datetime)`,
      `INSERT INTO ${schema}.sales VALUES ('a', 9007199254740993, '2020-01-02 03:04:05'), (NULL, 2, NULL)`,
    ])
      await admin(sql)
    const sqlalchemy_uri = url!.replace(/\/[^/]*$/, `/${schema}`)
    database_id = await add('my', sqlalchemy_uri)
  })
  afterAll(async () => {
    await admin(`DROP DATABASE ${schema}`)
    await server.close()
    await runners.close(0)
    rmSync(home, { recursive: true, force: true })
  })

  const run = async (sql: string, own: object = {}, user: TestUser = 'admin') => {
    const body = {
      database_id,
      sql,
      schema,
      runAsync: false,
      client_id: Math.random().toString(36).slice(2, 12),
      ...own,
    }
    const response = await server.as(user).post('/api/v1/sqllab/execute/', body)
    return { status: response.statusCode, body: response.body }
  }

  it('returns exact values, and reports where SQL is wrong', async () => {
    const { body } = await run('SELECT name, amount, day FROM sales ORDER BY name DESC')
    expect(body).toContain('"amount":"9007199254740993"')
    expect(body).toContain('2020-01-02T03:04:05')
    expect((await run('SELECT 1;\nSELECT * FROM nope')).body).toContain(`nope' doesn't exist`)
    expect((await run('SELECT nope FROM sales')).body).toContain('COLUMN_DOES_NOT_EXIST_ERROR')
    expect((await run('SELECT 1 FRO x y')).body).toContain('SYNTAX_ERROR')
  })

  it.each([
    [`SELECT 'x' INTO OUTFILE '/tmp/parquetry_outfile'`],
    [`SELECT 'x' FROM sales INTO DUMPFILE '/tmp/parquetry_outfile'`],
    [`SELECT LOAD_FILE('/etc/hostname')`],
    [`LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE sales`],
    ['SELECT 1 /*! , 2 */'],
    ['SELECT 1 /*M!100000 , 2 */'],
    [`SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'`],
    ['SET NAMES gbk'],
    ['SET SESSION TRANSACTION READ WRITE'],
    ['DELETE FROM sales'],
    ['SELECT 1; DELETE FROM sales'],
    ['CALL sys.x()'],
    ['DO SLEEP(10)'],
    ['SELECT * FROM sales FOR UPDATE'],
    [`HANDLER sales OPEN`],
    ['LOCK TABLES sales WRITE'],
    ['KILL 1'],
    [`SELECT BENCHMARK(1000000000, MD5(1))`],
    [`SELECT GET_LOCK('x', 100)`],
    ['EXPLAIN ANALYZE DELETE FROM sales'],
  ])('rejects %s before it reaches the server', async (sql) => {
    const { status, body } = await run(sql)
    expect([400, 403], body).toContain(status)
    expect(body).toMatch(/cannot be used here|Only `SELECT` statements are allowed/)
    expect((await run('SELECT COUNT(*) AS n FROM sales')).body).toContain('"n":2')
  })

  it('grants a table only in its own schema, with or without the schema name', async () => {
    await admin(`CREATE DATABASE ${schema}_other`)
    await admin(`CREATE TABLE ${schema}_other.sales AS SELECT 'theirs' AS name`)
    try {
      await grantTable({ server }, database_id, { schema: `${schema}_other`, table: 'sales' })
      const runAsReader = (sql: string, of: string | null) => run(sql, { schema: of }, 'sqllab')
      expect((await runAsReader('SELECT name FROM sales', `${schema}_other`)).body).toContain('theirs')
      expect((await runAsReader(`SELECT name FROM ${schema}_other.sales`, schema)).body).toContain('theirs')
      for (const of of [schema, null]) {
        const { status, body: text } = await runAsReader('SELECT name FROM sales', of)
        expect(status, text).toBe(403)
        expect(text).toContain('You need access to the following tables: `sales`')
      }
    } finally {
      await admin(`DROP DATABASE ${schema}_other`)
    }
  })

  it('stops a query on the server', async () => {
    const client_id = 'stopthis01'
    const runAsReader = run('SELECT COUNT(*) AS stop_this_one FROM seq_1_to_100000 a, seq_1_to_100000 b', { client_id })
    const isRunning = async () =>
      (
        await admin(
          `SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE '%stop_this_one%' AND INFO NOT LIKE '%PROCESSLIST%'`,
        )
      ).length > 0
    while (!(await isRunning()));
    const stopped = await server.as('admin').post('/api/v1/query/stop', { client_id })
    expect(stopped.statusCode, stopped.body).toBe(200)
    while (await isRunning());
    expect((await runAsReader).body).toMatch(/stopped/i)
  })
})
