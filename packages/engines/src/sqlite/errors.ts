import type { ErrorCode } from '@parquetry/model/error-codes'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { lex } from '@parquetry/model/lex'
import { positionAt } from '@parquetry/model/position'

const codes: [pattern: RegExp, code: ErrorCode][] = [
  [/^near "([^]*)": syntax error$/, 'syntax_error'],
  [/^unrecognized token: "([^]*)"$/, 'syntax_error'],
  [/^incomplete input$/, 'syntax_error'],
  [/^The supplied SQL string contains (?:more than one|no) statement/, 'syntax_error'],
  [/^no such column: (.*)$/, 'column_missing'],
  [/^no such table: (.*)$/, 'table_missing'],
  [/^unknown database (.*)$/, 'schema_missing'],
  [/readonly database/, 'dml_not_allowed'],
]

/** Converts an error of the client to an AppError with SQLite's message; `sql` is the text that ran, for the position. */
export function sqliteError(error: unknown, sql: string | null): AppError {
  if (error instanceof AppError) return error
  const { message: reason, code: name = '' } = error as Error & { code?: string }
  if (error instanceof TypeError) throw error
  const [pattern, code = 'query_failed'] = codes.find(([one]) => one.test(reason)) ?? []
  if (name === 'SQLITE_CANTOPEN' || name === 'SQLITE_NOTADB')
    return new AppError('connection_database', {
      message: message('errors.engines.notSqlite', 'The file is not a SQLite database or cannot be opened.'),
      cause: error,
    })
  const named = pattern?.exec(reason)?.[1]
  const offset = sql === null ? -1 : findErrorIndex(reason, named, sql)
  return new AppError(code, {
    message: reason,
    details: sql !== null && offset >= 0 ? { ...positionAt(sql, offset) } : {},
    cause: error,
  })
}

/** SQLite names the offending token; its first occurrence is the position. */
function findErrorIndex(message: string, named: string | undefined, sql: string): number {
  if (message === 'incomplete input') return sql.length
  const name = named?.split('.').at(-1)?.toUpperCase()
  if (!name) return -1
  const token = lex(sql, 'sqlite').find(
    ({ kind, text }) => text.toUpperCase() === name || (kind === 'name' && text.slice(1, -1).toUpperCase() === name),
  )
  return token?.start ?? sql.toUpperCase().indexOf(name)
}
