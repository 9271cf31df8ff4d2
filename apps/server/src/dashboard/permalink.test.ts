import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, startTestServer, type TestServer, testStores } from '../testing.ts'

describe.each(testStores)('permalinks to a dashboard, store on %s', (_name, store) => {
  let server: TestServer
  let ada: Client
  let id: number
  beforeAll(async () => {
    server = await startTestServer({ store })
    ada = server.as('admin')
    const made = await ada.post('/api/v1/dashboard/', { dashboard_title: 'Sales' })
    id = made.json<{ id: number }>().id
  })
  afterAll(() => server.close())

  const state = {
    urlParams: [
      ['standalone', '1'],
      ['country', 'é & ü'],
    ],
    dataMask: { 'NATIVE_FILTER-a': { filterState: { value: ['SEA'] }, extraFormData: {} } },
    activeTabs: ['TAB-1', 'TAB-2'],
    anchor: 'CHART-x',
  }
  const create = (of: object, client = ada) => client.post(`/api/v1/dashboard/${id}/permalink`, of)
  const read = (key: string, client = ada) => client.get(`/api/v1/dashboard/permalink/${key}`)

  it('SHARE-004, API-081: stores URL parameters, filters, open tabs and anchor, and returns a URL', async () => {
    const made = await create(state)
    const { key, url } = made.json<{ key: string; url: string }>()
    expect([made.statusCode, new URL(url).pathname]).toEqual([201, `/superset/dashboard/p/${key}/`])
    expect((await read(key)).json()).toMatchObject({ state })
  })

  it.each(Object.keys(state))('SHARE-004: the key changes with %s and is the same without a change', async (part) => {
    const keyOf = async (of: object) => (await create(of)).json<{ key: string }>().key
    const { [part as keyof typeof state]: _, ...rest } = state
    expect(await keyOf(state)).toBe(await keyOf({ ...state }))
    expect(await keyOf(rest)).not.toBe(await keyOf(state))
  })

  it('returns 404 to users who may not see the dashboard, and refuses invalid states', async () => {
    const { key } = (await create(state)).json<{ key: string }>()
    expect((await read(key, server.as('gamma'))).statusCode).toBe(404)
    expect((await read('nope')).statusCode).toBe(404)
    expect((await create({ activeTabs: 'TAB-1' })).statusCode).toBe(400)
  })
})
