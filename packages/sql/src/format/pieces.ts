import { lex, type Token } from '@parquetry/model/lex'

/** A token as it stands in the text, and what stood before it. */
export interface Piece {
  /** As written. */
  text: string
  /** In capitals for words, else as written. */
  word: string
  kind: Token['kind']
  /** Whether anything, and a line's end, stood between this one and the one before. */
  gap: boolean
  line: boolean
  /** A comment that ends with its line. */
  endsLine: boolean
  /** Holds a template: what it becomes is not known, so the lines around it stay. */
  template: boolean
  /** Found to be a word of the language where it stands, though a name may be spelled so elsewhere. */
  isKeyword?: true
}

/** A letter that nobody writes: stands for each character of a template, so that the rest keeps its place. */
const mark = 'ꙮ'

/** Templates as Jinja cuts them: quoted texts inside of them may hold the closing braces. */
const template =
  /\{\{(?:'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|[^'"])*?\}\}|\{%(?:'(?:[^'\\]|\\[^])*'|"(?:[^"\\]|\\[^])*"|[^'"])*?%\}|\{#[^]*?#\}/g

export const maskTemplates = (sql: string): string => sql.replace(template, (found) => mark.repeat(found.length))

/** The tokens of a text whose templates were taken for words; null when it cannot be cut. */
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
