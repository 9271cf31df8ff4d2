import { tokensFrom } from '@parquetry/model/lex'

/**
 * SQL without its comments (SQL-075): blanks stand in their place, so that the position of an error stays the same. Texts and
 * names in quotes are left alone, also those that nobody closed, and so are hints, which begin with a plus and which databases
 * read.
 */
export function stripComments(sql: string, dialect: string): string {
  let out = ''
  for (const { kind, text, start } of tokensFrom(sql, 0, dialect)) {
    if (kind === 'unclosed' && !text.startsWith('/*')) break
    if (kind !== 'comment' || text[2] === '+') continue
    out += sql.slice(out.length, start) + text.replaceAll(/[^\n]/g, ' ')
  }
  return (out + sql.slice(out.length)).trimEnd()
}
