import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'
import { withCallBudget } from './call-budget.ts'
import type { Tables } from './tables.ts'
import { change } from './write.ts'

const postgresUrl = process.env['PARQUETRY_TEST_POSTGRES']

describe.skipIf(!postgresUrl)('a store in PostgreSQL', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ store: postgresUrl! })
  })
  afterAll(() => server.close())

  it('regression: runs a change again that ended in a deadlock', async () => {
    const { db } = server.deps
    await sql`create table pair (id integer primary key, n integer)`.execute(db)
    await sql`insert into pair values (1, 0), (2, 0)`.execute(db)
    const add = (trx: Transaction<Tables>, id: number) => sql`update pair set n = n + 1 where id = ${id}`.execute(trx)
    let [attempts, waiting] = [0, 2]
    const bothHoldOne = Promise.withResolvers<void>()
    const run = (first: number, second: number) =>
      change(db, { kind: 'pair', uuid: `pair ${first}`, author: null, document: () => ({}) }, async (trx) => {
        attempts += 1
        await add(trx, first)
        if (--waiting <= 0) bothHoldOne.resolve()
        await bothHoldOne.promise
        await add(trx, second)
      })
    await Promise.all([run(1, 2), run(2, 1)])
    const { rows } = await sql<{ n: number }>`select n from pair`.execute(db)
    expect(rows.map(({ n }) => n)).toEqual([2, 2])
    // The second attempt may meet the first change again before that one goes on.
    expect(attempts).toBeGreaterThanOrEqual(3)
  })

  it('regression: ends a call whose statements are slow together, though each is within its limit', async () => {
    const { db } = server.deps
    let done = 0
    const slow = () =>
      withCallBudget(async () => {
        for (; done < 10; done++) await sql`select pg_sleep(0.6)`.execute(db)
      }, 1000)
    await expect(slow()).rejects.toMatchObject({ code: 'unavailable' })
    expect(done).toBe(1)
    await expect(db.selectFrom('role').select('id').execute()).resolves.not.toHaveLength(0)
  })
})
