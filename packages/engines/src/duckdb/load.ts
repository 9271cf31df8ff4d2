import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import bind from '@duckdb/node-bindings'
import { AppError } from '@parquetry/model'
import type { InstanceLimits, LoadRequest } from '../shared/driver.ts'
import { duckdbError } from './errors.ts'
import { literal, readFile } from './files.ts'
import { quoted } from './session.ts'

/** Only in this process and only for files of ours: the instance is open, unlike those that run users' SQL. */
export async function load(
  { folder, table, from, signal }: LoadRequest,
  limits: InstanceLimits,
): Promise<{ rows: number }> {
  if (table.format !== 'duckdb' || basename(table.file) !== table.file)
    throw new AppError('bad_request', { message: 'A table is written as a .duckdb file in its folder.' })
  const path = join(folder, table.file)
  removeDrafts(folder)
  const draft = join(folder, `.${table.file}.tmp`)
  const database = await bind.open(':memory:')
  const connection = await bind.connect(database)
  const interrupt = () => bind.interrupt(connection)
  signal.addEventListener('abort', interrupt)
  let sql = ''
  const run = (text: string) => {
    signal.throwIfAborted()
    sql = text
    return bind.query(connection, text)
  }
  try {
    await run(`SET threads = ${limits.threads}`)
    await run(`SET memory_limit = '${limits.memoryLimitMb}MiB'`)
    await run(`SET temp_directory = ${literal(limits.spillFolder)}`)
    await run(`SET autoinstall_known_extensions = false`)
    await run(`SET TimeZone = 'UTC'`)
    await run(`CREATE VIEW source AS SELECT * FROM ${readFile(from.path, from.format)}`)
    await run(`ATTACH ${literal(draft)} AS draft`)
    const select = from.select ?? 'SELECT * FROM source'
    const created = await run(`CREATE TABLE draft.${quoted(table.table)} AS ${select}`)
    const rows = createdRows(created)
    await run('DETACH draft')
    sync(draft)
    renameSync(draft, path)
    sync(folder)
    return { rows }
  } catch (error) {
    throw signal.aborted ? new AppError('query_stopped', { cause: error }) : duckdbError(error, sql)
  } finally {
    signal.removeEventListener('abort', interrupt)
    bind.disconnect_sync(connection)
    bind.close_sync(database)
    removeDrafts(folder)
  }
}

/** One table at a time is written into a folder: a draft that stands there is of a process that was killed. */
function removeDrafts(folder: string): void {
  for (const file of readdirSync(folder))
    if (file.startsWith('.') && /\.tmp(\.wal)?$/.test(file)) rmSync(join(folder, file), { force: true })
}

/** `CREATE TABLE AS` answers with one row: the count. */
function createdRows(result: bind.Result): number {
  const chunk = bind.result_get_chunk(result, 0)
  const raw = bind.vector_get_data(bind.data_chunk_get_vector(chunk, 0), 8)
  return Number(new DataView(raw.buffer, raw.byteOffset, 8).getBigInt64(0, true))
}

/** On disk before the name points to it, and the name itself. */
function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
