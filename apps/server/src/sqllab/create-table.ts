import { AppError, message, type Plan, type RunHeader } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Principal } from '../access/principal.ts'
import { embeddedRow, tableFileName } from '../connection/embedded-table.ts'
import { type DatabaseRow, dataFolderOf, defaultSchemaOf, resolveSource } from '../connection/source.ts'
import { requireTableSpace, tableQuota } from '../connection/table-quota.ts'
import { findTableWithRules } from '../row-level-security/load-rules.ts'
import type { OnProgress } from '../runners/runner-process.ts'
import type { RunStream, QueueOptions } from '../runners/runners.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import type { TableName } from '@parquetry/sql'
import { checkQuota } from '../store/storage-quota.ts'
import type { Target } from './create-as.ts'
import type { SqllabDeps } from './deps.ts'

const emptyHeader: RunHeader = {
  columns: [],
  rowcount: 0,
  sql_rowcount: 0,
  truncated: false,
  labelMap: null,
  indexNames: null,
  engineMs: 0,
  totalMs: 0,
  stepError: null,
}

/**
 * CREATE TABLE AS on an embedded database: a session that cannot write reads the rows, and our own job writes them to a table
 * file beside the others. The table belongs to the user like one from a file: it counts for the quota.
 * @returns a response without rows
 * @throws AppError what `checkEmbeddedTarget` refuses; `query_failed` when the name is taken; `too_large` beyond the quota
 */
export async function createTable(
  deps: SqllabDeps,
  database: DatabaseRow,
  principal: Principal,
  target: Target,
  plan: Plan,
  signal: AbortSignal,
  onProgress: OnProgress,
  queueOptions: QueueOptions,
): Promise<RunStream> {
  checkEmbeddedTarget(database, principal, target)
  const { table: name } = target
  const quotaMb = deps.settings.config.UPLOAD_QUOTA_MB
  await requireTableSpace(deps.db, principal.id, quotaMb)
  await requireFreeName(deps, database, name)
  const tempFolder = join(deps.settings.home, 'passage')
  const path = join(tempFolder, `${randomUUID()}.parquet`)
  const folder = dataFolderOf(deps.settings.home, database.uuid)
  const table = { name, file: tableFileName(randomUUID()), version: 1, format: 'duckdb', table: 'data' } as const
  try {
    const { chunks } = await deps.runners.stream(
      { ...plan, encode: { as: 'parquet' } },
      signal,
      onProgress,
      queueOptions,
    )
    await mkdir(tempFolder, { recursive: true, mode: 0o700 })
    await pipeline(Readable.from(chunks, { objectMode: false }), createWriteStream(path, { mode: 0o600 }), { signal })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await deps.runners.load(folder, table, { path, format: 'parquet', select: null }, signal)
    const { size } = await stat(join(folder, table.file))
    // The query may have taken long: another run can have created a table of this name meanwhile.
    await requireFreeName(deps, database, name)
    await deps.db.transaction().execute(async (trx) => {
      const row = { ...embeddedRow(database.id, table), size, created_by_fk: principal.id }
      await trx.insertInto('embedded_table').values(row).execute()
      await checkQuota(trx, principal.id, tableQuota(quotaMb))
    })
  } catch (error) {
    await rm(join(folder, table.file), { force: true })
    throw error
  } finally {
    await rm(path, { force: true })
  }
  await deps.runners.tablesChanged(await resolveSource(deps, database, 'system'))
  async function* rows() {
    if (plan.encode.as === 'rows') yield Buffer.from('[]')
  }
  return { header: emptyHeader, chunks: rows(), totals: Promise.resolve({ rowcount: 0, truncated: false }) }
}

/**
 * Checks that no table which a new table of an embedded database copies has row-level security rules: everyone who may read the
 * database would see its rows in the copy.
 * @throws AppError `sql_not_allowed`
 */
export async function checkCopiedTables(
  deps: SqllabDeps,
  database: DatabaseRow,
  tables: readonly TableName[],
): Promise<void> {
  const restricted = await findTableWithRules(deps.db, database, tables)
  if (!restricted) return
  throw new AppError('sql_not_allowed', {
    message: message(
      'errors.sqllab.copyWithoutRules',
      'The table "{table}" has row-level security rules, which a copy would not have. Save the query as a dataset instead.',
      { table: restricted.name },
    ),
  })
}

/**
 * Checks that the user can create, and afterwards read, a table in an embedded database.
 * @throws AppError `unsupported` for a view; `bad_request` for another schema than the only one; `query_access` for users who may
 * read only some tables, since nothing would grant them the new one
 */
export function checkEmbeddedTarget(database: DatabaseRow, principal: Principal, { method, schema }: Target): void {
  if (method === 'VIEW')
    throw new AppError('unsupported', {
      message: message(
        'errors.sqllab.noViews',
        'This database does not support views. Create a table or save the query as a dataset.',
      ),
    })
  const only = defaultSchemaOf(database)
  if (schema !== null && schema.toLowerCase() !== only.toLowerCase())
    throw new AppError('bad_request', {
      message: database.force_ctas_schema
        ? message(
            'errors.sqllab.onlySchema',
            'New tables of this database must go to the schema "{schema}", but the database has only the schema "{only}". Ask an administrator to change the connection.',
            { schema, only },
          )
        : message(
            'errors.sqllab.otherSchema',
            'This database has only the schema "{only}", so a table cannot be created in the schema "{schema}".',
            { schema, only },
          ),
    })
  if (!canReadAll(principal, database))
    throw new AppError('query_access', {
      message: message(
        'errors.sqllab.tableNotReadable',
        'You can read only some tables of this database, so you could not read a new one. Ask for access to the whole database, or save the query as a dataset.',
      ),
    })
}

/** @throws AppError `query_failed`; names of tables are case-insensitive */
async function requireFreeName(deps: SqllabDeps, database: DatabaseRow, name: string): Promise<void> {
  const source = await resolveSource(deps, database, 'system')
  if (source.kind === 'embedded' && source.tables.some((table) => table.name.toLowerCase() === name.toLowerCase()))
    throw new AppError('query_failed', {
      message: message('errors.sqllab.tableExists', 'A table named "{table}" already exists. Use another name.', {
        table: name,
      }),
    })
}
