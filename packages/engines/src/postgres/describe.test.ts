import type { DescribeRequest, DescribeResult } from '@parquetry/model'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresDriver } from './driver.ts'
import { postgres } from './engine.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const schema = `describe_${process.pid}`

async function admin(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

describe.skipIf(!url)('describing a PostgreSQL database', () => {
  beforeAll(() =>
    admin(
      `CREATE SCHEMA ${schema}`,
      `CREATE SEQUENCE ${schema}.calls`,
      `CREATE TABLE ${schema}.counted AS SELECT i FROM generate_series(1, 1000) AS i`,
      `ANALYZE ${schema}.counted`,
      `CREATE TABLE ${schema}.uncounted (i int)`,
      `CREATE VIEW ${schema}.half AS SELECT i FROM ${schema}.counted WHERE i < 500`,
      `CREATE TABLE ${schema}.days (d date, n int) PARTITION BY RANGE (d)`,
      `CREATE TABLE ${schema}.days_2 PARTITION OF ${schema}.days FOR VALUES FROM ('2026-02-01') TO ('2026-03-01')`,
      `CREATE TABLE ${schema}.days_1 PARTITION OF ${schema}.days FOR VALUES FROM ('2026-01-01') TO ('2026-02-01')`,
      `CREATE TABLE ${schema}.days_0 PARTITION OF ${schema}.days FOR VALUES FROM (MINVALUE) TO ('2026-01-01')`,
      `CREATE TABLE ${schema}."o'dd ""one" (a int, b text) PARTITION BY LIST (b)`,
      `CREATE TABLE ${schema}.numbers (n int, m int) PARTITION BY RANGE (n)`,
      `CREATE TABLE ${schema}.numbers_9 PARTITION OF ${schema}.numbers FOR VALUES FROM (9) TO (10)`,
      `CREATE TABLE ${schema}.numbers_10 PARTITION OF ${schema}.numbers FOR VALUES FROM (10) TO (11)`,
    ),
  )
  afterAll(() => admin(`DROP SCHEMA ${schema} CASCADE`))

  async function ask<W extends DescribeResult['what']>(
    what: DescribeRequest & { what: W },
  ): Promise<Extract<DescribeResult, { what: W }>> {
    const context = { schema, timeoutMs: 10_000, allowDml: false }
    const session = await postgresDriver.open(postgres.fromUri(String(url)), context)
    try {
      return (await session.describe(what)) as Extract<DescribeResult, { what: W }>
    } finally {
      await session.close()
    }
  }
  const table = (name: string) => ask({ what: 'table', schema, table: name })

  it('reads row counts from the statistics, and returns none before ANALYZE', async () => {
    const { tables } = await ask({ what: 'tables', schema })
    expect(tables.find(({ name }) => name === 'counted')).toEqual({ name: 'counted', type: 'table', rows: 1000 })
    expect(tables.find(({ name }) => name === 'uncounted')).toEqual({ name: 'uncounted', type: 'table' })
    expect((await table('counted')).rows).toBe(1000)
    expect(await table('uncounted')).not.toHaveProperty('rows')
  })

  it('returns the definition of a view', async () => {
    expect((await table('half')).view).toContain('WHERE')
    expect(await table('counted')).not.toHaveProperty('view')
  })

  it('returns the partition columns, the latest partition and a query for all partitions', async () => {
    const { partitions } = await table('days')
    expect(partitions).toMatchObject({ cols: ['d'], latest: { d: '2026-02-01' } })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(String(partitions?.partitionQuery))
    const odd = await table('o\'dd "one')
    const none = await client.query(String(odd.partitions?.partitionQuery))
    await client.end()
    expect(rows).toHaveLength(3)
    expect([odd.partitions?.cols, odd.partitions?.latest, none.rows]).toEqual([['b'], {}, []])
    expect((await table('numbers')).partitions?.latest, 'numbers are no text').toEqual({ n: '10' })
    expect(await table('counted')).not.toHaveProperty('partitions')
  })

  it('API-009: lists only functions that can be called by name', async () => {
    const { names } = await ask({ what: 'functions' })
    expect(names).toEqual(expect.arrayContaining(['abs', 'coalesce', 'date_trunc', 'sum', 'row_number', 'jsonb_agg']))
    expect(names).not.toContain('int4pl')
    expect(names).not.toContain('textin')
    expect(names).toEqual([...new Set(names)].toSorted())
  })

  it('SQL-008: estimates two costs with the labels of the API and runs nothing', async () => {
    expect(await ask({ what: 'estimate', sql: 'SELECT 1' })).toEqual({
      what: 'estimate',
      cost: { 'Start-up cost': '0.0', 'Total cost': '0.01' },
    })
    await ask({ what: 'estimate', sql: `SELECT nextval('${schema}.calls')` })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(`SELECT is_called FROM ${schema}.calls`)
    await client.end()
    expect(rows).toEqual([{ is_called: false }])
  })

  it.each(['SELECT 1; SELECT 2', 'SELECT nope', 'ANALYZE SELECT 1', ') SELECT 1', ''])(
    'rejects an estimate of %j',
    async (sql) => {
      await expect(ask({ what: 'estimate', sql })).rejects.toMatchObject({ status: 400 })
    },
  )
})
