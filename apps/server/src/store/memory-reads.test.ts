import { sql } from 'kysely'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestStore, type TestStore } from '../template-store.testing.ts'
import { testStores } from '../testing.ts'
import { callMs, withCallBudget } from './call-budget.ts'
import { isTracked } from './changes.ts'
import { isCountedRead } from './memory-reads.ts'
import type { Store } from './open.ts'

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000 })
const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000 })

it.each([
  'select * from "dashboard" where "slug" = $1',
  'select dashboard.* from dashboard where exists (select 1 from dashboard_chart as shown join chart on chart.id = shown.chart_id)',
  'select "id", "first_name" from "user" where "id" in ($1, $2)',
  'select count(*) as n from "user" where "active" = $1',
  'select "id" from "subject"',
])('is kept until a change: %s', (text) => expect(isCountedRead(text)).toBe(true))

it.each([
  'select 1',
  'select * from "user"',
  'select "user".* from "user"',
  'select "id", "last_login" from "user"',
  'select * from "session"',
  'select * from "query"',
  'select * from "log"',
  'select * from "dashboard" inner join "key_value" on true',
  'select * from "dashboard" where exists (select 1 from job)',
  'select * from "dashboard", "job"',
  'select * from "dashboard" as "d", "job"',
  'select * from "dashboard" for update',
  'select now() from "dashboard"',
  'select * from pg_stat_activity',
  'select * from unknown_table',
  'update "dashboard" set "slug" = $1',
  'select 1 from dashboard; delete from dashboard',
])('is always read again: %s', (text) => expect(isCountedRead(text)).toBe(false))

describe.each(testStores.filter(([, store]) => store !== 'sqlite'))('reads from memory on %s', (_name, address) => {
  let made: TestStore
  let db: Store['db']
  let other: Store
  beforeAll(async () => {
    made = await openTestStore(address, tmpdir())
    db = made.store.db
    other = await made.openAgain()
    await until(() => isTracked(db))
  })
  afterAll(async () => {
    await other.close()
    await made.store.close()
    await made.drop()
  })

  const inReadCall = <T>(work: () => Promise<T>): Promise<T> => withCallBudget(work, callMs, true)
  const readTags = (from = db) => from.selectFrom('custom_tag').select(['id', 'name']).orderBy('id').execute()
  const add = (to: Store['db'], name: string) =>
    to.insertInto('custom_tag').values({ name, created_on: '', changed_on: '' }).execute()
  const names = async (from = db) => (await readTags(from)).map(({ name }) => name)
  /** A change that is not reported, so it is seen only by reading the store. */
  const addSilently = (name: string) =>
    other.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      await add(trx, name)
    })

  it('do not run a statement again until this server changes something', () =>
    inReadCall(async () => {
      expect(await names()).toEqual([])
      await addSilently('a')
      expect(await names()).toEqual([])
      await add(db, 'b')
      expect(await names()).toEqual(['a', 'b'])
      const rows = await readTags()
      rows[0]!.name = 'changed by its reader'
      rows.pop()
      expect(await names()).toEqual(['a', 'b'])
    }))

  it('see what another server has changed, when it is reported', () =>
    inReadCall(async () => {
      await names()
      await other.db.deleteFrom('custom_tag').execute()
      await eventually(async () => expect(await names()).toEqual([]))
    }))

  it('happen neither in calls that change something nor in transactions', () =>
    inReadCall(async () => {
      expect(await names()).toEqual([])
      await addSilently('c')
      expect(await names()).toEqual([])
      expect(await withCallBudget(() => names())).toEqual(['c'])
      expect(await db.transaction().execute((trx) => names(trx as Store['db']))).toEqual(['c'])
      const attempt = db.transaction().execute(async (trx) => {
        await add(trx, 'd')
        expect(await names(trx as Store['db'])).toEqual(['c', 'd'])
        throw new Error('no')
      })
      await expect(attempt).rejects.toThrow('no')
      expect(await names()).toEqual([])
      await db.deleteFrom('custom_tag').execute()
      expect(await names()).toEqual([])
    }))

  it('never miss a change of this server, with many readers at the same time', () =>
    inReadCall(async () => {
      let written = 0
      let isOver = false
      const check = async () => {
        while (!isOver) {
          const least = written
          expect((await names()).length).toBeGreaterThanOrEqual(least)
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      const readers = Array.from({ length: 8 }, check)
      for (let n = 1; n <= 40; n++) {
        await (n % 2 ? add(db, `${n}`) : db.transaction().execute((trx) => add(trx as Store['db'], `${n}`)))
        written = n
      }
      isOver = true
      await Promise.all(readers)
    }))

  it('leave failures to each call', () =>
    inReadCall(async () => {
      const fails = () => sql`select missing from custom_tag`.execute(db)
      const outcomes = await Promise.allSettled([fails(), fails(), fails()])
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
      expect(await names()).toHaveLength(40)
    }))
})
