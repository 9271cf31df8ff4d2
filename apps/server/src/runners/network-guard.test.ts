import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'
import { createRunners } from './create-runners.ts'
import type { Runners } from './runners.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const schema = `guard_${process.pid}`

async function admin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

describe.skipIf(!url)('user SQL in charts on PostgreSQL', () => {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-guard-'))
  let runners: Runners
  let server: TestServer
  let database: number
  let dataset: number

  beforeAll(async () => {
    await admin(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.sales AS SELECT 'a' AS name, 1 AS amount;
      CREATE TABLE ${schema}.salaries AS SELECT 'hidden' AS name`)
    runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 128, spillFolder: join(home, 'spill') })
    server = await startTestServer({ runners })
    const made = await server.as('admin').post('/api/v1/database/', { database_name: 'pg', sqlalchemy_uri: url })
    database = made.json<{ id: number }>().id
    dataset = await addDataset({ table_name: 'sales' })
  })
  afterAll(async () => {
    await server.close()
    await runners.close(0)
    await admin(`DROP SCHEMA ${schema} CASCADE`)
    rmSync(home, { recursive: true, force: true })
  })

  async function addDataset(own: { table_name: string; sql?: string }): Promise<number> {
    const made = await server.as('admin').post('/api/v1/dataset/', { database, schema, ...own })
    expect(made.statusCode, made.body).toBe(201)
    return made.json<{ id: number }>().id
  }

  const sqlMetric = (sqlExpression: string) => ({ expressionType: 'SQL', sqlExpression, label: 'x' })
  const ask = async (query: object, id = dataset) => {
    const body = { datasource: { id, type: 'table' }, queries: [{ columns: ['name'], metrics: ['count'], ...query }] }
    const response = await server.as('admin').post('/api/v1/chart/data', body)
    return `${response.statusCode} ${response.body}`
  }

  it('allows computations', async () => {
    expect(await ask({ metrics: [sqlMetric('MAX(upper(name))')] })).toContain('"x":"A"')
  })

  const reach = {
    'SQL in a text': `query_to_xml('SELECT * FROM ${schema}.salaries', true, false, '')::text`,
    'files of the server': `pg_read_file('/etc/hostname')`,
    'files by another spelling': `PG_CATALOG . "pg_read_file" ('/etc/hostname')`,
    'folders of the server': `(SELECT string_agg(pg_ls_dir, ',') FROM pg_ls_dir('/'))`,
    settings: `set_config('transaction_read_only', 'off', false)`,
    'sessions of others': `pg_terminate_backend(1)::text`,
    'locks that outlive the query': `pg_advisory_lock(1)::text`,
    'large objects': `lo_import('/etc/hostname')::text`,
    waiting: `pg_sleep(10)::text`,
  }
  const places: Record<string, (sql: string) => object> = {
    metric: (sql) => ({ metrics: [sqlMetric(`MAX(${sql})`)] }),
    column: (sql) => ({ columns: [{ expressionType: 'SQL', sqlExpression: sql, label: 'x' }] }),
    where: (sql) => ({ extras: { where: `(${sql}) IS NOT NULL` } }),
    having: (sql) => ({ extras: { having: `MAX(${sql}) IS NOT NULL` } }),
    order: (sql) => ({ orderby: [[sqlMetric(`MAX(${sql})`), true]] }),
  }
  describe.each(Object.entries(places))('a %s', (_, place) => {
    it.each(Object.entries(reach))('cannot access: %s', async (_what, sql) => {
      expect(await ask(place(sql))).toMatch(/cannot be used here|Custom SQL fields cannot contain sub-queries/)
    })
  })

  it('is also rejected in a virtual dataset and in a saved metric', async () => {
    for (const [at, sql] of Object.values(reach).entries()) {
      const id = await addDataset({ table_name: `v${at}`, sql: `SELECT 'a' AS name` })
      const changed = await server.as('admin').put(`/api/v1/dataset/${id}?override_columns=false`, {
        sql: `SELECT ${sql} AS name`,
      })
      if (changed.statusCode === 200) expect(await ask({}, id)).toContain('cannot be used here')
      else expect(changed.statusCode).toBe(422)
    }
    const changed = await server.as('admin').put(`/api/v1/dataset/${dataset}`, {
      metrics: [{ metric_name: 'saved', expression: `MAX(${reach['files of the server']})` }],
    })
    expect(changed.statusCode, changed.body).toBe(422)
    expect(changed.body).toContain('cannot be used here')
    // A metric stored before expressions were checked on save.
    const stored = await server.as('admin').put(`/api/v1/dataset/${dataset}`, {
      metrics: [{ metric_name: 'saved', expression: 'MAX(1)' }],
    })
    expect(stored.statusCode, stored.body).toBe(200)
    await server.deps.db
      .updateTable('dataset_metric')
      .set({ expression: `MAX(${reach['files of the server']})` })
      .where('metric_name', '=', 'saved')
      .where('dataset_id', '=', dataset)
      .execute()
    expect(await ask({ metrics: ['saved'] })).toContain('cannot be used here')
  })
})
