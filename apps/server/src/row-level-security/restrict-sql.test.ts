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
    .executeTakeFirstOrThrow()
  await grant(db, 'sql_lab', ['database_access', view])
  lab.server.app.authenticator.forget()
  await addRowLevelSecurityRule(db, dataset, 'sql_lab', 'id <> 1 -- never')
}, 60_000)
afterAll(() => lab.close())

const ids = async (sql: string) => {
  const answer = await lab.run(sql, {}, 'sqllab')
  return answer.statusCode === 200 ? answer.json<ExecuteResult>().data.map(({ id }) => id) : answer.statusCode
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

it.each(['EXPLAIN SELECT * FROM cars WHERE id = 1', 'EXPLAIN ANALYZE SELECT * FROM cars WHERE id = 1'])(
  'regression: rejects a plan, which reveals how many rows are hidden: %s',
  async (sql) => expect(await ids(sql)).toBe(403),
)

it('restricts tables that are created from a query, and files', async () => {
  const made = await lab.run(
    'SELECT * FROM cars',
    { client_id: newId(), select_as_cta: true, ctas_method: 'TABLE', tmp_table_name: 'mine' },
    'sqllab',
  )
  expect(made.statusCode, made.body).toBe(200)
  expect((await lab.run('SELECT count(*) AS n FROM mine')).json()).toMatchObject({ data: [{ n: 2 }] })
  const client_id = newId()
  await lab.run('SELECT * FROM cars ORDER BY id', { client_id }, 'sqllab')
  const file = await lab.server.as('sqllab').get(`/api/v1/sqllab/export/${client_id}/`)
  expect(file.body).toBe('id,name\n2,b\n3,c\n')
})
