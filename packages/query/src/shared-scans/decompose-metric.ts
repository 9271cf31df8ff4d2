import { lex, type Token } from '@parquetry/model/lex'
import type { Dialect } from '../sql/dialect.ts'
import { Sql, userSql } from '../sql/sql.ts'
import { areDeterministic } from './deterministic.ts'

const names = ['COUNT', 'SUM', 'MIN', 'MAX', 'AVG'] as const

/** An aggregate whose value over all rows follows from its values over groups of them. */
export interface Aggregate {
  name: (typeof names)[number]
  /** Null for COUNT(*). */
  argument: Sql | null
}

/** Metric as SQL and aggregates, in order. */
export type MetricParts = readonly (Sql | Aggregate)[]

export const isAggregate = (part: Sql | Aggregate): part is Aggregate => !(part instanceof Sql)

/**
 * Splits a metric into aggregates and the SQL between them; null when that is impossible, or when the SQL compares or rounds
 * them, so that a difference in the last digit of a sum would grow.
 */
export function decomposeMetric(value: Sql, dialect: Dialect): MetricParts | null {
  const [first] = value.parts
  if (value.parts.length === 1 && first && 'byUser' in first) return decomposeText(first.text, dialect)
  return decomposeCall(value)
}

/** Parses the calls that `metrics.ts` writes: `SUM(`, the column, `)`. */
function decomposeCall({ parts }: Sql): MetricParts | null {
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !('text' in first) || !last || !('text' in last)) return null
  if (parts.length === 1) return first.text === 'COUNT(*)' ? [{ name: 'COUNT', argument: null }] : null
  const name = names.find((each) => first.text === `${each}(`)
  return name && last.text === ')' ? [{ name, argument: new Sql(parts.slice(1, -1)) }] : null
}

/** Parses user SQL: aggregates joined by `+ - * /`, numbers, `COALESCE(..., 0)` and `NULLIF(COUNT(...), 0)`. */
function decomposeText(text: string, dialect: Dialect): MetricParts | null {
  const tokens = lex(text, dialect.name)
  const parts: (Sql | Aggregate)[] = []
  let consumed = 0
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]!
    const end = tokens[index + 1]?.kind === 'open' ? closing(tokens, index + 1) : -1
    const name = names.find((each) => token.kind === 'word' && each === token.text)
    if (name && end > 0) {
      const inner = tokens.slice(index + 2, end)
      const isStar = name === 'COUNT' && inner.length === 1 && inner[0]!.text === '*'
      if (!isStar && !isPlainArgument(inner)) return null
      parts.push(between(text.slice(consumed, token.start)))
      parts.push({
        name,
        argument: isStar ? null : userSql(text.slice(tokens[index + 1]!.start + 1, tokens[end]!.start)),
      })
      consumed = tokens[end]!.start + 1
      index = end
    } else if (!isAllowedBetween(tokens, index)) return null
  }
  if (parts.length === 0) return null
  return [...parts, between(text.slice(consumed))].filter((part) => isAggregate(part) || part.parts.length > 0)
}

type Item = Token | Aggregate

/**
 * Returns whether the error of an expression over sums is bounded by the error of the sums: they are only added, or multiplied by
 * numbers and counts. A quotient of sums that nearly cancel out can have any error.
 */
export function isLinear(parts: MetricParts, dialect: Dialect): boolean {
  const items = parts.flatMap((part): Item[] =>
    isAggregate(part)
      ? [part]
      : lex(part.parts.map((each) => ('text' in each ? each.text : '?')).join(''), dialect.name),
  )
  let at = 0
  const isNext = (text: string): boolean => {
    const item = items[at]
    return item !== undefined && 'kind' in item && item.text === text
  }
  const took = (text: string): boolean => isNext(text) && (at += 1) > 0
  // Highest number of sums that are multiplied with each other.
  const degree = (): number => {
    let highest = product()
    while (took('+') || took('-')) highest = Math.max(highest, product())
    return highest
  }
  const product = (): number => {
    let sums = factor()
    for (;;) {
      if (took('*')) sums += factor()
      else if (took('/')) sums += factor() > 0 ? Infinity : 0
      else return sums
    }
  }
  const factor = (): number => {
    if (took('-') || took('+')) return factor()
    const item = items[at++]
    if (!item) return Infinity
    if (!('kind' in item)) return item.name === 'SUM' || item.name === 'AVG' ? 1 : 0
    if (item.kind === 'number') return 0
    if (item.kind === 'word') return isNext('(') ? factor() : Infinity
    if (item.kind !== 'open') return Infinity
    let highest = degree()
    while (took(',')) highest = Math.max(highest, degree())
    return took(')') ? highest : Infinity
  }
  const sums = degree()
  return at === items.length && sums <= 1
}

/** SQL between aggregates. Every token of it satisfies `isAllowedBetween`; its parentheses need not be balanced. */
const between = (text: string): Sql => new Sql(text.trim() === '' ? [] : [{ text }])

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let index = open; index < tokens.length; index += 1) {
    if (tokens[index]!.kind === 'open') depth += 1
    if (tokens[index]!.kind === 'close' && --depth === 0) return index
  }
  return -1
}

/** Words that turn a call into something other than an aggregate of one expression. */
const disallowedWords = new Set<string>([...names, 'DISTINCT', 'ORDER', 'ALL', 'SELECT', 'OVER', 'FILTER', 'FROM'])

function isPlainArgument(tokens: readonly Token[]): boolean {
  if (tokens.length === 0 || !areDeterministic(tokens)) return false
  let depth = 0
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'open') depth += 1
    if (kind === 'close') depth -= 1
    if (kind === 'comment' || (depth === 0 && text === ',')) return false
    if (kind === 'word' && disallowedWords.has(text) && !(text === 'FROM' && isExtractFrom(tokens, at))) return false
  }
  return true
}

/** `EXTRACT(hour FROM date)` does not read a table. */
const isExtractFrom = (tokens: readonly Token[], index: number): boolean =>
  tokens[index - 2]?.kind === 'open' && tokens[index - 3]?.text === 'EXTRACT'

/** Returns whether a token may be outside of aggregates: `+ - * /`, numbers, `COALESCE` and `NULLIF(COUNT(...), 0)`. */
function isAllowedBetween(tokens: readonly Token[], index: number): boolean {
  const { kind, text, start } = tokens[index]!
  const next = tokens[index + 1]
  if (kind === 'number' || kind === 'open' || kind === 'close' || text === ',') return true
  // `//` and `**` are different operators; `//` drops digits.
  if (kind === 'other') return '+-*/'.includes(text) && !(next?.kind === 'other' && next.start === start + 1)
  if (kind !== 'word' || next?.kind !== 'open') return false
  if (text === 'COALESCE') return true
  if (text !== 'NULLIF' || tokens[index + 2]?.text !== 'COUNT') return false
  const end = closing(tokens, index + 3)
  return tokens[end + 1]?.text === ',' && tokens[end + 2]?.kind === 'number' && tokens[end + 3]?.kind === 'close'
}
