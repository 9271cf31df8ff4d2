import { type Bundle, sourceOf } from '@parquetry/bundle'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadPrincipalById } from '../access/load-principal.ts'
import type { Store } from '../store/open.ts'
import type { Tables } from '../store/tables.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { FolderSession } from './folder-session.ts'
import { Interruption } from './interruption.testing.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const chart = (n: number, slice_name: string) => ({
  slice_name,
  viz_type: 'table',
  uuid: uuid(n),
  dataset_uuid: uuid(2),
  params: {},
})
const bundle = (charts: Record<string, Record<string, unknown>>): Bundle => ({
  metadata: { version: '1.0.0', type: 'assets', timestamp: '' },
  files: new Map<string, Record<string, unknown>>([
    ['databases/d.yaml', { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: uuid(1) }],
    ['datasets/d/t.yaml', { table_name: 't', uuid: uuid(2), database_uuid: uuid(1), columns: [], metrics: [] }],
    ...Object.entries(charts),
  ]),
})

describe.each(testStores)('an import that prunes on %s', (_name, kind) => {
  let server: TestServer
  let store: Store
  beforeAll(async () => {
    server = await startTestServer({ store: kind })
    store = await server.openStoreAgain()
  })
  afterAll(async () => {
    await store.close()
    await server.close()
  })

  const open = async (db: Kysely<Tables> = store.db) => {
    const { id } = await store.db
      .selectFrom('user')
      .select('id')
      .where('username', '=', 'admin')
      .executeTakeFirstOrThrow()
    const principal = (await loadPrincipalById(store.db, id))!
    return new FolderSession({ kind: store.kind, db, close: () => store.close() }, server.deps.settings, principal)
  }
  const load = async (what: Bundle, prunes: boolean, db?: Kysely<Tables>) =>
    (await open(db)).import(sourceOf(what), {}, { prunes })
  const read = async () => {
    const { db } = store
    const charts = await db.selectFrom('chart').select('slice_name').orderBy('slice_name').execute()
    const trashed = await db.selectFrom('trash').select('name').execute()
    return [charts.map(({ slice_name }) => slice_name), trashed.map(({ name }) => name)]
  }
  const before = bundle({ 'charts/a.yaml': chart(3, 'A'), 'charts/b.yaml': chart(4, 'B') })
  const after = bundle({ 'charts/a.yaml': chart(3, 'Changed'), 'charts/c.yaml': chart(5, 'C') })
  beforeEach(async () => {
    await load(before, true)
    await store.db.deleteFrom('trash').execute()
  })

  it('regression: changes nothing when it is interrupted while it deletes', async () => {
    const counted = new Interruption()
    await load(after, false, store.db.withPlugin(counted))
    await load(before, true)
    await store.db.deleteFrom('trash').execute()
    for (let at = counted.statements; ; at++) {
      const outcome = await load(after, true, store.db.withPlugin(new Interruption(at))).then(
        ({ pruned }) => pruned,
        (error: Error) => error.message,
      )
      if (typeof outcome !== 'string') {
        expect(at).toBeGreaterThan(counted.statements + 5)
        expect(outcome).toMatchObject([{ kind: 'chart', name: 'B' }])
        break
      }
      expect([outcome, ...(await read())]).toEqual(['The store is gone.', ['A', 'B'], []])
    }
    expect(await read()).toEqual([['C', 'Changed'], ['B']])
  })

  it('regression: changes nothing when an object cannot be deleted', async () => {
    const { id } = await store.db
      .selectFrom('chart')
      .select('id')
      .where('slice_name', '=', 'B')
      .executeTakeFirstOrThrow()
    const created = await server.as('admin').post('/api/v1/report/', {
      type: 'Report',
      name: 'weekly',
      crontab: '0 9 * * 1',
      timezone: 'UTC',
      chart: id,
      recipients: [{ type: 'Email', recipient_config_json: { target: 'a@example.com' } }],
    })
    expect(created.statusCode, created.body).toBe(201)
    await expect(load(after, true)).rejects.toMatchObject({ code: 'unprocessable' })
    expect(await read()).toEqual([['A', 'B'], []])
    expect((await server.as('admin').delete(`/api/v1/report/${created.json<{ id: number }>().id}`)).statusCode).toBe(
      200,
    )
  })
})
