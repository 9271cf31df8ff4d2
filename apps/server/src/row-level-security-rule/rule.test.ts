import { parseSubjectId, subjectId } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { importBundle } from '../bundle/import-bundle.ts'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import { grantDataset } from '../security/grant-dataset.testing.ts'
import type { Client } from '../testing.ts'

const path = '/api/v1/rowlevelsecurity/'
let cars: CarsServer
let admin: Client
let gamma: Client
let roles: Map<string, number>
let users: Map<string, number>
let valid: Record<string, unknown>
/** Adds a user to the group Sales, and an attribute. */
let addToGroup: (username: string, attribute?: [name: string, value: string]) => Promise<void>
/** Subject ids of the user gamma and of the group Sales. */
let subject: (type: 'user' | 'group') => number

beforeAll(async () => {
  cars = await startCarsServer()
  admin = cars.server.as('admin')
  gamma = cars.server.as('gamma')
  await grantDataset(cars.server, cars.dataset, 'Gamma')
  const found = await cars.server.deps.db.selectFrom('role').select(['id', 'name']).execute()
  roles = new Map(found.map(({ id, name }) => [name, id]))
  const people = await cars.server.deps.db.selectFrom('user').select(['id', 'username']).execute()
  users = new Map(people.map(({ id, username }) => [username, id]))
  const now = '2026-01-01T00:00:00.000'
  const { id: group } = await cars.server.deps.db
    .insertInto('user_group')
    .values({ uuid: randomUUID(), name: 'sales', label: 'Sales', created_on: now, changed_on: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  subject = (type) => (type === 'group' ? subjectId('group', group) : subjectId('user', users.get('gamma')!))
  addToGroup = async (username, attribute) => {
    const { db } = cars.server.deps
    await db
      .insertInto('user_group_member')
      .values({ group_id: group, user_id: users.get(username)! })
      .execute()
    if (attribute) {
      const [name, value] = attribute
      await db.insertInto('group_attribute').values({ group_id: group, name, value }).execute()
    }
  }
  valid = {
    name: 'Only Japan',
    filter_type: 'Regular',
    tables: [cars.dataset],
    roles: [roles.get('Gamma')],
    clause: `"Origin" = 'Japan'`,
  }
})
afterAll(() => cars.close())
afterEach(async () => {
  const { db } = cars.server.deps
  await db.deleteFrom('row_rule').execute()
  await db.deleteFrom('user_group_member').execute()
  await db.deleteFrom('group_attribute').execute()
})

const create = async (change: object = {}): Promise<number> => {
  const response = await admin.post(path, { ...valid, ...change })
  expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
  return response.json<{ id: number }>().id
}
const remove = async (id: number) => expect((await admin.delete(`${path}${id}`)).statusCode).toBe(200)
const readFirst = async <T>(client: Client, address: string) => (await client.get(address)).json<{ result: T }>().result
const countRules = async () => (await admin.get(path)).json<{ count: number }>().count

/** Origins that a user sees, in order. */
async function origins(client: Client): Promise<string[]> {
  const response = await client.post('/api/v1/chart/data', {
    datasource: { id: cars.dataset, type: 'table' },
    queries: [{ columns: ['Origin'], metrics: [], orderby: [['Origin', true]] }],
  })
  expect([response.statusCode, response.body]).toEqual([200, expect.anything()])
  return response.json<{ result: [{ data: { Origin: string }[] }] }>().result[0].data.map(({ Origin }) => Origin)
}
const all = ['Europe', 'Japan', 'USA']

describe('a row-level security rule', () => {
  it('acts on the next query when it is created, changed and deleted', async () => {
    expect(await origins(gamma)).toEqual(all)
    const id = await create()
    expect(await origins(gamma)).toEqual(['Japan'])
    expect(await origins(admin)).toEqual(all)
    await admin.put(`${path}${id}`, { clause: `"Origin" IN ('USA', 'Japan')` })
    expect(await origins(gamma)).toEqual(['Japan', 'USA'])
    await admin.put(`${path}${id}`, { filter_type: 'Base' })
    expect([await origins(gamma), await origins(admin)]).toEqual([all, ['Japan', 'USA']])
    await admin.put(`${path}${id}`, { filter_type: 'Regular', roles: [] })
    expect([await origins(gamma), await origins(admin)]).toEqual([all, all])
    await remove(id)
    expect([await origins(gamma), await origins(admin)]).toEqual([all, all])
  })

  it('hides how many rows its table has from those whom it restricts', async () => {
    await create({ filter_type: 'Base', roles: [roles.get('Alpha')] })
    const counts = async (client: Client) => {
      const tables = await client.get('/api/v1/database/1/tables/?q=(schema_name:main,page:0,page_size:50)')
      const table = await client.get('/api/v1/database/1/table_metadata/?name=cars&schema=main')
      return [tables.json<{ result: { rows: number | null }[] }>().result[0]!.rows, table.json<{ rows: number }>().rows]
    }
    expect(await counts(cars.server.as('alpha'))).toEqual([406, 406])
    expect(await counts(admin)).toEqual([null, undefined])
  })

  it('can depend on the user, also while templates are disabled', async () => {
    await create({ clause: `"Origin" = CASE WHEN '{{ current_username() }}' = 'gamma' THEN 'Europe' END` })
    expect([await origins(gamma), await origins(admin)]).toEqual([['Europe'], all])
  })

  it('names users, roles and groups as subjects, by their ids', async () => {
    const { roles: _, ...body } = valid
    await addToGroup('gamma')
    const id = await create({ roles: undefined, subjects: [subject('group')] })
    expect([await origins(gamma), await origins(admin)]).toEqual([['Japan'], all])
    const read = async () => {
      const q = encodeURIComponent(JSON.stringify({ columns: ['subjects', 'roles'] }))
      return readFirst<{ subjects: { id: number; label: string; type: number }[]; roles: object[] }>(
        admin,
        `${path}${id}?q=${q}`,
      )
    }
    expect(await read()).toEqual({ subjects: [{ id: subject('group'), label: 'Sales', type: 3 }], roles: [] })
    const put = async (change: object) => {
      const response = await admin.put(`${path}${id}`, change)
      expect([response.statusCode, response.body]).toEqual([200, expect.anything()])
      return (await read()).subjects.toSorted((a, b) => a.type - b.type).map((one) => one.id)
    }
    const alpha = subjectId('role', roles.get('Alpha')!)
    expect(await put({ roles: [roles.get('Alpha')] })).toEqual([alpha, subject('group')])
    expect(await put({ description: 'unchanged' })).toEqual([alpha, subject('group')])
    expect(await put({ subjects: [subject('user')] })).toEqual([subject('user')])
    expect(await origins(gamma)).toEqual(['Japan'])
    const both = { roles: [roles.get('Alpha')], subjects: [subject('group'), alpha] }
    expect(await put(both)).toEqual([alpha, subject('group')])
    expect(await put({ roles: [] })).toEqual([subject('group')])
    expect(await put({ subjects: [subject('user')], filter_type: 'Base' })).toEqual([subject('user')])
    expect([await origins(gamma), await origins(admin)]).toEqual([all, ['Japan']])
    const missing = await admin.post(path, body)
    expect([missing.statusCode, missing.json()]).toEqual([
      400,
      { message: { roles: ['Missing data for required field.'] } },
    ])
  })

  it.each([[[4 * 999 + 1]], [[4 * 999 + 2]], [[4 * 999 + 3]], [[4]], [[0]], [[-3]]])(
    'refuses subjects that do not exist: %j',
    async (subjects) => {
      const change = { subjects: [...subjects, subject('user')] }
      const text = 'Some of these users, roles or groups do not exist.'
      const expected = [422, { message: { subjects: [text] } }]
      const id = await create()
      const answers = [
        await admin.post(path, { ...valid, name: 'b', ...change }),
        await admin.put(`${path}${id}`, change),
      ]
      expect(answers.map((response) => [response.statusCode, response.json()])).toEqual([expected, expected])
    },
  )

  it('keeps the roles and groups that it names, which cannot be deleted', async () => {
    const made = await admin.post('/api/v1/security/roles/', { name: 'Sales people' })
    const role = made.json<{ id: number }>().id
    await addToGroup('gamma')
    const id = await create({ roles: undefined, subjects: [subjectId('role', role), subject('group')] })
    const group = parseSubjectId(subject('group'))!.id
    const deleted = [
      await admin.delete(`/api/v1/security/roles/${role}`),
      await admin.delete(`/api/v1/security/groups/${group}`),
    ]
    expect(deleted.map(({ statusCode }) => statusCode)).toEqual([422, 422])
    const q = encodeURIComponent(JSON.stringify({ columns: ['subjects'] }))
    const { subjects } = await readFirst<{ subjects: object[] }>(admin, `${path}${id}?q=${q}`)
    expect([subjects.length, await origins(gamma)]).toEqual([2, ['Japan']])
    await remove(id)
    expect((await admin.delete(`/api/v1/security/roles/${role}`)).statusCode).toBe(200)
  })

  it('offers users, roles and groups by name, and finds the rules that name one', async () => {
    await addToGroup('alpha')
    const id = await create({ roles: undefined, subjects: [subject('user'), subject('group')] })
    const read = async (filter: string) =>
      readFirst<{ value: number; text: string; extra: object }[]>(
        admin,
        `${path}related/subjects?q=${encodeURIComponent(JSON.stringify({ filter }))}`,
      )
    const none = { active: null, secondary_label: '', img: null }
    expect(await read('aLPHa')).toEqual([
      { value: subjectId('role', roles.get('Alpha')!), text: 'Alpha', extra: { ...none, type: 2 } },
      { value: subjectId('user', users.get('alpha')!), text: 'alpha', extra: { ...none, type: 1, active: true } },
    ])
    expect(await read('ada ad')).toMatchObject([{ extra: { secondary_label: 'admin@example.com' } }])
    expect((await read('sal')).map(({ value }) => value)).toEqual([subject('group')])
    const find = async (value: number) =>
      (
        await admin.get(
          `${path}?q=${encodeURIComponent(JSON.stringify({ filters: [{ col: 'subjects', opr: 'rel_m_m', value }] }))}`,
        )
      ).json<{
        ids: number[]
      }>().ids
    const found = [
      await find(subject('user')),
      await find(subject('group')),
      await find(subjectId('user', users.get('alpha')!)),
    ]
    expect(found).toEqual([[id], [id], []])
  })

  it('compares with attributes of the user; without one they see no rows, and the log says why', async () => {
    const { db, log } = cars.server.deps
    const warn = vi.spyOn(log, 'warn')
    const user = await db.selectFrom('user').select('id').where('username', '=', 'gamma').executeTakeFirstOrThrow()
    const add = (value: string) =>
      db.insertInto('user_attribute').values({ user_id: user.id, name: 'region', value }).execute()
    // The administrator who saves it has no such attribute.
    const id = await create({ clause: `"Origin" = {{ user_attribute('region') }}` })
    expect([await origins(gamma), await origins(gamma), await origins(admin)]).toEqual([[], [], all])
    const facts = { userId: user.id, ruleId: id, attribute: 'region' }
    expect(warn.mock.calls).toEqual([[facts, expect.stringContaining('the user has no value of the attribute')]])
    await add('Japan')
    expect(await origins(gamma)).toEqual(['Japan'])
    await add(`USA' OR '1' = '1`)
    expect(await origins(gamma)).toEqual([])
    expect(warn.mock.calls[1]).toEqual([facts, expect.stringContaining('several values')])
    await admin.put(`${path}${id}`, { clause: `"Origin" IN {{ user_attribute('region', many=true)|where_in }}` })
    expect(await origins(gamma)).toEqual(['Japan'])
    await db.updateTable('user_attribute').set({ value: 'USA' }).where('value', '<>', 'Japan').execute()
    expect(await origins(gamma)).toEqual(['Japan', 'USA'])
    await db.deleteFrom('user_attribute').execute()
    expect([await origins(gamma), warn.mock.calls.length]).toEqual([[], 2])
    warn.mockRestore()
  })

  it('shows no rows in SQL without an attribute, but lets those through that another rule of its group allows', async () => {
    const clause = `"Origin" = {{ user_attribute('region') }}`
    await create({ filter_type: 'Base', roles: [], clause, group_key: 'region' })
    const run = async () => {
      const sql = 'SELECT DISTINCT "Origin" FROM cars'
      const response = await admin.post('/api/v1/sqllab/execute/', { database_id: 1, sql })
      return response.json<{ data: { Origin: string }[] }>().data.map(({ Origin }) => Origin)
    }
    expect(await run()).toEqual([])
    await create({ name: 'Europe', filter_type: 'Base', roles: [], clause: `"Origin" = 'Europe'`, group_key: 'region' })
    expect([await run(), await origins(admin)]).toEqual([['Europe'], ['Europe']])
  })

  it.each([
    `"Cylinders" = {{ user_attribute('made up') }}`,
    `"Year" >= {{ user_attribute('made up') }}`,
    `"Cylinders" IN {{ user_attribute('made up', many=true)|where_in }}`,
    `"Cylinders" = {{ user_attribute('stored') }}`,
  ])('is checked with a value that fits when the administrator lacks the attribute: %s', async (clause) => {
    const { db } = cars.server.deps
    const { id } = await db.selectFrom('user').select('id').where('username', '=', 'alpha').executeTakeFirstOrThrow()
    await db.insertInto('user_attribute').values({ user_id: id, name: 'stored', value: '4' }).execute()
    const rule = await create({ clause })
    const q = encodeURIComponent(JSON.stringify({ columns: ['is_checked'] }))
    expect(await readFirst(admin, `${path}${rule}?q=${q}`)).toEqual({ is_checked: true })
    const broken = await admin.put(`${path}${rule}`, { clause: `${clause} AND nothing = 1` })
    expect([broken.statusCode, broken.body]).toEqual([422, expect.stringContaining('nothing')])
    await db.deleteFrom('user_attribute').execute()
  })

  it('leaves a table when its dataset is removed from it, also one that was opened by SQL', async () => {
    const other = await admin.post('/api/v1/dataset/', {
      database: 1,
      table_name: 'later',
      sql: 'SELECT 1 AS "Origin"',
    })
    const id = await create()
    expect((await admin.put(`${path}${id}`, { tables: [other.json<{ id: number }>().id] })).statusCode).toBe(200)
    expect(await origins(gamma)).toEqual(all)
    await admin.put(`${path}${id}`, { tables: [cars.dataset] })
    expect(await origins(gamma)).toEqual(['Japan'])
  })

  it('has the fields of the reference in lists and details', async () => {
    const id = await create({ group_key: 'region', description: 'Sales of Japan' })
    const columns = (await admin.get(path)).json<{ list_columns: string[] }>().list_columns
    const list = (await admin.get(`${path}?q=${encodeURIComponent(JSON.stringify({ columns }))}`)).json<{
      result: object[]
    }>()
    expect(list.result).toEqual([
      {
        id,
        name: 'Only Japan',
        filter_type: 'Regular',
        tables: [{ id: cars.dataset, table_name: 'cars' }],
        roles: [{ id: roles.get('Gamma'), name: 'Gamma' }],
        subjects: [{ id: subjectId('role', roles.get('Gamma')!), label: 'Gamma', type: 2 }],
        clause: `"Origin" = 'Japan'`,
        changed_on_delta_humanized: expect.any(String),
        changed_by: { first_name: expect.any(String), last_name: expect.any(String), id: expect.any(Number) },
        group_key: 'region',
      },
    ])
    const { show_columns } = (await admin.get(`${path}${id}`)).json<{ show_columns: string[] }>()
    const shown = encodeURIComponent(JSON.stringify({ columns: show_columns }))
    expect(await readFirst(admin, `${path}${id}?q=${shown}`)).toEqual({
      name: 'Only Japan',
      description: 'Sales of Japan',
      filter_type: 'Regular',
      tables: [{ id: cars.dataset, schema: null, table_name: 'cars' }],
      roles: [{ id: roles.get('Gamma'), name: 'Gamma' }],
      subjects: [{ id: subjectId('role', roles.get('Gamma')!), label: 'Gamma', type: 2 }],
      group_key: 'region',
      clause: `"Origin" = 'Japan'`,
    })
    const listFiltered = async (col: string, opr: string, value: unknown) =>
      (await admin.get(`${path}?q=${encodeURIComponent(JSON.stringify({ filters: [{ col, opr, value }] }))}`)).json<{
        ids: number[]
      }>().ids
    expect(await listFiltered('tables', 'rel_m_m', cars.dataset)).toEqual([id])
    expect(await listFiltered('roles', 'rel_m_m', roles.get('Alpha'))).toEqual([])
    expect(await listFiltered('name', 'rls_all_text', 'JAPAN')).toEqual([id])
    const readRelated = (column: string) =>
      readFirst<{ text: string; value: number }[]>(admin, `${path}related/${column}`)
    expect(await readRelated('tables')).toContainEqual({ text: 'cars', value: cars.dataset, extra: {} })
    expect((await readRelated('roles')).map(({ text }) => text)).toContain('Gamma')
  })

  it.each([
    ['clause', { clause: '"Origin" =' }, 'The clause is not valid for the table "cars"'],
    ['clause', { clause: 'nothing = 1' }, '(line 1, column 1)'],
    ['clause', { clause: `1 = 1; DROP TABLE cars` }, 'The clause is not valid for the table "cars"'],
    ['clause', { clause: `1 = 1 /* never closed` }, 'The clause is not valid for the table "cars"'],
    ['clause', { clause: `1 = 1;` }, 'Write one condition, without semicolons and comments.'],
    ['clause', { clause: `1 = 1 -- as agreed` }, 'Write one condition, without semicolons and comments.'],
    ['clause', { clause: `1 = 1 {{ '/' ~ '* hidden */' }}` }, 'Write one condition, without semicolons and comments.'],
    ['clause', { clause: `1 = 1) OR (1 = 1` }, 'The clause is not valid for the table "cars"'],
    ['clause', { clause: `"Origin" = '{{ nothing() }}'` }, 'The clause is not valid for the table "cars"'],
    ['tables', { tables: [999] }, 'Some of these datasets do not exist.'],
    ['roles', { roles: [999] }, 'Some of these roles do not exist.'],
  ])('is refused with an error of its field %s: %j', async (field, change, text) => {
    const response = await admin.post(path, { ...valid, ...change })
    expect(response.statusCode, response.body).toBe(422)
    const { message } = response.json<{ message: Record<string, string[]> }>()
    expect([Object.keys(message), message[field]?.[0]]).toEqual([[field], expect.stringContaining(text)])
    expect(await countRules()).toBe(0)
  })

  it('has a name that no other rule has, also after a change', async () => {
    const [first, second] = [await create(), await create({ name: 'Second' })]
    const taken = { message: { name: ['A rule named "Only Japan" already exists.'] } }
    const answers = [await admin.post(path, valid), await admin.put(`${path}${second}`, { name: 'Only Japan' })]
    expect(answers.map((response) => [response.statusCode, response.json()])).toEqual([
      [422, taken],
      [422, taken],
    ])
    expect((await admin.put(`${path}${second}`, { name: 'Second' })).statusCode).toBe(200)
    expect((await admin.delete(`${path}?q=!(${first},${second})`)).json()).toEqual({ message: 'Deleted 2 rules' })
  })

  it('is not overwritten by an administrator who has not seen the last change', async () => {
    const id = await create()
    const { headers } = await admin.get(`${path}${id}`)
    await admin.put(`${path}${id}`, { description: 'changed' })
    const late = await admin.send('PUT', `${path}${id}`, {
      payload: JSON.stringify({ clause: '1 = 1' }),
      headers: { 'content-type': 'application/json', 'if-match': String(headers['etag']) },
    })
    expect([late.statusCode, await origins(gamma)]).toEqual([409, ['Japan']])
  })

  it('is read and changed by administrators only, and others learn nothing about it', async () => {
    const id = await create()
    for (const user of ['gamma', 'alpha', 'sqllab'] as const) {
      const other = cars.server.as(user)
      const answers = [
        await other.get(path),
        await other.get(`${path}${id}`),
        await other.get(`${path}_info`),
        await other.get(`${path}related/roles`),
        await other.post(path, { ...valid, name: 'mine' }),
        await other.put(`${path}${id}`, { clause: '1 = 1' }),
        await other.delete(`${path}${id}`),
        await other.get(`${path}${id + 1}`),
      ]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 403))
      expect(answers.some(({ body }) => body.includes('Japan'))).toBe(false)
    }
  })

  it('reads other tables only when its author may read the whole database', async () => {
    const clause = `"Origin" = (SELECT max("Origin") FROM cars)`
    const { db } = cars.server.deps
    const role = { uuid: randomUUID(), name: 'Rule writers', created_on: '', changed_on: '' }
    const { id: role_id } = await db.insertInto('role').values(role).returning('id').executeTakeFirstOrThrow()
    const pairs = await db.selectFrom('permission').select('id').where('view', '=', 'Row Level Security').execute()
    await db
      .insertInto('role_permission')
      .values(pairs.map(({ id }) => ({ role_id, permission_id: id })))
      .execute()
    await db
      .insertInto('user_role')
      .values({ user_id: users.get('gamma')!, role_id })
      .execute()
    const { name: _, ...unnamed } = valid
    const refused = [
      await gamma.post(path, { ...valid, clause }),
      await gamma.post(path, { ...valid, clause: `"Origin" = ({{ 'SEL' ~ 'ECT max("Origin") FR' ~ 'OM cars' }})` }),
    ]
    const message = { clause: [expect.stringContaining('Sub-queries are allowed only')] }
    expect(refused.map((response) => [response.statusCode, response.json()])).toEqual([
      [422, { message }],
      [422, { message }],
    ])
    expect((await gamma.post(`${path}preview`, { ...unnamed, clause })).json()).toMatchObject({
      problem: { message: expect.stringContaining('Sub-queries are allowed only') as string },
      result: [],
    })
    expect((await gamma.post(path, { ...valid, name: 'Plain' })).statusCode).toBe(201)
    await create({ clause })
    await db.deleteFrom('role').where('id', '=', role_id).execute()
  })

  it('is checked by its database whenever it is saved, not by a cached result', async () => {
    const id = await create()
    const runs = cars.runs()
    expect((await admin.put(`${path}${id}`, { description: 'saved again' })).statusCode).toBe(200)
    expect(cars.runs()).toBeGreaterThan(runs)
  })

  it('is stored as not checked when its database cannot be reached', async () => {
    const uuid = { database: randomUUID(), dataset: randomUUID() }
    const files = {
      'databases/down.yaml': {
        database_name: 'down',
        sqlalchemy_uri: 'postgresql://a@127.0.0.1:1/b',
        uuid: uuid.database,
      },
      'datasets/down/away.yaml': { table_name: 'away', uuid: uuid.dataset, database_uuid: uuid.database },
    }
    const { db } = cars.server.deps
    await importBundle(
      db,
      { metadata: { version: '1.0.0', type: 'SqlaTable', timestamp: '' }, files: new Map(Object.entries(files)) },
      { authorId: null, at: '2026-01-01T00:00:00.000', overwrite: false },
    )
    const away = await db.selectFrom('dataset').select('id').where('uuid', '=', uuid.dataset).executeTakeFirstOrThrow()
    const id = await create({ tables: [cars.dataset, away.id] })
    const q = encodeURIComponent(JSON.stringify({ columns: ['is_checked'] }))
    expect([await readFirst(admin, `${path}${id}?q=${q}`), await origins(gamma)]).toEqual([{ is_checked: false }, []])
  })

  it('lets no rows through while it could not be checked, and is checked when it is saved again', async () => {
    const id = await create()
    const { db } = cars.server.deps
    await db.updateTable('row_rule').set({ is_checked: 0 }).where('id', '=', id).execute()
    expect([await origins(gamma), await origins(admin)]).toEqual([[], all])
    const q = encodeURIComponent(JSON.stringify({ columns: ['is_checked'] }))
    expect(await readFirst(admin, `${path}${id}?q=${q}`)).toEqual({ is_checked: false })
    await admin.put(`${path}${id}`, {})
    expect([await origins(gamma), await readFirst(admin, `${path}${id}?q=${q}`)]).toEqual([
      ['Japan'],
      { is_checked: true },
    ])
  })

  describe('before it is saved', () => {
    type Preview = {
      problem: { message: string } | null
      result: [
        {
          subjects: { subject: { label: string } | null; before: number | null; after: number | null }[]
          user: object
          samples: { Origin: string }[]
        },
      ]
    }
    const preview = async (change: object = {}): Promise<Preview> => {
      const { name: _, ...draft } = valid
      const response = await admin.post(`${path}preview`, { ...draft, ...change })
      expect([response.statusCode, response.body]).toEqual([200, expect.anything()])
      return response.json<Preview>()
    }
    const counts = ({ result: [{ subjects }] }: Preview) =>
      Object.fromEntries(subjects.map(({ subject, before, after }) => [subject?.label ?? 'others', [before, after]]))
    const [total, japan, usa] = [406, 79, 254]

    it('shows how many rows each role sees today and afterwards', async () => {
      expect(counts(await preview())).toEqual({ Gamma: [total, japan], others: [total, total] })
      expect(counts(await preview({ filter_type: 'Base' }))).toEqual({ Gamma: [total, total], others: [total, japan] })
      const id = await create({ group_key: 'region' })
      expect(counts(await preview({ id, clause: `"Origin" = 'USA'` }))).toEqual({
        Gamma: [japan, usa],
        others: [total, total],
      })
      const both = await preview({ clause: `"Origin" = 'USA'`, group_key: 'region' })
      expect(counts(both)).toEqual({ Gamma: [japan, japan + usa], others: [total, total] })
      expect(await origins(gamma)).toEqual(['Japan'])
    })

    it('shows the rows of a chosen user with their groups and attributes, also where they depend on the user', async () => {
      const clause = `"Origin" = '{{ 'Japan' if current_username() == 'gamma' else 'USA' }}'`
      const shown = await preview({ user: users.get('gamma'), clause })
      expect(counts(shown)).toEqual({ Gamma: [total, null], others: [total, total] })
      expect(shown.result[0]).toMatchObject({ user: { before: total, after: japan } })
      expect(shown.result[0].samples.length).toBe(10)
      expect(new Set(shown.result[0].samples.map(({ Origin }) => Origin))).toEqual(new Set(['Japan']))
      await addToGroup('gamma', ['region', 'USA'])
      const byAttribute = {
        clause: `"Origin" = {{ user_attribute('region') }}`,
        roles: [],
        subjects: [subject('group')],
      }
      const grouped = await preview({ ...byAttribute, user: users.get('gamma') })
      expect(counts(grouped)).toEqual({ Sales: [total, usa], others: [total, total] })
      expect(grouped.result[0]).toMatchObject({ user: { before: total, after: usa } })
    })

    it('counts the rows of users only for administrators, who alone may choose one', async () => {
      const draft = { filter_type: 'Regular', tables: [cars.dataset], clause: `"Origin" = 'Japan'` }
      const named = { ...draft, subjects: [subject('user')] }
      expect(counts(await preview({ ...named, roles: [] }))).toEqual({ gamma: [total, japan], others: [total, total] })
      const { db } = cars.server.deps
      const { id } = await db
        .selectFrom('permission')
        .select('id')
        .where('name', '=', 'can_write')
        .where('view', '=', 'Row Level Security')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('role_permission')
        .values({ role_id: roles.get('Gamma')!, permission_id: id })
        .execute()
      try {
        const counted = await gamma.post(`${path}preview`, {
          ...named,
          subjects: [subjectId('user', users.get('admin')!)],
        })
        expect(counted.statusCode, counted.body).toBe(200)
        expect(counts(counted.json<Preview>())).toMatchObject({ others: [total, total] })
        expect(counted.json<Preview>().result[0].subjects[0]).toMatchObject({ before: null, after: null })
        const own = await gamma.post(`${path}preview`, { ...draft, roles: [], user: users.get('gamma') })
        expect(own.statusCode).toBe(200)
        const other = await gamma.post(`${path}preview`, { ...draft, roles: [], user: users.get('admin') })
        expect([other.statusCode, other.json()]).toEqual([
          422,
          { message: { user: ['Only an administrator can preview the rows of another user.'] } },
        ])
      } finally {
        await db
          .deleteFrom('role_permission')
          .where('role_id', '=', roles.get('Gamma')!)
          .where('permission_id', '=', id)
          .execute()
      }
    })

    it('names what is wrong with the clause, and ids that do not exist', async () => {
      expect(await preview({ clause: 'nothing = 1' })).toMatchObject({
        problem: { table: 'cars', line_number: 1, start_column: 1 },
        result: [],
      })
      const { name: _, ...draft } = valid
      const wrong = await admin.post(`${path}preview`, { ...draft, roles: [999], user: null })
      expect([wrong.statusCode, wrong.json()]).toEqual([
        422,
        { message: { roles: ['Some of these roles do not exist.'] } },
      ])
      expect((await gamma.post(`${path}preview`, draft)).statusCode).toBe(403)
    })
  })
})
