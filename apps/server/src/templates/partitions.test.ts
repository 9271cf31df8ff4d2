import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultFlags } from '../settings/config.ts'
import { grantTable } from '../sqllab/hostile.testing.ts'
import { retryUntilStarted, startTestLab, type TestLab } from '../sqllab/testing.ts'
import type { TestUser } from '../testing.ts'

const url = process.env['PARQUETRY_TEST_TRINO']

describe.skipIf(!url)('partition macros on a server whose tables have no partitions', () => {
  let lab: TestLab
  let database_id: number
  beforeAll(async () => {
    lab = await startTestLab({ settings: { flags: { ...defaultFlags, ENABLE_TEMPLATE_PROCESSING: true } } })
    const sqlalchemy_uri = url!.replace(/\/[^/]+\/[^/]+$/, '/tpch/tiny')
    const body = { database_name: 'trino', sqlalchemy_uri, expose_in_sqllab: true }
    const made = await retryUntilStarted(() => lab.server.as('admin').post('/api/v1/database/', body))
    database_id = made.json<{ id: number }>().id
    await grantTable(lab, database_id, { schema: 'tiny', table: 'nation' })
  })
  afterAll(() => lab.close())

  const runLatestPartition = async (table: string, user: TestUser, more: object = {}) =>
    (await lab.run(`SELECT '{{ trino.latest_partition('${table}') }}' AS p`, { database_id, ...more }, user)).body

  it('report that a table has no partitions, or does not exist', async () => {
    expect(await runLatestPartition('nation', 'admin', { schema: 'tiny' })).toContain(
      'Verify that this table has a partition.',
    )
    expect(await runLatestPartition('tpch.tiny.nation', 'admin')).toContain('Verify that this table has a partition.')
    expect(await runLatestPartition('tiny.nowhere', 'admin')).toContain("Table 'tpch.tiny.nowhere' does not exist")
  })

  it('reveal nothing about a table that the user may not read', async () => {
    expect(await runLatestPartition('tiny.nation', 'sqllab')).toContain('Verify that this table has a partition.')
    for (const table of ['tiny.region', 'tiny.nowhere', 'sf1.nation', 'memory.tiny.nation'])
      expect(await runLatestPartition(table, 'sqllab'), table).toContain('You need access to the following tables')
  })

  it('do not exist on other engines', async () => {
    expect((await lab.run("SELECT {{ trino.latest_partition('cars') }}")).body).toContain(
      'The parameter \\"trino\\" in your query is undefined.',
    )
  })
})
