import { afterAll, beforeAll, expect, it } from 'vitest'
import { grant } from '../security/grants.ts'
import { grantTable, marker } from '../sqllab/hostile.testing.ts'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import type { TestUser } from '../testing.ts'

let lab: TestLab
let owned: number

/** Grants a role access to the data of a dataset. */
async function open(dataset: number, role: string): Promise<void> {
  const { db } = lab.server.deps
  const { view } = await db
    .selectFrom('permission')
    .select('view')
    .where('name', '=', 'datasource_access')
    .where('view', 'like', `%(id:${dataset})`)
    .executeTakeFirstOrThrow()
  await grant(db, role, ['datasource_access', view])
  lab.server.app.authenticator.forget()
}

const make = (sql: string, table_name: string) =>
  lab.server.as('sqllab').post('/api/v1/dataset/', { database: lab.files, schema: 'main', table_name, sql })
const ask = (user: TestUser, more: object = {}) =>
  lab.server.as(user).post('/api/v1/chart/data', {
    datasource: { id: owned, type: 'table' },
    queries: [{ columns: ['name'], ...more }],
    force: true,
  })
const setTo = (row: { sql?: string; sql_by_fk?: number | null }) =>
  lab.server.deps.db.updateTable('dataset').set(row).where('id', '=', owned).execute()

beforeAll(async () => {
  lab = await startTestLab()
  const made = await lab.run(`SELECT '${marker}' AS name`, { select_as_cta: true, tmp_table_name: 'secret' })
  expect(made.statusCode, made.body).toBe(200)
  await grantTable(lab, lab.files, { schema: 'main', table: 'cars' })
  await grant(lab.server.deps.db, 'sql_lab', ['can_write', 'Dataset'])
  lab.server.app.authenticator.forget()
  const dataset = await make('SELECT name FROM cars WHERE id > 1', 'mine')
  expect(dataset.statusCode, dataset.body).toBe(201)
  owned = dataset.json<{ id: number }>().id
  await open(owned, 'Gamma')
}, 60_000)
afterAll(() => lab.close())

it('is refused when saved over a table that its owner may not read', async () => {
  const other = await make('SELECT name FROM secret', 'other')
  expect(other.statusCode, other.body).toBe(422)
  const changed = await lab.server.as('sqllab').put(`/api/v1/dataset/${owned}`, { sql: 'SELECT name FROM secret' })
  expect(changed.statusCode, changed.body).toBe(422)
})

it('can be read, but not widened, by users with a grant on the dataset and none on its tables', async () => {
  const read = await ask('gamma')
  expect(read.statusCode, read.body).toBe(200)
  expect(read.body).toContain('"b"')
  const wider = [
    { columns: [{ label: 'x', sqlExpression: '(SELECT max(name) FROM secret)' }] },
    { columns: [{ label: 'x', sqlExpression: '(SELECT max(name) FROM cars)' }] },
    { extras: { where: '1 = 1) UNION (SELECT name FROM secret' } },
  ]
  for (const more of wider) {
    const { statusCode, body } = await ask('gamma', more)
    expect(statusCode, body).toBe(400)
    expect(body).not.toContain(marker)
  }
  const written = await lab.server.as('gamma').put(`/api/v1/dataset/${owned}`, { sql: 'SELECT name FROM secret' })
  expect(written.statusCode, written.body).toBe(403)
})

it('regression: SQL stored by another path may not read tables that its author may not read', async () => {
  const { sql_by_fk } = await lab.server.deps.db
    .selectFrom('dataset')
    .select('sql_by_fk')
    .where('id', '=', owned)
    .executeTakeFirstOrThrow()
  await setTo({ sql: 'SELECT name FROM secret' })
  for (const user of ['sqllab', 'gamma', 'admin'] as const) {
    const { statusCode, body } = await ask(user)
    expect(statusCode, body).toBe(403)
    expect(body).not.toContain(marker)
    expect(body).not.toContain('secret')
  }
  await setTo({ sql_by_fk: 999_999 })
  expect((await ask('admin')).statusCode).toBe(403)
  await setTo({ sql: 'SELECT name FROM cars WHERE id > 1', sql_by_fk })
})

it('regression: the SQL of a dataset fails after its author lost access to the table', async () => {
  const { db } = lab.server.deps
  const { id } = await db.selectFrom('role').select('id').where('name', '=', 'sql_lab').executeTakeFirstOrThrow()
  const data = db.selectFrom('permission').select('id').where('name', '=', 'datasource_access')
  await db.deleteFrom('role_permission').where('role_id', '=', id).where('permission_id', 'in', data).execute()
  lab.server.app.authenticator.forget()
  for (const user of ['sqllab', 'gamma'] as const) expect((await ask(user)).statusCode).toBe(403)
})
