import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, testStores } from '../testing.ts'
import { backUp } from './backup.ts'
import { migrate, readSchemaVersion } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openSqlite } from './open.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parquetry-store-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('ignores case in searches in every alphabet', async () => {
  for (const [, store] of testStores) {
    const server = await startTestServer({ store })
    const { rows } = await sql<{ text: string }>`select lower(${'ÜNÏ ΣΊΓΜΑ'}) as text`.execute(server.deps.db)
    expect(rows).toEqual([{ text: 'ünï σίγμα' }])
    await server.close()
  }
})

describe('a SQLite store', () => {
  const path = () => join(folder, 'parquetry.sqlite')

  it('is rejected when it is not a store or is damaged', async () => {
    writeFileSync(path(), 'this is no database at all, but it is long enough to be looked at')
    await expect(openSqlite(path())).rejects.toMatchObject({ exitCode: 5 })
    rmSync(path())
    const store = await openSqlite(path())
    await migrate(store, async () => {})
    await store.close()
    const bytes = readFileSync(path())
    bytes.fill(0xff, 4096, 12_288)
    writeFileSync(path(), bytes)
    await expect(openSqlite(path())).rejects.toMatchObject({
      exitCode: 5,
      message: expect.stringMatching(/damaged/) as string,
    })
  })

  it('is rejected when a newer version wrote it', async () => {
    const store = await openSqlite(path())
    await migrate(store, async () => {})
    await sql`insert into schema_version (n, name, at) values (99, 'later', '')`.execute(store.db)
    await expect(migrate(store, async () => {})).rejects.toMatchObject({ exitCode: 5 })
    await store.close()
  })

  it('is backed up before a migration unless it is empty', async () => {
    const store = await openSqlite(path())
    const backedUpVersions: number[] = []
    const backUpBefore = async (from: number) => {
      backedUpVersions.push(from)
    }
    expect(await migrate(store, backUpBefore)).toEqual({ from: 0, to: migrations.length })
    expect(backedUpVersions).toEqual([])
    const later: (typeof migrations)[number] = {
      name: 'later',
      up: async (db) => void (await sql`create table later (n integer)`.execute(db)),
    }
    expect(await migrate(store, backUpBefore, [...migrations, later])).toMatchObject({ from: migrations.length })
    expect(backedUpVersions).toEqual([migrations.length])
    await store.close()
  })
})

it('datasets from before the setting had an effect keep offering values', async () => {
  const store = await openSqlite(join(folder, 'parquetry.sqlite'))
  const index = migrations.findIndex((each) => each.name === '0013-values-are-offered')
  await migrate(store, async () => {}, migrations.slice(0, index))
  await sql`pragma foreign_keys = off`.execute(store.db)
  const { rows } = await sql<{ name: string; type: string }>`
    select name, type from pragma_table_info('dataset') where "notnull" = 1 and dflt_value is null and pk = 0`.execute(
    store.db,
  )
  const columns = rows.map(({ name }) => sql.ref(name))
  const values = rows.map(({ type }) => (/int/i.test(type) ? 0 : ''))
  await sql`insert into dataset (${sql.join(columns)}) values (${sql.join(values)})`.execute(store.db)
  await migrate(store, async () => {})
  expect(await store.db.selectFrom('dataset').select('filter_select_enabled').execute()).toEqual([
    { filter_select_enabled: 1 },
  ])
  await store.close()
})

it('the migration to tasks sets the time of the last change of existing jobs', async () => {
  const store = await openSqlite(join(folder, 'parquetry.sqlite'))
  const index = migrations.findIndex((each) => each.name.endsWith('tasks'))
  await migrate(store, async () => {}, migrations.slice(0, index))
  await sql`insert into job (uuid, kind, payload, state, user_id, attempts, created_on, started_on, ended_on) values
    ('a', 'k', '{}', 'pending', 1, 0, '2026-01-01', null, null),
    ('b', 'k', '{}', 'running', 1, 1, '2026-01-01', '2026-01-02', null),
    ('c', 'k', '{}', 'done', null, 1, '2026-01-01', '2026-01-02', '2026-01-03')`.execute(store.db)
  await migrate(store, async () => {})
  expect(await store.db.selectFrom('task').select(['uuid', 'status', 'scope', 'changed_on']).execute()).toEqual([
    { uuid: 'a', status: 'pending', scope: 'private', changed_on: '2026-01-01' },
    { uuid: 'b', status: 'in_progress', scope: 'private', changed_on: '2026-01-02' },
    { uuid: 'c', status: 'success', scope: 'system', changed_on: '2026-01-03' },
  ])
  await store.close()
})

it('tables of files from before quotas count for the authors of their datasets', async () => {
  const store = await openSqlite(join(folder, 'parquetry.sqlite'))
  const index = migrations.findIndex((each) => each.name.endsWith('storage-quotas'))
  await migrate(store, async () => {}, migrations.slice(0, index))
  await sql`pragma foreign_keys = off`.execute(store.db)
  const insert = async (table: string, values: Record<string, unknown>) => {
    const { rows } = await sql<{ name: string; type: string }>`
      select name, type from pragma_table_info(${table}) where "notnull" = 1 and dflt_value is null and pk = 0`.execute(
      store.db,
    )
    const required = Object.fromEntries(rows.map(({ name, type }) => [name, /int/i.test(type) ? 0 : '']))
    const entries = Object.entries({ ...required, ...values })
    await sql`insert into ${sql.table(table)} (${sql.join(entries.map(([name]) => sql.ref(name)))})
      values (${sql.join(entries.map(([, value]) => value))})`.execute(store.db)
  }
  await insert('dataset', { database_id: 1, table_name: 'a', created_by_fk: 7 })
  await insert('embedded_table', { database_id: 1, name: 'a', file: 'upload-1.duckdb' })
  await insert('embedded_table', { database_id: 1, name: 'b', file: 'upload-2.duckdb' })
  await insert('embedded_table', { database_id: 2, name: 'a', file: 'other.1.duckdb' })
  await migrate(store, async () => {})
  const tables = await store.db.selectFrom('embedded_table').select(['file', 'created_by_fk', 'size']).execute()
  expect(tables.map(({ file, created_by_fk }) => [file, created_by_fk])).toEqual([
    ['upload-1.duckdb', 7],
    ['upload-2.duckdb', null],
    ['other.1.duckdb', null],
  ])
  await store.close()
})

describe.each(testStores)('a store on %s', (name, store) => {
  it('is copied completely while it is in use', async () => {
    const server = await startTestServer({ store })
    const { db } = server.deps
    const copied =
      name === 'SQLite'
        ? await openSqlite(join(server.home, 'parquetry.sqlite'))
        : { kind: 'postgres' as const, db, close: async () => {} }
    const path = await backUp(copied, folder, 'copy', new Date())
    if (name === 'SQLite') {
      await copied.close()
      const copy = await openSqlite(path)
      expect(await readSchemaVersion(copy)).toBe(migrations.length)
      expect(await copy.db.selectFrom('user').select('username').execute()).toHaveLength(5)
      await copy.close()
    } else {
      const lines = gunzipSync(readFileSync(path)).toString().trim().split('\n')
      const rows = lines.map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> })
      expect(rows.filter(({ table }) => table === 'user').map(({ row }) => row['username'])).toContain('admin')
    }
    expect(readdirSync(folder)).toHaveLength(1)
    await server.close()
  })

  it('is migrated once when two servers start', async () => {
    const server = await startTestServer({ store })
    const { db } = server.deps
    const opened = { kind: name === 'SQLite' ? ('sqlite' as const) : ('postgres' as const), db, close: async () => {} }
    await Promise.all([migrate(opened, async () => {}), migrate(opened, async () => {})])
    expect(await readSchemaVersion(opened)).toBe(migrations.length)
    await server.close()
  })
})
