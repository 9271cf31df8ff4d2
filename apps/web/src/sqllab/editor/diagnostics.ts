import { findLineStarts, toTextRange } from '../../shared/sql-field/text-ranges.ts'
import { isLive } from '../queries.ts'
import type { Query, ValidationError } from '../state.ts'
import type { EditorDiagnostic } from './SqlEditor.tsx'

/** What a check says, at its place. */
export const validationDiagnostic = (
  sql: string,
  lineStarts: readonly number[],
  error: ValidationError,
): EditorDiagnostic => ({
  ...toTextRange(sql, lineStarts, error),
  message: error.message,
  severity: 'warning',
})

/** Where a place of the text is for people, both from 1. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const starts = findLineStarts(text.slice(0, offset))
  return { line: starts.length, column: offset - (starts.at(-1) ?? 0) + 1 }
}

/** Where the text of a run stands in the text now; null when that piece was changed since. */
export function locateRun(sql: string, { sql: ran, from }: Pick<Query, 'sql' | 'from'>): number | null {
  const at = sql.startsWith(ran, from) ? from : sql.indexOf(ran)
  return at < 0 ? null : at
}

/** From where to where the word stands that an error is about, in the text that ran; all of it where no place was told. */
export function errorRange(ran: string, offset: number | null): [from: number, to: number] {
  if (offset === null || offset >= ran.length) return [0, ran.length]
  const word = /^[\w$]+|^"[^"]*"|^`[^`]*`|^./s.exec(ran.slice(offset))
  return [offset, offset + (word?.[0].length ?? 1)]
}

/** The error of a query at its place in the text now. */
export function errorDiagnostic(sql: string, query: Query | undefined): EditorDiagnostic | null {
  if (!query?.error || isLive(query) || query.error.offset === null) return null
  const at = locateRun(sql, query)
  if (at === null) return null
  const last = Math.max(0, query.sql.length - 1)
  const [from, to] = errorRange(query.sql, Math.min(query.error.offset, last))
  return { from: at + from, to: at + to, message: query.error.message, severity: 'error' }
}
