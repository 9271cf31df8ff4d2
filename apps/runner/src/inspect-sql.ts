import { AppError, type Inspection } from '@parquetry/model'
import { parseDuckdb } from './inspect/duckdb.ts'
import { inspect, maxSqlBytes } from './inspect/inspect.ts'

/**
 * Reads users' SQL with the parser of its engine.
 * @param duckdbParser of this runner's instance; asked for only when the dialect is DuckDB's
 * @throws AppError `bad_request` for a text over 100 KB, `unsupported` for a dialect that nobody here reads
 */
export async function inspectSql(
  sql: string,
  dialect: string,
  duckdbParser: () => Promise<(sql: string) => Promise<string>>,
): Promise<Inspection> {
  if (Buffer.byteLength(sql) > maxSqlBytes)
    throw new AppError('bad_request', { message: `A SQL text may have ${maxSqlBytes / 1000} KB at most.` })
  if (dialect === 'duckdb') {
    const serialize = await duckdbParser()
    return inspect(sql, (statement) => parseDuckdb(statement, serialize))
  }
  if (dialect === 'postgresql') {
    const { parsePostgres } = await import('./inspect/postgres.ts')
    return inspect(sql, parsePostgres)
  }
  throw new AppError('unsupported', { message: `SQL of "${dialect}" cannot be read here.` })
}
