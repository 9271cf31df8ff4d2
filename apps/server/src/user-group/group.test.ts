import { randomUUID } from 'node:crypto'
import { subjectId } from '@parquetry/model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatStoredTime } from '../store/time.ts'
import { type Client, startTestServer, type TestServer, testStores } from '../testing.ts'

const path = '/api/v1/security/groups/'
const subjects = '/api/v1/security/subject/'

describe.each(testStores)('groups on %s', (_name, store) => {
  let server: TestServer
  let admin: Client
  let roles: Map<string, number>
  let users: Map<string, number>
  beforeAll(async () => {
    server = await startTestServer({ store })
    admin = server.as('admin')
    const { db } = server.deps
    roles = new Map((await db.selectFrom('role').select(['id', 'name']).execute()).map(({ id, name }) => [name, id]))
    users = new Map(
      (await db.selectFrom('user').select(['id', 'username']).execute()).map(({ id, username }) => [username, id]),
    )
  }, 60_000)
  afterAll(() => server.close())

  async function create(body: object): Promise<number> {
    const response = await admin.post(path, body)
    expect([response.statusCode, response.json()]).toMatchObject([201, { id: expect.any(Number) }])
    return response.json<{ id: number }>().id
  }
  const send = async (method: string, address: string, payload?: object, client = admin) => {
    const response = await client.send(method, address, payload ? { payload } : {})
    return [response.statusCode, response.json<{ message: unknown }>().message]
  }
  const read = async (address: string) => (await admin.get(address)).json<{ result: Record<string, unknown> }>().result

  it('have the fields of the reference and give their roles to their members', async () => {
    const gamma = server.as('gamma')
    const statusOf = async () => (await gamma.get('/api/v1/css_template/')).statusCode
    expect(await statusOf()).toBe(403)
    const id = await create({
      name: 'North',
      label: 'Team North',
      description: 'Sales of the north',
      roles: [roles.get('Alpha')],
      users: [users.get('gamma')],
      attributes: { region: ['North'] },
    })
    expect(await statusOf()).toBe(200)
    const fields = {
      id,
      name: 'North',
      label: 'Team North',
      description: 'Sales of the north',
      roles: [{ id: roles.get('Alpha'), name: 'Alpha' }],
      users: [expect.objectContaining({ id: users.get('gamma'), username: 'gamma' })],
    }
    expect(await read(`${path}${id}`)).toMatchObject({ ...fields, attributes: { region: ['North'] } })
    const q = encodeURIComponent(JSON.stringify({ filters: [{ col: 'name', opr: 'group_all_text', value: 'sales' }] }))
    expect((await admin.get(`${path}?q=${q}`)).json()).toMatchObject({
      count: 1,
      result: [{ ...fields, user_count: 1 }],
    })
    expect(await read(`/api/v1/security/users/${users.get('gamma')}`)).toMatchObject({
      groups: [{ id, name: 'North' }],
    })
    expect((await admin.put(`${path}${id}`, { users: [] })).statusCode).toBe(200)
    expect(await statusOf()).toBe(403)
    expect((await admin.delete(`${path}${id}`)).statusCode).toBe(200)
    expect((await admin.get(`${path}${id}`)).statusCode).toBe(404)
  })

  it('are refused with the field when a value is wrong', async () => {
    const id = await create({ name: 'South' })
    const other = await create({ name: 'East' })
    const cases: [string, string, object, number, string][] = [
      ['POST', path, {}, 400, 'name'],
      ['POST', path, { name: '' }, 400, 'name'],
      ['POST', path, { name: 'SOUTH' }, 422, 'name'],
      ['POST', path, { name: 'n', roles: [99_999] }, 400, 'roles'],
      ['POST', path, { name: 'n', users: [99_999] }, 400, 'users'],
      ['PUT', `${path}${id}`, { name: 'east' }, 422, 'name'],
      ['PUT', `${path}${id}`, { users: [99_999] }, 400, 'users'],
      ['PUT', `${path}${id}`, { attributes: { '1': ['x'] } }, 400, 'attributes'],
    ]
    for (const [method, address, body, status, field] of cases)
      expect([body, ...(await send(method, address, body))]).toEqual([body, status, { [field]: expect.anything() }])
    const { changed_on } = await read(`${path}${id}`)
    expect((await admin.put(`${path}${id}`, { label: 'S', changed_on })).statusCode).toBe(200)
    expect((await send('PUT', `${path}${id}`, { label: 'T', changed_on }))[0]).toBe(409)
    expect((await send('PUT', `${path}99999`, { label: 'T' }))[0]).toBe(404)
    expect(await read(`${path}${id}`)).toMatchObject({ name: 'South', label: 'S' })
    for (const each of [id, other]) await admin.delete(`${path}${each}`)
  })

  it('are not deleted while a row-level security rule names them', async () => {
    const id = await create({ name: 'West' })
    const { db } = server.deps
    const time = formatStoredTime(new Date())
    const rule = await db
      .insertInto('row_rule')
      .values({
        uuid: randomUUID(),
        name: 'Only the west',
        description: null,
        filter_type: 'Regular',
        group_key: null,
        clause: '1 = 1',
        created_on: time,
        changed_on: time,
        created_by_fk: null,
        changed_by_fk: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('row_rule_group').values({ row_rule_id: rule.id, group_id: id }).execute()
    expect(await send('DELETE', `${path}${id}`)).toEqual([422, { id: [expect.stringContaining('Only the west')] }])
    expect(await read(`${path}${id}`)).toMatchObject({ rules: [{ id: rule.id, name: 'Only the west' }] })
    await db.deleteFrom('row_rule').execute()
    expect((await admin.delete(`${path}${id}`)).statusCode).toBe(200)
  })

  it('and users and roles are subjects, which can be searched and read but not created', async () => {
    const group = await create({ name: 'Everyone', label: 'All of us', description: 'The company' })
    const query = async (q: object) =>
      (await admin.get(`${subjects}?q=${encodeURIComponent(JSON.stringify(q))}`)).json<{
        count: number
        result: Record<string, unknown>[]
      }>()
    const search = (value: string) => query({ filters: [{ col: 'label', opr: 'subject_all_text', value }] })
    const found = await search('COMPANY')
    expect(found.result).toEqual([
      {
        id: subjectId('group', group),
        uuid: expect.any(String),
        label: 'All of us',
        secondary_label: 'The company',
        type: 3,
        active: null,
        extra_search: 'Everyone',
        img: null,
        user_id: null,
        role_id: null,
        group_id: group,
        created_on: expect.any(String),
        changed_on: expect.any(String),
        changed_by: { first_name: 'Ada', last_name: 'Admin' },
      },
    ])
    const own = users.get('admin')!
    expect((await search('admin@example')).result).toMatchObject([
      { type: 1, active: true, user_id: own, img: `/api/v1/user/${own}/avatar.png`, label: 'Ada Admin' },
    ])
    expect((await query({ filters: [{ col: 'type', opr: 'eq', value: 2 }], order_column: 'label' })).count).toBe(
      roles.size,
    )
    expect(await read(`${subjects}${subjectId('user', own)}`)).toMatchObject({
      user: {
        id: own,
        username: 'admin',
        first_name: 'Ada',
        last_name: 'Admin',
        email: 'admin@example.com',
        active: true,
      },
      role: null,
      group: null,
    })
    expect(await read(`${subjects}${subjectId('group', group)}`)).toMatchObject({
      user: null,
      group: { id: group, name: 'Everyone', label: 'All of us', description: 'The company' },
    })
    expect(await read(`${subjects}${subjectId('role', roles.get('Gamma')!)}`)).toMatchObject({
      role: { name: 'Gamma' },
    })
    expect((await admin.get(`${subjects}99999`)).statusCode).toBe(404)
    expect((await admin.post(subjects, {})).statusCode).toBe(405)
    expect((await admin.get(`${subjects}_info`)).json()).toMatchObject({ permissions: ['can_read'], add_columns: [] })
  })

  it('and subjects are open to administrators only', async () => {
    for (const address of [path, `${path}1`, `${path}_info`, subjects, `${subjects}5`, `${subjects}_info`]) {
      expect([address, (await server.as('alpha').get(address)).statusCode]).toEqual([address, 403])
      expect([address, (await server.as('nobody').get(address)).statusCode]).toEqual([address, 401])
    }
    for (const [method, address] of [
      ['POST', path],
      ['PUT', `${path}1`],
    ] as const)
      expect((await send(method, address, {}, server.as('alpha')))[0]).toBe(403)
    expect((await send('DELETE', `${path}1`, undefined, server.as('alpha')))[0]).toBe(403)
  })
  it('have a list of registrations beside them, with the fields of the reference', async () => {
    const registrations = '/api/v1/security/user_registrations/'
    const person = { username: 'neo', first_name: 'Neo', last_name: 'New', email: 'neo@example.com' }
    const made = await admin.post(registrations, person)
    expect([made.statusCode, made.json()]).toMatchObject([201, { id: expect.any(Number) }])
    const { id } = made.json<{ id: number }>()
    const fields = { id, ...person, registration_date: expect.any(String) }
    expect((await admin.get(registrations)).json()).toMatchObject({ count: 1, result: [fields] })
    expect(await read(`${registrations}${id}`)).toEqual(fields)
    expect(await send('POST', registrations, { ...person, username: 'ADMIN' })).toEqual([
      422,
      { username: [expect.any(String)] },
    ])
    expect((await admin.put(`${registrations}${id}`, { first_name: 'Nea' })).statusCode).toBe(200)
    expect(await read(`${registrations}${id}`)).toMatchObject({ first_name: 'Nea' })
    expect((await admin.get(`${registrations}_info`)).json()).toMatchObject({ add_title: 'Add User Registration' })
    expect((await admin.delete(`${registrations}${id}`)).statusCode).toBe(200)
    expect((await admin.get(`${registrations}${id}`)).statusCode).toBe(404)
    for (const [method, address] of [
      ['GET', registrations],
      ['GET', `${registrations}1`],
      ['GET', `${registrations}_info`],
      ['POST', registrations],
      ['PUT', `${registrations}1`],
      ['DELETE', `${registrations}1`],
    ] as const) {
      const body = method === 'POST' || method === 'PUT' ? {} : undefined
      expect([method, address, (await send(method, address, body, server.as('alpha')))[0]]).toEqual([
        method,
        address,
        403,
      ])
    }
  })
})
