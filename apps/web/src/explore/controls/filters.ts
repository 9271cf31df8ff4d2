import { nullText, type ChartForm } from '@parquetry/charts'
import { exactFields, hasRegex, nullToken, readExactNumber } from '@parquetry/model'
import {
  findOperator,
  isRegexOperator,
  operators,
  readPatternText,
  storeOperator,
  type Operator,
} from '../../shared/filter-operators.ts'
import { integerTypes } from './numeric-types.ts'
import type { ExploreColumn, ExploreDataset, ExploreMetric } from '../use-explore.ts'

/** One entry of `adhoc_filters`, as spelled by the API and other tools. */
export interface AdhocFilter {
  expressionType: 'SIMPLE' | 'SQL'
  clause: 'WHERE' | 'HAVING'
  subject?: string | null
  operator?: string | null
  operatorId?: string | null
  comparator?: unknown
  sqlExpression?: string | null
  filterOptionName?: string
  /** Texts are values as they are in the data, not the API's signs for null and empty text. */
  isExact?: boolean
  /** Inherited from the dashboard from which the chart was opened. */
  isExtra?: boolean
  /** The chart's own filter that this one replaces. */
  insteadOf?: AdhocFilter
}

/** Subject of a filter: a column, or a saved metric, which filters groups. */
export type FilterSubject =
  | { kind: 'column'; column: Pick<ExploreColumn, 'column_name' | 'type' | 'type_generic' | 'is_dttm' | 'expression'> }
  | { kind: 'metric'; metric: Pick<ExploreMetric, 'metric_name' | 'expression'> }

const always = ['IS_NULL', 'IS_NOT_NULL']
const byType: Record<number, readonly string[]> = {
  0: [
    'EQUALS',
    'NOT_EQUALS',
    'LESS_THAN',
    'LESS_THAN_OR_EQUAL',
    'GREATER_THAN',
    'GREATER_THAN_OR_EQUAL',
    'IN',
    'NOT_IN',
    ...always,
  ],
  1: [
    'IN',
    'NOT_IN',
    'EQUALS',
    'NOT_EQUALS',
    'CONTAINS',
    'CONTAINS_ANY_CASE',
    'NOT_CONTAINS',
    'STARTS_WITH',
    'ENDS_WITH',
    'LIKE',
    'ILIKE',
    'NOT_LIKE',
    'REGEX',
    'NOT_REGEX',
    ...always,
  ],
  2: [
    'TEMPORAL_RANGE',
    'EQUALS',
    'NOT_EQUALS',
    'LESS_THAN',
    'LESS_THAN_OR_EQUAL',
    'GREATER_THAN',
    'GREATER_THAN_OR_EQUAL',
    ...always,
  ],
  3: ['IS_TRUE', 'IS_FALSE', ...always],
}

/** CTRL-082. */
const metricOperatorIds = [
  'EQUALS',
  'NOT_EQUALS',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
] as const

/** Conditions that change the operators of a column. */
export interface OperatorContext {
  /** The partition column of the table, if it has exactly one. */
  partitionColumn?: string | null
  /** Operators of an advanced data type, as reported by the server (CTRL-086). */
  advanced?: readonly string[] | null
  /** Engine of the dataset, as in the API. */
  backend?: string | undefined
}

/** Operators that are valid for a column or a metric, the default first. */
export function operatorsFor(
  subject: FilterSubject | undefined,
  { partitionColumn, advanced, backend }: OperatorContext = {},
): Operator[] {
  if (subject?.kind === 'metric') return named(metricOperatorIds)
  const column = subject?.column
  const kind = column?.is_dttm ? 2 : (column?.type_generic ?? 1)
  const ids = [
    ...(byType[kind] ?? byType[1] ?? []),
    ...(kind !== 3 && column && canBeBoolean(column) ? ['IS_TRUE', 'IS_FALSE'] : []),
    ...(column && column.column_name === partitionColumn ? ['LATEST_PARTITION'] : []),
  ]
  const offered = named(ids).filter((each) => !isRegexOperator(each) || hasRegex(backend))
  return advanced ? offered.filter(({ operatorId }) => advanced.includes(operatorId)) : offered
}

const named = (ids: readonly string[]): Operator[] =>
  ids.flatMap((id) => operators.find(({ operatorId }) => operatorId === id) ?? [])

/** CTRL-080: booleans may be stored as integers, and an expression may return a boolean. */
const canBeBoolean = ({ type, expression }: Pick<ExploreColumn, 'type' | 'expression'>): boolean =>
  Boolean(expression) || integerTypes.has(/^[A-Za-z]+/.exec(type ?? '')?.[0].toUpperCase() ?? '')

/**
 * Operator after the subject of a filter changes: a valid operator stays, otherwise IN (CTRL-062, CTRL-063), or the first one if
 * the subject does not support IN.
 */
export function resolveOperatorId(operatorId: string | null, offered: readonly Operator[]): string | null {
  const next =
    offered.find((each) => each.operatorId === operatorId) ??
    (operatorId === null ? undefined : offered.find((each) => each.operatorId === 'IN')) ??
    offered[0]
  return next?.operatorId ?? null
}

/** True if a text names a filterable column or a metric. */
export const isFilterSubject = (text: string, { columns, metrics }: ExploreDataset): boolean =>
  columns.some(({ column_name, filterable }) => filterable && column_name === text) ||
  metrics.some(({ metric_name }) => metric_name === text)

/** True if the dataset still has the subject of a filter; SQL is not inspected. */
export const isSubjectInDataset = ({ subject, clause }: AdhocFilter, { columns, metrics }: ExploreDataset): boolean =>
  !subject ||
  columns.some(({ column_name }) => column_name === subject) ||
  (clause === 'HAVING' && metrics.some(({ metric_name }) => metric_name === subject))

/** True if the Simple tab made this SQL filter from a metric. */
export const isMetricFilter = (filter: AdhocFilter, { metrics }: Pick<ExploreDataset, 'metrics'>): boolean => {
  const metric = metrics.find(({ metric_name }) => metric_name === filter.subject)
  const operator = findOperator(filter)
  return (
    filter.expressionType === 'SQL' &&
    metric !== undefined &&
    operator !== undefined &&
    filter.sqlExpression === metricFilter(metric, operator, filter.comparator)?.sqlExpression
  )
}

/**
 * Text of a value in a pill. The API represents null among the values of a filter as `<NULL>`. Long numbers are stored as text and
 * shown as numbers.
 */
const quoted = (value: unknown, isExact: boolean): string => {
  if (value === null || (value === '<NULL>' && !isExact)) return nullText
  if (typeof value !== 'string') return String(value)
  return readExactNumber(value) === value && /\d{16}/.test(value) ? value : `'${value}'`
}

/** Text of a filter's pill. */
export function formatAdhocFilter(filter: AdhocFilter, verbose: Record<string, string>): string {
  if (filter.expressionType === 'SQL' && filter.sqlExpression) return filter.sqlExpression
  const subject = verbose[filter.subject ?? ''] || (filter.subject ?? '')
  const operator = findOperator(filter)
  if (!operator) return `${subject} ${filter.operator ?? ''} ${String(filter.comparator ?? '')}`
  if (operator.valueKind === 'none') return `${subject} ${operator.label}`
  if (operator.valueKind === 'range') return `${subject}: ${String(filter.comparator ?? 'No filter')}`
  const isExact = filter.isExact === true
  const value = [readPatternText(filter)]
    .flat()
    .map((one) => quoted(one, isExact))
    .join(', ')
  return `${subject} ${operator.label} ${value}`
}

/** Value of a stored filter for editing: the API's sign for null in a list is null, and wildcards belong to the operator. */
export function readComparator(filter: AdhocFilter): unknown {
  const comparator = readPatternText(filter)
  return Array.isArray(comparator) && filter.isExact !== true
    ? comparator.map((value: unknown) => (value === nullToken ? null : value))
    : (comparator ?? null)
}

/** Converts a value to the shape that an operator requires: a list, or the first value of a list (CTRL-069). */
export function adaptComparator(value: unknown, operator: Operator | undefined): unknown {
  if (operator?.valueKind === 'many')
    return Array.isArray(value) || value === null || value === undefined ? value : [value]
  return Array.isArray(value) ? (value[0] ?? null) : value
}

/** Builds a simple filter; null while it is incomplete. */
export function simpleFilter(
  subject: string | null,
  operator: Operator | undefined,
  comparator: unknown,
  before?: AdhocFilter,
): AdhocFilter | null {
  if (!subject || !operator) return null
  if (
    operator.valueKind === 'one' &&
    (Array.isArray(comparator) || comparator === null || comparator === undefined || comparator === '')
  )
    return null
  if (operator.valueKind === 'many' && (!Array.isArray(comparator) || comparator.length === 0)) return null
  const value =
    operator.operatorId === 'IS_TRUE'
      ? true
      : operator.operatorId === 'IS_FALSE'
        ? false
        : operator.valueKind === 'none'
          ? null
          : comparator
  const stored = storeOperator(operator, value)
  const { isExact, ...kept } = before ?? {}
  const isSame = before !== undefined && JSON.stringify(before.comparator) === JSON.stringify(stored.comparator)
  return {
    ...kept,
    ...(isSame ? isExact && { isExact } : exactFields(stored.comparator)),
    expressionType: 'SIMPLE',
    clause: 'WHERE',
    subject,
    ...stored,
    sqlExpression: null,
    filterOptionName: before?.filterOptionName ?? `filter_${crypto.randomUUID().slice(0, 12)}`,
  }
}

/**
 * CTRL-065: a metric filters groups. The API does not run simple HAVING filters, so it is stored as SQL, together with subject,
 * operator and value for the Simple tab. Null while it is incomplete.
 */
export function metricFilter(
  { metric_name, expression }: Pick<ExploreMetric, 'metric_name' | 'expression'>,
  operator: Operator | undefined,
  comparator: unknown,
  before?: AdhocFilter,
): AdhocFilter | null {
  const number =
    typeof comparator === 'number' || typeof comparator === 'string' ? readExactNumber(String(comparator)) : null
  if (!operator || number === null) return null
  const sign = { '==': '=', '!=': '<>' }[operator.operator] ?? operator.operator
  return {
    ...sqlFilter(`${expression} ${sign} ${number}`, 'HAVING', before),
    subject: metric_name,
    operator: operator.operator,
    operatorId: operator.operatorId,
    comparator: number,
  }
}

/** The partition column reported by `table_metadata/extra`; null if there are several or none. */
export function findPartitionColumn(extra: object): string | null {
  const { partitions } = extra as { partitions?: { cols?: readonly string[] } | null }
  const [only, ...others] = partitions?.cols ?? []
  return only !== undefined && others.length === 0 ? only : null
}

/** CTRL-066: a macro finds the newest partition when the query runs. */
export function latestPartitionFilter(
  { column_name, type, type_generic }: Pick<ExploreColumn, 'column_name' | 'type' | 'type_generic'>,
  { schema, table_name, database }: Pick<ExploreDataset, 'schema' | 'table_name' | 'database'>,
  before?: AdhocFilter,
): AdhocFilter {
  const table = [schema, table_name]
    .filter(Boolean)
    .join('.')
    .replaceAll("'", String.raw`\'`)
  const name = /^[a-z_][a-z0-9_]*$/i.test(column_name) ? column_name : `"${column_name.replaceAll('"', '""')}"`
  const value = `'{{ ${database.backend}.latest_partition('${table}') }}'`
  const isText = type_generic === 1 || !type
  return {
    ...sqlFilter(`${name} = ${isText ? value : `CAST(${value} AS ${type})`}`, 'WHERE', before),
    subject: column_name,
    operator: 'LATEST PARTITION',
    operatorId: 'LATEST_PARTITION',
  }
}

export const sqlFilter = (sqlExpression: string, clause: 'WHERE' | 'HAVING', before?: AdhocFilter): AdhocFilter => ({
  ...before,
  expressionType: 'SQL',
  clause,
  sqlExpression,
  subject: null,
  operator: null,
  operatorId: null,
  comparator: null,
  filterOptionName: before?.filterOptionName ?? `filter_${crypto.randomUUID().slice(0, 12)}`,
})

/**
 * Whether a filter is the only place where the time range of a dashboard can be applied to the chart (`mergeTimeFilters`): no
 * other filter has a range, and neither `granularity_sqla` nor the x-axis is a time column.
 */
export function isOnlyTimeColumn(
  filter: AdhocFilter,
  filters: readonly AdhocFilter[],
  form: ChartForm,
  { columns }: Pick<ExploreDataset, 'columns'>,
): boolean {
  if (filter.operator !== 'TEMPORAL_RANGE' || filter.isExtra) return false
  if (filters.some((other) => other !== filter && other.operator === 'TEMPORAL_RANGE')) return false
  const names = [form['granularity_sqla'], form['x_axis']]
  return !columns.some(({ column_name, is_dttm }) => is_dttm && names.includes(column_name))
}
