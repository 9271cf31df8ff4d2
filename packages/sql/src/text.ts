import { lex, type Token } from '@parquetry/model/lex'

/**
 * Span of each statement, from its first token to its last, without surrounding comments and semicolons; empty statements are
 * skipped.
 * @param dialect name of the engine that will read the text
 * @returns null when a quote or comment is not closed, because the text cannot be split safely
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

/** Significant tokens, without comments. */
export const tokenizeSql = (sql: string, dialect: string): Token[] =>
  lex(sql, dialect).filter(({ kind }) => kind !== 'comment')

/** All words of a text, including those in quotes and comments; for SQL that was not inspected. */
export const extractWords = (sql: string): string[] => sql.match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? []
