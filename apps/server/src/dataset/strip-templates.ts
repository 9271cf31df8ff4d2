const closings: Record<string, string> = { '#': '#}', '%': '%}', '{': '}}' }
const opensBlock = /^-?\s*(if|for|macro)\b/
const closesBlock = /^-?\s*end(if|for|macro)\b/

/**
 * Removes templates from SQL to find its columns and tables: blocks and comments are removed with their content, expressions
 * become NULL. SQL in this form is used for nothing else.
 */
export function stripTemplates(sql: string): string {
  let kept = ''
  let depth = 0
  let at = 0
  for (;;) {
    const brace = sql.indexOf('{', at)
    const closing = brace < 0 ? undefined : closings[sql[brace + 1] ?? '']
    if (brace >= 0 && closing === undefined) {
      if (depth === 0) kept += sql.slice(at, brace + 1)
      at = brace + 1
      continue
    }
    const end = closing === undefined ? -1 : sql.indexOf(closing, brace + 2)
    if (depth === 0) kept += end < 0 ? sql.slice(at) : sql.slice(at, brace)
    if (end < 0) return kept
    const inside = sql.slice(brace + 2, end)
    if (closing === '%}') {
      if (opensBlock.test(inside)) depth += 1
      else if (closesBlock.test(inside)) depth = Math.max(0, depth - 1)
    } else if (closing === '}}' && depth === 0) kept += 'NULL'
    at = end + 2
  }
}
