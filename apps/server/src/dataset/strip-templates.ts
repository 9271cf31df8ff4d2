const closings: Record<string, string> = { '#': '#}', '%': '%}', '{': '}}' }
const opensBlock = /^-?\s*(if|for|macro)\b/
const closesBlock = /^-?\s*end(if|for|macro)\b/

/** An expression that ends with the filter that writes a list in brackets. */
const writesList = /\|\s*where_in\s*(?:\([^)]*\)\s*)?-?$/

/**
 * Removes templates from SQL to find its columns and tables: blocks and comments are removed with their content, expressions
 * become NULL, and lists of `where_in` a list of it. SQL in this form is used for nothing else.
 */
export function stripTemplates(sql: string): string {
  let result = ''
  let depth = 0
  let at = 0
  for (;;) {
    const brace = sql.indexOf('{', at)
    const closing = brace < 0 ? undefined : closings[sql[brace + 1] ?? '']
    if (brace >= 0 && closing === undefined) {
      if (depth === 0) result += sql.slice(at, brace + 1)
      at = brace + 1
      continue
    }
    const end = closing === undefined ? -1 : sql.indexOf(closing, brace + 2)
    if (depth === 0) result += end < 0 ? sql.slice(at) : sql.slice(at, brace)
    if (end < 0) return result
    const content = sql.slice(brace + 2, end)
    if (closing === '%}') {
      if (opensBlock.test(content)) depth += 1
      else if (closesBlock.test(content)) depth = Math.max(0, depth - 1)
    } else if (closing === '}}' && depth === 0) result += writesList.test(content) ? '(NULL)' : 'NULL'
    at = end + 2
  }
}
