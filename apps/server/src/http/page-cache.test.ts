import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { subjectId } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadPrincipalById } from '../access/load-principal.ts'
import { chartResource } from '../chart/chart-resource.ts'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { dashboardResource } from '../dashboard/dashboard-resource.ts'
import { dataFolderOf } from '../connection/source.ts'
import { damagedColumn } from '../dataset/damaged-files.ts'
import { datasetResource } from '../dataset/dataset-resource.ts'
import type { TestUser } from '../testing.ts'
import { type ListPage, readPage } from './page-cache.ts'
import { list, type Resource } from './resource.ts'
import { readContext } from './serve-resource.ts'

const users: readonly TestUser[] = ['admin', 'alpha', 'gamma']

let cars: CarsServer
const ids: Record<string, number> = {}

async function create(name: string, path: string, body: object): Promise<void> {
  const response = await cars.server.as('admin').post(path, body)
  expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
  ids[name] = response.json<{ id: number }>().id
}

beforeAll(async () => {
  cars = await startCarsServer({ now: () => new Date('2026-05-01T12:00:00Z') })
  ids['dataset'] = cars.dataset
  await create('dashboard', '/api/v1/dashboard/', { dashboard_title: 'Cars', published: true })
  await create('chart', '/api/v1/chart/', {
    slice_name: 'Cars',
    viz_type: 'table',
    params: '{}',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    dashboards: [ids['dashboard']],
  })
  await create('group', '/api/v1/security/groups/', { name: 'north' })
  await create('role', '/api/v1/security/roles/', { name: 'Sales' })
  await create('theme', '/api/v1/theme/', { theme_name: 'Dark', json_data: '{"token":{"colorPrimary":"#ff0000"}}' })
}, 60_000)
afterAll(() => cars.close())

const userId = async (user: TestUser): Promise<number> =>
  (await cars.server.deps.db.selectFrom('user').select('id').where('username', '=', user).executeTakeFirstOrThrow()).id

/** Reads a list without the cache: a store without a record of changes is read each time. */
async function readUncached(user: TestUser, resource: Resource<{ id: number }>, query: object): Promise<unknown> {
  const { db } = cars.server.deps
  const principal = (await loadPrincipalById(db, await userId(user)))!
  const untracked = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => Promise.resolve(result),
  })
  const answer = await list(resource, query, { ...readContext(cars.server.app, principal), db: untracked })
  return JSON.parse(JSON.stringify(answer))
}

const allResources = (): [kind: string, Resource<{ id: number }>][] => {
  const is_damaged = damagedColumn(cars.server.home)
  const dataset = { ...datasetResource, resolvers: { ...datasetResource.resolvers, is_damaged } }
  return Object.entries({ chart: chartResource, dashboard: dashboardResource, dataset }) as never
}

async function expectCurrentLists(after: string): Promise<void> {
  for (const [kind, resource] of allResources()) {
    const every = [...resource.list.announced, ...(resource.list.unannounced ?? [])]
    for (const query of [{}, { columns: every }, { filters: [{ col: 'id', opr: 'gt', value: 0 }], page_size: 1 }]) {
      for (const user of users) {
        const response = await cars.server
          .as(user)
          .get(`/api/v1/${kind}/?q=${encodeURIComponent(JSON.stringify(query))}`)
        expect([after, kind, user, response.json()]).toEqual([
          after,
          kind,
          user,
          await readUncached(user, resource, query),
        ])
      }
    }
  }
}

const gammaRole = async (): Promise<number> =>
  (await cars.server.deps.db.selectFrom('role').select('id').where('name', '=', 'Gamma').executeTakeFirstOrThrow()).id
const put = (path: string, body: object) => cars.server.as('admin').put(path, body)
const object = (kind: string): string => `/api/v1/${kind}/${ids[kind]}`

/** Changes of everything that a list shows or that decides who sees what. */
const changes: Record<string, () => Promise<{ statusCode: number; body: string }>> = {
  'another title': () => put(object('dashboard'), { dashboard_title: 'Vehicles' }),
  'another name of a chart': () => put(object('chart'), { slice_name: 'Vehicles' }),
  'another name of a dataset': () => put(object('dataset'), { description: 'Vehicles' }),
  'an owner': async () => put(object('chart'), { owners: [await userId('admin'), await userId('gamma')] }),
  'a group as editor': () => put(object('dashboard'), { editors: [subjectId('group', ids['group']!)] }),
  'a favorite': () => cars.server.as('alpha').post(`/api/v1/dashboard/${ids['dashboard']}/favorites/`),
  'a tag': () =>
    cars.server.as('admin').post('/api/v1/tag/', { name: 'fleet', objects_to_tag: [['chart', ids['chart']]] }),
  'a theme': () => put(object('dashboard'), { theme_id: ids['theme'] }),
  'another name of a user': async () => put(`/api/v1/security/users/${await userId('gamma')}`, { first_name: 'Grace' }),
  'another name of a group': () => put(`/api/v1/security/groups/${ids['group']}`, { name: 'south' }),
  'another name of the database': async () => {
    const { database_id } = await cars.server.deps.db
      .selectFrom('dataset')
      .select('database_id')
      .where('id', '=', cars.dataset)
      .executeTakeFirstOrThrow()
    return put(`/api/v1/database/${database_id}`, { database_name: 'garage' })
  },
  'a role': async () =>
    put(`/api/v1/security/users/${await userId('gamma')}`, { roles: [ids['role'], await gammaRole()] }),
  'a role that reads the dataset': async () => {
    const { id } = await cars.server.deps.db
      .selectFrom('permission')
      .select('id')
      .where('name', '=', 'datasource_access')
      .where('view', 'like', `%(id:${cars.dataset})`)
      .executeTakeFirstOrThrow()
    return cars.server
      .as('admin')
      .post(`/api/v1/security/roles/${ids['role']}/permissions`, { permission_view_menu_ids: [id] })
  },
  'a role of viewers': () => put(object('dashboard'), { roles: [ids['role']] }),
  'a chart taken from its dashboard': () => put(object('chart'), { dashboards: [] }),
  'a draft': () => put(object('dashboard'), { published: false }),
  'a deleted chart': () => cars.server.as('admin').send('DELETE', object('chart')),
}

describe('cached lists', () => {
  it(
    'LIST-001: equal what the store has, after every kind of change and for every user',
    { timeout: 120_000 },
    async () => {
      await expectCurrentLists('nothing')
      for (const [name, change] of Object.entries(changes)) {
        const response = await change()
        expect([name, response.statusCode, response.body]).toEqual([name, expect.toBeOneOf([200, 201]), response.body])
        await expectCurrentLists(name)
      }
    },
  )

  it('show a missing file at once', async () => {
    const isDamaged = async () =>
      (await cars.server.as('admin').get('/api/v1/dataset/')).json<{ result: { is_damaged: boolean }[] }>().result[0]
        ?.is_damaged
    expect(await isDamaged()).toBe(false)
    const [{ uuid, file } = { uuid: '', file: '' }] = await cars.server.deps.db
      .selectFrom('embedded_table')
      .innerJoin('database', 'database.id', 'database_id')
      .select(['uuid', 'file'])
      .execute()
    const path = join(dataFolderOf(cars.server.home, uuid), file)
    renameSync(path, `${path}.away`)
    expect(await isDamaged()).toBe(true)
    renameSync(`${path}.away`, path)
    expect(await isDamaged()).toBe(false)
  })

  it('are read once for a principal and a query until something changes', async () => {
    const { db } = cars.server.deps
    const principal = (await loadPrincipalById(db, await userId('admin')))!
    const other = (await loadPrincipalById(db, await userId('gamma')))!
    const readTitles: string[] = []
    const read =
      (title: string, isExact = true) =>
      (): Promise<ListPage<{ title: string }>> => {
        readTitles.push(title)
        return Promise.resolve({ rows: [{ title }], count: 1, isExact })
      }
    const titleOf = async (...[context, query, action]: Parameters<typeof readPage<{ title: string }>>) =>
      (await readPage(context, query, action)).rows[0]?.title
    expect(await titleOf({ db, principal }, 'page 0', read('first'))).toBe('first')
    expect(await titleOf({ db, principal }, 'page 0', read('second'))).toBe('first')
    expect(await titleOf({ db, principal: other }, 'page 0', read('other principal'))).toBe('other principal')
    expect(await titleOf({ db, principal }, 'page 1', read('other query'))).toBe('other query')
    expect(await titleOf({ db, principal }, 'page 2', read('old count', false))).toBe('old count')
    expect(await titleOf({ db, principal }, 'page 2', read('old count again', false))).toBe('old count again')
    const large = { title: 'x'.repeat(300_000) }
    const readLarge = () => (readTitles.push('large'), Promise.resolve({ rows: [large], count: 1, isExact: true }))
    for (let turn = 0; turn < 2; turn++) await readPage({ db, principal }, 'page 3', readLarge)
    await put(object('dashboard'), { dashboard_title: 'Changed' })
    expect(await titleOf({ db, principal }, 'page 0', read('third'))).toBe('third')
    expect(readTitles).toEqual([
      'first',
      'other principal',
      'other query',
      'old count',
      'old count again',
      'large',
      'large',
      'third',
    ])
  })
})
