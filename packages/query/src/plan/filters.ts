import { AppError, GenericType, message, type QueryColumn, type QueryFilter } from '@parquetry/model'
import type { Dialect } from '../sql/dialect.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { adhocSql, columnSql } from './expression.ts'
import { filterOperand, type FilterTarget } from './filter-values.ts'
import { isTextType, resolveColumnKind } from './column-kind.ts'
import { resolveQueryRange } from './resolve-query-range.ts'
import { invalidQuery, timestampLabel, type Scope } from './scope.ts'
import { truncateToGrain, nativeTime, rangeSql, timeSql } from './time-column.ts'

/** Value that a filter is applied to; null when the dataset has no such column. */
function resolveSubject({ col, grain }: QueryFilter, scope: Scope): { value: Sql; target: FilterTarget } | null {
  const column = findColumn(col, scope)
  if (column && grain) {
    const { value } = truncateToGrain(timeSql(column, scope.dialect), grain, scope.dialect)
    return { value, target: { ...nativeTime, kind: GenericType.TEMPORAL } }
  }
  if (column) return { value: columnSql(column), target: { ...column, kind: resolveColumnKind(column) } }
  if (typeof col === 'string' || scope.context.expressions?.get(col.sqlExpression) === 'invalid') return null
  return { value: sql`(${adhocSql(col.sqlExpression, scope)})`, target: { ...nativeTime, kind: null } }
}

function findColumn(col: QueryColumn, { columns, granularity, isTimeseries }: Scope) {
  if (col === timestampLabel && isTimeseries && granularity) return granularity
  return columns.get(typeof col === 'string' ? col : col.sqlExpression)
}

/** Returns whether the filter is applied; others are reported as rejected. */
export const isFilterApplied = (filter: QueryFilter, scope: Scope): boolean =>
  findColumn(filter.col, scope) !== undefined ||
  (typeof filter.col !== 'string' && scope.context.expressions?.get(filter.col.sqlExpression) !== 'invalid')

export const isTemporalRange = ({ op }: QueryFilter): boolean => op.toUpperCase() === 'TEMPORAL_RANGE'

/** Time range of a temporal filter. @throws AppError `invalid_query` when it is not text */
export function readRangeText({ val }: QueryFilter): string | null {
  const first: unknown = Array.isArray(val) ? val[0] : val
  if (first === null || first === undefined || typeof first === 'string') return first ?? null
  throw invalidQuery(
    message('errors.query.temporalRange', 'Error: The value of a TEMPORAL_RANGE filter must be a string.'),
  )
}

/** The conditions of one filter, to be joined with AND. @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery` */
export function filterSql(filter: QueryFilter, scope: Scope): Sql[] {
  const subject = resolveSubject(filter, scope)
  if (!subject) return []
  const { value, target } = subject
  const op = filter.op.toUpperCase()
  if (op === 'TEMPORAL_RANGE') return temporalRange(filter, subject, scope)
  if (op === 'IN' || op === 'NOT IN') return [listSql(value, op, filter, target, scope)]
  const test = tests[op]
  return [test ? test(value, scope.dialect) : comparison(value, op, filter, target, scope)]
}

const tests: Record<string, (value: Sql, dialect: Dialect) => Sql> = {
  'IS NULL': (value) => sql`${value} IS NULL`,
  'IS NOT NULL': (value) => sql`${value} IS NOT NULL`,
  'IS TRUE': (value, dialect) => dialect.isTruth(value, true),
  'IS FALSE': (value, dialect) => dialect.isTruth(value, false),
}

/** A filter without a range text restricts nothing. */
function temporalRange(filter: QueryFilter, { value, target }: { value: Sql; target: FilterTarget }, scope: Scope) {
  const text = readRangeText(filter)
  return text?.trim() ? rangeSql(value, target, resolveQueryRange(text, scope), scope.dialect) : []
}

function listSql(value: Sql, op: string, filter: QueryFilter, target: FilterTarget, { dialect }: Scope): Sql {
  const given = Array.isArray(filter.val) ? filter.val : [filter.val]
  if (given.length === 0)
    throw invalidQuery(message('errors.query.noFilterValues', 'Error: Filter value list cannot be empty'))
  const operands = given.map((one: unknown) => filterOperand(one, target, dialect, textOptions(filter)))
  const comparable = comparableForm(target, dialect)
  const known = operands.flatMap((one) => (one.kind === 'value' ? [comparable(one.sql)] : []))
  const tests = [
    ...(operands.some(({ kind }) => kind === 'null') ? [sql`${value} IS NULL`] : []),
    ...(known.length > 0 ? [sql`${comparable(value)} IN (${sql.join(known, ', ')})`] : []),
    ...(operands.some(({ kind }) => kind === 'nan') ? [nanSql(value, dialect)] : []),
  ]
  const [first, ...others] = tests
  // No value of the column is in the list.
  if (!first) return op === 'IN' ? noRow : sql`${value} IS NOT NULL`
  const condition = others.length === 0 ? first : sql`(${sql.join(tests, ' OR ')})`
  return op === 'IN' ? condition : sql`NOT (${condition})`
}

const noRow = sql`1 = 0`

/** Form in which a value of the column equals other texts of the same time. */
const comparableForm = (
  { kind, python_date_format }: FilterTarget,
  { comparableTime }: Dialect,
): ((time: Sql) => Sql) =>
  comparableTime && kind === GenericType.TEMPORAL && !python_date_format ? comparableTime : (time) => time

const textOptions = ({ isExact }: QueryFilter) => ({ isExact: isExact === true })

/** Only called for the operand `nan`, which only engines with such a test have. */
const nanSql = (value: Sql, { isNaN }: Dialect): Sql => (isNaN ? isNaN(value) : noRow)

const noValue = () =>
  invalidQuery(
    message('errors.query.noFilterValue', 'Error: Must specify a value for filters with comparison operators'),
  )

const comparisons: Record<string, (value: Sql, other: Sql) => Sql> = {
  '==': (value, other) => sql`${value} = ${other}`,
  '!=': (value, other) => sql`${value} <> ${other}`,
  '>': (value, other) => sql`${value} > ${other}`,
  '<': (value, other) => sql`${value} < ${other}`,
  '>=': (value, other) => sql`${value} >= ${other}`,
  '<=': (value, other) => sql`${value} <= ${other}`,
}

/** Operators with a pattern; the others compare with a value. */
const patterns: Record<string, (text: Sql, pattern: Sql, dialect: Dialect) => Sql> = {
  LIKE: (text, pattern, { like }) => like(text, pattern, false),
  ILIKE: (text, pattern, { like }) => like(text, pattern, true),
  'NOT LIKE': (text, pattern, { like }) => sql`NOT (${like(text, pattern, false)})`,
  REGEX: (text, pattern, dialect) => regexOf(dialect)(text, pattern),
  'NOT REGEX': (text, pattern, dialect) => sql`NOT (${regexOf(dialect)(text, pattern)})`,
}

function regexOf({ regex, name }: Dialect) {
  if (!regex)
    throw new AppError('unsupported', {
      message: message('errors.query.regex', '{engine} does not support regular expressions in filters.', {
        engine: name,
      }),
    })
  return regex
}

const maxPatternLength = 10_000
/** The time of some engines is exponential in the number of wildcards. */
const maxWildcards = 50

/**
 * Reads a pattern of LIKE; several `%` in a row are one, also with `_` between them.
 * @throws AppError `invalid_query` when it is too long or has too many wildcards
 */
function readPattern(pattern: string): string {
  const collapsed = pattern.replaceAll(/\\.|[%_]+/gs, (found) =>
    found.startsWith('\\') || found.split('%').length <= 2 ? found : `${found.replaceAll('%', '')}%`,
  )
  const wildcards = collapsed.replaceAll(/\\./gs, '').match(/[%_]/g)?.length ?? 0
  if (collapsed.length <= maxPatternLength && wildcards <= maxWildcards) return collapsed
  throw invalidQuery(
    message(
      'errors.query.patternSize',
      'Error: A pattern may have at most {length, number} characters and {wildcards} wildcards (% and _).',
      { length: maxPatternLength, wildcards: maxWildcards },
    ),
  )
}

/** A longer one costs an engine more to compile than any honest one needs. */
const maxRegexLength = 1000

function requireRegexLength(given: unknown): void {
  if (given === '') throw noValue()
  if (typeof given === 'string' && given.length > maxRegexLength)
    throw invalidQuery(
      message('errors.query.regexLength', 'Error: A regular expression may have at most {max} characters.', {
        max: maxRegexLength,
      }),
    )
}

function comparison(value: Sql, op: string, filter: QueryFilter, target: FilterTarget, { dialect }: Scope): Sql {
  const sent: unknown = Array.isArray(filter.val) ? filter.val[0] : filter.val
  const match = patterns[op]
  const given = op.endsWith('LIKE') && typeof sent === 'string' ? readPattern(sent) : sent
  if (op.endsWith('REGEX')) requireRegexLength(given)
  const operand = filterOperand(given, target, dialect, { ...textOptions(filter), isPattern: match !== undefined })
  if (operand.kind === 'null') {
    if (op === '==') return sql`${value} IS NULL`
    if (op === '!=') return sql`${value} IS NOT NULL`
    throw noValue()
  }
  if (match && operand.kind === 'value')
    return match(isTextType(target) ? value : dialect.asText(value, target.type), operand.sql, dialect)
  const compare = comparisons[op]
  if (!compare)
    throw invalidQuery(
      message('errors.query.filterOperator', 'Error: Invalid filter operation type: {operator}', { operator: op }),
    )
  if (operand.kind === 'value') {
    const comparable = op === '==' || op === '!=' ? comparableForm(target, dialect) : (time: Sql) => time
    return compare(comparable(value), comparable(operand.sql))
  }
  if (op === '==') return operand.kind === 'nan' ? nanSql(value, dialect) : noRow
  if (op === '!=') return operand.kind === 'nan' ? sql`NOT (${nanSql(value, dialect)})` : sql`${value} IS NOT NULL`
  if (typeof given === 'string' && given.trim() === '') throw noValue()
  if (operand.kind === 'nan' || operand.order === null)
    throw invalidQuery(
      message('errors.query.filterOrder', 'Error: The value {value} cannot be compared with this column.', {
        value: String(given).slice(0, 100),
      }),
    )
  if (operand.order === 'within') return operand.sql ? compare(value, operand.sql) : noRow
  return operand.order === (op.startsWith('<') ? 'above' : 'below') ? sql`${value} IS NOT NULL` : noRow
}
