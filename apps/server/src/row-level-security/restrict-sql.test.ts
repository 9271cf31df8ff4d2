import { afterAll, beforeAll, expect, it } from 'vitest'
import { grant } from '../security/grants.ts'
import { addRowLevelSecurityRule } from './rules.testing.ts'
import { type ExecuteResult, newId, startTestLab, type TestLab } from '../sqllab/testing.ts'

let lab: TestLab
let dataset: number
beforeAll(async () => {
  lab = await startTestLab()
  const { db } = lab.server.deps
  const made = await lab.server
    .as('admin')
    .post('/api/v1/dataset/', { database: lab.files, table_name: 'cars', schema: 'main' })
  dataset = made.json<{ id: number }>().id
  const { view } = await db
    .selectFrom('permission')
    .select('view')
    .where('name', '=', 'database_access')
    .where('view', 'like', `%(id:${lab.files})`)
    .executeTakeFirstOrThrow()
  await grant(db, 'sql_lab', ['database_access', view])
  lab.server.app.authenticator.forget()
  await addRowLevelSecurityRule(db, dataset, 'sql_lab', 'id <> 1 -- never')
}, 60_000)
afterAll(() => lab.close())

const ids = async (sql: string) => {
  const response = await lab.run(sql, {}, 'sqllab')
  return response.statusCode === 200 ? response.json<ExecuteResult>().data.map(({ id }) => id) : response.statusCode
}

it('shows the rows that the rules allow, by whatever name the table is used', async () => {
  expect(await ids('SELECT * FROM cars ORDER BY id')).toEqual([2, 3])
  expect(await ids('SELECT c.id FROM main.cars AS c ORDER BY 1')).toEqual([2, 3])
  expect(await ids('WITH cars AS (SELECT 1 AS id) SELECT id FROM cars')).not.toEqual([1, 2, 3])
  expect(await ids('SELECT id FROM cars a WHERE id IN (SELECT id FROM "cars") ORDER BY id')).toEqual([2, 3])
  expect(await ids(`SELECT 'cars' AS kind, id AS cars, id FROM cars WHERE name <> 'cars' ORDER BY id`)).toEqual([2, 3])
  expect((await lab.run('SELECT id FROM cars')).json<ExecuteResult>().data.length).toBe(3)
})

it.each([
  'DESCRIBE cars',
  'SUMMARIZE cars',
  'TABLE cars',
  'SELECT id FROM main . cars',
  'SELECT id FROM cars TABLESAMPLE 100%',
])('rejects what cannot be restricted: %s', async (sql) => expect(await ids(sql)).toBe(403))

it('regression: names the restricted table in a refusal, also where SUMMARIZE is inside FROM', async () => {
  const refused = await lab.run('SELECT * FROM (SUMMARIZE cars)', {}, 'sqllab')
  expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('names \\"cars\\"')])
})

it.each(['EXPLAIN SELECT * FROM cars WHERE id = 1', 'EXPLAIN ANALYZE SELECT * FROM cars WHERE id = 1'])(
  'regression: rejects a plan, which reveals how many rows are hidden: %s',
  async (sql) => expect(await ids(sql)).toBe(403),
)

it('restricts files, and refuses tables that are created from a query', async () => {
  const copy = await lab.run(
    'SELECT * FROM cars',
    { client_id: newId(), select_as_cta: true, ctas_method: 'TABLE', tmp_table_name: 'mine' },
    'sqllab',
  )
  // Users with other rules would see these rows in it.
  expect([copy.statusCode, copy.body]).toEqual([403, expect.stringContaining('which a copy would not have')])
  const client_id = newId()
  await lab.run('SELECT * FROM cars ORDER BY id', { client_id }, 'sqllab')
  const file = await lab.server.as('sqllab').get(`/api/v1/sqllab/export/${client_id}/`)
  expect(file.body).toBe('id,name\n2,b\n3,c\n')
})
