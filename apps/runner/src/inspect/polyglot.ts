import { indexOfCodePoint } from '@parquetry/model/position'
import { parse as parseWith } from '@polyglot-sql/sdk'
import { functionsIn } from './functions-in.ts'
import { type Parsed, ParseError, shifted, unknown } from './inspect.ts'
import { lastClauses } from './last-clauses.ts'
import { type Node, PolyglotWalker } from './polyglot-walker.ts'
import { shownTable, tableAt } from './shown-table.ts'
import { pathAt, plainText, type Word, wordsOf } from './words.ts'

/** Words that a statement begins with which may only read. */
const reading = new Set(['SELECT', 'WITH', 'VALUES', 'FROM', 'TABLE', 'SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', '('])
const queries = new Set(['select', 'union', 'intersect', 'except', 'subquery', 'values', 'paren'])
/** Words that may begin what EXPLAIN explains, and those that may stand before it. */
const explainable = /^(SELECT|WITH|VALUES|FROM|INSERT|REPLACE|UPDATE|DELETE|MERGE|CREATE|ALTER|DROP|CALL|EXECUTE)$/
const explaining =
  /^(EXPLAIN|DESCRIBE|DESC|ANALYZE|VERBOSE|EXTENDED|PARTITIONS|QUERY|PLAN|TREE|AST|SYNTAX|PIPELINE|TABLE)$/

/**
 * A reader of one statement for engines without a parser of their own here. What its grammar does not have is an error when it
 * begins like a query, and else a statement to which nothing is granted.
 * @param dialect `mysql`, `sqlite`, `trino` or `clickhouse`
 */
export const polyglotReader = (dialect: string) => (statement: string) => Promise.resolve(read(statement, dialect))

function read(statement: string, dialect: string): Parsed {
  const words = wordsOf(statement, dialect)
  if (dialect === 'mysql') refuseHidden(words)
  const functions = functionsIn(words)
  return { ...readHead(statement, words, dialect), functions }
}

function readHead(statement: string, words: readonly Word[], dialect: string): Parsed {
  const head = words[0]?.text ?? ''
  if (head === 'SHOW') return shown(words)
  if (/^(EXPLAIN|DESCRIBE|DESC)$/.test(head) || (head === 'ANALYZE' && dialect === 'mysql'))
    return explained(statement, words, dialect)
  const name = head === 'TABLE' ? words[1] : undefined
  if (!name) return readQuery(statement, words, dialect)
  const select = 'SELECT * FROM '
  return shifted(read(select + statement.slice(name.start), dialect), name.start - select.length)
}

/** Files that MySQL reads and writes, and settings that change how it cuts a text. */
function refuseHidden(words: readonly Word[]): void {
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

function shown(words: readonly Word[]): Parsed {
  const isPlain = !words.some(({ kind, text }) => kind === 'word' && (text === 'SELECT' || text === 'INTO'))
  return { ...unknown('show'), readOnly: isPlain, tables: shownTable(words) }
}

/** EXPLAIN and DESCRIBE of a query, or of a table. A statement that writes is explained only where it may run. */
function explained(statement: string, words: readonly Word[], dialect: string): Parsed {
  const begin = words.findIndex(({ kind, text }, index) => {
    if (kind === 'word' && index > 0) return explainable.test(text)
    return kind === 'open' && !isOption(words, index)
  })
  const first = words[begin]
  const isCall =
    first?.kind === 'open' && !/^(\)|\d+)$/.test(words[begin - 1]?.text ?? '') && !isExplaining(words[begin - 1])
  if (!first || isCall) return described(words)
  const inner = shifted(read(statement.slice(first.start), dialect), first.start)
  return { ...inner, kind: 'explain', ownLimit: null, limitSpan: null, takesLimit: false }
}

const isExplaining = (word: Word | undefined) => word?.kind === 'word' && explaining.test(word.text)

/** Brackets of `EXPLAIN (TYPE ..., FORMAT ...)`. */
const isOption = (words: readonly Word[], index: number) => /^(TYPE|FORMAT)$/.test(words[index + 1]?.text ?? '')

function described(words: readonly Word[]): Parsed {
  const at = words.findIndex((word) => !isExplaining(word))
  const path = pathAt(words, at)
  if (!path || /^(FOR|INPUT|OUTPUT)$/.test(words[at]?.text ?? '') || words[0]?.text === 'ANALYZE')
    return unknown((words[0]?.text ?? 'unknown').toLowerCase())
  const isCall = words[path.next]?.kind === 'open'
  return {
    ...unknown('describe'),
    readOnly: true,
    tables: isCall ? [] : tableAt(words, at),
    tableFunctions: isCall ? [path.parts.at(-1) as string] : [],
  }
}

function readQuery(statement: string, words: readonly Word[], dialect: string): Parsed {
  const head = words[0]?.text ?? ''
  const plain = plainText(statement, words)
  const [root, second] = parse(plain, words, dialect) ?? []
  const [type = '', query] = Object.entries(root ?? {})[0] ?? []
  if (!root || second)
    return { ...unknown(/^\w+$/.test(head) ? head.toLowerCase() : 'unknown'), tables: namedTables(words) }
  const walker = new PolyglotWalker(plain, words, dialect)
  walker.visit(root, new Set())
  walker.compare()
  const { tables, tableFunctions } = walker
  const found = { ...unknown(head.toLowerCase()), tables, tableFunctions: [...tableFunctions] }
  const isReading = walker.isReading && !words.some(({ kind, text }) => kind === 'word' && text === 'INTO')
  if (!reading.has(head) || !queries.has(type)) return { ...found, kind: reading.has(head) ? type : found.kind }
  const { rows, span, takesLimit } = lastClauses(words, dialect)
  // In ClickHouse a LIMIT after the last of several queries limits that one alone.
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

/** Tables of a statement that no tree tells: what follows the words that name one. */
const namedTables = (words: readonly Word[]): Parsed['tables'] =>
  words.flatMap(({ kind, text }, index) =>
    kind === 'word' && /^(FROM|JOIN|INTO|UPDATE|TABLE|STRAIGHT_JOIN)$/.test(text) ? tableAt(words, index + 1) : [],
  )

/** The trees of a text; null for one that the grammar does not have and that does not begin like a query. */
function parse(plain: string, words: readonly Word[], dialect: string): Node[] | null {
  const result = parseWith(plain, dialect as Parameters<typeof parseWith>[1])
  if (result.success) return result.ast as unknown as Node[]
  if (!reading.has(words[0]?.text ?? '')) return null
  const offset = indexOfCodePoint(plain, result.errorStart ?? 0)
  const near = words.find(({ start, end }) => start <= offset && offset < end)
  if (result.errorStart === undefined) throw new ParseError(result.error ?? 'The statement cannot be parsed', 0)
  throw new ParseError(near ? `syntax error at or near "${near.said}"` : 'syntax error at end of input', offset)
}
