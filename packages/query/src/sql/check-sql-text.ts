import { lex, type Token } from '@parquetry/model/lex'

/**
 * Problem with a user-written clause or expression, or null. A valid text cannot escape the parentheses that enclose it.
 * @param dialect name of the engine that will read the text, because quoting rules differ
 */
export function findClauseProblem(text: string, dialect: string): string | null {
  if (text.length > maxTextLength) return tooLong('Clause')
  const tokens = withoutComments(text, dialect)
  const end = tokens.findIndex(({ kind }) => kind === 'semicolon')
  if (end >= 0 && end < tokens.length - 1) return 'Clause contains multiple statements'
  let open = 0
  for (const { kind } of tokens) {
    if (kind === 'unclosed') return 'Unclosed quote or comment in filter clause'
    if (kind === 'parameter') return 'Clause contains a parameter'
    if (kind === 'open') open += 1
    if (kind === 'close') open -= 1
    if (open < 0) return 'Closing unopened parenthesis in filter clause'
  }
  return open > 0 ? 'Unclosed parenthesis in filter clause' : null
}

/**
 * Validated text, ready to be parenthesized: without a trailing semicolon, and with a trailing comment closed by a line break.
 */
export function closeClause(text: string, dialect: string): string {
  const last = withoutComments(text, dialect).at(-1)
  const body = last?.kind === 'semicolon' ? text.slice(0, last.start) + text.slice(last.start + 1) : text
  const tail = tokenizeCached(body, dialect).at(-1)
  return tail?.kind === 'comment' && !tail.text.startsWith('/*') && !body.endsWith('\n') ? `${body}\n` : body
}

/** Functions whose arguments may contain FROM without naming a table. */
const fromInside = new Set(['EXTRACT', 'TRIM', 'SUBSTRING', 'OVERLAY'])
const setOperators = new Set(['UNION', 'INTERSECT', 'EXCEPT', 'INTO'])
/** Words that name a table at the start of a parenthesis. */
const tableKeywords = new Set(['TABLE', 'PIVOT', 'UNPIVOT', 'DESCRIBE', 'SHOW', 'SUMMARIZE'])

/**
 * Returns whether an expression reads a table. `(SELECT 1)`, `EXTRACT(YEAR FROM x)` and `a IS DISTINCT FROM b` do not. In doubt
 * the result is true, also for a FROM without its own SELECT, which would end the enclosing SELECT.
 */
export function readsTable(text: string, dialect: string): boolean {
  if (text.length > maxTextLength) return true
  const tokens = withoutComments(text, dialect)
  const openers: { before: Token | undefined; selects: boolean }[] = [{ before: undefined, selects: false }]
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]
    const group = openers.at(-1)
    if (token.kind === 'open') openers.push({ before, selects: false })
    else if (token.kind === 'close') openers.pop()
    if (token.kind !== 'word' || !group) continue
    if (token.text === 'SELECT') group.selects = true
    if (setOperators.has(token.text)) return true
    if (tableKeywords.has(token.text) && (!before || before.kind === 'open')) return true
    if (token.text === 'FROM' && !isPartOfExpression(tokens, index, group)) return true
  }
  return false
}

function isPartOfExpression(
  tokens: Token[],
  index: number,
  group: { before: Token | undefined; selects: boolean },
): boolean {
  if (tokens[index - 1]?.text === 'DISTINCT') return ['IS', 'NOT'].includes(tokens[index - 2]?.text ?? '')
  return !group.selects && group.before?.kind === 'word' && fromInside.has(group.before.text)
}

const withoutComments = (text: string, dialect: string): Token[] =>
  tokenizeCached(text, dialect).filter(({ kind }) => kind !== 'comment')

/** Maximum length that an engine parses; tokenizing more would only cost time. */
const maxTextLength = 100_000
const tooLong = (subject: string): string =>
  `${subject} is longer than ${maxTextLength.toLocaleString('en')} characters`

const maxCachedTexts = 200
const maxCachedLength = 10_000
const tokenCache = new Map<string, readonly Token[]>()
/** The last long text, because one query tokenizes it repeatedly. */
let lastLongText: { key: string; tokens: readonly Token[] } | undefined

/** Caches the tokens of recent texts, because those of datasets and charts recur in every query. */
function tokenizeCached(text: string, dialect: string): readonly Token[] {
  const key = `${dialect} ${text}`
  const known = lastLongText?.key === key ? lastLongText.tokens : tokenCache.get(key)
  if (known) return known
  const tokens = lex(text, dialect)
  if (text.length > maxCachedLength) {
    lastLongText = { key, tokens }
    return tokens
  }
  if (tokenCache.size >= maxCachedTexts) tokenCache.clear()
  tokenCache.set(key, tokens)
  return tokens
}

/** Problem with the SQL of a virtual dataset, or null. */
export function findDatasetSqlProblem(text: string, dialect: string): string | null {
  if (text.length > maxTextLength) return tooLong('Virtual dataset query')
  const tokens = withoutComments(text, dialect)
  const end = tokens.findIndex(({ kind }) => kind === 'semicolon')
  const body = end < 0 ? tokens : tokens.slice(0, end)
  if (body.length === 0) return 'Virtual dataset query cannot be empty'
  if (end >= 0 && tokens.slice(end).some(({ kind }) => kind !== 'semicolon')) {
    return 'Virtual dataset query cannot consist of multiple statements'
  }
  const first = body.find(({ kind }) => kind !== 'open')
  if (first?.kind !== 'word' || !['SELECT', 'WITH', 'VALUES', 'FROM'].includes(first.text)) {
    return 'Virtual dataset query must be read-only'
  }
  return findClauseProblem(text.slice(0, tokens[end]?.start), dialect)
}
