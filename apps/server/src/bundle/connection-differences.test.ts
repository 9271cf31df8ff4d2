import { type Bundle, sourceOf } from '@parquetry/bundle'
import type { Difference } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConnection } from '../connection/connection.ts'
import { connectionColumns, readStoredConnection } from '../connection/source.ts'
import { startTestServer, type TestServer } from '../testing.ts'
import { exportDatabase } from './export-documents.ts'
import { importBundle } from './import-bundle.ts'
import { planImport } from './import-plan.ts'

const uuid = '00000000-0000-4000-8000-000000000001'
const path = 'databases/d.yaml'
const rules = { preventUnsafe: true, tunnels: true }
const options = { authorId: null, at: '2026-01-01T00:00:00.000', overwrite: true }
const database = {
  database_name: 'd',
  uuid,
  sqlalchemy_uri: 'postgresql://me:XXXXXXXXXX@db.example:5432/sales',
  ssh_tunnel: { server_address: 'jump.example', server_port: 22, username: 'jump', password: 'XXXXXXXXXX' },
}
const pack = (document: Record<string, unknown>): Bundle => ({
  metadata: { version: '1.0.0', type: 'Database', timestamp: '' },
  files: new Map([[path, document]]),
})

describe('connections of imported databases', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  const secrets = (passwords: Record<string, string>, tunnelPasswords: Record<string, string> = {}) => ({
    keys: server.deps.keys,
    rules,
    passwords,
    tunnel: { password: tunnelPasswords, private_key: {}, private_key_password: {} },
  })
  const readRow = () =>
    server.deps.db.selectFrom('database').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const preview = async (
    document: Record<string, unknown>,
    ...given: Parameters<typeof secrets>
  ): Promise<[string | undefined, Difference[] | undefined]> => {
    const more = { ...options, preview: true, secrets: secrets(...given) }
    const [object] = (await planImport(server.deps.db, sourceOf(pack(document)), more)).objects
    expect(JSON.stringify(object)).not.toMatch(/secret-/)
    return [object?.state, object?.differences]
  }

  it('regression: a preview names secrets that change, and calls a database with the same ones the same', async () => {
    const given = [{ [path]: 'secret-1' }, { [path]: 'secret-2' }] as const
    await importBundle(server.deps.db, pack(database), { ...options, secrets: secrets(...given) })
    // A connection test records the key of the server.
    const tunnel = { ...(JSON.parse((await readRow()).ssh_tunnel ?? '{}') as object), host_key: 'key' }
    await server.deps.db
      .updateTable('database')
      .set({ ssh_tunnel: JSON.stringify(tunnel) })
      .execute()
    expect(await preview(database, ...given)).toEqual(['same', undefined])
    expect(await preview(database, {})).toEqual(['same', undefined])
    const changed = (what: string, more: object = {}) => ({ of: 'field', how: 'changed', what, ...more })
    expect(await preview(database, { [path]: 'secret-3' }, { [path]: 'secret-4' })).toEqual([
      'changed',
      [changed('password'), changed('ssh_tunnel_password')],
    ])
    const moved = {
      ...database,
      sqlalchemy_uri: database.sqlalchemy_uri.replace('sales', 'other'),
      ssh_tunnel: { ...database.ssh_tunnel, server_port: 23 },
    }
    expect(await preview(moved, ...given)).toEqual([
      'changed',
      [
        changed('sqlalchemy_uri', { before: database.sqlalchemy_uri, after: moved.sqlalchemy_uri }),
        changed('ssh_tunnel', { before: 'jump@jump.example:22', after: 'jump@jump.example:23' }),
      ],
    ])
    await server.deps.db.deleteFrom('database').where('uuid', '=', uuid).execute()
  })

  it.each([
    ['postgresql', {}, { sslmode: 'require' }],
    ['postgresql', { application_name: 'a' }, { application_name: 'a', sslmode: 'require' }],
    ['postgresql', { sslmode: 'verify-full' }, { sslmode: 'verify-full' }],
    ['mysql', {}, { ssl: '1' }],
  ])('regression: %s with encryption by fields and %j stays encrypted', async (engine, query, expected) => {
    const { db, keys } = server.deps
    const parameters = { host: 'db.example', port: 5432, database: 'sales', username: 'me', password: 'secret-1' }
    const body = { engine, parameters: { ...parameters, query, encryption: true } }
    const connection = readConnection(body, undefined, rules)!
    await importBundle(db, pack(database), { ...options, secrets: secrets({ [path]: 'x' }, { [path]: 'y' }) })
    await db
      .updateTable('database')
      .set(connectionColumns({ keys }, connection, uuid))
      .where('uuid', '=', uuid)
      .execute()
    const exported = exportDatabase(await readRow())
    expect(await preview(exported, { [path]: 'secret-1' })).toEqual(['same', undefined])
    expect(await preview(exported, {})).toEqual(['same', undefined])
    await db.deleteFrom('database').where('uuid', '=', uuid).execute()
    await importBundle(db, pack(exported), { ...options, secrets: secrets({ [path]: 'secret-1' }) })
    const row = await readRow()
    expect(readStoredConnection({ keys }, row).settings).toMatchObject({ ...parameters, query: expected })
    expect(exportDatabase(row)).toEqual(exported)
    await db.deleteFrom('database').where('uuid', '=', uuid).execute()
  })
})
