import { once } from 'node:events'
import { chmodSync, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import type { Store } from './open.ts'

const stamp = (now: Date): string => now.toISOString().slice(0, 19).replace(/[-:]/g, '')

/**
 * Copies the whole metadata store to a new file, consistently while the store is in use: SQLite as a SQLite file, PostgreSQL as
 * gzipped lines of JSON, `{table, row}` each; bytes are `{base64}`.
 * @returns the path of the file
 */
export async function backUp(store: Store, folder: string, name: string, now: Date): Promise<string> {
  const path = join(folder, `${name}-${stamp(now)}.${store.kind === 'sqlite' ? 'sqlite' : 'jsonl.gz'}`)
  if (store.copyTo) {
    await store.copyTo(path)
    chmodSync(path, 0o600)
  } else await dump(store.db as unknown as Kysely<Record<string, Record<string, unknown>>>, path)
  return path
}

/** Rows per page; fewer for tables that contain files. */
const pageRows = 1000
const fileBatchRows = 10

const toJsonRow = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value,
    ]),
  )

async function dump(db: Kysely<Record<string, Record<string, unknown>>>, path: string): Promise<void> {
  const zip = createGzip()
  const file = zip.pipe(createWriteStream(path, { mode: 0o600, flags: 'wx' }))
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const { rows: tables } = await sql<{ name: string; has_bytes: boolean }>`
        select table_name as name, exists (select 1 from information_schema.columns as held
          where held.table_schema = current_schema() and held.table_name = tables.table_name and held.data_type = 'bytea'
        ) as has_bytes from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(trx)
      for (const { name, has_bytes } of tables) {
        const batchSize = has_bytes ? fileBatchRows : pageRows
        for (let from = 0; ; from += batchSize) {
          const rows = await trx
            .selectFrom(name)
            .selectAll()
            .orderBy(sql`ctid`)
            .limit(batchSize)
            .offset(from)
            .execute()
          for (const row of rows)
            if (!zip.write(`${JSON.stringify({ table: name, row: toJsonRow(row) })}\n`)) await once(zip, 'drain')
          if (rows.length < batchSize) break
        }
      }
    })
  zip.end()
  await finished(file)
}
