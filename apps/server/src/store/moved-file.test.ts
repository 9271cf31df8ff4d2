import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'
import { storePath } from './open.ts'

let server: TestServer
let path: string
beforeEach(async () => {
  server = await startTestServer()
  path = storePath(server.home)
})
afterEach(() => server.close())

const aside = () => renameSync(path, `${path}.old`)
const losses: [string, () => void][] = [
  ['renamed', aside],
  [
    'replaced',
    () => {
      aside()
      writeFileSync(path, '')
    },
  ],
]
const health = async () => {
  const { statusCode, body } = await server.as('nobody').get('/health')
  return [statusCode, body]
}
const save = () => server.as('admin').post('/api/v1/dashboard/', { dashboard_title: 'kept' })
const movedMessage = expect.stringContaining('was moved, replaced or deleted while the server was running') as string

it.each(losses)('regression: stops writing to a store file that was %s', async (_name, lose) => {
  expect((await save()).statusCode).toBe(201)
  expect(await health()).toEqual([200, 'OK'])
  lose()
  expect(await health()).toEqual([503, movedMessage])
  const refused = await save()
  expect([refused.statusCode, refused.headers['retry-after'], refused.body]).toEqual([503, '2', movedMessage])
  expect((await server.as('admin').get('/api/v1/dashboard/')).json()).toMatchObject({ count: 1 })
  renameSync(`${path}.old`, path)
  expect(await health()).toEqual([200, 'OK'])
  expect((await save()).statusCode).toBe(201)
})

it('regression: health reports a store file that was deleted', async () => {
  rmSync(path)
  expect(await health()).toEqual([503, movedMessage])
})
