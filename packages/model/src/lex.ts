/** A token of user-written SQL. `text` of a word is upper case (ASCII letters only, which preserves its length). */
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

type Rule = [pattern: RegExp, kind: Token['kind']]

/** Lexical rules of an engine for strings, names, comments and parameters; all other rules are shared. */
interface Lexis {
  nestedComments: boolean
  rules: readonly Rule[]
}

const toLineEnd: Rule = [/--[^\n\r]*/y, 'comment']
const toLineFeed: Rule = [/--[^\n]*/y, 'comment']
const text: Rule = [/'(?:[^']|'')*'/y, 'string']
/** Backslashes are escapes. */
const escapedText: Rule = [/'(?:[^'\\]|\\[^]|'')*'/y, 'string']
const name: Rule = [/"(?:[^"]|"")*"/y, 'name']
const ticked: Rule = [/`(?:[^`]|``)*`/y, 'name']
const openTick: Rule = [/`/y, 'unclosed']
const dollars: Rule = [/\$(?<tag>(?:[\p{L}_][\p{L}\p{N}_]*)?)\$[^]*?\$\k<tag>\$/uy, 'string']
const openDollars: Rule = [/\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy, 'unclosed']

const common: readonly Rule[] = [
  // A word may directly follow a number (`1from`).
  [/(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y, 'number'],
  [/[\p{L}_][\p{L}\p{N}_$]*/uy, 'word'],
  [/\(/y, 'open'],
  [/\)/y, 'close'],
  [/;/y, 'semicolon'],
  [/['"]/y, 'unclosed'],
]

const lexis = (nestedComments: boolean, own: readonly Rule[]): Lexis => ({ nestedComments, rules: [...own, ...common] })

/** Nested comments, dollar quotes, `E''` with backslashes. */
const postgresql = lexis(true, [
  toLineEnd,
  [/[eE]'(?:[^'\\]|\\[^]|'')*'/y, 'string'],
  // Precedes the next rule, which would read `E'\\'` as a closed string although the engine continues it.
  [/[eE]'/y, 'unclosed'],
  text,
  name,
  dollars,
  openDollars,
  [/\$\d+/y, 'parameter'],
])

const lexes: Record<string, Lexis> = {
  /** Without ANSI_QUOTES and NO_BACKSLASH_ESCAPES, as in our sessions. Two dashes start a comment only before whitespace. */
  mysql: lexis(false, [
    // A comment that the engine executes; its content is not tokenized.
    [/\/\*M?!/y, 'unclosed'],
    [/--(?![^\s\p{Cc}])[^\n]*/uy, 'comment'],
    [/#[^\n]*/y, 'comment'],
    escapedText,
    [/"(?:[^"\\]|\\[^]|"")*"/y, 'string'],
    ticked,
    openTick,
    [/\?/y, 'parameter'],
  ]),
  sqlite: lexis(false, [
    toLineFeed,
    text,
    name,
    ticked,
    openTick,
    [/\[[^\]]*\]/y, 'name'],
    [/\[/y, 'unclosed'],
    [/\?\d*|[:@$][\p{L}_][\p{L}\p{N}_]*/uy, 'parameter'],
  ]),
  trino: lexis(false, [
    toLineEnd,
    text,
    name,
    ticked,
    openTick,
    [/\$\$[^]*?\$\$/y, 'string'],
    [/\$\$/y, 'unclosed'],
    [/\?/y, 'parameter'],
  ]),
  /** Backslashes also escape in names; typographic quotes are quotes; `?` is an operator. */
  clickhouse: lexis(true, [
    toLineFeed,
    [/\/\/[^\n]*/y, 'comment'],
    [/#[ !][^\n]*/y, 'comment'],
    escapedText,
    [/‘[^’]*’/y, 'string'],
    [/"(?:[^"\\]|\\[^]|"")*"/y, 'name'],
    [/“[^”]*”/y, 'name'],
    [/`(?:[^`\\]|\\[^]|``)*`/y, 'name'],
    [/[`‘“]/y, 'unclosed'],
    dollars,
    openDollars,
    [/\{\s*[\p{L}_][\p{L}\p{N}_]*\s*:/uy, 'parameter'],
  ]),
}

const findLexis = (dialect: string): Lexis => (Object.hasOwn(lexes, dialect) ? lexes[dialect] : undefined) ?? postgresql

/** One engine for each set of lexical rules. */
export const lexedDialects: readonly string[] = ['postgresql', ...Object.keys(lexes)]

/** Returns true if backslashes are escapes in single-quoted strings. */
export const readsBackslashes = (dialect: string): boolean => findLexis(dialect).rules.includes(escapedText)

const escapes: Record<string, string> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  a: '\x07',
  e: '\x1b',
  0: '\0',
  N: '',
}

/** Returns the name inside the quotes, with doubled quotes collapsed and, if the engine supports them, escapes decoded. */
export function unquoteName(quoted: string, dialect: string): string {
  const quote = quoted.at(-1) ?? ''
  const inner = quoted.slice(1, -1)
  if (dialect !== 'clickhouse') return inner.replaceAll(quote + quote, quote)
  return inner.replace(/\\x([\da-fA-F]{2})|\\([^])|""|``/g, (piece: string, code?: string, letter?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    if (letter !== undefined) return Object.hasOwn(escapes, letter) ? (escapes[letter] as string) : letter
    return piece === quote + quote ? quote : piece
  })
}

const blank = /\s+/y

/**
 * Returns the tokens of a text without whitespace. After too many unclosed tokens, the last token contains the rest of the text.
 * @param dialect engine name; unknown engines are tokenized like PostgreSQL, as is DuckDB
 */
export function lex(source: string, dialect = ''): Token[] {
  const tokens: Token[] = []
  let unclosed = 0
  for (const token of tokensFrom(source, 0, dialect)) {
    if (token.kind === 'unclosed' && ++unclosed > maxUnclosed)
      return [...tokens, { ...token, text: source.slice(token.start) }]
    tokens.push(token)
  }
  return tokens
}

/** Maximum number of unclosed tokens: each one searches the rest of the text for its end, and a text with more is meaningless. */
const maxUnclosed = 20

/**
 * Yields the tokens from `at`, which must be between two tokens. A token depends only on the text from its start; an `unclosed`
 * one may be closed by any text that follows.
 */
export function* tokensFrom(source: string, at: number, dialect = ''): Generator<Token> {
  const lexis = findLexis(dialect)
  for (let start = afterBlank(source, at); start < source.length;) {
    const token = tokenAt(source, start, lexis)
    yield token.kind === 'word' ? { ...token, text: upper(token.text) } : token
    start = afterBlank(source, start + token.text.length)
  }
}

function afterBlank(source: string, at: number): number {
  blank.lastIndex = at
  return at + (blank.exec(source)?.[0].length ?? 0)
}

const upper = (word: string) => word.replace(/[a-z]+/g, (letters) => letters.toUpperCase())

function tokenAt(source: string, start: number, { rules, nestedComments }: Lexis): Token {
  for (const [pattern, kind] of rules) {
    pattern.lastIndex = start
    const match = pattern.exec(source)
    if (match) return { kind, text: match[0], start }
  }
  if (source.startsWith('/*', start)) {
    const end = nestedComments ? findNestedEnd(source, start) : source.indexOf('*/', start + 2) + 2
    return end < start + 4
      ? { kind: 'unclosed', text: source.slice(start), start }
      : { kind: 'comment', text: source.slice(start, end), start }
  }
  return { kind: 'other', text: source[start] as string, start }
}

function findNestedEnd(source: string, start: number): number {
  let depth = 0
  const mark = /\/\*|\*\//g
  mark.lastIndex = start
  for (let match = mark.exec(source); match; match = mark.exec(source)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return match.index + 2
  }
  return -1
}
