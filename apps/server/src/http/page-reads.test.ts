import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadPrincipalById } from '../access/load-principal.ts'
import { dashboardResource, type DashboardRow } from '../dashboard/dashboard-resource.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { present } from './resource.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('columns of a list that need the same users, owners or tags read them once', async () => {
  const { db } = server.deps
  const admin = server.as('admin')
  for (const dashboard_title of ['A', 'B'])
    expect((await admin.post('/api/v1/dashboard/', { dashboard_title })).statusCode).toBe(201)
  const tables: string[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      const text = JSON.stringify(node)
      for (const table of ['user', 'dashboard_owner', 'dashboard_tag']) {
        if (text.includes(`"name":"${table}"`)) tables.push(table)
      }
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const rows: DashboardRow[] = await db.selectFrom('dashboard').selectAll().execute()
  const { id } = await db.selectFrom('user').select('id').where('username', '=', 'admin').executeTakeFirstOrThrow()
  const principal = (await loadPrincipalById(db, id))!
  const columns = ['created_by', 'changed_by', 'changed_by_name', 'changed_by_url', 'owners', 'tags', 'custom_tags']
  const context = {
    db: db.withPlugin(recorder),
    principal,
    dashboardRoles: true,
    viewerData: { dashboards: false, charts: false },
    now: new Date(),
    hasTags: true,
    linkQuotaMb: 1,
  }
  const shown = await present(dashboardResource, rows, columns, context)
  expect(shown).toHaveLength(2)
  expect(shown[0]).toMatchObject({
    created_by: { username: 'admin' },
    owners: [{ username: 'admin' }],
    custom_tags: [],
  })
  // The users of audit columns, then the owners with their users, and the tags.
  expect(tables).toEqual(['user', 'dashboard_owner', 'user', 'dashboard_tag'])
})
