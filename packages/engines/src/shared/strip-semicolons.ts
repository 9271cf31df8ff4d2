import { lex } from '@parquetry/model/lex'

/** Returns a text without its final semicolons and what follows them, so that it can be extended. */
export function stripTrailingSemicolons(sql: string, dialect: string): string {
  const tokens = lex(sql, dialect).filter(({ kind }) => kind !== 'comment')
  const last = tokens.findLastIndex(({ kind }) => kind !== 'semicolon')
  const end = tokens[last + 1]?.start
  return end === undefined ? sql : sql.slice(0, end)
}
