import type { InspectedStatement, Inspection } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { lex, unquoteName, type Token } from '@parquetry/model/lex'
import { message } from '@parquetry/model/message'
import { positionAt } from '@parquetry/model/position'
import type { TableName } from './rules.ts'
import { mayBeSameTable } from './table-identity.ts'

/** Table whose rows are restricted. An unknown catalog or schema is null: the rules then hold for each table of this name. */
export interface RestrictedTable extends TableName {
  /** SQL condition that visible rows meet. */
  clause: string
}

/** Words that may follow a table without being its alias. */
const afterTable = new Set(
  `ON USING WHERE JOIN LEFT RIGHT INNER OUTER FULL CROSS NATURAL GROUP ORDER HAVING LIMIT OFFSET UNION INTERSECT EXCEPT WINDOW
  FETCH QUALIFY ANTI SEMI ASOF POSITIONAL`.split(/\s+/),
)
/** Words that belong to the preceding table; a sub-query in its place would be a syntax error. */
const tableModifiers = new Set(
  'TABLESAMPLE FINAL FOR WITH USE FORCE IGNORE PARTITION AT BEFORE PIVOT UNPIVOT SAMPLE'.split(' '),
)

/** Words before a table that describe it instead of reading its rows, also inside FROM. */
const describing = new Set('SUMMARIZE DESCRIBE DESC SHOW'.split(' '))

/** First words of statements whose tables the parser reports; others may contain SQL that was not inspected. */
const inspectedStatements = new Set(
  'SELECT WITH FROM VALUES TABLE INSERT REPLACE UPDATE DELETE MERGE TRUNCATE CREATE ALTER DROP COMMENT'.split(' '),
)
/** Objects with which CREATE and ALTER define SQL that runs later. */
const deferredSqlObjects = new Set(
  'FUNCTION PROCEDURE TRIGGER EVENT RULE MACRO DICTIONARY PACKAGE EXTENSION USER ROLE'.split(' '),
)

/** System tables in which an engine stores values of tables, or SQL of other users: statistics, logs, sessions. */
const exposesValues: Record<string, (table: TableName, restricted: readonly RestrictedTable[]) => boolean> = {
  postgresql: ({ schema, name }) => (schema === null ? name.startsWith('pg_') : schema === 'pg_catalog'),
  mysql: ({ schema }) => /^(mysql|performance_schema|sys|information_schema)$/i.test(schema ?? ''),
  sqlite: ({ name }) => /^(sqlite_stat|dbstat)/i.test(name),
  // `table$files` reveals values of `table`.
  trino: ({ catalog, name }, restricted) =>
    same(catalog ?? '', 'system') ||
    restricted.some((table) => name.toLowerCase().startsWith(`${table.name.toLowerCase()}$`)),
  clickhouse: ({ schema }) => schema === 'system',
}

/** Meaning of names in a text, and how its engine reads it. */
export interface SpliceContext {
  /** Catalog and schema of unqualified tables; null if unknown, in which case the rules of all tables with the name apply. */
  catalog: string | null
  schema: string | null
  /** Name of the engine: determines how the text is tokenized (`lex`) and how names are compared. */
  dialect: string
  /** Ends each sub-query, so that outer conditions stay outside of it (`Dialect.fence`). */
  fence: string
}

/**
 * Replaces each restricted table in a text with a sub-query for the rows that its rules allow. The rest of the text stays
 * unchanged. Rejects SQL in which this is not certain: a table at an unknown position, one that is changed, described or
 * explained, system tables that store values of the engine's tables, statements that may run SQL which they only construct or
 * name, and, where a statement does more than read, any other mention of the table. In a query that only reads, the parser has
 * found all tables, so the name may also be that of a column, an alias or a query in WITH, or part of a string.
 * @param sql the whole inspected text
 * @throws AppError `sql_not_allowed` with the position
 */
export function spliceRowLevelSecurity(
  sql: string,
  { statements }: Inspection,
  restricted: readonly RestrictedTable[],
  { dialect, fence, ...namespace }: SpliceContext,
): string {
  if (restricted.length === 0) return sql
  const tokens = lex(sql, dialect)
  const covered: [number, number][] = []
  const edits: { at: number; end: number; text: string }[] = []
  for (const statement of statements) {
    if (!statement.readOnly) checkChange(sql, tokens, statement.span)
    for (const table of statement.tables) {
      if (Object.hasOwn(exposesValues, dialect) && exposesValues[dialect]?.(table, restricted))
        throw refusal(table.name, sql, table.span)
      const clause = findClause(table, restricted, namespace, dialect)
      if (clause === null) {
        if (table.span) covered.push(table.span)
        continue
      }
      if (statement.kind === 'explain') throw planReveals(table.name, sql, table.span)
      if (!table.span || statement.kind !== 'select' || !statement.readOnly) throw refusal(table.name, sql, table.span)
      covered.push(table.span)
      const [start, end] = table.span
      const previous = tokenBefore(tokens, start)
      if (previous?.kind === 'word' && describing.has(previous.text)) throw refusal(table.name, sql, table.span)
      const next = tokenFrom(tokens, end)
      if (next?.kind === 'word' && tableModifiers.has(next.text)) throw refusal(table.name, sql, table.span)
      const reference = sql.slice(start, end)
      // A name with spaces around its dots is longer than its span.
      if (!isName(lastPart(reference, dialect), table.name, dialect)) throw refusal(table.name, sql, table.span)
      const alias = hasAlias(next) ? '' : ` AS ${lastPart(reference, dialect)}`
      edits.push({
        at: start,
        end,
        text: `(SELECT * FROM ${reference} WHERE ${clause}${fence && ` ${fence}`})${alias}`,
      })
    }
  }
  const unbound = statements.filter((statement) => !isBound(statement)).map(({ span }) => span)
  if (unbound.length > 0) checkUncovered(sql, tokens, unbound, covered, restricted, dialect)
  const parts: string[] = []
  let done = 0
  for (const { at, end, text } of edits.toSorted((a, b) => a.at - b.at)) {
    parts.push(sql.slice(done, at), text)
    done = end
  }
  return parts.join('') + sql.slice(done)
}

/** First token at or after a position that is not a comment. */
function tokenFrom(tokens: readonly Token[], start: number): Token | undefined {
  let index = countTokensBefore(tokens, start)
  while (tokens[index]?.kind === 'comment') index += 1
  return tokens[index]
}

/** Last token before a position that is not a comment. */
function tokenBefore(tokens: readonly Token[], start: number): Token | undefined {
  let index = countTokensBefore(tokens, start) - 1
  while (tokens[index]?.kind === 'comment') index -= 1
  return tokens[index]
}

/** Uses binary search, because a text may name thousands of tables. */
function countTokensBefore(tokens: readonly Token[], start: number): number {
  let [low, high] = [0, tokens.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((tokens[middle] as Token).start < start) low = middle + 1
    else high = middle
  }
  return low
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Returns whether the parser has found all tables that a statement can read. Functions in FROM may name one in a string. */
const isBound = ({ kind, readOnly, tableFunctions }: InspectedStatement): boolean =>
  readOnly && kind === 'select' && tableFunctions.length === 0

function findClause(
  { catalog, schema, name }: TableName,
  restricted: readonly RestrictedTable[],
  namespace: Pick<SpliceContext, 'catalog' | 'schema'>,
  dialect: string,
): string | null {
  const matches = (meaning: TableName) => restricted.filter((table) => mayBeSameTable(table, meaning, dialect))
  const exact = matches({ catalog: catalog ?? namespace.catalog, schema: schema ?? namespace.schema, name })
  // An unqualified name may refer to a table of another schema on the search path.
  const found = exact.length > 0 || schema !== null ? exact : matches({ catalog, schema, name })
  return found.length === 0 ? null : found.map(({ clause }) => `(${clause})`).join(' AND ')
}

/** Returns whether the next token is a name or AS. */
const hasAlias = (next: Token | undefined): boolean =>
  next !== undefined && (next.kind === 'name' || (next.kind === 'word' && !afterTable.has(next.text)))

/** `c` of `a.b.c`, with its original quotes. */
function lastPart(reference: string, dialect: string): string {
  const last = lex(reference, dialect).findLast(({ kind }) => kind === 'word' || kind === 'name')
  return last ? reference.slice(last.start, last.start + last.text.length) : reference
}

/** Returns whether a text of the query is this name. */
const isName = (text: string, name: string, dialect: string): boolean => {
  const [token] = lex(text, dialect)
  return token !== undefined && mentions(token, name, dialect)
}

/**
 * Rejects the name of a restricted table at a place of these statements where no table was found. `cars.name` is allowed, because
 * it names a column of a found table.
 */
function checkUncovered(
  sql: string,
  tokens: readonly Token[],
  statements: readonly (readonly [number, number])[],
  covered: readonly [number, number][],
  restricted: readonly RestrictedTable[],
  dialect: string,
): void {
  const meaning = tokens.filter(({ kind }) => kind !== 'comment')
  const isChecked = createSpanTest(statements)
  const isCovered = createSpanTest(covered.toSorted((a, b) => a[0] - b[0]))
  meaning.forEach((token, index) => {
    if (isCovered(token.start) || !isChecked(token.start)) return
    const found = restricted.find(({ name }) => mentions(token, name, dialect))
    if (!found) return
    const isQualifier = token.kind !== 'string' && meaning[index + 1]?.text === '.' && meaning[index - 1]?.text !== '.'
    if (!isQualifier) throw refusal(found.name, sql, [token.start, token.start])
  })
}

/** Returns a test for positions in spans that are sorted by their start; it must be called with ascending positions. */
function createSpanTest(spans: readonly (readonly [number, number])[]): (position: number) => boolean {
  let [next, end] = [0, 0]
  return (position) => {
    for (let span = spans[next]; span && span[0] <= position; span = spans[++next]) end = Math.max(end, span[1])
    return position < end
  }
}

function mentions({ kind, text }: Token, name: string, dialect: string): boolean {
  if (kind === 'string') return text.toLowerCase().includes(name.toLowerCase())
  if (kind === 'word') return same(text, name)
  return kind === 'name' && same(unquoteName(text, dialect), name)
}

/** Validates a statement that is not known to be read-only. */
function checkChange(sql: string, tokens: readonly Token[], [start, end]: readonly [number, number]): void {
  const keywords = tokens.filter((token) => token.kind === 'word' && token.start >= start && token.start < end)
  const [first] = keywords
  const createsCode =
    /^(CREATE|ALTER)$/.test(first?.text ?? '') && keywords.slice(1, 5).some(({ text }) => deferredSqlObjects.has(text))
  if (!first || !inspectedStatements.has(first.text) || createsCode)
    throw new AppError('sql_not_allowed', {
      message: message(
        'errors.sql.unknownTables',
        'Row-level security rules apply to you on this database, so you can run only statements whose tables can be determined.',
      ),
      details: { ...positionAt(sql, start) },
    })
}

/** Error for a query plan: the engine estimates and counts rows that the rules hide. */
const planReveals = (name: string, sql: string, span: readonly [number, number] | null): AppError =>
  new AppError('sql_not_allowed', {
    message: message(
      'errors.sql.planRestricted',
      'Row-level security rules limit which rows of "{table}" you can see, and a query plan would reveal information about all of them.',
      { table: name },
    ),
    details: span ? { ...positionAt(sql, span[0]) } : {},
  })

const refusal = (name: string, sql: string, span: readonly [number, number] | null): AppError =>
  new AppError('sql_not_allowed', {
    message: message(
      'errors.sql.tableRestricted',
      'Row-level security rules cannot be enforced where this query names "{table}". Name the table only in FROM or JOIN, without spaces around the dots.',
      { table: name },
    ),
    details: span ? { ...positionAt(sql, span[0]) } : {},
  })
