import { subjectId, type AccessEntry, type AccessRequest } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startCarsServer, type CarsServer } from '../chart/testing.ts'
import { addUser } from '../security/users.ts'
import type { TestUser } from '../testing.ts'

let cars: CarsServer
/** A published dashboard of alpha with one chart. */
let dashboard: number
let chart: number
const users = new Map<string, number>()

// oxlint-disable-next-line typescript/no-explicit-any -- responses are read as a client would read them
type Body = any
async function call(user: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
  const response = await cars.server.as(user as TestUser).send(method, path, {
    ...(body && { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  return { status: response.statusCode, body: response.json() as Body }
}

/** The metric of the chart. */
const rowCount = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }
const countQuery = () => ({
  datasource: { id: cars.dataset, type: 'table' },
  queries: [{ columns: [], metrics: [rowCount] }],
})
const readData = async (user: string, extra: object = {}) =>
  (await call(user, 'POST', '/api/v1/chart/data', { ...countQuery(), ...extra })).status
const open = async (user: string) => (await call(user, 'GET', `/api/v1/dashboard/${dashboard}`)).status
const entries = async (kind: 'dashboard' | 'dataset', id: number): Promise<AccessEntry[]> =>
  (await call('admin', 'GET', `/api/v1/${kind}/${id}/access`)).body.result.entries
const user = (name: string) => subjectId('user', users.get(name) ?? 0)
const role = async (name: string) => {
  const { id } = await cars.server.deps.db
    .selectFrom('role')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return subjectId('role', id)
}

beforeAll(async () => {
  cars = await startCarsServer()
  const { db } = cars.server.deps
  for (const name of ['vera', 'otto'])
    await addUser(db, { username: name, password: name, roles: ['Gamma'], first_name: name }, new Date())
  for (const { id, username } of await db.selectFrom('user').select(['id', 'username']).execute())
    users.set(username, id)
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
      slug: 'sales',
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
afterAll(() => cars.close())

describe('who can open a dashboard', () => {
  it('lists administrators, owners, roles that read its data, and how many people each stands for', async () => {
    const found = await entries('dashboard', dashboard)
    expect(found.map(({ subject, reason }) => [subject.label, reason])).toEqual(
      expect.arrayContaining([
        ['Admin', 'administrator'],
        [expect.stringContaining('alpha'), 'owner'],
        ['Alpha', 'data'],
      ]),
    )
    expect(found.filter(({ subject }) => subject.label === 'Alpha')).toHaveLength(1)
    expect(found.find(({ subject }) => subject.label === 'Gamma')).toBeUndefined()
    const { db } = cars.server.deps
    const { n } = await db
      .selectFrom('user_role')
      .innerJoin('role', 'role.id', 'role_id')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('name', '=', 'Alpha')
      .executeTakeFirstOrThrow()
    expect(found.find(({ subject }) => subject.label === 'Alpha')?.people).toBe(Number(n))
  })

  it('answers for one user as the dashboard itself would', async () => {
    for (const name of ['vera', 'alpha', 'admin']) {
      const { body } = await call('admin', 'GET', `/api/v1/dashboard/${dashboard}/access/user/${users.get(name)}`)
      expect([name, body.result.can]).toEqual([name, (await open(name)) === 200])
      expect(body.result.reasons.length > 0).toBe(body.result.can)
    }
  })

  it('is told only to owners and administrators, and a missing dashboard looks like a hidden one', async () => {
    const path = `/api/v1/dashboard/${dashboard}/access`
    const asVera = await call('vera', 'GET', path)
    expect(asVera.status).toBe(404)
    expect((await call('vera', 'GET', '/api/v1/dashboard/999999/access')).body).toEqual(asVera.body)
    expect((await call('vera', 'POST', path, { subject: user('vera') })).status).toBe(404)
    expect((await call('alpha', 'GET', path)).status).toBe(200)
  })
})

describe('sharing a dashboard', () => {
  it('opens it and its data for one user on the next call, and closes them again', async () => {
    const within = { form_data: { slice_id: chart, dashboardId: dashboard } }
    expect([await open('vera'), await readData('vera', within)]).toEqual([404, 403])
    const path = `/api/v1/dashboard/${dashboard}/access`
    expect((await call('alpha', 'POST', path, { subject: user('vera') })).status).toBe(200)
    expect([await open('vera'), await readData('vera', within)]).toEqual([200, 200])
    expect(await readData('vera'), 'the data is open within the dashboard only').toBe(403)
    expect(await open('otto')).toBe(404)
    expect((await call('vera', 'GET', '/api/v1/dashboard/')).body.result).toMatchObject([{ id: dashboard }])
    expect(await entries('dashboard', dashboard)).toContainEqual(
      expect.objectContaining({ reason: 'shared', subject: expect.objectContaining({ id: user('vera') }) as object }),
    )
    await call('alpha', 'PUT', `/api/v1/dashboard/${dashboard}`, { published: false })
    expect(await open('vera'), 'a draft').toBe(404)
    await call('alpha', 'PUT', `/api/v1/dashboard/${dashboard}`, { published: true })
    expect((await call('alpha', 'DELETE', `${path}/${user('vera')}`)).status).toBe(200)
    expect([await open('vera'), await readData('vera', within)]).toEqual([404, 403])
  })

  it('with a role restricts it to those with whom it is shared', async () => {
    const path = `/api/v1/dashboard/${dashboard}/access`
    await call('alpha', 'POST', path, { subject: await role('Gamma') })
    const { body } = await call('admin', 'GET', path)
    expect(body.result).toMatchObject({ is_restricted: true, is_published: true })
    expect(body.result.entries.map(({ reason }: AccessEntry) => reason)).not.toContain('data')
    expect(await open('otto')).toBe(200)
    await call('alpha', 'DELETE', `${path}/${await role('Gamma')}`)
    expect(await open('otto')).toBe(404)
  })

  it('needs access to its data: an owner cannot open what they may not read', async () => {
    const made = await call('vera', 'POST', '/api/v1/dashboard/', { dashboard_title: 'Mine', published: true })
    const { db } = cars.server.deps
    await db.insertInto('dashboard_chart').values({ dashboard_id: made.body.id, chart_id: chart }).execute()
    const { status, body } = await call('vera', 'POST', `/api/v1/dashboard/${made.body.id}/access`, {
      subject: user('otto'),
    })
    expect(status).toBe(422)
    expect(body.message).toContain('you do not have access to all of it')
    expect(await db.selectFrom('dashboard_viewer').selectAll().execute()).toEqual([])
  })

  it.each([
    ['an unknown user', () => subjectId('user', 99_999)],
    ['a group', () => subjectId('group', 1)],
    ['a number that is no subject', () => 0],
    ['a negative number', () => -3],
  ])('refuses %s, naming the field', async (_, subject) => {
    const { status, body } = await call('alpha', 'POST', `/api/v1/dashboard/${dashboard}/access`, {
      subject: subject(),
    })
    expect([status, Object.keys(body.message)]).toEqual([422, ['subject']])
  })
})

describe('sharing a dataset', () => {
  const path = () => `/api/v1/dataset/${cars.dataset}/access`

  it('opens its data everywhere for one user, until it ends', async () => {
    expect(await readData('vera')).toBe(403)
    expect((await call('admin', 'POST', path(), { subject: user('vera') })).status).toBe(200)
    expect(await readData('vera')).toBe(200)
    expect(await readData('otto')).toBe(403)
    expect((await call('vera', 'GET', '/api/v1/me/roles/')).body.result.permissions.datasource_access).toHaveLength(1)
    expect(await entries('dataset', cars.dataset)).toContainEqual(
      expect.objectContaining({
        reason: 'data',
        is_removable: true,
        subject: expect.objectContaining({ id: user('vera') }) as object,
      }),
    )
    await call('admin', 'DELETE', `${path()}/${user('vera')}`)
    expect(await readData('vera')).toBe(403)
  })

  it('with a role is for administrators', async () => {
    await cars.server.deps.db
      .insertInto('dataset_owner')
      .values({ dataset_id: cars.dataset, user_id: users.get('alpha') ?? 0 })
      .execute()
    expect((await call('alpha', 'POST', path(), { subject: await role('Gamma') })).status).toBe(403)
    expect((await call('admin', 'POST', path(), { subject: await role('Gamma') })).status).toBe(200)
    expect(await readData('otto')).toBe(200)
    await call('admin', 'DELETE', `${path()}/${await role('Gamma')}`)
    expect(await readData('otto')).toBe(403)
  })
})

describe('requests for access', () => {
  const request = (name: string, body: object) => call(name, 'POST', '/api/v1/access_request/', body)
  const list = async (name: string): Promise<AccessRequest[]> =>
    (await call(name, 'GET', '/api/v1/access_request/')).body.result

  it('reach the owner, who sees what granting opens and grants with one call', async () => {
    expect((await request('vera', { kind: 'dashboard', id: 'sales', message: 'For the report' })).status).toBe(201)
    expect(await list('vera')).toEqual([])
    const [found] = await list('alpha')
    expect(found).toMatchObject({
      kind: 'dashboard',
      object: { id: dashboard, name: 'Sales', url: '/superset/dashboard/sales/' },
      user: { first_name: 'vera' },
      message: 'For the report',
      opens: { charts: 1, datasets: ['cars'], is_draft: false },
    })
    expect((await call('otto', 'POST', `/api/v1/access_request/${found?.id}/grant`)).status).toBe(404)
    expect((await call('alpha', 'POST', `/api/v1/access_request/${found?.id}/grant`)).status).toBe(200)
    expect(await open('vera')).toBe(200)
    expect(await list('alpha')).toEqual([])
  })

  it('for a chart give access to its dataset, and can be refused', async () => {
    await request('otto', { kind: 'chart', id: String(chart) })
    const [first] = await list('alpha')
    expect(first).toMatchObject({ kind: 'chart', object: { name: 'Cars' }, opens: { charts: 1, datasets: ['cars'] } })
    expect((await call('alpha', 'POST', `/api/v1/access_request/${first?.id}/refuse`)).status).toBe(200)
    expect(await readData('otto')).toBe(403)
    await request('otto', { kind: 'chart', id: String(chart) })
    const [second] = await list('alpha')
    await call('alpha', 'POST', `/api/v1/access_request/${second?.id}/grant`)
    expect(await readData('otto')).toBe(200)
  })

  it('do not tell whether something exists, and nothing is stored for what the user sees already', async () => {
    const known = await request('gamma', { kind: 'dataset', id: String(cars.dataset) })
    const unknown = await request('gamma', { kind: 'dataset', id: '999999' })
    expect(known).toEqual(unknown)
    const before = (await list('admin')).length
    await request('admin', { kind: 'dashboard', id: 'sales' })
    expect(await list('admin')).toHaveLength(before)
    expect((await request('nobody', { kind: 'dashboard', id: 'sales' })).status).toBe(401)
  })
})
