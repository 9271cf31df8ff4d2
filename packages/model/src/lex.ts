/** A piece of SQL text that a person wrote. `text` of a word is upper case. */
export interface Token {
  kind:
    | 'word'
    | 'name'
    | 'string'
    | 'number'
    | 'comment'
    | 'open'
    | 'close'
    | 'semicolon'
    | 'parameter'
    | 'unclosed'
    | 'other'
  text: string
  start: number
}

/**
 * The tokens of a text, without blanks, as PostgreSQL and DuckDB cut it: nested comments, dollar quotes, `E''` with
 * backslashes, a number that a word follows without a blank (`1from`).
 */
const rules: [RegExp, Token['kind']][] = [
  [/--[^\n\r]*/y, 'comment'],
  [/[eE]'(?:[^'\\]|\\[^]|'')*'/y, 'string'],
  // Before the next rule, which would take `E'\\'` for a closed text and let what follows run on inside of it.
  [/[eE]'/y, 'unclosed'],
  [/'(?:[^']|'')*'/y, 'string'],
  [/"(?:[^"]|"")*"/y, 'name'],
  [/\$(?<tag>(?:[\p{L}_][\p{L}\p{N}_]*)?)\$[^]*?\$\k<tag>\$/uy, 'string'],
  [/\$\d+/y, 'parameter'],
  [/(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y, 'number'],
  [/[\p{L}_][\p{L}\p{N}_$]*/uy, 'word'],
  [/\(/y, 'open'],
  [/\)/y, 'close'],
  [/;/y, 'semicolon'],
  [/['"]/y, 'unclosed'],
]
const blank = /\s+/y

export function lex(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < source.length) {
    blank.lastIndex = at
    at += blank.exec(source)?.[0].length ?? 0
    if (at === source.length) break
    const token = tokenAt(source, at)
    tokens.push(token)
    at += token.text.length
  }
  return tokens.map((token) => (token.kind === 'word' ? { ...token, text: token.text.toUpperCase() } : token))
}

function tokenAt(source: string, start: number): Token {
  if (source.startsWith('/*', start)) {
    const end = endOfComment(source, start)
    return end < 0
      ? { kind: 'unclosed', text: source.slice(start), start }
      : { kind: 'comment', text: source.slice(start, end), start }
  }
  for (const [pattern, kind] of rules) {
    pattern.lastIndex = start
    const match = pattern.exec(source)
    if (match) return { kind, text: match[0], start }
  }
  return { kind: 'other', text: source[start] as string, start }
}

function endOfComment(source: string, start: number): number {
  let depth = 0
  const mark = /\/\*|\*\//g
  mark.lastIndex = start
  for (let match = mark.exec(source); match; match = mark.exec(source)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return match.index + 2
  }
  return -1
}
