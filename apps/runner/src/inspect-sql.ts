import type { Inspection } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { parseDuckdb } from './inspect/duckdb.ts'
import { inspect, maxSqlBytes, type ParsedStatement } from './inspect/inspect.ts'

type StatementParser = (statement: string) => Promise<ParsedStatement>

/**
 * Parses SQL of users with the parser of its engine.
 * @param duckdbParser parser of this runner's instance; loaded only for the DuckDB dialect
 * @throws AppError `bad_request` for a text over 100 KB, `unsupported` for a dialect without a parser here
 */
export async function inspectSql(
  sql: string,
  dialect: string,
  duckdbParser: () => Promise<(sql: string) => Promise<string>>,
): Promise<Inspection> {
  if (Buffer.byteLength(sql) > maxSqlBytes)
    throw new AppError('bad_request', {
      message: message('errors.runner.sqlTooLong', 'The SQL is longer than {max, number} KB.', {
        max: maxSqlBytes / 1000,
      }),
    })
  if (dialect === 'duckdb') {
    const serialize = await duckdbParser()
    return inspect(sql, dialect, (statement) => parseDuckdb(statement, serialize))
  }
  const reader = Object.hasOwn(parsers, dialect) ? parsers[dialect] : undefined
  if (!reader)
    throw new AppError('unsupported', {
      message: message('errors.runner.dialect', 'SQL of the engine "{dialect}" cannot be parsed.', { dialect }),
    })
  return inspect(sql, dialect, await reader())
}

const loadPolyglotParser = async (dialect: string): Promise<StatementParser> =>
  (await import('./inspect/polyglot.ts')).polyglotParser(dialect)

/** Parsers of one statement by dialect, loaded on first use. */
const parsers: Record<string, () => Promise<StatementParser>> = {
  postgresql: async () => (await import('./inspect/postgres.ts')).parsePostgres,
  mysql: () => loadPolyglotParser('mysql'),
  sqlite: () => loadPolyglotParser('sqlite'),
  trino: () => loadPolyglotParser('trino'),
  clickhouse: () => loadPolyglotParser('clickhouse'),
}
