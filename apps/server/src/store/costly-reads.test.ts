import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withCostlyReads } from './costly-reads.ts'
import { type CachingConnection, withStatementCache } from './statement-cache.ts'

let database: Database.Database
let reads: CachingConnection
let mayReadMemory: boolean
/** Milliseconds that SQLite takes for each row. */
let rowMs: number
let evaluated: number
beforeEach(() => {
  database = new Database(':memory:')
  database.exec('create table chart (id integer, slice_name text); create table job (id integer)')
  database.exec(`insert into chart values (1, 'a'), (2, 'b'); insert into job values (1)`)
  database.function('evaluate', (value: unknown) => {
    evaluated += 1
    const end = performance.now() + rowMs
    while (performance.now() < end);
    return value
  })
  ;[mayReadMemory, rowMs, evaluated] = [true, 1, 0]
  const cached = withStatementCache(database)
  reads = withCostlyReads(cached, () => (mayReadMemory ? cached.countChanges().content : undefined))
})
afterEach(() => database.close())

const names = (least = 0): string[] =>
  (
    reads.prepare('select evaluate(slice_name) as name from chart where id > ?').all([least] as never) as {
      name: string
    }[]
  ).map(({ name }) => name)

it('are answered from memory for the same values until something changes', () => {
  expect([names(), names(), names(1), names(1)]).toEqual([['a', 'b'], ['a', 'b'], ['b'], ['b']])
  expect(evaluated).toBe(3)
  reads.prepare(`update chart set slice_name = 'c' where id = 2`).run()
  expect([names(), names(1)]).toEqual([['a', 'c'], ['c']])
  expect(evaluated).toBe(6)
})

it('run again for calls that change something', () => {
  names()
  mayReadMemory = false
  names()
  expect(evaluated).toBe(4)
})

it('run again if changes of a table are not counted', () => {
  const jobs = () => reads.prepare('select evaluate(id) from job').all([] as never)
  jobs()
  jobs()
  expect(evaluated).toBe(2)
})

it('return rows that their reader may change', () => {
  const rows = () => reads.prepare('select evaluate(id) as id from chart').all([] as never) as { id: number }[]
  for (let n = 0; n < 3; n++) {
    const read = rows()
    expect(read).toEqual([{ id: 1 }, { id: 2 }])
    read[0]!.id = 7
    read.pop()
  }
  expect(evaluated).toBe(2)
})
