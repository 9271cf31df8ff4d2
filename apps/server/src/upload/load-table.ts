import { mkdirSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { AppError, message, type EmbeddedTable, type FileLoadResult, type FileToLoad } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import { createDataset, findDatasetAt, type DatasetWriteContext, refreshDataset } from '../dataset/save-dataset.ts'
import type { DatasetRow } from '../dataset/stored-dataset.ts'
import { embeddedRow, embeddedTable, tableFileName } from '../connection/embedded-table.ts'
import { type DatabaseRow, dataFolderOf, resolveSource } from '../connection/source.ts'
import { checkNewTableName } from '../connection/new-table-name.ts'
import { tableQuota } from '../connection/table-quota.ts'
import type { ReadContext } from '../http/resource.ts'
import { can } from '../access/access.ts'
import { requesterKey } from '../access/principal.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import { checkQuota } from '../store/storage-quota.ts'
import { withReadAccess, mainSchema } from './targets.ts'

export interface LoadOrder {
  database: DatabaseRow
  table_name: string
  already_exists: 'fail' | 'replace' | 'append'
  file: FileToLoad
}

export interface ExistingTable {
  table: EmbeddedTable | undefined
  dataset: DatasetRow | undefined
}

/** Finds the existing table and dataset of a name: table names of an embedded engine are case-insensitive. */
export async function findExisting(
  { db }: ReadContext,
  database: DatabaseRow,
  table_name: string,
): Promise<ExistingTable> {
  const row = await db
    .selectFrom('embedded_table')
    .selectAll()
    .where('database_id', '=', database.id)
    .where(sql<SqlBool>`lower(name) = ${table_name.toLowerCase()}`)
    .executeTakeFirst()
  const name = row?.name ?? table_name
  const location = { database_id: database.id, catalog: null, table_name: name }
  const dataset =
    (await findDatasetAt(db, { ...location, schema: mainSchema })) ??
    (await findDatasetAt(db, { ...location, schema: null }))
  if (!row) return { table: undefined, dataset }
  return { table: embeddedTable(row), dataset }
}

/** Replacing or appending to a table changes its dataset; a table without a dataset requires access to the whole database. */
export const canChangeTable = async (
  context: ReadContext,
  database: DatabaseRow,
  { dataset }: ExistingTable,
): Promise<boolean> =>
  dataset
    ? can(context, ['can_write', 'Dataset'], { kind: 'dataset', id: dataset.id })
    : canReadAll(context.principal, database)

/** Loads into a name run one at a time: the later one finds what the earlier one created. */
const loadQueues = new Map<string, Promise<unknown>>()

export async function runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = loadQueues.get(key) ?? Promise.resolve()
  const current = before.catch(() => {}).then(work)
  loadQueues.set(key, current)
  try {
    return await current
  } finally {
    if (loadQueues.get(key) === current) loadQueues.delete(key)
  }
}

/**
 * Loads a file into a table of an embedded database: into a new file, which atomically replaces the old one, and its dataset is
 * created or refreshed. While consent is missing, nothing is written.
 * @throws AppError `unprocessable` for a name that is taken or that `checkNewTableName` refuses; `forbidden` for a table of another user; `too_large` beyond the
 * quota of the user; errors of the runner about the file
 */
export function loadTable(
  context: DatasetWriteContext,
  order: LoadOrder,
  onProgress: (percent: number) => void = () => {},
): Promise<{ loaded: FileLoadResult; dataset_id: number | null }> {
  const key = `${order.database.id} ${order.table_name.toLowerCase()}`
  return runExclusive(key, () => loadAlone(context, order, onProgress))
}

async function loadAlone(
  context: DatasetWriteContext,
  { database, table_name, already_exists, file }: LoadOrder,
  onProgress: (percent: number) => void,
): Promise<{ loaded: FileLoadResult; dataset_id: number | null }> {
  const { deps, signal } = context
  signal.throwIfAborted()
  const before = await findExisting(context, database, table_name)
  if (!before.table) checkNewTableName(table_name)
  if (before.table && already_exists === 'fail') throw tableExists(before.table.name)
  if (before.table && !(await canChangeTable(context, database, before)))
    throw new AppError('forbidden', {
      message: message(
        'errors.upload.tableOfAnother',
        'The table {name} belongs to another user. Choose another name.',
        { name: before.table.name },
      ),
    })

  const folder = dataFolderOf(deps.settings.home, database.uuid)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const version = (before.table?.version ?? 0) + 1
  const name = before.table?.name ?? table_name
  const table: EmbeddedTable = { name, file: tableFileName(randomUUID()), version, format: 'duckdb', table: 'data' }
  const append = already_exists === 'append' ? (before.table ?? null) : null
  const loaded = await deps.runners.loadFile(
    { folder, table, file, append },
    signal,
    requesterKey(context.principal),
    onProgress,
  )
  if (!loaded.written) return { loaded, dataset_id: null }
  try {
    signal.throwIfAborted()
    const { size } = await stat(join(folder, table.file))
    await saveTable(context, database, before.table, { table, size })
  } catch (error) {
    await rm(join(folder, table.file), { force: true })
    throw error
  }
  await deps.runners.tablesChanged(await resolveSource(deps, database, 'system'))
  if (before.table && before.table.format === 'duckdb') await rm(join(folder, before.table.file), { force: true })
  // The table exists now: a cancel comes too late, so its dataset is created anyway.
  const detachedContext = { ...context, signal: new AbortController().signal }
  return { loaded, dataset_id: await ensureDataset(detachedContext, database, name, before.dataset) }
}

export const tableExists = (name: string): AppError =>
  new AppError('unprocessable', {
    message: message(
      'errors.upload.tableExists',
      'The table {name} already exists. Replace it, append to it, or choose another name.',
      { name },
    ),
  })

/** Records a loaded table. It counts for the user who has loaded the last file into it. */
async function saveTable(
  { db, deps, principal }: DatasetWriteContext,
  database: DatabaseRow,
  before: EmbeddedTable | undefined,
  { table, size }: { table: EmbeddedTable; size: number },
): Promise<void> {
  const row = { ...embeddedRow(database.id, table), size, created_by_fk: principal.id }
  await db.transaction().execute(async (trx) => {
    if (before) {
      const changed = await trx
        .updateTable('embedded_table')
        .set(row)
        .where('database_id', '=', database.id)
        .where('name', '=', table.name)
        .where('version', '=', before.version)
        .executeTakeFirst()
      if (Number(changed.numUpdatedRows) !== 1) throw new AppError('conflict')
    } else await trx.insertInto('embedded_table').values(row).execute()
    await checkQuota(trx, principal.id, tableQuota(deps.settings.config.UPLOAD_QUOTA_MB))
  })
}

async function ensureDataset(
  context: DatasetWriteContext,
  database: DatabaseRow,
  table_name: string,
  dataset: DatasetRow | undefined,
): Promise<number> {
  const reader = { ...context, principal: withReadAccess(context.principal, database) }
  if (!dataset)
    return createDataset(reader, {
      database: database.id,
      schema: mainSchema,
      table_name,
      filter_select_enabled: true,
    })
  await refreshDataset(reader, dataset)
  return dataset.id
}
