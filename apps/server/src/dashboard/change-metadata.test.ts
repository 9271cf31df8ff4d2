import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type Client, type TestServer } from '../testing.ts'

let server: TestServer
let owner: Client
let id: number
const filter = (name: string, more: object = {}) => ({
  id: `NATIVE_FILTER-${name}`,
  type: 'NATIVE_FILTER',
  name,
  ...more,
})
beforeAll(async () => {
  server = await startTestServer()
  owner = server.as('admin')
  const made = await owner.post('/api/v1/dashboard/', {
    dashboard_title: 'Sales',
    position_json: JSON.stringify({
      ROOT_ID: { type: 'ROOT', children: ['TABS-1'] },
      'TABS-1': { type: 'TABS', children: ['TAB-a', 'TAB-b'] },
      'TAB-a': { type: 'TAB', children: ['TABS-2'], meta: { text: 'First' } },
      'TABS-2': { type: 'TABS', children: ['TAB-c'] },
      'TAB-c': { type: 'TAB', children: [], meta: { text: 'Within' } },
      'TAB-b': { type: 'TAB', children: [], meta: { defaultText: 'Tab title' } },
    }),
    json_metadata: JSON.stringify({
      color_scheme: 'd3',
      native_filter_configuration: [filter('a', { tabsInScope: ['TAB-b'] }), filter('b'), filter('c')],
    }),
  })
  id = made.json<{ id: number }>().id
})
afterAll(() => server.close())

const metadata = async () => {
  const { result } = (await owner.get(`/api/v1/dashboard/${id}`)).json<{ result: { json_metadata: string } }>()
  return JSON.parse(result.json_metadata) as { native_filter_configuration: { name: string }[]; [key: string]: unknown }
}

it('returns the tabs as a tree, with the filters in scope of each', async () => {
  const { result } = (await owner.get(`/api/v1/dashboard/${id}/tabs`)).json<{ result: object }>()
  expect(result).toMatchObject({
    all_tabs: { 'TAB-a': 'First', 'TAB-c': 'Within', 'TAB-b': 'Tab title' },
    tab_tree: [
      {
        value: 'TAB-a',
        title: 'First',
        children: [{ value: 'TAB-c', parents: ['ROOT_ID', 'TABS-1', 'TAB-a', 'TABS-2'] }],
      },
      { value: 'TAB-b', children: [] },
    ],
    native_filters: { all: [{ name: 'a' }, { name: 'b' }, { name: 'c' }], 'TAB-a': [], 'TAB-b': [{ name: 'a' }] },
  })
})

it('changes some filters, keeps the others and all other settings, and reorders them', async () => {
  const response = await owner.put(`/api/v1/dashboard/${id}/filters`, {
    deleted: ['NATIVE_FILTER-b'],
    modified: [filter('a', { name: 'A', mine: 1 }), filter('d')],
    reordered: ['NATIVE_FILTER-d', 'NATIVE_FILTER-c'],
  })
  const names = ['d', 'c', 'A']
  expect(response.json<{ result: { name: string }[] }>().result.map(({ name }) => name)).toEqual(names)
  const stored = await metadata()
  expect(stored.native_filter_configuration.map(({ name }) => name)).toEqual(names)
  expect(stored).toMatchObject({ color_scheme: 'd3' })
})

it('changes the sent colors and keeps the rest, without updating changed_on when mark_updated is false', async () => {
  const changedOn = async () =>
    (await owner.get(`/api/v1/dashboard/${id}`)).json<{ result: { changed_on: string } }>().result.changed_on
  const before = await changedOn()
  const quiet = await owner.put(`/api/v1/dashboard/${id}/colors?mark_updated=false`, { label_colors: { SEA: '#111' } })
  expect(quiet.statusCode, quiet.body).toBe(200)
  expect(await changedOn()).toBe(before)
  expect(await metadata()).toMatchObject({ color_scheme: 'd3', label_colors: { SEA: '#111' } })
  await owner.put(`/api/v1/dashboard/${id}/colors`, { color_scheme: 'parquetry' })
  expect(await metadata()).toMatchObject({ color_scheme: 'parquetry', label_colors: { SEA: '#111' } })
  expect(await changedOn()).not.toBe(before)
})

it('is allowed only for users who may edit the dashboard', async () => {
  for (const part of ['filters', 'colors'])
    expect((await server.as('gamma').put(`/api/v1/dashboard/${id}/${part}`, {})).statusCode).toBe(404)
  expect((await owner.put(`/api/v1/dashboard/${id}/filters`, { modified: [{ name: 'no id' }] })).statusCode).toBe(400)
  expect((await server.as('gamma').get(`/api/v1/dashboard/${id}/tabs`)).statusCode).toBe(404)
})
