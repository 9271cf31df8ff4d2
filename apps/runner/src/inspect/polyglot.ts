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
/** First words of all other statements of these engines. Any other word is a mistake. */
const commandKeywords = new Set(
  `ADMIN ALTER ANALYZE ATTACH BACKUP BEGIN BINLOG CACHE CALL CHANGE CHECK CHECKSUM CLONE COMMENT COMMIT COPY CREATE DEALLOCATE
   DECLARE DELETE DENY DETACH DO DROP END EXCHANGE EXECUTE EXISTS FLUSH GET GRANT HANDLER HELP IMPORT INSERT INSTALL KILL LOAD
   LOCK MERGE MOVE OPTIMIZE PARALLEL PRAGMA PREPARE PURGE REFRESH REINDEX RELEASE RENAME REPAIR REPLACE RESET RESIGNAL RESTART
   RESTORE REVOKE ROLLBACK SAVEPOINT SET SHUTDOWN SIGNAL START STOP SYSTEM TRUNCATE UNDROP UNINSTALL UNLOCK UNSET UPDATE USE
   VACUUM WATCH XA`.split(/\s+/),
)
/** Words that may begin the statement after EXPLAIN, and those that may precede it. */
const explainable = /^(SELECT|WITH|VALUES|FROM|INSERT|REPLACE|UPDATE|DELETE|MERGE|CREATE|ALTER|DROP|CALL|EXECUTE)$/
const explainKeyword =
  /^(EXPLAIN|DESCRIBE|DESC|ANALYZE|VERBOSE|EXTENDED|PARTITIONS|QUERY|PLAN|TREE|AST|SYNTAX|PIPELINE|TABLE)$/

/**
 * Returns a parser of one statement for engines without their own parser here. A statement outside its grammar is an error if it
 * begins like a query or like no statement at all; otherwise nothing is granted to it.
 * @param dialect `mysql`, `sqlite`, `trino` or `clickhouse`
 */
export const polyglotParser = (dialect: string) => (statement: string) =>
  Promise.resolve(parseStatement(statement, dialect))

function parseStatement(statement: string, dialect: string): ParsedStatement {
  const tokens = tokenizeStatement(statement, dialect)
  if (dialect === 'mysql') refuseUnsafe(tokens)
  const functions = findFunctions(tokens)
  return { ...parseByKeyword(statement, tokens, dialect), functions }
}

function parseByKeyword(statement: string, tokens: readonly SqlToken[], dialect: string): ParsedStatement {
  const head = tokens[0]?.text ?? ''
  if (head === 'SHOW') return parseShow(tokens)
  if (/^(EXPLAIN|DESCRIBE|DESC)$/.test(head) || (head === 'ANALYZE' && dialect === 'mysql'))
    return parseExplain(statement, tokens, dialect)
  const name = head === 'TABLE' ? tokens[1] : undefined
  if (!name) return parseQuery(statement, tokens, dialect)
  const select = 'SELECT * FROM '
  return shiftSpans(parseStatement(select + statement.slice(name.start), dialect), name.start - select.length)
}

/** Rejects files that MySQL reads and writes, and settings that change how it splits a text. */
function refuseUnsafe(tokens: readonly SqlToken[]): void {
  const refused = tokens.find(
    ({ kind, text }, index) =>
      kind === 'word' &&
      ((/^(OUTFILE|DUMPFILE)$/.test(text) && tokens[index - 1]?.text === 'INTO') ||
        (text === 'LOAD' && index === 0) ||
        (tokens[0]?.text === 'SET' &&
          /^(SQL_MODE|NAMES|CHARSET|CHARACTER|CHARACTER_SET_\w+|COLLATION_\w+)$/.test(text))),
  )
  if (refused) throw new ParseError(`${refused.text} cannot be used here`, refused.start)
}

function parseShow(tokens: readonly SqlToken[]): ParsedStatement {
  const isPlain = !tokens.some(({ kind, text }) => kind === 'word' && (text === 'SELECT' || text === 'INTO'))
  return { ...unknownStatement('show'), readOnly: isPlain, tables: findShownTable(tokens) }
}

/** EXPLAIN and DESCRIBE of a query, or of a table. A statement that writes may be explained only where it may run. */
function parseExplain(statement: string, tokens: readonly SqlToken[], dialect: string): ParsedStatement {
  const start = tokens.findIndex(({ kind, text }, index) => {
    if (kind === 'word' && index > 0) return explainable.test(text)
    return kind === 'open' && !isOption(tokens, index)
  })
  const first = tokens[start]
  const isCall =
    first?.kind === 'open' && !/^(\)|\d+)$/.test(tokens[start - 1]?.text ?? '') && !isExplainKeyword(tokens[start - 1])
  if (!first || isCall) return parseDescribe(tokens)
  const inner = shiftSpans(parseStatement(statement.slice(first.start), dialect), first.start)
  return { ...inner, kind: 'explain', ownLimit: null, limitSpan: null, takesLimit: false }
}

const isExplainKeyword = (token: SqlToken | undefined) => token?.kind === 'word' && explainKeyword.test(token.text)

/** Parentheses of `EXPLAIN (TYPE ..., FORMAT ...)`. */
const isOption = (tokens: readonly SqlToken[], index: number) => /^(TYPE|FORMAT)$/.test(tokens[index + 1]?.text ?? '')

function parseDescribe(tokens: readonly SqlToken[]): ParsedStatement {
  const index = tokens.findIndex((token) => !isExplainKeyword(token))
  const path = readPath(tokens, index)
  if (!path || /^(FOR|INPUT|OUTPUT)$/.test(tokens[index]?.text ?? '') || tokens[0]?.text === 'ANALYZE')
    return unknownStatement((tokens[0]?.text ?? 'unknown').toLowerCase())
  const isCall = tokens[path.next]?.kind === 'open'
  return {
    ...unknownStatement('describe'),
    readOnly: true,
    tables: isCall ? [] : readTable(tokens, index),
    tableFunctions: isCall ? [path.parts.at(-1) as string] : [],
  }
}

function parseQuery(statement: string, tokens: readonly SqlToken[], dialect: string): ParsedStatement {
  const [first] = tokens
  const head = first?.text ?? ''
  if (first && !readingKeywords.has(head) && !commandKeywords.has(head))
    throw new ParseError(`syntax error at or near "${statement.slice(first.start, first.end)}"`, first.start)
  const plain = normalizeQuotes(statement, tokens)
  const [root, second] = parse(plain, tokens, dialect) ?? []
  const [type = '', query] = Object.entries(root ?? {})[0] ?? []
  if (!root || second)
    return { ...unknownStatement(/^\w+$/.test(head) ? head.toLowerCase() : 'unknown'), tables: namedTables(tokens) }
  const walker = new PolyglotWalker(plain, tokens, dialect)
  walker.visit(root, new Set())
  walker.compare()
  const { tables, tableFunctions } = walker
  const found = { ...unknownStatement(head.toLowerCase()), tables, tableFunctions: [...tableFunctions] }
  const isReading = walker.isReading && !tokens.some(({ kind, text }) => kind === 'word' && text === 'INTO')
  if (!readingKeywords.has(head) || !queryTypes.has(type))
    return { ...found, kind: readingKeywords.has(head) ? type : found.kind }
  const { rows, span, takesLimit } = readLimitClause(tokens, dialect)
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
const namedTables = (tokens: readonly SqlToken[]): ParsedStatement['tables'] =>
  tokens.flatMap(({ kind, text }, index) =>
    kind === 'word' && /^(FROM|JOIN|INTO|UPDATE|TABLE|STRAIGHT_JOIN)$/.test(text) ? readTable(tokens, index + 1) : [],
  )

/** Returns the trees of a text; null for one outside the grammar that does not begin like a query. */
function parse(plain: string, tokens: readonly SqlToken[], dialect: string): Node[] | null {
  const result = parseWith(plain, dialect as Parameters<typeof parseWith>[1])
  if (result.success) return result.ast as unknown as Node[]
  if (!readingKeywords.has(tokens[0]?.text ?? '')) return null
  const offset = indexOfCodePoint(plain, result.errorStart ?? 0)
  const near = tokens.find(({ start, end }) => start <= offset && offset < end)
  if (result.errorStart === undefined) throw new ParseError(result.error ?? 'The statement cannot be parsed', 0)
  throw new ParseError(near ? `syntax error at or near "${near.value}"` : 'syntax error at end of input', offset)
}
