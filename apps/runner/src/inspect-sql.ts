import type { Inspection } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { parseDuckdb } from './inspect/duckdb.ts'
import { inspect, maxSqlBytes, type Parsed } from './inspect/inspect.ts'

type Reader = (statement: string) => Promise<Parsed>

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
    return inspect(sql, dialect, (statement) => parseDuckdb(statement, serialize))
  }
  const reader = Object.hasOwn(readers, dialect) ? readers[dialect] : undefined
  if (!reader) throw new AppError('unsupported', { message: `SQL of "${dialect}" cannot be read here.` })
  return inspect(sql, dialect, await reader())
}

const polyglot = async (dialect: string): Promise<Reader> =>
  (await import('./inspect/polyglot.ts')).polyglotReader(dialect)

/** Readers of one statement by dialect, loaded when they are first asked for. */
const readers: Record<string, () => Promise<Reader>> = {
  postgresql: async () => (await import('./inspect/postgres.ts')).parsePostgres,
  mysql: () => polyglot('mysql'),
  sqlite: () => polyglot('sqlite'),
  trino: () => polyglot('trino'),
  clickhouse: () => polyglot('clickhouse'),
}
