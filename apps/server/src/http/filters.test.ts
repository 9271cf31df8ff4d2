import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'

const titles = ['Board one', 'BOARD', 'ÜNÏ Board', 'ünï', 'a%b_c\\d', 'aXbYc', 'ΣΊΓΜΑ one', ' ']
const needles = ['board', 'BOARD', 'b', 'ünï', 'ÜNÏ', 'a%b', '_', '\\', 'σίγμ', 'ONE', ' ']

const operators: Record<string, (title: string, needle: string) => boolean> = {
  ct: (title, needle) => title.includes(needle),
  sw: (title, needle) => title.startsWith(needle),
  ew: (title, needle) => title.endsWith(needle),
  nct: (title, needle) => !title.includes(needle),
  nsw: (title, needle) => !title.startsWith(needle),
  new: (title, needle) => !title.endsWith(needle),
  title_or_slug: (title, needle) => title.includes(needle),
}

describe.each(testStores)('filters on %s', (_name, store) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ store })
    for (const dashboard_title of titles) await server.as('admin').post('/api/v1/dashboard/', { dashboard_title })
  })
  afterAll(() => server.close())

  it.each(Object.entries(operators))('finds text with %s, ignoring case', async (opr, isFound) => {
    for (const value of needles) {
      const q = JSON.stringify({ filters: [{ col: 'dashboard_title', opr, value }], page_size: 100 })
      const { result } = (await server.as('admin').get(`/api/v1/dashboard/?q=${encodeURIComponent(q)}`)).json<{
        result: { dashboard_title: string }[]
      }>()
      const found = result.map(({ dashboard_title }) => dashboard_title).toSorted()
      const expected = titles.filter((title) => isFound(title.toLowerCase(), value.toLowerCase())).toSorted()
      expect([value, found]).toEqual([value, expected])
    }
  })
})
