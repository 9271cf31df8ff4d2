import type { ErrorCode } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { lex } from '@parquetry/model/lex'
import { indexOfByte, positionAt } from '@parquetry/model/position'

const codes: Record<number, ErrorCode> = {
  47: 'column_missing',
  60: 'table_missing',
  62: 'syntax_error',
  81: 'schema_missing',
  159: 'query_timeout',
  164: 'dml_not_allowed',
  192: 'connection_username',
  193: 'connection_password',
  194: 'connection_password',
  394: 'query_stopped',
  516: 'connection_password',
}

const report = /Code: (\d+)\. DB::Exception: ([^]*?)(?:\s*\(version [^]*)?$/

/** Whether a text tells of an exception of the server. */
export const isException = (text: string): boolean => report.test(text)

/**
 * What the server said went wrong (`Code: 62. DB::Exception: ...`). `sql` is the text that was asked and `before` how much of
 * ours stands before it, in bytes; null where the text is ours.
 */
export function clickhouseError(said: string, sql: string | null, before = 0): AppError {
  const [, number = '0', words = said] = report.exec(said) ?? []
  const message = words.replace(/\. Expected one of: [^]{200,}(?= \([A-Z_]+\)$)/, '').trim()
  const cause = new Error(said)
  const isOfSetting = number === '164' && /setting/i.test(message)
  const code = (isOfSetting ? undefined : codes[Number(number)]) ?? 'query_failed'
  if (code === 'query_timeout' || code === 'query_stopped' || code === 'dml_not_allowed')
    return new AppError(code, { cause })
  const index = sql === null ? null : findErrorIndex(sql, message, before)
  return new AppError(code, {
    message,
    details: index === null || sql === null ? {} : { ...positionAt(sql, index) },
    cause,
  })
}

/** The place of a syntax error is told; of what does not exist only the name, which is a place when it stands there once. */
function findErrorIndex(sql: string, message: string, before: number): number | null {
  const [, position] = /failed at position (\d+)/.exec(message) ?? []
  if (position !== undefined) return indexOfByte(sql, Math.max(0, Number(position) - 1 - before))
  const [, quoted] = /identifier [`']([^`']+)[`']/.exec(message) ?? /^Table (\S+) does not exist/.exec(message) ?? []
  const name = quoted?.split('.').at(-1)?.replaceAll('`', '')
  const found = lex(sql, 'clickhouse').filter(({ start, text, kind }) =>
    kind === 'word' ? sql.slice(start, start + text.length) === name : kind === 'name' && text.slice(1, -1) === name,
  )
  return found.length === 1 && found[0] ? found[0].start : null
}
