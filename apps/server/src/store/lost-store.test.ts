import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { openSqlite, openStore, storePath } from './open.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'parquetry-lost-'))
  for (const folder of ['data', 'backups']) mkdirSync(join(home, folder))
})
afterEach(() => rmSync(home, { recursive: true }))

const open = () => openStore({ metadataUrl: null, home })

async function createStore(): Promise<void> {
  const store = await open()
  await migrate(store, async () => {})
  await store.close()
}

const traces: [string, () => void][] = [
  ['keys', () => writeFileSync(join(home, 'keys.json'), '{}')],
  ['the id of its server', () => writeFileSync(join(home, 'server-id'), 'id')],
  ['tables', () => writeFileSync(join(home, 'data', 'sales.duckdb'), 'rows')],
  ['a backup', () => writeFileSync(join(home, 'backups', 'store.sqlite'), 'copy')],
]

const losses: [string, () => Promise<void>][] = [
  ['removed', async () => rmSync(storePath(home))],
  ['emptied', async () => truncateSync(storePath(home))],
  ['stripped of its tables', () => loseTables()],
]

async function loseTables(): Promise<void> {
  rmSync(storePath(home))
  const empty = await openSqlite(storePath(home))
  await sql`pragma user_version = 1`.execute(empty.db)
  await empty.close()
}

describe.each(losses)('regression: a store that was %s', (_loss, lose) => {
  it.each(traces)('is not replaced by a new one in a home folder with %s', async (_trace, leaveTrace) => {
    await createStore()
    leaveTrace()
    await lose()
    await expect(open()).rejects.toMatchObject({
      exitCode: 5,
      message: expect.stringContaining(`Restore a backup from ${join(home, 'backups')}`) as string,
    })
  })

  it('is recreated when the home folder holds no other data', async () => {
    await createStore()
    await lose()
    await createStore()
  })
})
