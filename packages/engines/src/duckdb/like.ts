import { readLikePattern } from '@parquetry/model'
import { boundText, hasBackslash, sql, type Sql } from '@parquetry/query'

/**
 * DuckDB rewrites regular expressions to LIKE, whose time is exponential in the number of wildcards and which ignores
 * interrupts. It does not rewrite those with a group, even if the group is empty.
 */
const linearRegex = (expression: string): string => `()${expression}`

/** The regular expression of a pattern of LIKE. */
function toRegex(pattern: string): string {
  const pieces = pattern.matchAll(/\\(.?)|(%)|(_)|([^\\%_]+)/gsu)
  const body = [...pieces].map(([, escaped, any, one, plain]) => {
    if (any) return '.*'
    if (one) return '.'
    return (plain ?? (escaped || '\\')).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  })
  return linearRegex(`(?s)^${body.join('')}$`)
}

/** Tests for a regular expression in time that is linear in the length of the text. */
export function regexMatches(text: Sql, pattern: Sql): Sql {
  const expression = boundText(pattern)
  return sql`regexp_matches(${text}, ${expression === null ? pattern : linearRegex(expression)})`
}

/**
 * Tests for a pattern of LIKE in linear time. ILIKE is LIKE on lower case, as the engine defines it. LIKE is linear unless the
 * pattern contains `_` or an escape character; such a pattern becomes a regular expression. An escape character also keeps the
 * engine from searching by prefix, so it is only named when it occurs.
 */
export function likeMatches(text: Sql, pattern: Sql, ignoreCase: boolean): Sql {
  const fold = (value: Sql): Sql => (ignoreCase ? sql`LOWER(${value})` : value)
  const form = boundText(pattern)
  if (form !== null && /[_\\]/.test(form) && !readLikePattern(form))
    return sql`regexp_matches(${fold(text)}, ${fold(sql`${toRegex(form)}`)})`
  const escape = hasBackslash(pattern) ? sql` ESCAPE '\\'` : sql``
  return sql`${fold(text)} LIKE ${fold(pattern)}${escape}`
}
