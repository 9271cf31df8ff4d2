import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { withStatementCache } from './statement-cache.ts'

it('prepares a statement once, and sees tables as migrations have changed them', () => {
  const kept = withStatementCache(new Database(':memory:'))
  kept.prepare('create table thing (id integer)').run()
  kept.prepare('insert into thing values (?)').run(1)
  const before = kept.prepare('select * from thing')
  expect(kept.prepare('select * from thing')).toBe(before)
  expect(before.all()).toEqual([{ id: 1 }])

  kept.prepare("alter table thing add column name text default 'a'").run()
  expect(kept.prepare('select * from thing').all()).toEqual([{ id: 1, name: 'a' }])
  kept.close()
})

it('returns a separate statement while another one is still being read', () => {
  const kept = withStatementCache(new Database(':memory:'))
  const text = 'select 1 as n union all select 2'
  const seen: number[] = []
  for (const row of kept.prepare(text).iterate() as Iterable<{ n: number }>)
    seen.push(row.n, ...(kept.prepare(text).all() as { n: number }[]).map(({ n }) => n * 10))
  expect(seen).toEqual([1, 10, 20, 2, 10, 20])
  kept.close()
})

it('does not cache the statements of batches, which differ in length', () => {
  const kept = withStatementCache(new Database(':memory:'))
  const many = (rows: number): string => `select * from (values ${Array(rows).fill('(?, ?)').join(', ')})`
  expect(kept.prepare(many(10))).toBe(kept.prepare(many(10)))
  expect(kept.prepare(many(2000))).not.toBe(kept.prepare(many(2000)))
  kept.close()
})

it('counts changes by other connections, and those of content and rights separately', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-test-'))
  const other = new Database(join(folder, 'a.sqlite'))
  other.exec('pragma journal_mode = WAL; create table role (id integer); create table chart (id integer)')
  const cached = withStatementCache(new Database(join(folder, 'a.sqlite')))
  const counts = () => [cached.countChanges().content, cached.countChanges().rights] as const
  const start = counts()
  cached.prepare('select * from role').all()
  expect(counts()).toEqual(start)
  cached.prepare('insert into chart values (1)').run()
  expect(cached.countChanges().content).toBeGreaterThan(start[0])
  expect(cached.countChanges().rights).toBe(start[1])
  cached.prepare('insert into "role" values (1)').run()
  expect(cached.countChanges().rights).toBeGreaterThan(start[1])
  const before = counts()
  other.exec('delete from role')
  await setImmediate()
  expect(cached.countChanges().content).toBeGreaterThan(before[0])
  expect(cached.countChanges().rights).toBeGreaterThan(before[1])
  cached.close()
  other.close()
  rmSync(folder, { recursive: true })
})
