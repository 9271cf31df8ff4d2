import type { SqlToken } from './tokens.ts'

/** Words after which no LIMIT can be appended. */
const closing = new Set(['FETCH', 'INTO', 'PROCEDURE', 'LOCK', 'LIMIT'])

export interface LimitClause {
  rows: number | null
  span: [number, number] | null
  takesLimit: boolean
}

/** Returns the limit of a query, read from the words outside all parentheses. */
export function readLimitClause(tokens: readonly SqlToken[], dialect: string): LimitClause {
  const outside = tokens.filter(({ depth, kind }) => depth === 0 && kind !== 'open' && kind !== 'close')
  const at = outside.findLastIndex(
    ({ kind, text }, index) => kind === 'word' && (text === 'LIMIT' || text === 'FETCH') && !isPerGroup(outside, index),
  )
  const count = at < 0 ? undefined : findRowCount(outside, at)
  return {
    rows: count ? Number(count.text) : null,
    span: count ? [count.start, count.end] : null,
    takesLimit: !outside.some((token, index) => token.kind === 'word' && closes(token.text, outside, index, dialect)),
  }
}

function closes(text: string, outside: readonly SqlToken[], index: number, dialect: string): boolean {
  if (text === 'LIMIT') return !isPerGroup(outside, index)
  // OFFSET after LIMIT n BY belongs to it; alone it is the last clause, except in Trino, where it precedes LIMIT.
  if (text === 'OFFSET') return dialect !== 'trino' && !isPerGroup(outside, index - 2)
  if (dialect === 'clickhouse' && (text === 'FORMAT' || text === 'SETTINGS')) return true
  return closing.has(text)
}

/** ClickHouse's `LIMIT n BY`, `LIMIT m, n BY` and `LIMIT n OFFSET m BY`, which limit groups and not rows. */
function isPerGroup(outside: readonly SqlToken[], index: number): boolean {
  if (outside[index]?.text !== 'LIMIT') return false
  const after = outside[index + 2]?.text
  return outside[after === ',' || after === 'OFFSET' ? index + 4 : index + 2]?.text === 'BY'
}

/** Returns the number of rows if it is a plain number and means exactly that: no WITH TIES, no expression. */
function findRowCount(outside: readonly SqlToken[], index: number): SqlToken | undefined {
  const isFetch = outside[index]?.text === 'FETCH'
  const isPair = !isFetch && outside[index + 2]?.text === ','
  const count = outside[index + (isFetch ? 2 : isPair ? 3 : 1)]
  const next = outside.slice(outside.indexOf(count as SqlToken) + 1)
  const rest = isFetch ? next.slice(1) : next
  const isInteger = count?.kind === 'number' && /^\d+$/.test(count.text)
  if (!isInteger || rest.some(({ text }) => text === 'TIES')) return undefined
  if (isFetch) return /^ROWS?$/.test(next[0]?.text ?? '') && rest[0]?.text === 'ONLY' ? count : undefined
  return rest[0] === undefined || ['OFFSET', 'FORMAT', 'SETTINGS'].includes(rest[0].text) ? count : undefined
}
