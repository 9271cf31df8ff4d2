import type { Bundle } from '@parquetry/bundle'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadPrincipalById } from '../access/load-principal.ts'
import { readContext } from '../http/serve-resource.ts'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { importBundle, type ImportOptions } from './import-bundle.ts'

const uuid = (n: number) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`
const parents = {
  'databases/d.yaml': { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: uuid(1) },
  'datasets/d/t.yaml': { table_name: 't', uuid: uuid(2), database_uuid: uuid(1), columns: [], metrics: [] },
}
const slice = (n: number, slice_name: string): Bundle => ({
  metadata: { version: '1.0.0', type: 'Slice', timestamp: '' },
  files: new Map<string, Record<string, unknown>>([
    ...Object.entries(parents),
    ['charts/x.yaml', { slice_name, viz_type: 'table', uuid: uuid(n), dataset_uuid: uuid(2), params: {} }],
  ]),
})

describe.each(testStores)('changes between the plan of an import and its transaction on %s', (_name, store) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ store })
  })
  afterAll(() => server.close())

  const load = (bundle: Bundle, more: Partial<ImportOptions> = {}) =>
    importBundle(server.deps.db, bundle, {
      authorId: null,
      at: '2026-01-01T00:00:00.000',
      overwrite: true,
      ...more,
    })
  const nameOf = async (n: number) =>
    (await server.deps.db.selectFrom('chart').select('slice_name').where('uuid', '=', uuid(n)).executeTakeFirst())
      ?.slice_name
  let changes = 0
  const rename = (n: number) =>
    server.deps.db
      .updateTable('chart')
      .set({ slice_name: 'Theirs', changed_on: `2026-02-01T00:00:00.${String(++changes).padStart(3, '0')}` })
      .where('uuid', '=', uuid(n))
      .execute()
  /** Calls the function after the first plan. */
  const once = (change: () => Promise<unknown>) => {
    let plans = 0
    return { onPlanned: async () => void (++plans === 1 && (await change())), count: () => plans }
  }

  it('regression: a chart that changed after it was found to be the same is replaced', async () => {
    await load(slice(10, 'Ours'))
    const { onPlanned, count } = once(() => rename(10))
    const { plan } = await load(slice(10, 'Ours'), { onPlanned })
    expect([count(), plan.objects.at(-1)?.state, await nameOf(10)]).toEqual([2, 'changed', 'Ours'])
  })

  it('regression: an annotation that was added after the plan is part of the comparison', async () => {
    const { db } = server.deps
    const layer: Bundle = {
      metadata: { version: '1.0.0', type: 'AnnotationLayer', timestamp: '' },
      files: new Map([['annotation_layers/x.yaml', { name: 'x', uuid: uuid(11), annotations: [] }]]),
    }
    await load(layer)
    const { id } = await db.selectFrom('annotation_layer').select('id').executeTakeFirstOrThrow()
    const time = '2026-01-01T00:00:00'
    const { onPlanned } = once(() =>
      db
        .insertInto('annotation')
        .values({
          layer_id: id,
          uuid: uuid(12),
          short_descr: 'theirs',
          long_descr: null,
          json_metadata: null,
          start_dttm: time,
          end_dttm: time,
          created_on: time,
          created_by_fk: null,
          changed_on: time,
          changed_by_fk: null,
        })
        .execute(),
    )
    await load(layer, { onPlanned })
    expect(await db.selectFrom('annotation').select('id').execute()).toEqual([])
  })

  it('regression: a chart is not created over a dataset of this store that is deleted after the plan', async () => {
    const { db } = server.deps
    await load(slice(15, 'Ours'))
    const files = [...slice(16, 'Alone').files].filter(([path]) => path.startsWith('charts/'))
    const alone: Bundle = { metadata: { version: '1.0.0', type: 'assets', timestamp: '' }, files: new Map(files) }
    const { onPlanned } = once(async () => {
      await db.deleteFrom('chart').where('uuid', '=', uuid(15)).execute()
      await db.deleteFrom('dataset').where('uuid', '=', uuid(2)).execute()
    })
    await expect(load(alone, { sparse: true, onPlanned })).rejects.toMatchObject({ code: 'unprocessable' })
    expect(await nameOf(16)).toBeUndefined()
  })

  it('regression: an import gives up when others change its objects all the time, and writes nothing', async () => {
    await load(slice(13, 'Ours'))
    const onPlanned = async () => void (await rename(13))
    await expect(load(slice(13, 'Other'), { onPlanned })).rejects.toMatchObject({ code: 'conflict', status: 409 })
    expect(await nameOf(13)).toBe('Theirs')
  })

  it('regression: two imports of one new bundle that were planned together give one result and the documented error', async () => {
    const both = Promise.withResolvers<void>()
    let plans = 0
    const onPlanned = async () => {
      if (++plans === 2) both.resolve()
      await both.promise
    }
    const results = await Promise.allSettled(
      ['First', 'Second'].map((name) => load(slice(14, name), { overwrite: false, onPlanned })),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const failed = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(failed.reason).toMatchObject({
      code: 'unprocessable',
      details: { 'charts/x.yaml': 'Chart already exists and `overwrite=true` was not passed' },
    })
    const rows = await server.deps.db.selectFrom('chart').select('id').where('uuid', '=', uuid(14)).execute()
    expect(rows).toHaveLength(1)
  })

  describe('to the rights of the importer', () => {
    const loadAs = async (username: string, n: number, change: (userId: number) => Promise<unknown>) => {
      const { db } = server.deps
      const user = await db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()
      const principal = (await loadPrincipalById(db, user.id))!
      const importer = {
        context: readContext(server.app, principal),
        deps: server.deps,
        signal: AbortSignal.timeout(60_000),
      }
      await load(slice(n, 'Ours'), { authorId: user.id })
      const { onPlanned } = once(() => change(user.id))
      return load(slice(n, 'Changed'), { authorId: user.id, principal, importer, onPlanned })
    }

    it('regression: a chart that the importer no longer owns is not replaced', async () => {
      const give = (userId: number) => server.deps.db.deleteFrom('chart_owner').where('user_id', '=', userId).execute()
      await expect(loadAs('alpha', 20, give)).rejects.toMatchObject({
        code: 'unprocessable',
        details: {
          'charts/x.yaml': { _schema: ['It exists here, and only its owners and administrators can replace it.'] },
        },
      })
      expect(await nameOf(20)).toBe('Ours')
    })

    it('regression: an importer who has lost a role imports nothing', async () => {
      const revoke = (userId: number) => server.deps.db.deleteFrom('user_role').where('user_id', '=', userId).execute()
      await expect(loadAs('alpha', 21, revoke)).rejects.toMatchObject({ code: 'conflict' })
      expect(await nameOf(21)).toBe('Ours')
    })
  })
})
