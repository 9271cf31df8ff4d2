import type { Inspection } from '@parquetry/model'
import { AppError } from '@parquetry/model/errors'
import { lex, unquoteName, type Token } from '@parquetry/model/lex'
import { message } from '@parquetry/model/message'
import { positionAt } from '@parquetry/model/position'
import type { TableName } from './rules.ts'

/** A table that some rows of may be hidden. */
export interface SecuredTable {
  schema: string | null
  name: string
  /** SQL condition that the rows must fulfil. */
  clause: string
}

/**
 * One condition of several rules: those of a group are joined with OR, groups and single rules with AND.
 * @param rules `group_key` null or empty stands alone
 */
export function joinRuleClauses(rules: readonly { group_key: string | null; clause: string }[]): string {
  const groups = new Map<string | symbol, string[]>()
  for (const { group_key, clause } of rules) {
    const key = group_key || Symbol('alone')
    groups.set(key, [...(groups.get(key) ?? []), `(${clause}\n)`])
  }
  return [...groups.values()].map((group) => `(${group.join(' OR ')})`).join(' AND ')
}

/** Words that may follow a table without being another name for it. */
const afterTable = new Set(
  `ON USING WHERE JOIN LEFT RIGHT INNER OUTER FULL CROSS NATURAL GROUP ORDER HAVING LIMIT OFFSET UNION INTERSECT EXCEPT WINDOW
  FETCH QUALIFY ANTI SEMI ASOF POSITIONAL`.split(/\s+/),
)
/** Words that belong to the table before them: a query in its place would not be understood. */
const tableModifiers = new Set(
  'TABLESAMPLE FINAL FOR WITH USE FORCE IGNORE PARTITION AT BEFORE PIVOT UNPIVOT SAMPLE'.split(' '),
)

/** Words that a statement begins with whose tables a reader tells; any other may hold SQL that nobody here has read. */
const changing = new Set(
  'SELECT WITH FROM VALUES TABLE INSERT REPLACE UPDATE DELETE MERGE TRUNCATE CREATE ALTER DROP COMMENT'.split(' '),
)
/** What CREATE and ALTER make of SQL that runs later. */
const running = new Set('FUNCTION PROCEDURE TRIGGER EVENT RULE MACRO DICTIONARY PACKAGE EXTENSION USER ROLE'.split(' '))

/** Where an engine keeps values of tables, or texts of others: statistics, logs, sessions. */
const exposesValues: Record<string, (table: TableName, ruled: readonly SecuredTable[]) => boolean> = {
  postgresql: ({ schema, name }) => (schema === null ? name.startsWith('pg_') : schema === 'pg_catalog'),
  mysql: ({ schema }) => /^(mysql|performance_schema|sys|information_schema)$/i.test(schema ?? ''),
  sqlite: ({ name }) => /^(sqlite_stat|dbstat)/i.test(name),
  // `table$files` tells of the values in `table`.
  trino: ({ catalog, name }, ruled) =>
    same(catalog ?? '', 'system') ||
    ruled.some((table) => name.toLowerCase().startsWith(`${table.name.toLowerCase()}$`)),
  clickhouse: ({ schema }) => schema === 'system',
}

/**
 * A text in which each table that has rules is replaced, where it stands, by a query of those rows that the rules let through.
 * Nothing else of the text changes. What cannot be replaced for sure is refused: a table whose place is not known, one that
 * is changed, described or explained, a name that also stands where no table was found, in a string as well, what an engine keeps of
 * the values of its tables, and a statement that may run SQL which it only makes or names.
 * @param sql        the whole text that was inspected
 * @param usual      schema of a table that is named without one; null when it is not known: such a table has the rules of every
 *                   table of its name
 * @param dialect   by which the text is cut into tokens, as for `lex`
 * @param fence     ends each of the queries: conditions of the text stay outside of it (`Dialect.fence`)
 * @throws AppError `sql_not_allowed` with the position
 */
export function spliceRowLevelSecurity(
  sql: string,
  { statements }: Inspection,
  ruled: readonly SecuredTable[],
  usual: string | null,
  dialect = '',
  fence = '',
): string {
  if (ruled.length === 0) return sql
  const tokens = lex(sql, dialect)
  const covered: [number, number][] = []
  const edits: { at: number; end: number; text: string }[] = []
  for (const statement of statements) {
    if (!statement.readOnly) checkChange(sql, tokens, statement.span)
    for (const table of statement.tables) {
      if (Object.hasOwn(exposesValues, dialect) && exposesValues[dialect]?.(table, ruled))
        throw refusal(table.name, sql, table.span)
      const clause = findClause(table, ruled, usual)
      if (clause === null) {
        if (table.span) covered.push(table.span)
        continue
      }
      if (statement.kind === 'explain') throw planReveals(table.name, sql, table.span)
      if (!table.span || statement.kind !== 'select' || !statement.readOnly) throw refusal(table.name, sql, table.span)
      covered.push(table.span)
      const [start, end] = table.span
      const next = tokenFrom(tokens, end)
      if (next?.kind === 'word' && tableModifiers.has(next.text)) throw refusal(table.name, sql, table.span)
      const reference = sql.slice(start, end)
      const alias = hasAlias(next) ? '' : ` AS ${lastPart(reference, dialect)}`
      edits.push({
        at: start,
        end,
        text: `(SELECT * FROM ${reference} WHERE ${clause}${fence && ` ${fence}`})${alias}`,
      })
    }
  }
  checkUncovered(sql, tokens, covered, ruled, dialect)
  const pieces: string[] = []
  let done = 0
  for (const { at, end, text } of edits.toSorted((a, b) => a.at - b.at)) {
    pieces.push(sql.slice(done, at), text)
    done = end
  }
  return pieces.join('') + sql.slice(done)
}

/** The first token from a place on that is no comment; a text may name thousands of tables. */
function tokenFrom(tokens: readonly Token[], start: number): Token | undefined {
  let [low, high] = [0, tokens.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((tokens[middle] as Token).start < start) low = middle + 1
    else high = middle
  }
  while (tokens[low]?.kind === 'comment') low += 1
  return tokens[low]
}

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

function findClause(
  { schema, name }: { schema: string | null; name: string },
  ruled: readonly SecuredTable[],
  usual: string | null,
): string | null {
  const named = ruled.filter((table) => same(table.name, name))
  const home = schema ?? usual
  const exact = home === null ? named : named.filter((table) => table.schema === null || same(table.schema, home))
  // An unqualified name may mean a table of another schema on the way of the session.
  const found = exact.length > 0 || schema !== null ? exact : named
  return found.length === 0 ? null : found.map(({ clause }) => `(${clause})`).join(' AND ')
}

/** A name follows, or AS. */
const hasAlias = (next: Token | undefined): boolean =>
  next !== undefined && (next.kind === 'name' || (next.kind === 'word' && !afterTable.has(next.text)))

/** `c` of `a.b.c`, quoted as it stands. */
function lastPart(reference: string, dialect: string): string {
  const last = lex(reference, dialect).findLast(({ kind }) => kind === 'word' || kind === 'name')
  return last ? reference.slice(last.start, last.start + last.text.length) : reference
}

/** Where the name of a table with rules stands and no table was found. `cars.name` names a column of what was found. */
function checkUncovered(
  sql: string,
  tokens: readonly Token[],
  covered: readonly [number, number][],
  ruled: readonly SecuredTable[],
  dialect: string,
): void {
  const meaning = tokens.filter(({ kind }) => kind !== 'comment')
  const spans = covered.toSorted((a, b) => a[0] - b[0])
  let [next, coveredTo] = [0, 0]
  meaning.forEach((token, at) => {
    for (let span = spans[next]; span && span[0] <= token.start; span = spans[++next])
      coveredTo = Math.max(coveredTo, span[1])
    if (token.start < coveredTo) return
    const found = ruled.find(({ name }) => mentions(token, name, dialect))
    if (!found) return
    const isQualifier = token.kind !== 'string' && meaning[at + 1]?.text === '.' && meaning[at - 1]?.text !== '.'
    if (!isQualifier) throw refusal(found.name, sql, [token.start, token.start])
  })
}

function mentions({ kind, text }: Token, name: string, dialect: string): boolean {
  if (kind === 'string') return text.toLowerCase().includes(name.toLowerCase())
  if (kind === 'word') return same(text, name)
  return kind === 'name' && same(unquoteName(text, dialect), name)
}

/** Of a statement that is not known to read. */
function checkChange(sql: string, tokens: readonly Token[], [start, end]: readonly [number, number]): void {
  const words = tokens.filter((token) => token.kind === 'word' && token.start >= start && token.start < end)
  const [first] = words
  const isMade = /^(CREATE|ALTER)$/.test(first?.text ?? '') && words.slice(1, 5).some(({ text }) => running.has(text))
  if (!first || !changing.has(first.text) || isMade)
    throw new AppError('sql_not_allowed', {
      message: message(
        'errors.sql.unknownTables',
        'Row-level security rules apply to you on this database, so you can run only statements whose tables can be determined.',
      ),
      details: { ...positionAt(sql, start) },
    })
}

/** An engine estimates by all rows, and counts those that it has asked. */
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
      'Row-level security rules cannot be enforced where this query names "{table}". Name the table only in FROM or JOIN.',
      { table: name },
    ),
    details: span ? { ...positionAt(sql, span[0]) } : {},
  })
