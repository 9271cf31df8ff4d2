import type { ErrorCode } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { indexOfByte, indexOfCodePoint, positionAt } from '@parquetry/model/position'

interface Report {
  exception_type: string
  exception_message: string
  position?: string
  error_subtype?: string
  type?: string
}

/** Error text of an instance with `errors_as_json`: some errors carry their name before the JSON, some are plain text. */
function parseReport(error: unknown): Report | null {
  const text = error instanceof Error ? error.message : String(error)
  const start = text.indexOf('{"exception_type"')
  if (start < 0) return null
  try {
    return JSON.parse(text.slice(start)) as Report
  } catch {
    return null
  }
}

function toErrorCode({ exception_type, exception_message, error_subtype, type }: Report): ErrorCode {
  if (exception_type === 'Parser') return 'syntax_error'
  if (error_subtype === 'COLUMN_NOT_FOUND') return 'column_missing'
  if (exception_type === 'Catalog') {
    if (/schema ".*" does not exist|^Schema with name/.test(exception_message)) return 'schema_missing'
    if (type === 'Table' || type === 'View') return 'table_missing'
  }
  if (exception_type === 'INTERRUPT') return 'query_stopped'
  return 'query_failed'
}

/** Of files that were cut, overwritten or never whole. */
const truncatedFile = /Could not read enough bytes|not a valid DuckDB database|Corrupt database file/
/** Those, and what another version may have written as well; their paths are nobody's business. */
const damaged = new RegExp(`${truncatedFile.source}|Failed to deserialize`)

const unreadable = /^(?:Cannot access (?:file|directory)|No files found that match the pattern)/

/** Whether a file will not be readable later either: it is not locked, closed to us or of another version. */
export const isDamagedFile = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'table_damaged' &&
  error.cause instanceof Error &&
  truncatedFile.test(error.cause.message)

/** Whether a file may be as it should be: it is in use, or something keeps us from opening it. */
export function isInaccessibleFile(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'query_failed' && error.message.startsWith('IO Error')
  const { code } = error as { code?: string }
  return code !== undefined && code !== 'ENOENT'
}

export const tableInaccessible = (name: string): AppError =>
  new AppError('unavailable', {
    message: message(
      'errors.engines.tableOutOfReach',
      'The file of table "{table}" cannot be opened right now because it is in use or access is denied. ' +
        'Try again. Other tables are not affected.',
      { table: name },
    ),
    details: { table: name },
  })

export const tableDamaged = (name: string): AppError =>
  new AppError('table_damaged', {
    message: message(
      'errors.engines.tableDamaged',
      'The file of table "{table}" is damaged or missing. ' +
        'Load its data again or restore the file from a backup. Other tables are not affected.',
      { table: name },
    ),
    details: { table: name },
  })

/** The parser counts code points, everything behind it bytes. */
const toStringIndex = ({ exception_type, position }: Report, sql: string) =>
  (exception_type === 'Parser' ? indexOfCodePoint : indexOfByte)(sql, Number(position))

/** What was thrown by the bindings as an AppError; `sql` is the text that was asked, for the position. */
export function duckdbError(error: unknown, sql: string): AppError {
  if (error instanceof AppError) return error
  const report = parseReport(error)
  if (!report) {
    const message = error instanceof Error ? error.message : String(error)
    return new AppError(message.startsWith('INTERRUPT') ? 'query_stopped' : 'query_failed', { message, cause: error })
  }
  if (damaged.test(report.exception_message)) return new AppError('table_damaged', { cause: error })
  const code = toErrorCode(report)
  // A path of the server is nobody's business either, whether the file went away or was never to be read.
  const said = unreadable.test(report.exception_message)
    ? 'The query reads a file that is not accessible.'
    : report.exception_message
  return new AppError(code, {
    ...(code !== 'query_stopped' && { message: `${report.exception_type} Error: ${said}` }),
    details: report.position === undefined ? {} : { ...positionAt(sql, toStringIndex(report, sql)) },
    cause: error,
  })
}
