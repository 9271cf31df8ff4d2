import { lex, type Token } from '@parquetry/model/lex'

/**
 * Where each statement stands, from its first token to its last, comments and semicolons around it left out; empty
 * statements are none.
 * @param dialect name of the engine that the text is for
 * @returns null when a quote or comment is not closed: such a text cannot be cut safely
 */
export function statementSpans(sql: string, dialect: string): [start: number, end: number][] | null {
  const spans: [number, number][] = []
  let span: [number, number] | null = null
  for (const token of lex(sql, dialect)) {
    if (token.kind === 'unclosed') return null
    if (token.kind === 'comment') continue
    if (token.kind === 'semicolon') {
      if (span) spans.push(span)
      span = null
    } else span = [span?.[0] ?? token.start, token.start + token.text.length]
  }
  return span ? [...spans, span] : spans
}

/** Tokens that mean something, comments left out. */
export const tokenizeSql = (sql: string, dialect: string): Token[] =>
  lex(sql, dialect).filter(({ kind }) => kind !== 'comment')

/** Every word of a text, also inside of quotes and comments: for what nobody has read. */
export const extractWords = (sql: string): string[] => sql.match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? []
