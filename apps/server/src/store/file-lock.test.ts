import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { whenUnlocked } from './file-lock.ts'
import { runLongTransaction } from './long-transaction.ts'
import { openSqlite, type Store } from './open.ts'

let folder: string
let store: Store
let other: Database.Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parquetry-test-'))
  const path = join(folder, 'a.sqlite')
  other = new Database(path)
  other.exec('create table schema_version (version integer); create table custom_tag (name text)')
  store = await openSqlite(path)
  other.exec(`begin immediate; insert into custom_tag values ('other')`)
})
afterEach(async () => {
  await store.close()
  other.close()
  rmSync(folder, { recursive: true })
})

const add = (db: Store['db'], name: string) =>
  db
    .insertInto('custom_tag')
    .values({ name } as never)
    .execute()
const names = async (db: Store['db']) =>
  (await db.selectFrom('custom_tag').select('name').execute()).map(({ name }) => name)

/** Statements of this process while another program writes. */
const writes: Record<string, () => Promise<unknown>> = {
  statement: () => add(store.db, 'own'),
  transaction: () =>
    store.db.transaction().execute(async (trx) => {
      expect(await names(trx)).toEqual(['other'])
      await add(trx, 'own')
    }),
  'long transaction': () => runLongTransaction(store.db, (trx) => add(trx, 'own')),
}

describe.each(Object.entries(writes))('while another program writes, a %s', (_name, write) => {
  it('waits for it, and others read on', async () => {
    let isOver = false
    const startedAt = performance.now()
    const written = write().then(() => (isOver = true))
    for (let turn = 0; turn < 5; turn++) {
      expect(await names(store.db)).toEqual([])
      await setTimeout(2)
    }
    expect(isOver).toBe(false)
    // A statement that waits in SQLite blocks the process for five seconds.
    expect(performance.now() - startedAt).toBeLessThan(4000)
    other.exec('commit')
    await written
    expect(await names(store.db)).toEqual(['other', 'own'])
  })
})

it('a write gives up at last, with an error that says so', async () => {
  const third = new Database(join(folder, 'a.sqlite'), { timeout: 0 })
  const attempt = whenUnlocked(async () => third.exec('begin immediate'), 20)
  await expect(attempt).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('Another program is writing to the metadata store') as string,
  })
  third.close()
})

it('other errors are not tried again', async () => {
  let attempts = 0
  const attempt = whenUnlocked(async () => {
    attempts += 1
    throw new Error('no')
  })
  await expect(attempt).rejects.toThrow('no')
  expect(attempts).toBe(1)
})
