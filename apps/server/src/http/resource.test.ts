import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const template_name of ['a', 'b', 'c', 'd', 'e'])
    await server.as('admin').post('/api/v1/css_template/', { template_name, css: '' })
})
afterAll(() => server.close())

it('counts all rows on a full page, on the last page and past it', async () => {
  const readPage = async (page: number, page_size: number) => {
    const response = await server.as('admin').get(`/api/v1/css_template/?q=(page:${page},page_size:${page_size})`)
    const { count, ids } = response.json<{ count: number; ids: number[] }>()
    return [ids.length, count]
  }
  expect(await readPage(0, 2)).toEqual([2, 5])
  expect(await readPage(2, 2)).toEqual([1, 5])
  expect(await readPage(3, 2)).toEqual([0, 5])
  expect(await readPage(0, 5)).toEqual([5, 5])
  expect(await readPage(1, 5)).toEqual([0, 5])
  expect(await readPage(0, 20)).toEqual([5, 5])
})

it('returns a count of zero when nothing matches', async () => {
  const q = '(filters:!((col:template_name,opr:ct,value:zz)))'
  const response = await server.as('admin').get(`/api/v1/css_template/?q=${q}`)
  expect(response.json()).toMatchObject({ count: 0, ids: [] })
})
