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

/** Parses an error of an instance with `errors_as_json`. Some errors have their name before the JSON; plain text returns null. */
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

/** Errors of files that were truncated, overwritten or never complete. */
const truncatedFile = /Could not read enough bytes|not a valid DuckDB database|Corrupt database file/
/** Those, and errors that a file of another version may cause as well. The messages contain paths that must not be exposed. */
const damaged = new RegExp(`${truncatedFile.source}|Failed to deserialize`)

const unreadable = /^(?:Cannot access (?:file|directory)|No files found that match the pattern)/

/** True when a file will not become readable later: it is not just locked, inaccessible or of another version. */
export const isDamagedFile = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'table_damaged' &&
  error.cause instanceof Error &&
  truncatedFile.test(error.cause.message)

/** True when a file may be intact: it is in use, or something prevents us from opening it. */
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

/** The parser counts code points, the later stages count bytes. */
const toStringIndex = ({ exception_type, position }: Report, sql: string) =>
  (exception_type === 'Parser' ? indexOfCodePoint : indexOfByte)(sql, Number(position))

/** Converts an error of the bindings to an AppError; `sql` is the text that ran, for the position. */
export function duckdbError(error: unknown, sql: string): AppError {
  if (error instanceof AppError) return error
  const report = parseReport(error)
  if (!report) {
    const text = error instanceof Error ? error.message : String(error)
    return new AppError(text.startsWith('INTERRUPT') ? 'query_stopped' : 'query_failed', {
      message: text,
      cause: error,
    })
  }
  if (damaged.test(report.exception_message)) return new AppError('table_damaged', { cause: error })
  if (report.exception_type === 'Out of Memory')
    return new AppError('query_failed', {
      message: message(
        'errors.engines.queryMemory',
        'The query needs more memory than the server allows. Filter its rows, or collect fewer values into lists and texts.',
      ),
      cause: error,
    })
  const code = toErrorCode(report)
  // A server path must not be exposed, whether the file was deleted or was never accessible.
  const description = unreadable.test(report.exception_message)
    ? 'The query reads a file that is not accessible.'
    : report.exception_message
  return new AppError(code, {
    ...(code !== 'query_stopped' && { message: `${report.exception_type} Error: ${description}` }),
    details: report.position === undefined ? {} : { ...positionAt(sql, toStringIndex(report, sql)) },
    cause: error,
  })
}
