import type { Frame } from '@parquetry/frame'

const explain = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*explain\b/i

/** Returns whether a result is the plan of EXPLAIN as text, not as a table of its steps like MySQL's. */
export function isPlan(sql: string, { rows, columns }: Frame): boolean {
  if (rows === 0 || !explain.test(sql)) return false
  const names = columns.map(({ name }) => name)
  if (['id', 'parent', 'detail'].every((name) => names.includes(name))) return true
  const last = columns.at(-1)
  return columns.length <= 2 && (last?.kind === 'string' || last?.kind === 'json')
}
