/** A piece of SQL text that a person wrote. `text` of a word is upper case (ASCII letters only, so that its length stays). */
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

/** How an engine cuts texts, names, comments and places for values; the rest is the same everywhere. */
interface Lexis {
  nestedComments: boolean
  rules: readonly Rule[]
}

const toLineEnd: Rule = [/--[^\n\r]*/y, 'comment']
const toLineFeed: Rule = [/--[^\n]*/y, 'comment']
const text: Rule = [/'(?:[^']|'')*'/y, 'string']
/** Backslashes count in it. */
const escapedText: Rule = [/'(?:[^'\\]|\\[^]|'')*'/y, 'string']
const name: Rule = [/"(?:[^"]|"")*"/y, 'name']
const ticked: Rule = [/`(?:[^`]|``)*`/y, 'name']
const openTick: Rule = [/`/y, 'unclosed']
const dollars: Rule = [/\$(?<tag>(?:[\p{L}_][\p{L}\p{N}_]*)?)\$[^]*?\$\k<tag>\$/uy, 'string']
const openDollars: Rule = [/\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy, 'unclosed']

const common: readonly Rule[] = [
  // A word may follow a number without a blank (`1from`).
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
  // Before the next rule, which would take `E'\\'` for a closed text and let what follows run on inside of it.
  [/[eE]'/y, 'unclosed'],
  text,
  name,
  dollars,
  openDollars,
  [/\$\d+/y, 'parameter'],
])

const lexes: Record<string, Lexis> = {
  /** Without ANSI_QUOTES and NO_BACKSLASH_ESCAPES, as our sessions are; two dashes need a blank to be a comment. */
  mysql: lexis(false, [
    // A comment that the engine executes; nobody here reads what stands in it.
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
  /** Backslashes count in names as well; quotes of typographers are quotes. `?` is an operator. */
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

/** One engine of each way to cut a text. */
export const lexedDialects: readonly string[] = ['postgresql', ...Object.keys(lexes)]

/** Whether a text in single quotes reads backslashes as escapes. */
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

/** What a quoted name says: its quotes are gone, a doubled one is one, and escapes are carried out where the engine reads them. */
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
 * The tokens of a text, without blanks. One with many that are not closed ends in one that holds the rest.
 * @param dialect name of the engine; one that is not known is cut as PostgreSQL does, which is also DuckDB's way
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

/** For the end of each the whole rest of the text was searched; a text with so many has no meaning to anybody. */
const maxUnclosed = 20

/**
 * The tokens from `at` on, which lies between two tokens. Each is cut from the text that it begins with, whatever stands
 * before it; one that is `unclosed` may be closed by any text that comes after it.
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
