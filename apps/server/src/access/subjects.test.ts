import { subjectId, type SubjectType } from '@parquetry/model'
import { checkCases, type Random } from '@parquetry/model/testing/random'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant, revoke } from '../security/grants.ts'
import { addUser } from '../security/users.ts'
import { type Client, startTestServer, type TestServer, type TestUser, testStores } from '../testing.ts'
import { datasetViewName } from './data-rights.ts'

const kinds = ['dataset', 'chart', 'dashboard'] as const
type Kind = (typeof kinds)[number]
const names = { dataset: 'table_name', chart: 'slice_name', dashboard: 'dashboard_title' } as const
const people = ['ann', 'ben', 'cleo'] as const
type Person = (typeof people)[number]
const audit = { created_on: '2026-01-01T00:00:00.000', changed_on: '2026-01-01T00:00:00.000' }

/** Owners and viewers of three objects, in plain sets: the dashboard shows the chart, and the chart reads the dataset. */
interface Model {
  editors: Record<Kind, Set<number>>
  viewers: Record<'chart' | 'dashboard', Set<number>>
  /** A user was made a viewer, which reserves the object to viewers. */
  hasUserViewer: boolean
  isPublished: boolean
  canReadData: boolean
  /** Subject ids of each person. */
  subjects: Record<Person, Set<number>>
}

const meets = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean => [...one].some((id) => other.has(id))

function mayEdit({ editors, subjects }: Model, kind: Kind, person: Person): boolean {
  return meets(editors[kind], subjects[person])
}

function maySee(model: Model, kind: Kind, person: Person): boolean {
  const { viewers, subjects } = model
  if (mayEdit(model, kind, person)) return true
  const readsData = model.canReadData || mayEdit(model, 'dataset', person)
  if (kind === 'dataset') return readsData
  if (kind === 'dashboard' && !model.isPublished) return false
  const isReserved =
    kind === 'chart'
      ? viewers.chart.size > 0
      : model.hasUserViewer || [...viewers.dashboard].some((subject) => subject % 4 !== 1)
  return meets(viewers[kind], subjects[person]) || (readsData && !isReserved)
}

describe.each(testStores)('users, roles and groups that own or see objects, on %s', (_name, store) => {
  let server: TestServer
  let admin: Client
  const objects = {} as Record<Kind, number>
  const users = {} as Record<Person, number>
  const roles: number[] = []
  const groups: number[] = []
  let view: string
  /** All subjects that a request can name. */
  let offered: number[]

  const add = async (table: 'role' | 'user_group', name: string) =>
    (
      await server.deps.db
        .insertInto(table)
        .values({ name, uuid: randomUUID(), ...audit } as never)
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id

  beforeAll(async () => {
    server = await startTestServer({ store })
    admin = server.as('admin')
    const { db } = server.deps
    await grant(db, 'Gamma', ['can_write', 'Dataset'])
    for (const name of people) {
      await addUser(db, { username: name, password: name, roles: ['Gamma'] }, new Date())
      users[name] = (await db.selectFrom('user').select('id').where('username', '=', name).executeTakeFirstOrThrow()).id
    }
    for (const name of ['Buyers', 'Sellers']) roles.push(await add('role', name))
    for (const name of ['East', 'West']) groups.push(await add('user_group', name))
    offered = [
      ...people.map((name) => subjectId('user', users[name])),
      ...roles.map((id) => subjectId('role', id)),
      ...groups.map((id) => subjectId('group', id)),
    ]
  })
  afterAll(() => server.close())

  /** A dashboard with a chart of a dataset, all owned by the administrator. */
  async function createObjects(): Promise<void> {
    const { db } = server.deps
    const flags = ['expose_in_sqllab', 'allow_run_async', 'allow_ctas', 'allow_cvas', 'allow_dml', 'allow_file_upload']
    const database = await db
      .insertInto('database')
      .values({
        uuid: randomUUID(),
        database_name: randomUUID(),
        backend: 'duckdb',
        sqlalchemy_uri: 'duckdb://',
        settings: '{}',
        extra: '{}',
        configuration_method: 'sqlalchemy_form',
        ...Object.fromEntries([...flags, 'impersonate_user', 'version'].map((name) => [name, 0])),
        ...audit,
      } as never)
      .returning(['id', 'database_name'])
      .executeTakeFirstOrThrow()
    const zeros = ['offset', 'filter_select_enabled', 'is_sqllab_view', 'normalize_columns', 'always_filter_main_dttm']
    const dataset = await db
      .insertInto('dataset')
      .values({
        uuid: randomUUID(),
        database_id: database.id,
        table_name: 'sales',
        ...Object.fromEntries([...zeros, 'is_managed_externally'].map((name) => [name, 0])),
        ...audit,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    objects.dataset = dataset.id
    view = datasetViewName(database.database_name, { table_name: 'sales', id: dataset.id })
    await db.insertInto('permission').values({ name: 'datasource_access', view }).execute()
    const dashboard = await admin.post('/api/v1/dashboard/', { dashboard_title: 'b', owners: [1] })
    objects.dashboard = dashboard.json<{ id: number }>().id
    const chart = await admin.post('/api/v1/chart/', {
      slice_name: 'c',
      datasource_id: dataset.id,
      datasource_type: 'table',
      dashboards: [objects.dashboard],
    })
    objects.chart = chart.json<{ id: number }>().id
  }

  const path = (kind: Kind) => `/api/v1/${kind}/${objects[kind]}`
  const some = (random: Random, list: readonly number[], share = 0.2) => list.filter(() => random() < share)

  /** Sends owners or viewers in one of the spellings, or both, and changes the model accordingly. */
  async function sendSubjects(random: Random, model: Model): Promise<void> {
    const field = random.pick(['editors', 'viewers'] as const)
    const kind = random.pick(field === 'editors' ? kinds : (['chart', 'dashboard'] as const))
    const older = field === 'editors' ? 'owners' : kind === 'dashboard' ? 'roles' : null
    const type: SubjectType = field === 'editors' ? 'user' : 'role'
    const stored = field === 'editors' ? model.editors[kind] : model.viewers[kind as 'chart']
    const sent = some(random, offered)
    const ids = type === 'user' ? people.map((name) => users[name]) : roles
    const sentOlder = some(random, ids)
    const spelling = older === null ? 'newer' : random.pick(['newer', 'older', 'unchanged'] as const)
    const body = {
      ...(spelling === 'newer' && { [field]: random() < 0.5 ? sent : sent.map((id) => ({ id, label: '', type: 1 })) }),
      ...(spelling !== 'newer' && { [older!]: sentOlder }),
      ...(spelling === 'unchanged' && { [field]: [...stored] }),
    }
    const before = new Set(stored)
    const isOfType = (id: number) => id % 4 === subjectId(type, 0)
    const after =
      spelling === 'newer'
        ? new Set(sent)
        : new Set([...before].filter((id) => !isOfType(id)).concat(sentOlder.map((id) => subjectId(type, id))))
    // An administrator is not added to the owners.
    const response = await admin.put(path(kind), body)
    expect([response.statusCode, response.body]).toEqual([200, expect.anything()])
    stored.clear()
    for (const id of after) stored.add(id)
    if (field === 'editors') {
      const isChanged = before.size !== after.size || [...after].some((id) => !before.has(id))
      if (kind === 'dashboard' && isChanged) for (const id of after) model.editors.chart.add(id)
    } else if (kind === 'dashboard') {
      const isNewUser = [...after].some((id) => id % 4 === 1 && !before.has(id))
      if (![...after].some((id) => id % 4 === 1)) model.hasUserViewer = false
      else if (isNewUser) model.hasUserViewer = true
    }
  }

  /** Gives a person a role, a membership, or takes them away. */
  async function changeMembership(random: Random, model: Model): Promise<void> {
    const { db } = server.deps
    const person = random.pick(people)
    const user_id = users[person]
    if (random() < 0.5) {
      const role_id = random.pick(roles)
      const subject = subjectId('role', role_id)
      if (model.subjects[person].delete(subject))
        await db.deleteFrom('user_role').where('user_id', '=', user_id).where('role_id', '=', role_id).execute()
      else {
        await db.insertInto('user_role').values({ user_id, role_id }).execute()
        model.subjects[person].add(subject)
      }
      return
    }
    const group_id = random.pick(groups)
    const subject = subjectId('group', group_id)
    if (model.subjects[person].delete(subject))
      await db.deleteFrom('user_group_member').where('user_id', '=', user_id).where('group_id', '=', group_id).execute()
    else {
      await db.insertInto('user_group_member').values({ user_id, group_id }).execute()
      model.subjects[person].add(subject)
    }
  }

  async function changeSomething(random: Random, model: Model): Promise<void> {
    const choice = random()
    if (choice < 0.6) return sendSubjects(random, model)
    if (choice < 0.85) return changeMembership(random, model)
    if (choice < 0.95) {
      model.isPublished = !model.isPublished
      await admin.put(path('dashboard'), { published: model.isPublished })
      return
    }
    model.canReadData = !model.canReadData
    await (model.canReadData ? grant : revoke)(server.deps.db, 'Gamma', ['datasource_access', view])
  }

  /** The subjects that are stored are those of the model, in both spellings. */
  async function expectStored(model: Model): Promise<void> {
    for (const kind of kinds) {
      const { result } = (await admin.get(path(kind))).json<{ result: Record<string, { id: number }[]> }>()
      const read = (field: string) => result[field]!.map(({ id }) => id).toSorted((a, b) => a - b)
      const own = (set: ReadonlySet<number>) => [...set].toSorted((a, b) => a - b)
      const editors = own(model.editors[kind])
      expect([kind, read('editors')]).toEqual([kind, editors])
      expect(read('owners')).toEqual(editors.filter((id) => id % 4 === 1).map((id) => (id - 1) / 4))
      if (kind === 'dataset') continue
      const viewers = own(model.viewers[kind])
      expect([kind, read('viewers')]).toEqual([kind, viewers])
      if (kind === 'dashboard')
        expect(read('roles')).toEqual(viewers.filter((id) => id % 4 === 2).map((id) => (id - 2) / 4))
    }
  }

  /** Every path gives a person what the model says. */
  async function expectRights(model: Model, person: Person): Promise<void> {
    const client = server.as(person as TestUser)
    for (const kind of kinds) {
      const [sees, edits] = [maySee(model, kind, person), mayEdit(model, kind, person)]
      const list = async (filters: string) =>
        (await client.get(`/api/v1/${kind}/?q=(filters:!(${filters}),page_size:100)`))
          .json<{ ids: number[] }>()
          .ids.includes(objects[kind])
      const calls = [
        (await client.get(path(kind))).statusCode,
        await list(`(col:id,opr:eq,value:${objects[kind]})`),
        await list(`(col:id,opr:is_editable,value:!t)`),
        (await client.put(path(kind), { [names[kind]]: 'sales' })).statusCode,
      ]
      const change = sees ? (edits ? 200 : 403) : 404
      expect([person, kind, ...calls]).toEqual([person, kind, sees ? 200 : 404, sees, edits, change])
    }
  }

  it('have the rights of a plain model after random changes (API-069, PERM-018)', () =>
    checkCases(2, async (random) => {
      const { db } = server.deps
      await createObjects()
      for (const table of ['user_group_member', 'user_group_role'] as const) await db.deleteFrom(table).execute()
      await db.deleteFrom('user_role').where('role_id', 'in', roles).execute()
      // East has the first role.
      await db.insertInto('user_group_role').values({ group_id: groups[0]!, role_id: roles[0]! }).execute()
      const adminSubject = subjectId('user', 1)
      const direct = Object.fromEntries(
        people.map((name) => [name, new Set([subjectId('user', users[name])])]),
      ) as Model['subjects']
      const model: Model = {
        editors: { dataset: new Set(), chart: new Set([adminSubject]), dashboard: new Set([adminSubject]) },
        viewers: { chart: new Set(), dashboard: new Set() },
        hasUserViewer: false,
        isPublished: true,
        canReadData: true,
        subjects: direct,
      }
      await grant(db, 'Gamma', ['datasource_access', view])
      await admin.put(path('dashboard'), { published: true })
      for (let step = 0; step < 20; step += 1) {
        await changeSomething(random, model)
        await expectStored(model)
        const person = random.pick(people)
        const subjects = new Set(direct[person])
        if (subjects.has(subjectId('group', groups[0]!))) subjects.add(subjectId('role', roles[0]!))
        await expectRights({ ...model, subjects: { ...direct, [person]: subjects } }, person)
      }
    }))
})
