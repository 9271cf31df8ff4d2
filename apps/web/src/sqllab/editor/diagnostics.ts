import { findLineStarts, toTextRange } from '../../shared/sql-field/text-ranges.ts'
import { isLive } from '../queries.ts'
import type { Query, ValidationError } from '../state.ts'
import type { EditorDiagnostic } from './SqlEditor.tsx'

/** Converts a validation error to a mark at its location. */
export const validationDiagnostic = (
  sql: string,
  lineStarts: readonly number[],
  error: ValidationError,
): EditorDiagnostic => ({
  ...toTextRange(sql, lineStarts, error),
  message: error.message,
  severity: 'warning',
})

/** Converts an offset to line and column, both from 1. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const starts = findLineStarts(text.slice(0, offset))
  return { line: starts.length, column: offset - (starts.at(-1) ?? 0) + 1 }
}

/** Finds the text of a run in the current text; null when that part was changed since. */
export function locateRun(sql: string, { sql: ran, from }: Pick<Query, 'sql' | 'from'>): number | null {
  const index = sql.startsWith(ran, from) ? from : sql.indexOf(ran)
  return index < 0 ? null : index
}

/** Range of the word that an error refers to, in the text that ran; the whole text without a location. */
export function errorRange(ran: string, offset: number | null): [from: number, to: number] {
  if (offset === null || offset >= ran.length) return [0, ran.length]
  const token = /^[\w$]+|^"[^"]*"|^`[^`]*`|^./s.exec(ran.slice(offset))
  return [offset, offset + (token?.[0].length ?? 1)]
}

/** The error of a query at its location in the current text. */
export function errorDiagnostic(sql: string, query: Query | undefined): EditorDiagnostic | null {
  if (!query?.error || isLive(query) || query.error.offset === null) return null
  const at = locateRun(sql, query)
  if (at === null) return null
  const last = Math.max(0, query.sql.length - 1)
  const [from, to] = errorRange(query.sql, Math.min(query.error.offset, last))
  return { from: at + from, to: at + to, message: query.error.message, severity: 'error' }
}
