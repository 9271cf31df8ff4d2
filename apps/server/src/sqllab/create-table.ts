import { AppError, message, type Plan, type RunHeader } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { embeddedRow } from '../connection/embedded-table.ts'
import { type DatabaseRow, dataFolderOf, resolveSource } from '../connection/source.ts'
import type { OnProgress } from '../runners/runner-process.ts'
import type { RunStream, QueueOptions } from '../runners/runners.ts'
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
 * file beside the others.
 * @returns a response without rows
 * @throws AppError `query_failed` when the name is taken, `invalid_cvas` for a view, which is not supported here
 */
export async function createTable(
  deps: SqllabDeps,
  database: DatabaseRow,
  { method, table: name }: Target,
  plan: Plan,
  signal: AbortSignal,
  onProgress: OnProgress,
  queueOptions: QueueOptions,
): Promise<RunStream> {
  if (method === 'VIEW')
    throw new AppError('invalid_cvas', {
      message: message(
        'errors.sqllab.noViews',
        'This database does not support views. Create a table or save the query as a dataset.',
      ),
    })
  const { source } = plan
  const nameExists =
    source.kind === 'embedded' && source.tables.some((existing) => existing.name.toLowerCase() === name.toLowerCase())
  if (nameExists)
    throw new AppError('query_failed', {
      message: message('errors.sqllab.tableExists', 'A table named "{table}" already exists. Use another name.', {
        table: name,
      }),
    })
  const tempFolder = join(deps.settings.home, 'passage')
  const path = join(tempFolder, `${randomUUID()}.parquet`)
  const table = { name, file: `${randomUUID()}.1.duckdb`, version: 1, format: 'duckdb', table: 'data' } as const
  try {
    const { chunks } = await deps.runners.stream(
      { ...plan, encode: { as: 'parquet' } },
      signal,
      onProgress,
      queueOptions,
    )
    await mkdir(tempFolder, { recursive: true, mode: 0o700 })
    await pipeline(Readable.from(chunks, { objectMode: false }), createWriteStream(path, { mode: 0o600 }), { signal })
    const folder = dataFolderOf(deps.settings.home, database.uuid)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await deps.runners.load(folder, table, { path, format: 'parquet', select: null }, signal)
    await deps.db.insertInto('embedded_table').values(embeddedRow(database.id, table)).execute()
  } finally {
    await rm(path, { force: true })
  }
  await deps.runners.tablesChanged(await resolveSource(deps, database, 'nobody'))
  async function* rows() {
    if (plan.encode.as === 'rows') yield Buffer.from('[]')
  }
  return { header: emptyHeader, chunks: rows(), totals: Promise.resolve({ rowcount: 0, truncated: false }) }
}
