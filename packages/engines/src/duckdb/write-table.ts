import { closeSync, copyFileSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import bind, { type Connection, type Database } from '@duckdb/node-bindings'
import type { EmbeddedTable } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import type { InstanceLimits } from '../shared/driver.ts'
import { createCellReader } from './cells.ts'
import { duckdbError } from './errors.ts'
import { resolveTableFile, quoteLiteral } from './files.ts'

/** An engine that works on trusted files. */
export interface EngineConnection {
  /** Runs one statement. @throws AppError; `query_stopped` when the signal is aborted */
  run(sql: string): Promise<bind.Result>
  /** Returns the rows of a statement whose columns are all text. */
  texts(sql: string): Promise<(string | null)[][]>
  /** Progress of the current statement, 0 to 100. */
  progress(): number
}

const settings = ({ threads, memoryLimitMb, spillFolder }: InstanceLimits): string[] => [
  `SET threads = ${threads}`,
  `SET memory_limit = '${memoryLimitMb}MiB'`,
  `SET temp_directory = ${quoteLiteral(spillFolder)}`,
  `SET autoinstall_known_extensions = false`,
  `SET autoload_known_extensions = false`,
  `SET TimeZone = 'UTC'`,
  `SET enable_progress_bar = true`,
  `SET enable_progress_bar_print = false`,
]

/** Runs a separate engine over trusted files. It is not locked, unlike those that run users' SQL, so it runs none. */
export async function withEngine<T>(
  limits: InstanceLimits,
  signal: AbortSignal,
  use: (writing: EngineConnection) => Promise<T>,
): Promise<T> {
  const database: Database = await bind.open(':memory:')
  const connection: Connection = await bind.connect(database)
  // An interrupt that arrives before the engine has started is lost, so it is repeated.
  let again: NodeJS.Timeout | undefined
  const interrupt = () => {
    bind.interrupt(connection)
    again ??= setInterval(() => bind.interrupt(connection), 10)
  }
  signal.addEventListener('abort', interrupt)
  const run = async (sql: string) => {
    signal.throwIfAborted()
    try {
      return await bind.query(connection, sql)
    } catch (error) {
      throw signal.aborted ? new AppError('query_stopped', { cause: error }) : fileError(error, sql)
    }
  }
  try {
    for (const setting of settings(limits)) await run(setting)
    return await use({
      run,
      texts: async (sql) => readTexts(await run(sql)),
      progress: () => Math.max(0, bind.query_progress(connection).percentage),
    })
  } finally {
    signal.removeEventListener('abort', interrupt)
    clearInterval(again)
    bind.disconnect_sync(connection)
    bind.close_sync(database)
  }
}

function fileError(error: unknown, sql: string): AppError {
  const message = error instanceof Error ? error.message : String(error)
  if (/No space left on device|ENOSPC|max_temp_directory_size|failed to offload/i.test(message))
    return new AppError('disk_full', { cause: error })
  return duckdbError(error, sql)
}

/**
 * Writes the file of one table as a draft in the same folder, and renames it when it is complete and `isKept` is true.
 * @param base  a table whose rows come first
 * @param fill  writes into the attached database `draft`
 */
export async function writeTable<T>(
  folder: string,
  {
    table,
    base,
    fill,
  }: {
    table: EmbeddedTable
    base: EmbeddedTable | null
    fill(writing: EngineConnection, hasBase: boolean): Promise<{ isKept: boolean; result: T }>
  },
  limits: InstanceLimits,
  signal: AbortSignal,
): Promise<T> {
  if (table.format !== 'duckdb' || basename(table.file) !== table.file)
    throw new AppError('bad_request', {
      message: message('errors.engines.tableFile', 'A table must be written to a .duckdb file in its folder.'),
    })
  const draft = join(folder, `.${table.file}.tmp`)
  removeStaleDrafts(folder)
  removeDraft(draft)
  try {
    if (base) copyFileSync(resolveTableFile(folder, base), draft)
    const { isKept, result } = await withEngine(limits, signal, async (writing) => {
      await writing.run(`ATTACH ${quoteLiteral(draft)} AS draft`)
      const filled = await fill(writing, base !== null)
      await writing.run('DETACH draft')
      return filled
    })
    signal.throwIfAborted()
    if (isKept) {
      syncToDisk(draft)
      renameSync(draft, join(folder, table.file))
      syncToDisk(folder)
    }
    return result
  } finally {
    removeDraft(draft)
  }
}

/** Loads end long before, so an older draft is from a process that was killed. */
const staleAfterMs = 3_600_000

function removeStaleDrafts(folder: string): void {
  for (const file of readdirSync(folder)) {
    if (!file.startsWith('.') || !/\.tmp(\.wal)?$/.test(file)) continue
    const path = join(folder, file)
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (changed < Date.now() - staleAfterMs) rmSync(path, { force: true })
  }
}

/** Several tables may be written into a folder at the same time, each with its own draft. */
function removeDraft(draft: string): void {
  for (const path of [draft, `${draft}.wal`]) rmSync(path, { force: true })
}

/** Flushes the file to disk before it is renamed, and the folder afterwards. */
function syncToDisk(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Reads a few rows of texts: messages, names and samples. */
function readTexts(result: bind.Result): (string | null)[][] {
  const rows: (string | null)[][] = []
  for (let index = 0; index < bind.result_chunk_count(result); index++) {
    const chunk = bind.result_get_chunk(result, index)
    const size = bind.data_chunk_get_size(chunk)
    const columns = Array.from({ length: bind.column_count(result) }, (_, column) =>
      createCellReader(bind.data_chunk_get_vector(chunk, column), bind.column_logical_type(result, column), size),
    )
    for (let row = 0; row < size; row++) rows.push(columns.map((cells) => (cells.isNull(row) ? null : cells.text(row))))
  }
  return rows
}
