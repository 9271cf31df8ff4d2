import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('deleting an embedded database deletes its files and no others', async () => {
  const make = async (database_name: string) => {
    const body = { database_name, sqlalchemy_uri: 'duckdb://' }
    const { id } = (await server.as('admin').post('/api/v1/database/', body)).json<{ id: number }>()
    const { uuid } = await server.deps.db
      .selectFrom('database')
      .select('uuid')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const folder = join(server.home, 'data', uuid)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'table.1.duckdb'), 'rows')
    return { id, folder }
  }
  const gone = await make('gone')
  const kept = await make('kept')
  expect((await server.as('gamma').delete(`/api/v1/database/${gone.id}`)).statusCode).not.toBe(200)
  expect(existsSync(gone.folder)).toBe(true)
  expect((await server.as('admin').delete(`/api/v1/database/${gone.id}`)).statusCode).toBe(200)
  expect([existsSync(gone.folder), existsSync(kept.folder)]).toEqual([false, true])
})
