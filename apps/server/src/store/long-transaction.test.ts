import Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../testing.ts'
import { changeCountOf } from './changes.ts'
import { runLongTransaction } from './long-transaction.ts'
import { storePath } from './open.ts'
import { SqliteLongTransactions } from './sqlite-long-transactions.ts'
import { SqliteTurns } from './sqlite-turns.ts'
import { withStatementCache } from './statement-cache.ts'
import type { Tables } from './tables.ts'

const add = (db: Kysely<Tables>, template_name: string, css = '') =>
  db
    .insertInto('css_template')
    .values({ template_name, css, uuid: template_name, created_on: '', changed_on: '' })
    .execute()
const list = async (db: Kysely<Tables>) => {
  const rows = await db.selectFrom('css_template').select('template_name').orderBy('id').execute()
  return rows.map(({ template_name }) => template_name)
}

describe.each(testStores)('a long transaction on %s', (_name, store) => {
  let server: TestServer
  let db: Kysely<Tables>
  beforeEach(async () => {
    server = await startTestServer({ store })
    db = server.deps.db
    await db.deleteFrom('css_template').execute()
  })
  afterEach(() => server.close())

  /** Starts a long transaction that has written one row. */
  async function begin() {
    const written = Promise.withResolvers<void>()
    const may = Promise.withResolvers<void>()
    const ended = runLongTransaction(db, async (trx) => {
      await add(trx, 'long')
      expect(await list(trx)).toContain('long')
      written.resolve()
      await may.promise
    })
    await Promise.race([written.promise, ended])
    return { ended, commit: may.resolve, fail: () => may.reject(new Error('failed')) }
  }

  it('LIST-019: lets others read what was there before', async () => {
    const admin = server.as('admin')
    await admin.get('/api/v1/me/')
    const { ended, commit } = await begin()
    expect(await list(db)).toEqual([])
    expect((await admin.get('/api/v1/css_template/')).json()).toMatchObject({ count: 0 })
    const before = changeCountOf(db)!
    commit()
    await ended
    expect(await list(db)).toEqual(['long'])
    await expect.poll(() => changeCountOf(db)).toBeGreaterThan(before)
    expect((await admin.get('/api/v1/css_template/')).json()).toMatchObject({ count: 1 })
  })

  it('leaves nothing when it fails, and others go on', async () => {
    const { ended, fail } = await begin()
    const other = add(db, 'other')
    fail()
    await expect(ended).rejects.toThrow('failed')
    await other
    expect(await list(db)).toEqual(['other'])
  })

  it('regression: many at once leave connections for others', async () => {
    const { ended, commit } = await begin()
    const others = Array.from({ length: 12 }, (_, n) =>
      runLongTransaction(db, async (trx) => {
        await add(trx, `other ${n}`)
        // As long as the first one, as imports that wait for the same lock.
        await ended
      }),
    )
    await new Promise((resolve) => setImmediate(resolve))
    expect(await list(db)).toEqual([])
    commit()
    await Promise.all(others)
    expect(await list(db)).toHaveLength(13)
  })

  if (store !== 'sqlite') return

  it('lets writes, transactions and other long ones wait without blocking anyone', async () => {
    const { ended, commit } = await begin()
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    const waiting = [
      add(db, 'statement').then(note('statement')),
      db
        .transaction()
        .execute(async (trx) => {
          await add(trx, 'one')
          await add(trx, 'two')
        })
        .then(note('transaction')),
      runLongTransaction(db, (trx) => add(trx, 'later')).then(note('long')),
    ]
    const startedAt = performance.now()
    expect(await list(db)).toEqual([])
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual([])
    // A statement that met the lock of the file would have blocked the process for five seconds.
    expect(performance.now() - startedAt).toBeLessThan(4000)
    commit()
    await Promise.all([ended, ...waiting])
    const names = await list(db)
    expect(names[0]).toBe('long')
    expect(new Set(names)).toEqual(new Set(['later', 'long', 'one', 'statement', 'two']))
    expect(names.indexOf('two')).toBe(names.indexOf('one') + 1)
  })

  it('is copied from its log into the file without the next writer', async () => {
    const path = storePath(server.home)
    await runLongTransaction(db, async (trx) => {
      for (let n = 0; n < 20; n++) await add(trx, `large ${n}`, 'x'.repeat(1 << 20))
    })
    await expect.poll(() => statSync(path).size).toBeGreaterThan(20 << 20)
    const pages = async () => {
      const { rows } = await sql<{ wal_autocheckpoint: number }>`pragma wal_autocheckpoint`.execute(db)
      return rows[0]?.wal_autocheckpoint
    }
    await expect.poll(pages).toBe(1000)
    await add(db, 'later')
    // Otherwise each later transaction would start a thread.
    expect(statSync(`${path}-wal`).size).toBe(16 << 20)
  })

  it('regression: a file that was moved stays as it is, and none is created in its place', async () => {
    const path = storePath(server.home)
    await add(db, 'kept')
    renameSync(path, `${path}.old`)
    await expect(runLongTransaction(db, (trx) => add(trx, 'lost'))).rejects.toMatchObject({ code: 'unavailable' })
    expect(existsSync(path)).toBe(false)
    renameSync(`${path}.old`, path)
    await runLongTransaction(db, (trx) => add(trx, 'later'))
    expect(await list(db)).toEqual(['kept', 'later'])
  })
})

it('regression: two that end while their logs are copied leave the copying of later logs turned on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-test-'))
  const path = join(folder, 'log.sqlite')
  const connect = () => {
    const database = new Database(path)
    database.pragma('journal_mode = WAL')
    return database
  }
  const shared = connect()
  shared.exec('create table large (value text)')
  const turns = new SqliteTurns()
  const long = new SqliteLongTransactions({
    path,
    shared,
    turns,
    largeLogBytes: 1 << 20,
    connect,
    withCache: withStatementCache,
    onEnd() {},
  })
  const addLarge = () => long.run((trx) => sql`insert into large values (zeroblob(5000000))`.execute(trx), [])
  await Promise.all([addLarge(), addLarge(), addLarge()])
  await long.close()
  expect(shared.pragma('wal_autocheckpoint', { simple: true })).toBe(1000)
  shared.close()
  rmSync(folder, { recursive: true })
})
