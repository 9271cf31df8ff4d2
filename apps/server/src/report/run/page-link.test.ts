import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadPrincipalById } from '../../access/load-principal.ts'
import type { Principal } from '../../access/principal.ts'
import { startTestServer, type TestServer, testStores } from '../../testing.ts'
import { createPageLink } from './page-link.ts'
import { userId } from './runs.testing.ts'
import { addDashboard } from './sample-content.testing.ts'

describe.each(testStores)('the link of a message on %s', (_name, store) => {
  let server: TestServer
  let owner: Principal
  let dashboard: number
  beforeAll(async () => {
    server = await startTestServer({ store })
    const { db } = server.deps
    owner = (await loadPrincipalById(db, await userId(db, 'admin')))!
    dashboard = await addDashboard(db, 'Sales')
  })
  afterAll(() => server.close())

  const link = (extra: object, settings: object = {}) =>
    createPageLink(
      { ...server.deps, settings: { ...server.deps.settings, baseUrl: 'https://example.com', ...settings } },
      { chart_id: null, dashboard_id: dashboard, extra_json: JSON.stringify(extra) },
      owner,
    )
  const dataMask = { 'NATIVE_FILTER-a': { extraFormData: { filters: [] }, filterState: { value: ['x'] } } }

  it('opens the dashboard with the filters that were sent, and is the same for each run', async () => {
    const filtered = await link({ dashboard: { dataMask } })
    const [, key] = /^https:\/\/example\.com\/superset\/dashboard\/p\/(\w+)\/$/.exec(filtered ?? '') ?? []
    const stored = await server.as('admin').get(`/api/v1/dashboard/permalink/${key}`)
    expect(stored.json()).toMatchObject({ state: { dataMask } })
    expect(await link({ dashboard: { dataMask } })).toBe(filtered)
  })

  it('opens the plain page without filters, and when the owner has no space for links', async () => {
    const plain = `https://example.com/superset/dashboard/${dashboard}/`
    expect(await link({})).toBe(plain)
    const { config } = server.deps.settings
    const mask = { ...dataMask, other: { extraFormData: {}, filterState: { value: 'y'.repeat(10_000) } } }
    expect(await link({ dashboard: { dataMask: mask } }, { config: { ...config, LINK_QUOTA_MB: 0.001 } })).toBe(plain)
  })
})
