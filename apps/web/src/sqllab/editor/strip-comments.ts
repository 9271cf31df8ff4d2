import { tokensFrom } from '@parquetry/model/lex'

/**
 * Replaces SQL comments with blanks (SQL-075), so that error positions stay valid. Quoted strings and names are left alone, even
 * if unclosed, and so are hints, which begin with a plus and which databases read.
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
