import type { ErrorCode } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { message } from '@parquetry/model/message'
import { lex } from '@parquetry/model/lex'
import { positionAt } from '@parquetry/model/position'
import { toConnectError } from '../shared/connect-error.ts'
import type { Settings } from './engine.ts'

interface Report extends Error {
  /** Error number of the server; the client's own errors have none. */
  errno?: number
  code?: string
  sqlMessage?: string
}

/** https://mariadb.com/kb/en/mariadb-error-code-reference/ */
const codes: Record<number, ErrorCode> = {
  1064: 'syntax_error',
  1149: 'syntax_error',
  1054: 'column_missing',
  1051: 'table_missing',
  1109: 'table_missing',
  1146: 'table_missing',
  1049: 'schema_missing',
  1792: 'dml_not_allowed',
  1317: 'query_stopped',
  1969: 'query_timeout',
  3024: 'query_timeout',
  1927: 'connection_failed',
  1053: 'connection_failed',
}

const isServerError = ({ sqlMessage, errno }: Report) => sqlMessage !== undefined && errno !== undefined

/** Converts an error while connecting: the server's own message, or that the connection failed. */
export function mysqlConnectError(error: unknown, { username, database }: Settings): AppError {
  if (error instanceof AppError) return error
  const report = error as Report
  if (report.code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return new AppError('connection_failed', {
      message: message('errors.engines.notEncrypted', 'The server does not support encrypted connections.'),
      details: { invalid: ['encryption'] },
      cause: error,
    })
  if (!isServerError(report)) return toConnectError(error)
  if (report.errno === 1045 || report.errno === 1698)
    return new AppError('connection_password', {
      message: message(
        'errors.engines.wrongPassword',
        'Either the username "{username}" or the password is incorrect.',
        {
          username,
        },
      ),
      details: { invalid: ['username', 'password'] },
      cause: error,
    })
  if (report.errno === 1049 || report.errno === 1044)
    return new AppError('connection_database', {
      message: message('errors.engines.noSuchDatabase', 'Unable to connect to database "{database}".', { database }),
      cause: error,
    })
  return new AppError('connection_failed', { message: report.sqlMessage, cause: error })
}

/** Converts an error of the client to an AppError with the server's message; `sql` is the text that ran, for the position. */
export function mysqlError(error: unknown, sql: string | null): AppError {
  if (error instanceof AppError) return error
  if (error instanceof TypeError || error instanceof RangeError) throw error
  const report = error as Report
  if (!isServerError(report))
    return new AppError('connection_failed', {
      message: message('errors.engines.connectionLost', 'The connection to the server was lost.'),
      cause: error,
    })
  const code = codes[report.errno ?? 0] ?? 'query_failed'
  if (code === 'query_timeout' || code === 'query_stopped') return new AppError(code, { cause: error })
  const offset = sql === null ? -1 : findErrorIndex(report.sqlMessage ?? '', code, sql)
  return new AppError(code, {
    message: report.sqlMessage || report.message,
    details: sql !== null && offset >= 0 ? { ...positionAt(sql, offset) } : {},
    cause: error,
  })
}

/** The server reports no position: for a syntax error it repeats the text that follows, for a missing object its name. */
function findErrorIndex(message: string, code: ErrorCode, sql: string): number {
  const near = /near '([^]*)' at line (\d+)$/.exec(message)
  if (near) return findTextIndex(near[1] ?? '', Number(near[2]), sql)
  if (code !== 'column_missing' && code !== 'table_missing' && code !== 'schema_missing') return -1
  const name = /'([^']*)'/.exec(message)?.[1]?.split('.').at(-1)?.toUpperCase()
  const tokens = lex(sql, 'mysql')
  const named = tokens.find(
    ({ kind, text }) =>
      (kind === 'word' && text === name) || (kind === 'name' && text.slice(1, -1).toUpperCase() === name),
  )
  return named?.start ?? -1
}

function findTextIndex(text: string, line: number, sql: string): number {
  if (text === '') return sql.length
  for (let index = sql.indexOf(text); index >= 0; index = sql.indexOf(text, index + 1)) {
    if (positionAt(sql, index).line === line) return index
  }
  return -1
}
