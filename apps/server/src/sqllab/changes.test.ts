import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunners } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { startTestServer, type TestServer } from '../testing.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const schema = `changes_${process.pid}`

async function admin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

describe.skipIf(!url)('SQL that changes data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-changes-'))
  let server: TestServer
  let runners: Runners
  beforeAll(async () => {
    await admin(`CREATE SCHEMA ${schema}`)
    runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 128, spillFolder: join(folder, 'spill') })
    server = await startTestServer({ runners })
  })
  afterAll(async () => {
    await server.close()
    await runners.close(0)
    await admin(`DROP SCHEMA ${schema} CASCADE`)
    rmSync(folder, { recursive: true, force: true })
  })

  const connect = async (allow_dml: boolean): Promise<number> => {
    const body = { database_name: `dml ${allow_dml}`, sqlalchemy_uri: url, allow_dml }
    return (await server.as('admin').post('/api/v1/database/', body)).json<{ id: number }>().id
  }
  const run = (database_id: number, sql: string) =>
    server.as('admin').post('/api/v1/sqllab/execute/', { database_id, schema, sql })

  it('runs where the database allows it, statement by statement', async () => {
    const database = await connect(true)
    const response = await run(
      database,
      'CREATE TABLE made (a int); INSERT INTO made VALUES (1), (2); SELECT * FROM made',
    )
    expect(response.json(), response.body).toMatchObject({ status: 'success', data: [{ a: 1 }, { a: 2 }] })
    expect((await run(database, 'INSERT INTO made VALUES (3)')).json()).toMatchObject({ status: 'success', data: [] })
    expect((await run(database, 'SELECT count(*) AS n FROM made')).json()).toMatchObject({ data: [{ n: 3 }] })
  })

  it('is rejected elsewhere, even in SQL that looks read-only', async () => {
    const database = await connect(false)
    for (const sql of ['INSERT INTO made VALUES (4)', 'WITH d AS (DELETE FROM made RETURNING *) SELECT * FROM d'])
      expect((await run(database, sql)).json()).toMatchObject({ errors: [{ error_type: 'DML_NOT_ALLOWED_ERROR' }] })
    expect((await run(database, 'SELECT count(*) AS n FROM made')).json()).toMatchObject({ data: [{ n: 3 }] })
  })
})
