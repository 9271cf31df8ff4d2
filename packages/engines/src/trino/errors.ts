import type { ErrorCode } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { indexOfCodePoint, positionAt } from '@parquetry/model/position'

/** The `error` of a response. */
export interface TrinoFailure {
  message: string
  errorName: string
  errorType: string
  /** Both from 1; the column counts code points. */
  errorLocation?: { lineNumber: number; columnNumber: number }
}

const codes: Record<string, ErrorCode> = {
  SYNTAX_ERROR: 'syntax_error',
  COLUMN_NOT_FOUND: 'column_missing',
  TABLE_NOT_FOUND: 'table_missing',
  SCHEMA_NOT_FOUND: 'schema_missing',
  CATALOG_NOT_FOUND: 'schema_missing',
  READ_ONLY_VIOLATION: 'dml_not_allowed',
  EXCEEDED_TIME_LIMIT: 'query_timeout',
  USER_CANCELED: 'query_stopped',
  ADMINISTRATIVELY_KILLED: 'query_stopped',
}

/** Converts a position reported by the server to a string index. */
function toStringIndex(sql: string, { lineNumber, columnNumber }: NonNullable<TrinoFailure['errorLocation']>): number {
  const lines = sql.split(/\r\n|\n|\r/)
  const breaks = sql.matchAll(/\r\n|\n|\r/g)
  let start = 0
  for (let line = 1; line < Math.min(lineNumber, lines.length); line++) {
    const lineBreak = breaks.next().value
    if (lineBreak) start = lineBreak.index + lineBreak[0].length
  }
  const line = lines[lineNumber - 1] ?? ''
  return start + indexOfCodePoint(line, columnNumber - 1)
}

/**
 * Converts the error of a query. `sql` is the text as the user wrote it, for the position, null for a generated statement;
 * `firstLine` is the line at which it begins in the sent text.
 */
export function trinoError(failure: TrinoFailure, sql: string | null, firstLine = 1): AppError {
  const { errorName, errorLocation, message } = failure
  const code = codes[errorName] ?? 'query_failed'
  const cause = new Error(`${errorName}: ${message}`)
  if (code === 'query_timeout' || code === 'query_stopped' || code === 'dml_not_allowed')
    return new AppError(code, { cause })
  const line = (errorLocation?.lineNumber ?? 0) - firstLine + 1
  const isInText = sql !== null && line >= 1
  const location = isInText && errorLocation ? { ...errorLocation, lineNumber: line } : null
  return new AppError(code, {
    message: firstLine === 1 ? message : message.replace(/^line \d+/, `line ${line}`),
    details: location && sql !== null ? { ...positionAt(sql, toStringIndex(sql, location)) } : {},
    cause,
  })
}
