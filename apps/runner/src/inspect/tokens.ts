import { unquoteName } from '@parquetry/model/lex'
import { tokenizeSql } from '@parquetry/sql'

/** A token and its value: a word as in the text, a name without its quotes. */
export interface SqlToken {
  kind: ReturnType<typeof tokenizeSql>[number]['kind']
  /** Upper case for words. */
  text: string
  value: string
  start: number
  end: number
  /** Number of parentheses open around it; an opening parenthesis itself counts as outside. */
  depth: number
}

/** Returns the tokens of one statement, without comments. */
export function tokenizeStatement(statement: string, dialect: string): SqlToken[] {
  let depth = 0
  return tokenizeSql(statement, dialect).map(({ kind, text, start }) => {
    const end = start + text.length
    if (kind === 'close') depth--
    const token = {
      kind,
      text,
      value: kind === 'name' ? unquoteName(text, dialect) : statement.slice(start, end),
      start,
      end,
      depth,
    }
    if (kind === 'open') depth++
    return token
  })
}

export interface NamePath {
  parts: string[]
  span: [number, number]
  /** Index of the following word. */
  next: number
}

/** Returns the name that begins at a word, with all parts joined by dots; null if there is no name. */
export function readPath(tokens: readonly SqlToken[], index: number): NamePath | null {
  const parts: string[] = []
  let next = index
  for (; isName(tokens[next]); next += 2) {
    parts.push((tokens[next] as SqlToken).value)
    if (tokens[next + 1]?.text !== '.') {
      next++
      break
    }
  }
  const [first, last] = [tokens[index], tokens[next - 1]]
  return parts.length > 0 && first && last ? { parts, span: [first.start, last.end], next } : null
}

const isName = (token: SqlToken | undefined) => token?.kind === 'word' || token?.kind === 'name'

/**
 * Rewrites the statement for a parser that knows the engine's grammar but not all of its quotes and comments: comments become
 * blanks, strings and names get plain quotes, and all positions stay the same.
 */
export function normalizeQuotes(statement: string, tokens: readonly SqlToken[]): string {
  let text = ''
  for (const { kind, start, end } of tokens) {
    const source = statement.slice(start, end)
    text +=
      ' '.repeat(start - text.length) + (kind === 'string' || kind === 'name' ? normalizeQuote(kind, source) : source)
    // Two minus signs that are not a comment here would be one for the parser.
    if (text.endsWith('--')) text = `${text.slice(0, -1)} `
  }
  return text
}

function normalizeQuote(kind: 'string' | 'name', text: string): string {
  const quote = kind === 'string' ? "'" : text.startsWith('`') ? '`' : '"'
  return `${quote}${text.slice(1, -1).replace(/['"`\\]/g, '_')}${quote}`
}
