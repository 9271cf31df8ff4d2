import { indexOfCodePoint } from '@parquetry/model/position'
import { parse as parseWith } from '@polyglot-sql/sdk'
import { findFunctions } from './find-functions.ts'
import { type ParsedStatement, ParseError, shiftSpans, unknownStatement } from './inspect.ts'
import { readLimitClause } from './limit-clause.ts'
import { type Node, PolyglotWalker } from './polyglot-walker.ts'
import { findShownTable, readTable } from './find-tables.ts'
import { readPath, normalizeQuotes, type SqlToken, tokenizeStatement } from './tokens.ts'

/** First words of statements that may be read-only. */
const readingKeywords = new Set([
  'SELECT',
  'WITH',
  'VALUES',
  'FROM',
  'TABLE',
  'SHOW',
  'DESCRIBE',
  'DESC',
  'EXPLAIN',
  '(',
])
const queryTypes = new Set(['select', 'union', 'intersect', 'except', 'subquery', 'values', 'paren'])
/** Words that may begin the statement after EXPLAIN, and those that may precede it. */
const explainable = /^(SELECT|WITH|VALUES|FROM|INSERT|REPLACE|UPDATE|DELETE|MERGE|CREATE|ALTER|DROP|CALL|EXECUTE)$/
const explainKeyword =
  /^(EXPLAIN|DESCRIBE|DESC|ANALYZE|VERBOSE|EXTENDED|PARTITIONS|QUERY|PLAN|TREE|AST|SYNTAX|PIPELINE|TABLE)$/

/**
 * Returns a parser of one statement for engines without their own parser here. A statement outside its grammar is an error if it
 * begins like a query; otherwise nothing is granted to it.
 * @param dialect `mysql`, `sqlite`, `trino` or `clickhouse`
 */
export const polyglotParser = (dialect: string) => (statement: string) =>
  Promise.resolve(parseStatement(statement, dialect))

function parseStatement(statement: string, dialect: string): ParsedStatement {
  const words = tokenizeStatement(statement, dialect)
  if (dialect === 'mysql') refuseUnsafe(words)
  const functions = findFunctions(words)
  return { ...parseByKeyword(statement, words, dialect), functions }
}

function parseByKeyword(statement: string, words: readonly SqlToken[], dialect: string): ParsedStatement {
  const head = words[0]?.text ?? ''
  if (head === 'SHOW') return parseShow(words)
  if (/^(EXPLAIN|DESCRIBE|DESC)$/.test(head) || (head === 'ANALYZE' && dialect === 'mysql'))
    return parseExplain(statement, words, dialect)
  const name = head === 'TABLE' ? words[1] : undefined
  if (!name) return parseQuery(statement, words, dialect)
  const select = 'SELECT * FROM '
  return shiftSpans(parseStatement(select + statement.slice(name.start), dialect), name.start - select.length)
}

/** Rejects files that MySQL reads and writes, and settings that change how it splits a text. */
function refuseUnsafe(words: readonly SqlToken[]): void {
  const refused = words.find(
    ({ kind, text }, index) =>
      kind === 'word' &&
      ((/^(OUTFILE|DUMPFILE)$/.test(text) && words[index - 1]?.text === 'INTO') ||
        (text === 'LOAD' && index === 0) ||
        (words[0]?.text === 'SET' &&
          /^(SQL_MODE|NAMES|CHARSET|CHARACTER|CHARACTER_SET_\w+|COLLATION_\w+)$/.test(text))),
  )
  if (refused) throw new ParseError(`${refused.text} cannot be used here`, refused.start)
}

function parseShow(words: readonly SqlToken[]): ParsedStatement {
  const isPlain = !words.some(({ kind, text }) => kind === 'word' && (text === 'SELECT' || text === 'INTO'))
  return { ...unknownStatement('show'), readOnly: isPlain, tables: findShownTable(words) }
}

/** EXPLAIN and DESCRIBE of a query, or of a table. A statement that writes may be explained only where it may run. */
function parseExplain(statement: string, words: readonly SqlToken[], dialect: string): ParsedStatement {
  const begin = words.findIndex(({ kind, text }, index) => {
    if (kind === 'word' && index > 0) return explainable.test(text)
    return kind === 'open' && !isOption(words, index)
  })
  const first = words[begin]
  const isCall =
    first?.kind === 'open' && !/^(\)|\d+)$/.test(words[begin - 1]?.text ?? '') && !isExplainKeyword(words[begin - 1])
  if (!first || isCall) return parseDescribe(words)
  const inner = shiftSpans(parseStatement(statement.slice(first.start), dialect), first.start)
  return { ...inner, kind: 'explain', ownLimit: null, limitSpan: null, takesLimit: false }
}

const isExplainKeyword = (word: SqlToken | undefined) => word?.kind === 'word' && explainKeyword.test(word.text)

/** Parentheses of `EXPLAIN (TYPE ..., FORMAT ...)`. */
const isOption = (words: readonly SqlToken[], index: number) => /^(TYPE|FORMAT)$/.test(words[index + 1]?.text ?? '')

function parseDescribe(words: readonly SqlToken[]): ParsedStatement {
  const at = words.findIndex((word) => !isExplainKeyword(word))
  const path = readPath(words, at)
  if (!path || /^(FOR|INPUT|OUTPUT)$/.test(words[at]?.text ?? '') || words[0]?.text === 'ANALYZE')
    return unknownStatement((words[0]?.text ?? 'unknown').toLowerCase())
  const isCall = words[path.next]?.kind === 'open'
  return {
    ...unknownStatement('describe'),
    readOnly: true,
    tables: isCall ? [] : readTable(words, at),
    tableFunctions: isCall ? [path.parts.at(-1) as string] : [],
  }
}

function parseQuery(statement: string, words: readonly SqlToken[], dialect: string): ParsedStatement {
  const head = words[0]?.text ?? ''
  const plain = normalizeQuotes(statement, words)
  const [root, second] = parse(plain, words, dialect) ?? []
  const [type = '', query] = Object.entries(root ?? {})[0] ?? []
  if (!root || second)
    return { ...unknownStatement(/^\w+$/.test(head) ? head.toLowerCase() : 'unknown'), tables: namedTables(words) }
  const walker = new PolyglotWalker(plain, words, dialect)
  walker.visit(root, new Set())
  walker.compare()
  const { tables, tableFunctions } = walker
  const found = { ...unknownStatement(head.toLowerCase()), tables, tableFunctions: [...tableFunctions] }
  const isReading = walker.isReading && !words.some(({ kind, text }) => kind === 'word' && text === 'INTO')
  if (!readingKeywords.has(head) || !queryTypes.has(type))
    return { ...found, kind: readingKeywords.has(head) ? type : found.kind }
  const { rows, span, takesLimit } = readLimitClause(words, dialect)
  // In ClickHouse a LIMIT after the last of several queries limits only that one.
  const isLimited = type === 'select' || (type !== 'values' && type !== 'subquery' && dialect !== 'clickhouse')
  return {
    ...found,
    kind: 'select',
    readOnly: isReading,
    ownLimit: isLimited ? rows : null,
    limitSpan: isLimited ? span : null,
    hasOrder: Boolean((query as Node)['order_by']),
    takesLimit: isLimited && isReading && takesLimit,
  }
}

/** Tables of a statement without a tree: the names after words that introduce one. */
const namedTables = (words: readonly SqlToken[]): ParsedStatement['tables'] =>
  words.flatMap(({ kind, text }, index) =>
    kind === 'word' && /^(FROM|JOIN|INTO|UPDATE|TABLE|STRAIGHT_JOIN)$/.test(text) ? readTable(words, index + 1) : [],
  )

/** Returns the trees of a text; null for one outside the grammar that does not begin like a query. */
function parse(plain: string, words: readonly SqlToken[], dialect: string): Node[] | null {
  const result = parseWith(plain, dialect as Parameters<typeof parseWith>[1])
  if (result.success) return result.ast as unknown as Node[]
  if (!readingKeywords.has(words[0]?.text ?? '')) return null
  const offset = indexOfCodePoint(plain, result.errorStart ?? 0)
  const near = words.find(({ start, end }) => start <= offset && offset < end)
  if (result.errorStart === undefined) throw new ParseError(result.error ?? 'The statement cannot be parsed', 0)
  throw new ParseError(near ? `syntax error at or near "${near.value}"` : 'syntax error at end of input', offset)
}
