import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '../testing.ts'
import { grantTable } from './hostile.testing.ts'
import { type ExecuteResult, retryUntilStarted, startTestLab, type TestLab } from './testing.ts'

const url = process.env['PARQUETRY_TEST_TRINO']

describe.skipIf(!url)('a database with several catalogs', () => {
  let lab: TestLab
  let database: number
  beforeAll(async () => {
    lab = await startTestLab()
    const own = url!.replace(/\/[^/]+\/[^/]+$/, '/tpch/tiny')
    const body = { database_name: 'trino', sqlalchemy_uri: own, expose_in_sqllab: true }
    database = (await retryUntilStarted(() => lab.server.as('admin').post('/api/v1/database/', body))).json<{
      id: number
    }>().id
    await grantTable(lab, database, { schema: 'tiny', table: 'nation' })
  })
  afterAll(() => lab.close())

  async function outcome(sql: string, user: TestUser, catalog?: string): Promise<unknown> {
    const response = await lab.run(sql, { database_id: database, schema: 'tiny', ...(catalog && { catalog }) }, user)
    if (response.statusCode === 200) return Object.values(response.json<ExecuteResult>().data[0] ?? {})[0]
    return response.json<{ errors: { error_type: string }[] }>().errors[0]?.error_type
  }

  it('is queried in the catalog of the run, or else in its own', async () => {
    expect(await outcome('SELECT count(*) AS n FROM nation', 'admin')).toBe(25)
    expect(await outcome('SELECT count(*) AS n FROM nation', 'admin', 'tpch')).toBe(25)
    expect(await outcome('SELECT count(*) AS n FROM nation', 'admin', 'memory')).toMatch(/DOES_NOT_EXIST/)
  })

  it('grants a table only in its own catalog', async () => {
    expect(await outcome('SELECT count(*) AS n FROM nation', 'sqllab')).toBe(25)
    expect(await outcome('SELECT count(*) AS n FROM tpch.tiny.nation', 'sqllab')).toBe(25)
    expect(await outcome('SELECT count(*) AS n FROM tpch.tiny.nation', 'sqllab', 'memory')).toBe(25)
    for (const [sql, catalog] of [
      ['SELECT count(*) AS n FROM nation', 'memory'],
      ['SELECT count(*) AS n FROM memory.tiny.nation', undefined],
      ['SELECT count(*) AS n FROM region', undefined],
      ['SELECT count(*) AS n FROM sf1.nation', undefined],
    ] as const)
      expect(await outcome(sql, 'sqllab', catalog), sql).toBe('QUERY_SECURITY_ACCESS_ERROR')
  })
})
