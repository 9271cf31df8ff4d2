import { afterEach, beforeEach, expect, it } from 'vitest'
import { addDatabase } from '../database.testing.ts'
import { temporaryKeys } from './keys.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { canDecryptSecrets, holdsSecrets } from './stored-secrets.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
})
afterEach(() => server.close())

it('regression: reports a key file that does not belong to the stored passwords, in health and for the connection', async () => {
  const { db, keys } = server.deps
  expect([await holdsSecrets(db), await canDecryptSecrets(db, keys)]).toEqual([false, true])
  const id = await addDatabase(server)
  const { uuid } = await db.selectFrom('database').select('uuid').where('id', '=', id).executeTakeFirstOrThrow()
  const store = (secrets: string) =>
    db
      .updateTable('database')
      .set({
        backend: 'postgresql',
        secrets,
        settings: JSON.stringify({ host: 'db', database: 'shop', username: 'u' }),
      })
      .execute()
  await store(keys.encrypt(JSON.stringify({ password: 'x' }), uuid))
  expect([await holdsSecrets(db), await canDecryptSecrets(db, keys)]).toEqual([true, true])
  await store(temporaryKeys().encrypt(JSON.stringify({ password: 'x' }), uuid))
  expect(await canDecryptSecrets(db, keys)).toBe(false)
  const health = await server.as('nobody').get('/health')
  expect([health.statusCode, health.body]).toEqual([503, expect.stringContaining('Restore the key file')])
  const schemas = await server.as('admin').get(`/api/v1/database/${id}/schemas/`)
  expect([schemas.statusCode, schemas.body]).toEqual([503, expect.stringContaining('enter the password again')])
})
