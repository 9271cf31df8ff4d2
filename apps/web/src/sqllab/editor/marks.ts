import { isLive } from '../queries.ts'
import type { Query, ValidationError } from '../state.ts'
import type { Mark } from './SqlEditor.tsx'

/** A line and columns from 1, the end not included, as places of the text; what is not known reaches to the line's end. */
export function validationMark(sql: string, lineStarts: readonly number[], error: ValidationError): Mark {
  const start = lineStarts[Math.max(0, (error.line_number ?? 1) - 1)] ?? sql.length
  const nextLine = sql.indexOf('\n', start)
  const lineEnd = nextLine < 0 ? sql.length : nextLine
  const from = Math.min(lineEnd, start + Math.max(0, (error.start_column ?? 1) - 1))
  const to = error.end_column === null ? lineEnd : start + Math.max(0, error.end_column - 1)
  return { from, to: Math.max(from + 1, Math.min(to, lineEnd)), message: error.message, severity: 'warning' }
}

export function lineStartsOf(sql: string): number[] {
  const starts = [0]
  for (let at = sql.indexOf('\n'); at >= 0; at = sql.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Where a place of the text is for people, both from 1. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const starts = lineStartsOf(text.slice(0, offset))
  return { line: starts.length, column: offset - (starts.at(-1) ?? 0) + 1 }
}

/** Where the text of a run stands in the text now; null when that piece was changed since. */
export function placeOfRun(sql: string, { sql: ran, from }: Pick<Query, 'sql' | 'from'>): number | null {
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
export function errorMark(sql: string, query: Query | undefined): Mark | null {
  if (!query?.error || isLive(query) || query.error.offset === null) return null
  const at = placeOfRun(sql, query)
  if (at === null) return null
  const last = Math.max(0, query.sql.length - 1)
  const [from, to] = errorRange(query.sql, Math.min(query.error.offset, last))
  return { from: at + from, to: at + to, message: query.error.message, severity: 'error' }
}
