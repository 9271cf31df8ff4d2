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

/** Where the error of a query stands in the text now; null when that piece was changed since. */
export function errorMark(sql: string, query: Query | undefined): Mark | null {
  if (!query?.error || isLive(query) || query.error.offset === null) return null
  const at = sql.startsWith(query.sql, query.from) ? query.from : sql.indexOf(query.sql)
  if (at < 0) return null
  const from = Math.min(at + query.error.offset, Math.max(0, sql.length - 1))
  const [word] = /^\w+|^\S/.exec(sql.slice(from, from + 200)) ?? []
  return { from, to: from + Math.max(1, word?.length ?? 1), message: query.error.message, severity: 'error' }
}
