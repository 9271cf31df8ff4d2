import type { InspectedStatement, Inspection } from '@parquetry/model'
import { positionAt } from '@parquetry/model/position'
import { statementSpans, tokenizeSql } from '@parquetry/sql'

/** Longest SQL that is parsed, in bytes: a parser takes seconds for a long list of terms. */
export const maxSqlBytes = 100_000

/** One statement as a parser sees it, with spans relative to its own text. */
export type ParsedStatement = Omit<InspectedStatement, 'span'>

/** Syntax error in one statement; the offset is a string index in its text. */
export class ParseError extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/**
 * Splits a text into statements and parses each alone, with the parser of its engine.
 * @param dialect name of the engine, by whose quotes and comments the text is split
 * @param parse parses one statement; throws ParseError. It must see exactly one statement, otherwise the split was wrong
 */
export async function inspect(
  sql: string,
  dialect: string,
  parse: (statement: string) => Promise<ParsedStatement>,
): Promise<Inspection> {
  const spans = statementSpans(sql, dialect)
  if (!spans) return findUnclosed(sql, dialect)
  const statements: InspectedStatement[] = []
  for (const [start, end] of spans) {
    try {
      const parsed = await parse(sql.slice(start, end))
      statements.push(toInspected(parsed, start, end))
    } catch (error) {
      if (isTooDeep(error)) return failedInspection(sql, 'This statement is nested too deeply to be parsed', start)
      if (!(error instanceof ParseError)) throw error
      return failedInspection(sql, error.message, start + error.offset)
    }
  }
  return { statements, error: null }
}

/** Parsers recurse for each level; some report a stack overflow with their own message. */
const isTooDeep = (error: unknown): boolean =>
  (error instanceof RangeError || error instanceof ParseError) && error.message.includes('Maximum call stack')

const failedInspection = (sql: string, message: string, offset: number): Inspection => ({
  statements: [],
  error: { message, ...positionAt(sql, offset) },
})

function findUnclosed(sql: string, dialect: string): Inspection {
  const token = tokenizeSql(sql, dialect).find(({ kind }) => kind === 'unclosed')
  const isExecuted = token?.text.endsWith('!')
  const message = isExecuted ? 'executable comments cannot be used here' : 'unterminated quote or comment'
  return failedInspection(sql, message, token?.start ?? sql.length)
}

const toInspected = (parsed: ParsedStatement, start: number, end: number): InspectedStatement => ({
  ...shiftSpans(parsed, start),
  span: [start, end],
})

/** Returns a parsed statement with its spans moved by a distance. */
export function shiftSpans(parsed: ParsedStatement, distance: number): ParsedStatement {
  const shift = (span: [number, number] | null): [number, number] | null =>
    span && [span[0] + distance, span[1] + distance]
  return {
    ...parsed,
    tables: parsed.tables.map((table) => ({ ...table, span: shift(table.span) })),
    limitSpan: shift(parsed.limitSpan),
  }
}

/** A statement that no list contains: nothing is granted to it. */
export const unknownStatement = (kind: string): ParsedStatement => ({
  kind,
  readOnly: false,
  tables: [],
  functions: [],
  tableFunctions: [],
  ownLimit: null,
  limitSpan: null,
  hasOrder: false,
  takesLimit: false,
})

/** Span of the name that begins at an index: words and quoted names with dots between them. */
export function findNameSpan(statement: string, start: number, dialect: string): [number, number] | null {
  let end = start
  for (const { kind, text, start: at } of tokenizeSql(statement.slice(start), dialect)) {
    const isName = kind === 'word' || kind === 'name'
    const isDot = text === '.'
    if ((!isName && !isDot) || start + at !== end) break
    end = start + at + text.length
  }
  return end > start ? [start, end] : null
}

/** Span of the whole number that begins at an index; null if there is none. */
export function findNumberSpan(statement: string, start: number): [number, number] | null {
  const digits = /^\d+\b/.exec(statement.slice(start))?.[0]
  return digits ? [start, start + digits.length] : null
}
