import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestStore, type TestStore } from '../template-store.testing.ts'
import { testStores } from '../testing.ts'
import { changeCountOf, countAccessChanges, countSessionChanges, isTracked } from './changes.ts'
import type { Store } from './open.ts'
import { startProxy } from './proxy.testing.ts'
import { readCached } from './read-cache.ts'

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000 })
const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000 })

const addFavorite = (db: Store['db'], object_id: number) =>
  db.insertInto('favorite').values({ user_id: 1, kind: 'chart', object_id, created_on: '' }).execute()

describe.each(testStores)('changes of a store on %s', (name, address) => {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-test-'))
  let made: TestStore
  let db: Store['db']
  let other: Store
  beforeAll(async () => {
    made = await openTestStore(address, home)
    db = made.store.db
    other = await made.openAgain()
    await until(() => isTracked(db) && isTracked(other.db))
  })
  afterAll(async () => {
    await other.close()
    await made.store.close()
    await made.drop()
    rmSync(home, { recursive: true })
  })

  const reader = {}
  const readFavorites = (from = db) =>
    readCached(from, reader, 'favorites', async () =>
      (await from.selectFrom('favorite').select('object_id').orderBy('object_id').execute()).map(
        (row) => row.object_id,
      ),
    )
  const counts = () => [changeCountOf(db), countAccessChanges(db), countSessionChanges(db)]

  it('are seen by the next call on the same server', async () => {
    for (let n = 1; n <= 20; n++) {
      await addFavorite(db, n)
      expect(await readFavorites()).toHaveLength(n)
      expect(await readFavorites()).toBe(await readFavorites())
    }
    await db.deleteFrom('favorite').execute()
  })

  it('are not counted for what decides no answer', async () => {
    await readFavorites()
    // Reports of earlier writes have arrived when a later one has.
    await eventually(async () => {
      const before = counts()
      const row = { key: `k${Math.random()}`, resource: 'r', value: 'v', created_on: '', changed_on: '' }
      await db.insertInto('key_value').values(row).execute()
      await db.updateTable('session').set({ seen_at: '2026-01-01' }).execute()
      await db.updateTable('user').set({ login_count: 3 }).execute()
      expect(counts()).toEqual(before)
    })
  })

  it('are counted by what they change', async () => {
    const [content, rights, sessions] = counts()
    await db.deleteFrom('session').where('id', '=', '').execute()
    expect(countSessionChanges(db)).toBeGreaterThan(sessions!)
    await db.updateTable('user').set({ first_name: 'A' }).where('id', '=', 1).execute()
    expect(countAccessChanges(db)).toBeGreaterThan(rights!)
    expect(changeCountOf(db)).toBeGreaterThan(content!)
  })

  it('are seen after those of another process have been reported', async () => {
    for (let n = 1; n <= 5; n++) {
      await addFavorite(other.db, n)
      if (name === 'SQLite') {
        await setImmediate()
        expect(await readFavorites()).toHaveLength(n)
      } else await eventually(async () => expect(await readFavorites()).toHaveLength(n))
    }
    await other.db.deleteFrom('favorite').execute()
    await eventually(async () => expect(await readFavorites()).toEqual([]))
  })

  it('leave nothing stale or wrong when they are rolled back', async () => {
    const before = await readFavorites()
    const attempt = db.transaction().execute(async (trx) => {
      await addFavorite(trx, 7)
      if (name !== 'SQLite') expect(await readFavorites()).toEqual(before)
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    expect(await readFavorites()).toEqual(before)
  })

  it('regression: a value that was read before a commit is not kept after it', async () => {
    const gate = { read: Promise.withResolvers<void>(), committed: Promise.withResolvers<void>() }
    const slow = readCached(db, reader, 'slow', async () => {
      const { length } = await db.selectFrom('favorite').select('object_id').execute()
      gate.read.resolve()
      await gate.committed.promise
      return length
    })
    await gate.read.promise
    await db.transaction().execute((trx) => addFavorite(trx, 8))
    gate.committed.resolve()
    expect(await slow).toBe(0)
    const again = readCached(db, reader, 'slow', async () => (await readFavorites()).length)
    expect(await again).toBe(1)
    await db.deleteFrom('favorite').execute()
  })

  it('are never missed by readers at the same time', async () => {
    let written = 0
    let isOver = false
    const check = async () => {
      while (!isOver) {
        const least = written
        expect((await readFavorites()).length).toBeGreaterThanOrEqual(least)
        await setImmediate()
      }
    }
    const readers = Array.from({ length: 8 }, check)
    for (let n = 1; n <= 60; n++) {
      await (n % 2 ? addFavorite(db, n) : db.transaction().execute((trx) => addFavorite(trx, n)))
      written = n
    }
    isOver = true
    await Promise.all(readers)
    await db.deleteFrom('favorite').execute()
  })
})

describe.each(testStores.filter(([, store]) => store !== 'sqlite'))('without reports from %s', (_name, address) => {
  it('regression: nothing is kept while the connection is silent', async () => {
    const proxy = await startProxy(address)
    const made = await openTestStore(proxy.address, tmpdir(), {
      connectMs: 5000,
      settleMs: 5000,
      listener: { testMs: 50, silentMs: 2000, maxRetryMs: 100 },
    })
    const { db } = made.store
    await until(() => isTracked(db))
    const before = changeCountOf(db)!
    proxy.stall()
    await until(() => !isTracked(db))
    expect(changeCountOf(db)).toBeUndefined()
    proxy.heal()
    await until(() => isTracked(db))
    expect(changeCountOf(db)).toBeGreaterThan(before)
    await made.store.close()
    await made.drop()
    await proxy.close()
  })

  it('nothing is kept, and a change is counted once they arrive again', async () => {
    const made = await openTestStore(address, tmpdir(), {
      connectMs: 5000,
      settleMs: 5000,
      listener: { testMs: 60_000, silentMs: 5000, maxRetryMs: 100 },
    })
    const { db } = made.store
    const other = await made.openAgain()
    expect(changeCountOf(db)).toBeUndefined()
    await until(() => isTracked(db))
    const reader = {}
    const readRoles = () =>
      readCached(db, reader, 'roles', async () => (await db.selectFrom('role').select('id').execute()).length)
    const before = changeCountOf(db)!
    const roles = await readRoles()

    const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen %'`.execute(other.db)
    expect(ended.rows).toHaveLength(1)
    const values = {
      uuid: 'new',
      name: 'New',
      created_on: '',
      changed_on: '',
      created_by_fk: null,
      changed_by_fk: null,
    }
    await other.db.insertInto('role').values(values).execute()
    await until(() => !isTracked(db))
    expect(changeCountOf(db)).toBeUndefined()
    expect(await readRoles()).toBe(roles + 1)
    await until(() => isTracked(db))
    expect(changeCountOf(db)).toBeGreaterThan(before)
    expect(await readRoles()).toBe(roles + 1)
    await other.close()
    await made.store.close()
    await made.drop()
  })
})
