import { encodeRison } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { importBundle } from '../bundle/import-bundle.ts'
import { startTestServer, type TestServer, type TestUser, testStores } from '../testing.ts'

type Kind = 'chart' | 'dashboard' | 'dataset'
interface TagOf {
  id: number
  name: string
  type: number
}

describe.each(testStores)('tags on %s', (_name, store) => {
  let server: TestServer
  const ids = {} as Record<Kind, number>
  const userIds = {} as Record<TestUser, number>

  beforeAll(async () => {
    server = await startTestServer({ store })
    const uuid = { database: randomUUID(), dataset: randomUUID(), chart: randomUUID(), dashboard: randomUUID() }
    const files = {
      'databases/d.yaml': { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: uuid.database },
      'datasets/d/t.yaml': { table_name: 't', uuid: uuid.dataset, database_uuid: uuid.database },
      'charts/c.yaml': { slice_name: 'c', viz_type: 'table', uuid: uuid.chart, dataset_uuid: uuid.dataset },
      'dashboards/b.yaml': { dashboard_title: 'b', published: true, uuid: uuid.dashboard },
    }
    const { db } = server.deps
    for (const { id, username } of await db.selectFrom('user').select(['id', 'username']).execute())
      userIds[username as TestUser] = id
    await importBundle(
      db,
      { metadata: { version: '1.0.0', type: 'Dashboard', timestamp: '' }, files: new Map(Object.entries(files)) },
      { authorId: userIds.admin, at: '2026-01-01T00:00:00.000', overwrite: false },
    )
    for (const kind of ['chart', 'dashboard', 'dataset'] as const)
      ids[kind] = (await db.selectFrom(kind).select('id').executeTakeFirstOrThrow()).id
  })
  afterAll(() => server.close())

  it('regression: counts tags at once and exactly, though implicit tags have ids of many millions', async () => {
    const countOf = async () =>
      (await server.as('admin').get('/api/v1/tag/?q=(page_size:1)')).json<{ count: number }>().count
    const before = await countOf()
    expect((await server.as('admin').post('/api/v1/tag/', { name: `counted ${store}` })).statusCode).toBe(201)
    expect(await countOf()).toBe(before + 1)
  })
  beforeEach(async () => {
    const { db } = server.deps
    await db.deleteFrom('custom_tag').execute()
    for (const kind of ['chart', 'dashboard', 'dataset'] as const) {
      await db.deleteFrom(`${kind}_owner`).execute()
      await own(kind, 'alpha')
    }
  })

  async function own(kind: Kind, user: TestUser): Promise<void> {
    const row = { [`${kind}_id`]: ids[kind], user_id: userIds[user] }
    await server.deps.db
      .insertInto(`${kind}_owner`)
      .values(row as never)
      .execute()
  }
  const create = async (user: TestUser, name: string, objects: [string | number, number][] = []): Promise<number> => {
    const response = await server.as(user).post('/api/v1/tag/', { name, objects_to_tag: objects })
    expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
    return response.json<{ id: number }>().id
  }
  const list = async (path: string, filters: object[], user: TestUser = 'admin', columns?: string[]) => {
    const q = encodeURIComponent(encodeRison({ filters, ...(columns && { columns }), keys: ['none'] }))
    const response = await server.as(user).get(`/api/v1/${path}/?q=${q}`)
    expect([response.statusCode, response.body]).toEqual([200, expect.anything()])
    return response.json<{ ids: number[]; result: Record<string, unknown>[] }>()
  }
  const objects = async (query: string, user: TestUser = 'admin') =>
    (await server.as(user).get(`/api/v1/tag/get_objects/?${query}`)).json<{
      result: { type: string; name: string; tags: object[] }[]
    }>().result
  const tagsOf = async (kind: 'chart' | 'dashboard', user: TestUser = 'alpha') =>
    (await server.as(user).get(`/api/v1/${kind}/${ids[kind]}`)).json<{ result: { tags: TagOf[] } }>().result.tags
  const customNames = async (kind: 'chart' | 'dashboard') =>
    (await tagsOf(kind)).filter(({ type }) => type === 1).map(({ name }) => name)

  it('are created, read, changed and deleted', async () => {
    const id = await create('alpha', ' Sales ')
    const alpha = server.as('alpha')
    expect((await alpha.get(`/api/v1/tag/${id}`)).json()).toMatchObject({
      id,
      result: { id, name: 'Sales', type: 1, description: null, created_by: { first_name: expect.any(String) } },
    })
    expect(await create('alpha', 'Sales')).toBe(id)
    expect((await alpha.put(`/api/v1/tag/${id}`, { name: 'Revenue', description: 'd' })).json()).toEqual({
      id,
      result: { name: 'Revenue', description: 'd' },
    })
    await create('alpha', 'Other')
    const taken = await alpha.put(`/api/v1/tag/${id}`, { name: 'Other' })
    expect([taken.statusCode, taken.json()]).toEqual([
      422,
      { message: { name: ['A tag with this name already exists.'] } },
    ])
    for (const name of ['a,b', 'owner:1', '  '])
      expect((await alpha.post('/api/v1/tag/', { name })).statusCode, name).toBe(422)
    expect(
      (await list('tag', [{ col: 'type', opr: 'custom_tag', value: true }])).result.map(({ name }) => name),
    ).toEqual(['Revenue', 'Other'])
    expect((await alpha.delete(`/api/v1/tag/${id}`)).json()).toEqual({ message: 'OK' })
    expect((await alpha.get(`/api/v1/tag/${id}`)).statusCode).toBe(404)
    const pageStatus = async (path: string) => (await server.as('alpha', 'session').get(path)).statusCode
    const [other] = (await list('tag', [{ col: 'name', opr: 'eq', value: 'Other' }])).ids
    expect(await pageStatus('/superset/tags/')).toBe(200)
    expect(await pageStatus(`/superset/all_entities/?id=${other}`)).toBe(200)
    expect(await pageStatus(`/all_entities/?id=${id}`)).toBe(404)
    expect((await alpha.delete(`/api/v1/tag/?q=!(Other,missing)`)).statusCode).toBe(404)
    expect((await alpha.delete(`/api/v1/tag/?q=!(Other)`)).json()).toEqual({ message: 'Deleted 1 tag' })
  })

  it('are changed and deleted by their creator and administrators only, implicit ones by no one', async () => {
    const id = await create('alpha', 'Sales')
    const gamma = server.as('gamma')
    expect((await gamma.put(`/api/v1/tag/${id}`, { name: 'x' })).statusCode).toBe(403)
    expect((await gamma.delete(`/api/v1/tag/${id}`)).statusCode).toBe(403)
    expect((await gamma.delete('/api/v1/tag/?q=!(Sales)')).statusCode).toBe(403)
    expect((await gamma.post('/api/v1/tag/', { name: 'Sales', description: 'x' })).statusCode).toBe(403)
    expect((await server.as('admin').put(`/api/v1/tag/${id}`, { description: 'x' })).statusCode).toBe(200)
    const [implicit] = (await list('tag', [{ col: 'name', opr: 'eq', value: 'type:chart' }])).ids
    for (const method of ['PUT', 'DELETE'])
      expect((await server.as('admin').send(method, `/api/v1/tag/${implicit}`, json({}))).statusCode).toBe(403)
  })

  it('are added to and removed from objects that the caller may change', async () => {
    const { chart, dashboard, dataset } = ids
    const alpha = server.as('alpha')
    const body = { properties: { tags: ['a', 'b'] } }
    for (const [type, id] of [
      ['2', chart],
      ['dashboard', dashboard],
      ['4', dataset],
    ] as const)
      expect((await alpha.post(`/api/v1/tag/${type}/${id}/`, body)).statusCode).toBe(201)
    expect(await customNames('chart')).toEqual(['a', 'b'])
    expect((await alpha.delete(`/api/v1/tag/2/${chart}/a/`)).json()).toEqual({ message: 'OK' })
    expect((await alpha.delete(`/api/v1/tag/2/${chart}/a/`)).statusCode).toBe(404)
    expect(await customNames('chart')).toEqual(['b'])
    for (const user of ['gamma', 'sqllab'] as const)
      expect([403, 404]).toContain((await server.as(user).post(`/api/v1/tag/2/${chart}/`, body)).statusCode)
    expect((await alpha.post('/api/v1/tag/9/1/', body)).statusCode).toBe(404)
    expect((await alpha.post('/api/v1/tag/2/99999/', body)).statusCode).toBe(404)
  })

  it('API: bulk_create skips objects that the caller may not change', async () => {
    await server.deps.db.deleteFrom('dashboard_owner').execute()
    const refs = [
      ['chart', ids.chart],
      [3, ids.dashboard],
      ['chart', 99_999],
    ]
    const response = await server
      .as('alpha')
      .post('/api/v1/tag/bulk_create', { tags: [{ name: 'a', objects_to_tag: refs }, { name: 'b' }] })
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        result: {
          objects_tagged: [['chart', ids.chart]],
          objects_skipped: [
            ['dashboard', ids.dashboard],
            ['chart', 99_999],
          ],
        },
      },
    ])
    const invalid = { tags: [{ name: 'a', objects_to_tag: [['nope', 1]] }] }
    expect((await server.as('alpha').post('/api/v1/tag/bulk_create', invalid)).statusCode).toBe(422)
  })

  it('PUT of a tag replaces its objects, but only those that the caller may change', async () => {
    const id = await create('alpha', 'a', [
      ['chart', ids.chart],
      ['dashboard', ids.dashboard],
    ])
    await server.deps.db.deleteFrom('dashboard_owner').execute()
    const put = { objects_to_tag: [['dataset', ids.dataset]] }
    expect((await server.as('alpha').put(`/api/v1/tag/${id}`, put)).statusCode).toBe(200)
    expect((await objects('tags=a')).map(({ type }) => type)).toEqual(['dashboard', 'dataset'])
  })

  it('PUT of charts and dashboards replaces their tags and keeps them when the field is left out', async () => {
    const [a, b] = [await create('alpha', 'a'), await create('alpha', 'b')]
    for (const kind of ['chart', 'dashboard'] as const) {
      const put = (body: object, user: TestUser = 'alpha') => server.as(user).put(`/api/v1/${kind}/${ids[kind]}`, body)
      expect((await put({ tags: [a, b] })).statusCode).toBe(200)
      expect(
        (await put({ description: 'd', ...(kind === 'dashboard' && { description: undefined }) })).statusCode,
      ).toBe(200)
      expect(await customNames(kind)).toEqual(['a', 'b'])
      expect((await put({ tags: (await tagsOf(kind)).filter(({ name }) => name !== 'a') })).statusCode).toBe(200)
      expect(await customNames(kind)).toEqual(['b'])
      const missing = await put({ tags: [b, 99_999] })
      expect([missing.statusCode, missing.json()]).toEqual([422, { message: { tags: [expect.any(String)] } }])
      expect((await put({ tags: [] })).statusCode).toBe(200)
      expect(await customNames(kind)).toEqual([])
    }
  })

  it('PUT with changed tags requires can_write on Tag or can_tag', async () => {
    const { db } = server.deps
    const a = await create('alpha', 'a')
    const put = () => server.as('gamma').put(`/api/v1/chart/${ids.chart}`, { tags: [a] })
    await own('chart', 'gamma')
    const pairs = await db
      .selectFrom('permission')
      .select(['id', 'name'])
      .where((is) => is.or([is.and({ name: 'can_write', view: 'Tag' }), is.and({ name: 'can_tag', view: 'Chart' })]))
      .execute()
    const { id: role_id } = await db
      .selectFrom('role')
      .select('id')
      .where('name', '=', 'Gamma')
      .executeTakeFirstOrThrow()
    const remove = (permission_id: number) =>
      db
        .deleteFrom('role_permission')
        .where('role_id', '=', role_id)
        .where('permission_id', '=', permission_id)
        .execute()
    const [first, second] = pairs.map(({ id }) => id) as [number, number]
    try {
      await remove(first)
      await remove(second)
      expect([(await put()).statusCode, (await put()).body]).toEqual([422, expect.stringContaining('permission')])
      await db.insertInto('role_permission').values({ role_id, permission_id: second }).execute()
      expect((await put()).statusCode).toBe(200)
    } finally {
      const rows = [first, second].map((permission_id) => ({ role_id, permission_id }))
      await db
        .insertInto('role_permission')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  })

  it('filter lists by name and id, also several ids and implicit tags', async () => {
    const [a, b] = [await create('alpha', 'Alpha 100%', [['chart', ids.chart]]), await create('alpha', 'b')]
    for (const kind of ['chart', 'dashboard', 'dataset'] as const) {
      const find = async (opr: string, value: unknown) => (await list(kind, [{ col: 'tags', opr, value }])).ids
      const expected = kind === 'chart' ? [ids.chart] : []
      expect(await find(`${kind}_tags`, 'ALPHA')).toEqual(expected)
      expect(await find(`${kind}_tags`, '100%')).toEqual(expected)
      expect(await find(`${kind}_tags`, '0_%')).toEqual([])
      expect(await find(`${kind}_tag_id`, a)).toEqual(expected)
      expect(await find(`${kind}_tag_id`, [a, b])).toEqual(expected)
      expect(await find('rel_m_m', b)).toEqual([])
      expect(await find(`${kind}_tags`, `type:${kind}`)).toEqual([ids[kind]])
      expect(await find(`${kind}_tags`, `owner:${userIds.alpha}`)).toEqual([ids[kind]])
      expect(await find(`${kind}_tags`, `owner:${userIds.gamma}`)).toEqual([])
      const { result } = await list(kind, [], 'admin', ['custom_tags'])
      expect(result[0]).toEqual({
        custom_tags: kind === 'chart' ? [{ id: a, name: 'Alpha 100%', type: 1 }] : [],
      })
    }
  })

  it('follow from type, owners and the own favorites; favorites of others stay private', async () => {
    await server.as('alpha').post(`/api/v1/chart/${ids.chart}/favorites/`)
    const names = async (user: TestUser) => (await tagsOf('chart', user)).map(({ name }) => name)
    const owner = `owner:${userIds.alpha}`
    const favorite = `favorited_by:${userIds.alpha}`
    expect(await names('alpha')).toEqual(['type:chart', owner, favorite])
    expect(await names('admin')).toEqual(['type:chart', owner])
    const listed = async (user: TestUser) =>
      (await list('tag', [{ col: 'type', opr: 'custom_tag', value: false }], user)).result.map(({ name }) => name)
    expect(await listed('alpha')).toContain(favorite)
    expect(await listed('admin')).not.toContain(favorite)
    expect(await listed('admin')).toContain(owner)
    expect(await objects(`tags=${favorite}`, 'alpha')).toHaveLength(1)
    expect(await objects(`tags=${favorite}`)).toEqual([])
    expect(await objects(`tags=${owner}&types=chart`)).toHaveLength(1)
    const [id] = (await list('tag', [{ col: 'name', opr: 'eq', value: favorite }], 'alpha')).ids
    expect((await server.as('admin').get(`/api/v1/tag/${id}`)).statusCode).toBe(404)
    expect((await server.as('alpha').get(`/api/v1/tag/${id}`)).statusCode).toBe(200)
    await server.as('alpha').delete(`/api/v1/chart/${ids.chart}/favorites/`)
  })

  it('list and count the objects that the caller may see', async () => {
    const id = await create('alpha', 'a', [
      ['chart', ids.chart],
      ['dashboard', ids.dashboard],
      ['dataset', ids.dataset],
    ])
    const found = await objects('tags=a,missing')
    expect(found.map(({ type, name }) => [type, name])).toEqual([
      ['chart', 'c'],
      ['dashboard', 'b'],
      ['dataset', 't'],
    ])
    expect(found[0]).toMatchObject({
      id: ids.chart,
      url: `/explore/?slice_id=${ids.chart}`,
      owners: [{ id: userIds.alpha }],
      tags: expect.arrayContaining([{ id, name: 'a', type: 'custom' }]),
    })
    expect((await objects(`tagIds=${id}&types=dashboard`)).map(({ type }) => type)).toEqual(['dashboard'])
    expect(await objects('tags=missing')).toEqual([])
    expect(await objects('tags=a', 'gamma')).toEqual([])
    const count = async (user: TestUser) =>
      (await list('tag', [{ col: 'name', opr: 'eq', value: 'a' }], user, ['object_count'])).result[0]?.['object_count']
    expect([await count('admin'), await count('gamma')]).toEqual([3, 0])
  })

  it('go to the trash with their object and come back with it', async () => {
    await create('alpha', 'a', [['dashboard', ids.dashboard]])
    expect((await server.as('alpha').delete(`/api/v1/dashboard/${ids.dashboard}`)).statusCode).toBe(200)
    expect(await server.deps.db.selectFrom('dashboard_tag').selectAll().execute()).toEqual([])
    const restored = await server.as('alpha').post(`/api/v1/trash/dashboard/${ids.dashboard}/restore`, {})
    expect([restored.statusCode, restored.body]).toEqual([200, expect.anything()])
    expect(await customNames('dashboard')).toEqual(['a'])
  })

  it('are not copied with a dashboard and its charts, as in the API', async () => {
    const created = await server.as('admin').post('/api/v1/tag/', {
      name: 'original',
      objects_to_tag: [
        ['dashboard', ids.dashboard],
        ['chart', ids.chart],
      ],
    })
    expect(created.statusCode).toBe(201)
    const { db } = server.deps
    await db.insertInto('dashboard_chart').values({ dashboard_id: ids.dashboard, chart_id: ids.chart }).execute()
    const place = { type: 'CHART', id: 'CHART-1', children: [], meta: { chartId: ids.chart, width: 4, height: 50 } }
    const copy = await server.as('admin').post(`/api/v1/dashboard/${ids.dashboard}/copy/`, {
      dashboard_title: 'Copy',
      duplicate_slices: true,
      json_metadata: JSON.stringify({ positions: { 'CHART-1': place } }),
    })
    expect(copy.statusCode, copy.body).toBe(200)
    expect(await db.selectFrom('chart').select('id').execute()).toHaveLength(2)
    expect(await db.selectFrom('dashboard_tag').select('dashboard_id').execute()).toEqual([
      { dashboard_id: ids.dashboard },
    ])
    expect(await db.selectFrom('chart_tag').select('chart_id').execute()).toEqual([{ chart_id: ids.chart }])
    const { id } = copy.json<{ result: { id: number } }>().result
    await db.deleteFrom('dashboard').where('id', '=', id).execute()
    await db.deleteFrom('chart').where('id', '!=', ids.chart).execute()
    await db.deleteFrom('dashboard_chart').execute()
  })

  it('are favorites of each user', async () => {
    const id = await create('alpha', 'a')
    const alpha = server.as('alpha')
    const status = async () => (await alpha.get(`/api/v1/tag/favorite_status/?q=!(${id})`)).json()
    expect((await alpha.post(`/api/v1/tag/${id}/favorites/`)).statusCode).toBe(200)
    expect(await status()).toEqual({ result: [{ id, value: true }] })
    expect((await server.as('admin').get(`/api/v1/tag/favorite_status/?q=!(${id})`)).json()).toEqual({
      result: [{ id, value: false }],
    })
    await alpha.delete(`/api/v1/tag/${id}/favorites/`)
    expect(await status()).toEqual({ result: [{ id, value: false }] })
  })

  it('are listed for older clients', async () => {
    const id = await create('alpha', 'a')
    const tags = (await server.as('alpha').get('/tagview/tags/')).json<object[]>()
    expect(tags).toContainEqual(expect.objectContaining({ id, name: 'a', type: 'custom' }))
    expect((await server.as('alpha').get('/api/v1/tag/related/created_by')).statusCode).toBe(200)
    expect((await server.as('alpha').get('/api/v1/tag/_info')).json()).toMatchObject({
      permissions: expect.arrayContaining(['can_read', 'can_write', 'can_bulk_create']),
    })
  })
})

const json = (body: object) => ({ payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

it('do not exist without the flag', async () => {
  const server = await startTestServer({ settings: { flags: { TAGGING_SYSTEM: false } } })
  try {
    const admin = server.as('admin')
    for (const path of ['/api/v1/tag/', '/api/v1/tag/1', '/api/v1/tag/get_objects/?tags=a', '/tagview/tags/'])
      expect((await admin.get(path)).statusCode, path).toBe(404)
    expect((await admin.post('/api/v1/tag/', { name: 'a' })).statusCode).toBe(404)
    for (const path of ['/superset/tags/', '/tags/', '/all_entities/?id=1'])
      expect((await server.as('admin', 'session').get(path)).statusCode, path).toBe(404)
  } finally {
    await server.close()
  }
})
