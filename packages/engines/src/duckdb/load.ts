import bind from '@duckdb/node-bindings'
import type { InstanceLimits, LoadRequest } from '../shared/driver.ts'
import { readFileSql } from './files.ts'
import { quoteIdentifier } from './session.ts'
import { writeTable } from './write-table.ts'

/** Loads trusted files only, in this process: the instance is not locked, unlike those that run users' SQL. */
export function loadTable(
  { folder, table, from, signal }: LoadRequest,
  limits: InstanceLimits,
): Promise<{ rows: number }> {
  return writeTable(
    folder,
    {
      table,
      base: null,
      async fill({ run }) {
        await run(`CREATE VIEW source AS SELECT * FROM ${readFileSql(from.path, from.format)}`)
        const select = from.select ?? 'SELECT * FROM source'
        const created = await run(`CREATE TABLE draft.${quoteIdentifier(table.table)} AS ${select}`)
        return { isKept: true, result: { rows: createdRows(created) } }
      },
    },
    limits,
    signal,
  )
}

/** `CREATE TABLE AS` returns one row: the count. */
function createdRows(result: bind.Result): number {
  const chunk = bind.result_get_chunk(result, 0)
  const raw = bind.vector_get_data(bind.data_chunk_get_vector(chunk, 0), 8)
  return Number(new DataView(raw.buffer, raw.byteOffset, 8).getBigInt64(0, true))
}
