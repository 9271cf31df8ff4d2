import { subjectId } from '@parquetry/model'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { addUser } from '../security/users.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
const users = new Map<string, number>()
let group: number
let role: number

// oxlint-disable-next-line typescript/no-explicit-any -- responses are read as a client would read them
type Body = any
async function call(user: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const response = await cars.server.as(user as TestUser).send(method, path, {
    ...(body && { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return { status: response.statusCode, body: response.json() as Body }
}
const user = (name: string) => subjectId('user', users.get(name)!)
const east = () => subjectId('group', group)
const buyers = () => subjectId('role', role)
const ids = (list: { id: number }[]) => list.map(({ id }) => id).toSorted((a, b) => a - b)

/** The metric of the chart. */
const rowCount = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }

beforeAll(async () => {
  cars = await startCarsServer()
  const { db } = cars.server.deps
  for (const name of ['vera', 'otto', 'nell'])
    await addUser(db, { username: name, password: name, roles: ['Gamma'], first_name: name }, new Date())
  for (const { id, username } of await db.selectFrom('user').select(['id', 'username']).execute())
    users.set(username, id)
  role = (await call('admin', 'POST', '/api/v1/security/roles/', { name: 'Buyers' })).body.id
  group = (
    await call('admin', 'POST', '/api/v1/security/groups/', {
      name: 'East',
      label: 'East',
      description: 'Sales in the east',
      users: [users.get('vera')],
      roles: [],
    })
  ).body.id
})
afterAll(() => cars.close())

let chart: number
let dashboard: number
/** A published dashboard of alpha with one chart. */
beforeEach(async () => {
  const made = await call('alpha', 'POST', '/api/v1/chart/', {
    slice_name: 'Cars',
    viz_type: 'big_number_total',
    datasource_id: cars.dataset,
    datasource_type: 'table',
    params: JSON.stringify({ metric: rowCount }),
  })
  chart = made.body.id
  dashboard = (
    await call('alpha', 'POST', '/api/v1/dashboard/', {
      dashboard_title: 'Sales',
      published: true,
      json_metadata: JSON.stringify({
        positions: {
          ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
          GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['CHART-a'], parents: ['ROOT_ID'] },
          'CHART-a': { id: 'CHART-a', type: 'CHART', children: [], meta: { chartId: chart, width: 4, height: 50 } },
        },
      }),
    })
  ).body.id
})

const path = (kind: 'chart' | 'dashboard') => `/api/v1/${kind}/${kind === 'chart' ? chart : dashboard}`
const readEditors = async (kind: 'chart' | 'dashboard') =>
  ids((await call('admin', 'GET', path(kind))).body.result.editors)

describe('owners that are subjects (API-069)', () => {
  it('are answered with label and type beside the owners that are users', async () => {
    await call('admin', 'PUT', path('chart'), { editors: [east(), buyers(), user('otto')] })
    const { result } = (await call('admin', 'GET', path('chart'))).body
    expect(result.editors).toEqual([
      { id: buyers(), label: 'Buyers', type: 2 },
      { id: east(), label: 'East', type: 3 },
      { id: user('otto'), label: 'otto', type: 1 },
    ])
    expect(ids(result.owners)).toEqual([users.get('otto')])
    const q = `(filters:!((col:editors,opr:rel_m_m,value:${east()})))`
    const { body } = await call('admin', 'GET', `/api/v1/chart/?q=${q}`)
    expect([body.ids, body.result[0].editors]).toEqual([[chart], result.editors])
  })

  it.each(['chart', 'dashboard', 'dataset'] as const)(
    'of a new %s are the caller, or those that are named',
    async (kind) => {
      const post = async (by: string, more: object) => {
        const own = {
          chart: { slice_name: 'c', datasource_id: cars.dataset, datasource_type: 'table' },
          dashboard: { dashboard_title: 'b' },
          dataset: { database: 1, table_name: `t${Math.random()}`, sql: 'select 1 as a' },
        }[kind]
        const { status, body } = await call(by, 'POST', `/api/v1/${kind}/`, { ...own, ...more })
        expect([status, body]).toEqual([201, expect.anything()])
        return ids((await call('admin', 'GET', `/api/v1/${kind}/${body.id}`)).body.result.editors)
      }
      expect(await post('alpha', {})).toEqual([user('alpha')])
      expect(await post('alpha', { editors: [east()] })).toEqual([user('alpha'), east()].toSorted((a, b) => a - b))
      expect(await post('admin', { editors: [{ id: east(), label: 'East', type: 3 }] })).toEqual([east()])
      expect(await post('admin', { owners: [users.get('otto')] })).toEqual([user('otto')])
    },
  )

  it('are refused by field when they do not exist or contradict each other; nothing is stored then', async () => {
    const before = await readEditors('chart')
    const missing = 'Some of these users, roles or groups do not exist.'
    const cases: [object, object][] = [
      [{ editors: [subjectId('group', 999)] }, { editors: [missing] }],
      [{ editors: [4] }, { editors: [missing] }],
      [{ viewers: [subjectId('user', 999)] }, { viewers: [missing] }],
      [{ owners: [999] }, { owners: ['Owners are invalid'] }],
      [
        { owners: [users.get('vera')], editors: [east()] },
        { editors: ['editors and owners contradict each other. Send only one of them.'] },
      ],
    ]
    for (const [sent, fields] of cases)
      expect(await call('admin', 'PUT', path('chart'), { ...sent, slice_name: 'Other' })).toEqual({
        status: 422,
        body: { message: fields },
      })
    expect([await readEditors('chart'), (await call('admin', 'GET', path('chart'))).body.result.slice_name]).toEqual([
      before,
      'Cars',
    ])
  })

  it('give all members of a group what an owner has, and nobody else', async () => {
    await call('admin', 'PUT', path('dashboard'), { editors: [east()], published: false })
    const rename = (by: string) => call(by, 'PUT', path('dashboard'), { dashboard_title: 'Ours' })
    expect([(await rename('vera')).status, (await rename('otto')).status]).toEqual([200, 404])
    expect((await call('vera', 'GET', `${path('dashboard')}/versions/`)).status).toBe(200)
    expect((await call('vera', 'GET', `${path('dashboard')}/access`)).status).toBe(200)
    expect((await call('otto', 'GET', `${path('dashboard')}/access`)).status).toBe(404)

    // Requests for access, and the trash.
    expect(
      (await call('otto', 'POST', '/api/v1/access_request/', { kind: 'dashboard', id: String(dashboard) })).status,
    ).toBe(201)
    const requests = async (by: string) => (await call(by, 'GET', '/api/v1/access_request/')).body.count
    expect([await requests('vera'), await requests('nell')]).toEqual([1, 0])
    expect((await call('nell', 'DELETE', path('dashboard'))).status).toBe(404)
    expect((await call('vera', 'DELETE', path('dashboard'))).status).toBe(200)
    const trashed = async (by: string) =>
      (await call(by, 'GET', '/api/v1/trash/?kind=dashboard')).body.result.map(({ id }: { id: number }) => id)
    expect([await trashed('vera'), await trashed('otto')]).toEqual([[dashboard], []])
    expect((await call('vera', 'POST', `/api/v1/trash/dashboard/${dashboard}/restore`, {})).status).toBe(200)
    expect(await readEditors('dashboard')).toEqual([east()])
  })

  it('add the caller, unless they are an administrator or nothing changes', async () => {
    await call('admin', 'PUT', path('dashboard'), { editors: [east()] })
    const save = async (by: string, editors: number[]) => {
      expect((await call(by, 'PUT', path('dashboard'), { editors })).status).toBe(200)
      return readEditors('dashboard')
    }
    expect(await save('vera', [east()])).toEqual([east()])
    expect(await save('vera', [buyers()])).toEqual([user('vera'), buyers()].toSorted((a, b) => a - b))
    expect(await save('admin', [])).toEqual([])
  })

  it('of a dataset are roles only if an administrator says so, because owners read its data', async () => {
    const sent = (editors: number[]) => ({
      database: 1,
      table_name: `t${Math.random()}`,
      sql: 'select 1 as a',
      editors,
    })
    expect((await call('alpha', 'POST', '/api/v1/dataset/', sent([buyers()]))).status).toBe(403)
    const { id } = (await call('alpha', 'POST', '/api/v1/dataset/', sent([]))).body
    const save = async (by: string, editors: number[]) =>
      (await call(by, 'PUT', `/api/v1/dataset/${id}`, { editors })).status
    expect([await save('alpha', [buyers()]), await save('alpha', [east()])]).toEqual([403, 200])
    expect(await save('admin', [user('alpha'), buyers()])).toBe(200)
    // A role that is there already stays.
    expect(await save('alpha', [user('alpha'), buyers(), user('otto')])).toBe(200)
  })

  it('stay when a client of an older release replaces the users among them', async () => {
    await call('admin', 'PUT', path('chart'), { editors: [east(), user('otto')] })
    await call('admin', 'PUT', path('chart'), { owners: [users.get('nell')] })
    expect(await readEditors('chart')).toEqual([user('nell'), east()].toSorted((a, b) => a - b))
  })

  it('keep a role or group from being deleted', async () => {
    await call('admin', 'PUT', path('chart'), { editors: [east(), buyers()] })
    const removed = [
      await call('admin', 'DELETE', `/api/v1/security/groups/${group}`),
      await call('admin', 'DELETE', `/api/v1/security/roles/${role}`),
    ]
    expect(removed.map(({ status }) => status)).toEqual([422, 422])
    expect(JSON.stringify(removed)).toContain('Remove it from')
  })

  it('are offered as far as the settings allow', async () => {
    const offered = async (kind: string, field: string) =>
      (await call('alpha', 'GET', `/api/v1/${kind}/related/${field}?q=(filter:east,page_size:5)`)).body.result
    for (const [kind, field] of [
      ['chart', 'editors'],
      ['chart', 'viewers'],
      ['dashboard', 'editors'],
      ['dashboard', 'viewers'],
      ['dataset', 'editors'],
    ] as const)
      expect(await offered(kind, field)).toMatchObject([{ value: east(), text: 'East', extra: { type: 3 } }])
    const { body } = await call('alpha', 'GET', '/api/v1/chart/related/editors?q=(filter:Buyers)')
    expect(body).toEqual({ count: 0, result: [] })
  })
})

describe('viewers that are subjects', () => {
  const form = () => ({ slice_id: chart, dashboardId: dashboard })
  const query = (form_data: object) => ({
    datasource: { id: cars.dataset, type: 'table' },
    queries: [{ columns: [], metrics: [rowCount] }],
    form_data,
  })
  const readData = async (by: string, form_data: object) =>
    (await call(by, 'POST', '/api/v1/chart/data', query(form_data))).status
  const open = async (by: string, kind: 'chart' | 'dashboard') => (await call(by, 'GET', path(kind))).status

  it('of a dashboard read its data within it and nowhere else', async () => {
    expect([await open('vera', 'dashboard'), await readData('vera', form())]).toEqual([404, 403])
    await call('admin', 'PUT', path('dashboard'), { viewers: [east()] })
    expect([await open('vera', 'dashboard'), await readData('vera', form())]).toEqual([200, 200])
    const foreign = { ...query(form()), queries: [{ columns: ['Name'], metrics: [] }] }
    expect((await call('vera', 'POST', '/api/v1/chart/data', foreign)).status).toBe(403)
    const elsewhere = [
      await readData('vera', {}),
      await readData('vera', { slice_id: chart }),
      await open('vera', 'chart'),
    ]
    expect(elsewhere).toEqual([403, 403, 404])
    expect([await open('otto', 'dashboard'), await readData('otto', form())]).toEqual([404, 403])
    // Access to the data alone no longer opens it.
    await call('admin', 'PUT', path('dashboard'), { owners: [] })
    expect(await open('alpha', 'dashboard')).toBe(404)
    await call('admin', 'PUT', path('dashboard'), { published: false })
    expect([await open('vera', 'dashboard'), await readData('vera', form())]).toEqual([404, 403])
  })

  it('of a chart see it without its data, and reserve it', async () => {
    await call('admin', 'PUT', path('chart'), { viewers: [user('otto')], owners: [] })
    const seen = [await open('otto', 'chart'), await open('vera', 'chart'), await open('alpha', 'chart')]
    expect([...seen, await readData('otto', { slice_id: chart })]).toEqual([200, 404, 404, 403])
    const { body } = await call('otto', 'GET', '/api/v1/chart/')
    expect(body.ids).toContain(chart)
    expect((await call('otto', 'PUT', path('chart'), { slice_name: 'Mine' })).status).toBe(403)
    await call('admin', 'PUT', path('chart'), { viewers: [] })
    expect([await open('otto', 'chart'), await open('alpha', 'chart')]).toEqual([404, 200])
  })

  it('stay reserved when the last viewer is deleted', async () => {
    const { db } = cars.server.deps
    await addUser(db, { username: 'gone', password: 'gone', roles: ['Gamma'] }, new Date())
    const { id } = await db.selectFrom('user').select('id').where('username', '=', 'gone').executeTakeFirstOrThrow()
    for (const kind of ['chart', 'dashboard'] as const)
      await call('admin', 'PUT', path(kind), { viewers: [subjectId('user', id)], owners: [] })
    expect((await call('admin', 'DELETE', `/api/v1/security/users/${id}`)).status).toBe(200)
    expect([await open('alpha', 'chart'), await open('alpha', 'dashboard')]).toEqual([404, 404])
  })

  it('are told as they are: who can see a dashboard, and why', async () => {
    await call('admin', 'PUT', path('dashboard'), { editors: [buyers()], viewers: [east()] })
    const { result } = (await call('admin', 'GET', `${path('dashboard')}/access`)).body
    const found = result.entries.map((entry: Body) => [entry.subject.label, entry.reason, entry.people])
    expect(result.is_restricted).toBe(true)
    expect(found).toEqual([
      ['Admin', 'administrator', 1],
      ['Buyers', 'owner', 0],
      ['East', 'shared', 1],
    ])
    const one = await call('admin', 'GET', `${path('dashboard')}/access/user/${users.get('vera')}`)
    expect(one.body.result).toMatchObject({ can: true, reasons: [{ reason: 'shared' }] })
    await call('admin', 'DELETE', `${path('dashboard')}/access/${east()}`)
    expect(await open('vera', 'dashboard')).toBe(404)
    expect((await call('admin', 'POST', `${path('dashboard')}/access`, { subject: east() })).status).toBe(200)
    expect(await open('vera', 'dashboard')).toBe(200)
  })

  it('can only be removed where they are turned off', async () => {
    const { config, flags } = cars.server.deps.settings
    await call('admin', 'PUT', path('chart'), { viewers: [east()] })
    flags['DASHBOARD_RBAC'] = false
    try {
      const refused = await call('admin', 'PUT', path('chart'), { viewers: [east(), buyers()] })
      expect([refused.status, Object.keys(refused.body.message)]).toEqual([422, ['viewers']])
      expect(await open('vera', 'chart')).toBe(200)
      expect((await call('admin', 'PUT', path('chart'), { viewers: [] })).status).toBe(200)
      flags['ENABLE_VIEWERS'] = true
      expect((await call('admin', 'PUT', path('dashboard'), { viewers: [east()] })).status).toBe(200)
      // Without VIEWER_PROMISCUOUS_MODE, viewers need access to the data.
      expect([await open('vera', 'dashboard'), await readData('vera', form())]).toEqual([200, 403])
      config.VIEWER_PROMISCUOUS_MODE = true
      expect(await readData('vera', form())).toBe(200)
      flags['ENABLE_VIEWERS'] = false
      // What was decided before lasts until the next change.
      await call('admin', 'PUT', path('dashboard'), { dashboard_title: 'Without viewers' })
      expect([await open('vera', 'dashboard'), await readData('vera', form())]).toEqual([404, 403])
    } finally {
      config.VIEWER_PROMISCUOUS_MODE = false
      flags['DASHBOARD_RBAC'] = true
      flags['ENABLE_VIEWERS'] = false
    }
  })

  it('are the groups of the creator of a new object, with ASSIGN_CREATOR_GROUPS_AS_VIEWERS', async () => {
    const { flags } = cars.server.deps.settings
    const readViewers = async (by: string, body: object = {}) => {
      const made = await call(by, 'POST', '/api/v1/dashboard/', { dashboard_title: 'New', ...body })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      const { result } = (await call('admin', 'GET', `/api/v1/dashboard/${made.body.id}`)).body
      return result.viewers.map(({ id }: { id: number }) => id)
    }
    expect(await readViewers('vera')).toEqual([])
    flags['ASSIGN_CREATOR_GROUPS_AS_VIEWERS'] = true
    try {
      expect([await readViewers('vera'), await readViewers('otto')]).toEqual([[east()], []])
      expect(await readViewers('vera', { viewers: [] })).toEqual([])
      expect(await readViewers('vera', { viewers: [user('otto')] })).toEqual([user('otto')])
      const sent = { slice_name: 'New', datasource_id: cars.dataset, datasource_type: 'table', viz_type: 'table' }
      await call('admin', 'POST', `/api/v1/dataset/${cars.dataset}/access`, { subject: user('vera') })
      const made = await call('vera', 'POST', '/api/v1/chart/', sent)
      await call('admin', 'DELETE', `/api/v1/dataset/${cars.dataset}/access/${user('vera')}`)
      const { result } = (await call('admin', 'GET', `/api/v1/chart/${made.body.id}`)).body
      expect(result.viewers).toMatchObject([{ id: east() }])
      // A change does not add them.
      await call('admin', 'PUT', path('dashboard'), { dashboard_title: 'Same' })
      expect((await call('admin', 'GET', path('dashboard'))).body.result.viewers).toEqual([])
    } finally {
      flags['ASSIGN_CREATOR_GROUPS_AS_VIEWERS'] = false
    }
  })

  it('may be named only by those who may read what this opens', async () => {
    await call('admin', 'PUT', path('dashboard'), { owners: [users.get('otto')] })
    const refused = await call('otto', 'PUT', path('dashboard'), { viewers: [east()] })
    expect([refused.status, await open('vera', 'dashboard')]).toEqual([422, 404])
  })
})
