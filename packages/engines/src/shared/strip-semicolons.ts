import { lex } from '@parquetry/model/lex'

/** A text without the semicolons at its end and what stands behind them, so that something can follow it. */
export function stripTrailingSemicolons(sql: string, dialect: string): string {
  const tokens = lex(sql, dialect).filter(({ kind }) => kind !== 'comment')
  const last = tokens.findLastIndex(({ kind }) => kind !== 'semicolon')
  const end = tokens[last + 1]?.start
  return end === undefined ? sql : sql.slice(0, end)
}
