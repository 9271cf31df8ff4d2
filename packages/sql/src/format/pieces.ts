import { lex, type Token } from '@parquetry/model/lex'

/** A token as written, and the space before it. */
export interface Piece {
  /** As written. */
  text: string
  /** In capitals for words, otherwise as written. */
  word: string
  kind: Token['kind']
  /** True if anything precedes the token; `line` is true if that contains a line break. */
  gap: boolean
  line: boolean
  /** Comment that ends with its line. */
  endsLine: boolean
  /** Contains a template. Its output is unknown, so the line breaks around it stay. */
  template: boolean
  /** Known to be a keyword in this position, although a name may have the same spelling elsewhere. */
  isKeyword?: true
}

/** Letter that does not occur in practice. It replaces each character of a template, so that positions do not change. */
const mark = 'ꙮ'

/** Templates as Jinja delimits them: strings inside them may contain the closing braces. */
const template =
  /\{\{(?:'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|[^'"])*?\}\}|\{%(?:'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|[^'"])*?%\}|\{#[^]*?#\}/g

export const maskTemplates = (sql: string): string => sql.replace(template, (found) => mark.repeat(found.length))

/** Tokens of a text, with templates treated as words; null when it cannot be tokenized. */
export function splitPieces(sql: string, dialect: string): Piece[] | null {
  if (sql.includes(mark)) return null
  const masked = maskTemplates(sql)
  const tokens = lex(masked, dialect)
  if (tokens.some(({ kind }) => kind === 'unclosed')) return null
  let end = 0
  return tokens.map(({ kind, text, start }) => {
    const before = sql.slice(end, start)
    end = start + text.length
    return {
      kind,
      text: sql.slice(start, end),
      word: text,
      gap: before !== '',
      line: /[\n\r]/.test(before),
      endsLine: kind === 'comment' && !text.startsWith('/*'),
      template: text.includes(mark),
    }
  })
}
