import { randomUUID } from 'node:crypto'
import type { TrashedObject, Version } from '@parquetry/model'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyTrash } from '../housekeeping.ts'
import { grant } from '../security/grants.ts'
import { formatStoredTime } from '../store/time.ts'
import { type Client, startTestServer, type TestServer, testStores } from '../testing.ts'
import { type HistoryFixture, createHistoryFixture, resourcePath, readResult, readStatus } from './testing.ts'

describe.each(testStores)('trash, store on %s', (_name, store) => {
  let server: TestServer
  let alpha: Client
  let board: HistoryFixture
  beforeAll(async () => {
    server = await startTestServer({ store })
    alpha = server.as('alpha')
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    board = await createHistoryFixture(server, 'alpha')
  })

  const trash = (client = alpha, search = '') => readResult<TrashedObject[]>(client.get(`/api/v1/trash/${search}`))
  const restore = (kind: keyof HistoryFixture, body: object = {}, client = alpha) =>
    client.post(`/api/v1/trash/${kind}/${board[kind]}/restore`, body)
  const remove = async (kind: keyof HistoryFixture) => {
    const response = await alpha.delete(resourcePath(kind, board[kind]))
    expect([response.statusCode, response.json()]).toEqual([200, { message: 'OK' }])
  }
  const read = (kind: keyof HistoryFixture) =>
    readResult<Record<string, unknown>>(alpha.get(resourcePath(kind, board[kind])))

  it.each(['dashboard', 'chart', 'dataset'] as const)(
    'lists the versions of a %s by uuid, and restores it by uuid, for its owners',
    async (kind) => {
      const { uuid } = await read(kind)
      await alpha.put(
        resourcePath(kind, board[kind]),
        kind === 'dashboard' ? { css: 'a {}' } : { description: 'Changed' },
      )
      const versions = await alpha.get(`/api/v1/${kind}/${String(uuid)}/versions/`)
      expect(versions.json()).toMatchObject({ count: 2, result: [{ n: 2 }, { n: 1 }] })
      const path = `/api/v1/${kind}/${String(uuid)}/restore`
      expect(await readStatus(alpha.post(path))).toBe(404)
      await remove(kind)
      expect([403, 404]).toContain(await readStatus(server.as('gamma').post(path)))
      expect((await alpha.post(path)).json()).toEqual({ message: 'OK', id: board[kind] })
      expect(await read(kind)).toMatchObject({ uuid })
    },
  )

  it.each(['dashboard', 'chart', 'dataset'] as const)(
    'returns 404 for a deleted %s and restores it completely',
    async (kind) => {
      const named = { dashboard: 'dashboard_title', chart: 'slice_name', dataset: 'description' }[kind]
      await alpha.put(resourcePath(kind, board[kind]), { [named]: 'Named anew' })
      const before = await read(kind)
      await remove(kind)
      expect(await readStatus(alpha.get(resourcePath(kind, board[kind])))).toBe(404)
      expect(await readStatus(alpha.get(resourcePath(kind, board[kind], '/versions/')))).toBe(404)
      expect((await trash()).map(({ kind: of, id }) => [of, id])).toContainEqual([kind, board[kind]])
      const back = await restore(kind)
      expect(back.statusCode, back.body).toBe(200)
      const {
        changed_on: _,
        changed_on_delta_humanized: _a,
        changed_on_utc: _b,
        thumbnail_url: _c,
        ...after
      } = await read(kind)
      expect(before).toMatchObject(
        Object.fromEntries(
          Object.entries(after).filter(([key]) => !/^changed|^created|humanized|last_saved/.test(key)),
        ),
      )
      expect((await trash()).filter(({ id, kind: of }) => of === kind && id === board[kind])).toEqual([])
      expect(await readResult<Version[]>(alpha.get(resourcePath(kind, board[kind], '/versions/')))).toHaveLength(3)
    },
  )

  it('restores the link between a dashboard and a chart in any order', async () => {
    const charts = () => readResult<unknown[]>(alpha.get(resourcePath('dashboard', board.dashboard, '/charts')))
    await remove('dashboard')
    await remove('chart')
    await restore('dashboard')
    expect(await charts()).toHaveLength(0)
    await restore('chart')
    expect(await charts()).toHaveLength(1)
    await remove('chart')
    await remove('dashboard')
    await restore('chart')
    await restore('dashboard')
    expect(await charts()).toHaveLength(1)
  })

  it('does not put a chart back on a dashboard whose layout no longer contains it', async () => {
    await remove('chart')
    await alpha.put(resourcePath('dashboard', board.dashboard), { json_metadata: JSON.stringify({ positions: {} }) })
    await restore('chart')
    expect(await readResult<unknown[]>(alpha.get(resourcePath('dashboard', board.dashboard, '/charts')))).toEqual([])
  })

  it('restores a dataset with its row-level security rules and granted roles', async () => {
    const { db } = server.deps
    const rule = await db
      .insertInto('row_rule')
      .values({
        uuid: randomUUID(),
        name: `only ${board.dataset}`,
        description: null,
        filter_type: 'Regular',
        group_key: null,
        clause: "city = 'Rome'",
        created_on: '',
        changed_on: '',
        created_by_fk: null,
        changed_by_fk: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('row_rule_dataset').values({ row_rule_id: rule.id, dataset_id: board.dataset }).execute()
    const pairs = () =>
      db
        .selectFrom('permission')
        .selectAll()
        .where('name', '=', 'datasource_access')
        .where('view', 'like', `%(id:${board.dataset})`)
        .execute()
    const [pair] = await pairs()
    await grant(db, 'Gamma', [pair?.name ?? '', pair?.view ?? ''])
    const countGrants = async () =>
      (
        await sql<{
          n: number
        }>`select count(*) as n from role_permission join permission on permission.id = permission_id
        where name = 'datasource_access' and view like ${`%(id:${board.dataset})`}`.execute(db)
      ).rows.map(({ n }) => Number(n))[0]
    const { id: user_id } = await db.selectFrom('user').select('id').limit(1).executeTakeFirstOrThrow()
    await db
      .insertInto('user_permission')
      .values({ user_id, permission_id: pair?.id ?? 0 })
      .execute()
    await remove('dataset')
    expect([await countGrants(), await pairs()]).toEqual([0, []])
    await restore('dataset')
    expect(await countGrants()).toBe(1)
    const [restored] = await pairs()
    expect(await db.selectFrom('user_permission').selectAll().execute()).toContainEqual({
      user_id,
      permission_id: restored?.id,
    })
    const rules = await db.selectFrom('row_rule_dataset').selectAll().where('dataset_id', '=', board.dataset).execute()
    expect(rules).toHaveLength(1)
  })

  it('frees names immediately, and requires another name on restore when they are taken', async () => {
    const slug = `sales-${board.dashboard}`
    await alpha.put(resourcePath('dashboard', board.dashboard), { slug })
    await remove('dashboard')
    expect(await readStatus(alpha.post('/api/v1/dashboard/', { dashboard_title: 'Next', slug }))).toBe(201)
    const refused = await restore('dashboard')
    expect([refused.statusCode, refused.json()]).toEqual([422, { message: { slug: ['Must be unique'] } }])
    const back = await restore('dashboard', { slug: `${slug}-old` })
    expect(back.json()).toMatchObject({ id: board.dashboard, url: `/superset/dashboard/${slug}-old/` })

    const { table_name } = await read('dataset')
    const row = await server.deps.db
      .selectFrom('dataset')
      .selectAll()
      .where('id', '=', board.dataset)
      .executeTakeFirstOrThrow()
    await remove('dataset')
    await server.deps.db
      .insertInto('dataset')
      .values({ ...row, id: undefined as never })
      .execute()
    const taken = await restore('dataset', { table_name: 'elsewhere' })
    expect(taken.statusCode).toBe(422)
    expect(taken.body).toContain(String(table_name))
  })

  it('restores a virtual dataset under the given name', async () => {
    const { db } = server.deps
    await db.updateTable('dataset').set({ sql: 'select 1 as city' }).where('id', '=', board.dataset).execute()
    const row = await db.selectFrom('dataset').selectAll().where('id', '=', board.dataset).executeTakeFirstOrThrow()
    await remove('dataset')
    await db
      .insertInto('dataset')
      .values({ ...row, id: undefined as never })
      .execute()
    expect((await restore('dataset')).json()).toHaveProperty('message.table_name')
    expect(await readStatus(restore('dataset', { table_name: `${row.table_name}_2` }))).toBe(200)
    expect(await read('dataset')).toMatchObject({ table_name: `${row.table_name}_2`, sql: 'select 1 as city' })
    expect((await read('dataset')).uuid).not.toBe(row.uuid)
  })

  it('hostile: an object created with the uuid of a deleted one has none of its history', async () => {
    await alpha.put(resourcePath('dashboard', board.dashboard), { dashboard_title: 'Secret takeover' })
    const { uuid } = await read('dashboard')
    await remove('dashboard')
    const made = await server.as('gamma').post('/api/v1/dashboard/', { dashboard_title: 'Mine', uuid })
    const { id } = made.json<{ id: number }>()
    const response = await server.as('gamma').get(resourcePath('dashboard', id, '/versions/'))
    expect(response.json<{ result: unknown[] }>().result).toHaveLength(1)
    expect(response.body).not.toContain('Secret')
  })

  it('hostile: other users cannot see, restore or purge the objects', async () => {
    await remove('dashboard')
    for (const user of ['gamma', 'publicuser', 'nobody'] as const) {
      const client = server.as(user)
      const list = await client.get('/api/v1/trash/')
      expect(list.body).not.toContain('Sales')
      expect([401, 403, 404]).toContain(await readStatus(restore('dashboard', {}, client)))
      expect([401, 403, 404]).toContain(await readStatus(client.delete(`/api/v1/trash/dashboard/${board.dashboard}`)))
    }
    const seen = await trash(server.as('admin'), '?kind=dashboard&search=sal')
    expect(seen.map(({ id }) => id)).toContain(board.dashboard)
    expect(await trash(server.as('admin'), '?search=s%25l')).toEqual([])
    const found = await trash(server.as('admin'), `?kind=dashboard&id=${board.dashboard}`)
    expect(found.map(({ name }) => name)).toEqual(['Sales'])
    expect(await trash(server.as('admin'), `?kind=chart&id=${board.dashboard}0`)).toEqual([])
    expect(await readStatus(restore('dashboard'))).toBe(200)
  })

  it('is emptied manually or after 30 days, including the versions', async () => {
    await remove('chart')
    await remove('dashboard')
    expect(await readStatus(alpha.delete(`/api/v1/trash/chart/${board.chart}`))).toBe(200)
    expect(await readStatus(restore('chart'))).toBe(404)
    const listVersions = async (kind: string, id: number) =>
      (
        await server.deps.db
          .selectFrom('version')
          .selectAll()
          .where('kind', '=', kind)
          .where('object_id', '=', id)
          .execute()
      ).length
    expect(await listVersions('chart', board.chart)).toBe(0)
    const after = (days: number) => ({ db: server.deps.db, now: () => new Date(Date.now() + days * 86_400_000) })
    await emptyTrash(after(29))
    expect(await listVersions('dashboard', board.dashboard)).toBeGreaterThan(0)
    await server.deps.db
      .updateTable('trash')
      .set({ deleted_on: formatStoredTime(new Date(Date.now() - 31 * 86_400_000)) })
      .where('object_id', '=', board.dashboard)
      .where('kind', '=', 'dashboard')
      .execute()
    expect(await trash(server.as('admin'), '?kind=dashboard')).not.toContainEqual(
      expect.objectContaining({ id: board.dashboard }),
    )
    await emptyTrash(after(0))
    expect(await listVersions('dashboard', board.dashboard)).toBe(0)
  })
})
