import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultFlags } from '../config.ts'
import { grant } from '../security/grants.ts'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import type { TestUser } from '../testing.ts'

const url = process.env['PARQUETRY_TEST_TRINO']

const templating = { settings: { flags: { ...defaultFlags, ENABLE_TEMPLATE_PROCESSING: true } } }

/** The server may still be starting. */
async function connected(sqlalchemy_uri: string): Promise<{ lab: TestLab; database_id: number }> {
  const lab = await startTestLab(templating)
  const body = { database_name: 'trino', sqlalchemy_uri, expose_in_sqllab: true, allow_dml: true }
  for (const end = performance.now() + 90_000; ;) {
    const made = await lab.server.as('admin').post('/api/v1/database/', body)
    if (made.statusCode === 201) return { lab, database_id: made.json<{ id: number }>().id }
    if (performance.now() > end) throw new Error(made.body)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

describe.skipIf(!url)('macros about partitions, on a server whose tables have none', () => {
  let lab: TestLab
  let database_id: number
  beforeAll(async () => {
    ;({ lab, database_id } = await connected(url!.replace(/\/[^/]+\/[^/]+$/, '/tpch/tiny')))
    const dataset = { database: database_id, schema: 'tiny', table_name: 'nation' }
    expect((await lab.server.as('admin').post('/api/v1/dataset/', dataset)).statusCode).toBe(201)
    const { db } = lab.server.deps
    const { view } = await db
      .selectFrom('permission')
      .select('view')
      .where('name', '=', 'datasource_access')
      .where('view', 'like', '%nation%')
      .executeTakeFirstOrThrow()
    await grant(db, 'sql_lab', ['datasource_access', view])
    lab.server.app.authenticator.forget()
  }, 120_000)
  afterAll(() => lab.close())

  const said = async (table: string, user: TestUser, more: object = {}) =>
    (await lab.run(`SELECT '{{ trino.latest_partition('${table}') }}' AS p`, { database_id, ...more }, user)).body

  it('say that a table has no partitions, and that one is not there', async () => {
    expect(await said('nation', 'admin', { schema: 'tiny' })).toContain('Verify that this table has a partition.')
    expect(await said('tpch.tiny.nation', 'admin')).toContain('Verify that this table has a partition.')
    expect(await said('tiny.nowhere', 'admin')).toContain("Table 'tpch.tiny.nowhere' does not exist")
  })

  it('tell nothing of a table that the person may not read', async () => {
    expect(await said('tiny.nation', 'sqllab')).toContain('Verify that this table has a partition.')
    for (const table of ['tiny.region', 'tiny.nowhere', 'sf1.nation', 'memory.tiny.nation'])
      expect(await said(table, 'sqllab'), table).toContain('You need access to the following tables')
  })

  it('are not there on other engines', async () => {
    expect((await lab.run("SELECT {{ trino.latest_partition('cars') }}")).body).toContain(
      'The parameter \\"trino\\" in your query is undefined.',
    )
  })
})
