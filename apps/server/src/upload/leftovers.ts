import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { UploadDeps } from './deps.ts'

const tableFilePattern = /^upload-[0-9a-f-]{36}\.duckdb$/
const draftPattern = /^\..*\.tmp(\.wal)?$/

/**
 * Deletes table files that no table uses, and drafts: leftovers of a server that was killed between writing a file and recording
 * it.
 */
export async function removeLeftovers({
  db,
  settings,
  log,
}: Pick<UploadDeps, 'db' | 'settings' | 'log'>): Promise<void> {
  const data = join(settings.home, 'data')
  if (!statSync(data, { throwIfNoEntry: false })) return
  const rows = await db
    .selectFrom('embedded_table')
    .innerJoin('database', 'database.id', 'embedded_table.database_id')
    .select(['database.uuid', 'embedded_table.id', 'file', 'size', 'embedded_table.created_by_fk'])
    .execute()
  // Tables loaded before sizes were stored.
  for (const { id, uuid, file, size, created_by_fk } of rows) {
    const found = size === null && created_by_fk !== null && statSync(join(data, uuid, file), { throwIfNoEntry: false })
    if (found) await db.updateTable('embedded_table').set({ size: found.size }).where('id', '=', id).execute()
  }
  const usedFiles = new Set(rows.map(({ uuid, file }) => join(uuid, file)))
  for (const folder of readdirSync(data, { withFileTypes: true })) {
    if (!folder.isDirectory()) continue
    for (const file of readdirSync(join(data, folder.name)))
      if (draftPattern.test(file) || (tableFilePattern.test(file) && !usedFiles.has(join(folder.name, file)))) {
        rmSync(join(data, folder.name, file), { force: true })
        log.warn({ file }, 'removed a leftover file of an interrupted load')
      }
  }
}
