import type { ErrorCode } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { toConnectError } from '../shared/connect-error.ts'
import { indexOfCodePoint, positionAt } from '@parquetry/model/position'

interface Report extends Error {
  /** SQLSTATE, or the Node.js error code. */
  code?: string
  /** Set only for errors of the server. */
  severity?: string
  detail?: string
  hint?: string
  /** Counted in characters from 1. */
  position?: string
}

const codes: Record<string, ErrorCode> = {
  '42601': 'syntax_error',
  '42P01': 'table_missing',
  '42703': 'column_missing',
  '3F000': 'schema_missing',
  '25006': 'dml_not_allowed',
  '28P01': 'connection_password',
  '3D000': 'connection_database',
}

function toErrorCode({ code = '', message, severity }: Report): ErrorCode {
  if (code === '57014') return /statement timeout/.test(message) ? 'query_timeout' : 'query_stopped'
  if (code === '28000') return /role .* does not exist/.test(message) ? 'connection_username' : 'connection_failed'
  const known = codes[code]
  if (known) return known
  const isOfQuery = severity !== undefined && !/^(08|57P|53300)/.test(code)
  return isOfQuery ? 'query_failed' : 'connection_failed'
}

/** Converts an error while connecting: the server's own message, or that the connection failed. */
export function postgresConnectError(error: unknown): AppError {
  const { severity, message: text } = error as Report
  if (severity !== undefined && severity !== null) return postgresError(error, null)
  if (text === 'The server does not support SSL connections')
    return new AppError('connection_failed', {
      message: message('errors.engines.notEncrypted', 'The server does not support encrypted connections.'),
      details: { invalid: ['encryption'] },
      cause: error,
    })
  return toConnectError(error)
}

/** Converts an error of the client to an AppError with the server's message; `sql` is the text that ran, for the position. */
export function postgresError(error: unknown, sql: string | null): AppError {
  if (error instanceof AppError) return error
  if (error instanceof TypeError || error instanceof RangeError) throw error
  const report = error as Report
  const code = toErrorCode(report)
  if (code === 'query_timeout' || code === 'query_stopped') return new AppError(code, { cause: error })
  if (report.severity === undefined)
    return new AppError(code, {
      message: message('errors.engines.connectionLost', 'The connection to the server was lost.'),
      cause: error,
    })
  const position = Number(report.position)
  return new AppError(code, {
    message: [
      report.message || report.code || 'The connection failed.',
      report.detail && `DETAIL:  ${report.detail}`,
      report.hint && `HINT:  ${report.hint}`,
    ]
      .filter(Boolean)
      .join('\n'),
    details: sql !== null && position > 0 ? { ...positionAt(sql, indexOfCodePoint(sql, position - 1)) } : {},
    cause: error,
  })
}
