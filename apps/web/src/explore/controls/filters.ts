import { nullText } from '@parquetry/charts'
import { integerTypes } from './numeric-types.ts'
import type { ExploreColumn, ExploreDataset, ExploreMetric } from '../use-explore.ts'

/** One entry of `adhoc_filters`, as the API and other tools spell it. */
export interface AdhocFilter {
  expressionType: 'SIMPLE' | 'SQL'
  clause: 'WHERE' | 'HAVING'
  subject?: string | null
  operator?: string | null
  operatorId?: string | null
  comparator?: unknown
  sqlExpression?: string | null
  filterOptionName?: string
  /** Of the dashboard that the chart was opened from. */
  isExtra?: boolean
  /** The chart's own, in whose place it stands. */
  insteadOf?: AdhocFilter
}

export interface Operator {
  operator: string
  operatorId: string
  /** English words; the catalogue id is `explore.operator.<operatorId>`. */
  label: string
  valueKind: 'one' | 'many' | 'none' | 'range'
}

/** What a filter is about: a column, or a saved metric, which filters the groups. */
export type FilterSubject =
  | { kind: 'column'; column: Pick<ExploreColumn, 'column_name' | 'type' | 'type_generic' | 'is_dttm' | 'expression'> }
  | { kind: 'metric'; metric: Pick<ExploreMetric, 'metric_name' | 'expression'> }

/** CTRL-077. Regular expressions are read and kept; no question can ask by one. */
export const operators: readonly Operator[] = [
  { operator: '==', operatorId: 'EQUALS', label: 'equals', valueKind: 'one' },
  { operator: '!=', operatorId: 'NOT_EQUALS', label: 'is not', valueKind: 'one' },
  { operator: '<', operatorId: 'LESS_THAN', label: 'is less than', valueKind: 'one' },
  { operator: '<=', operatorId: 'LESS_THAN_OR_EQUAL', label: 'is at most', valueKind: 'one' },
  { operator: '>', operatorId: 'GREATER_THAN', label: 'is greater than', valueKind: 'one' },
  { operator: '>=', operatorId: 'GREATER_THAN_OR_EQUAL', label: 'is at least', valueKind: 'one' },
  { operator: 'IN', operatorId: 'IN', label: 'is one of', valueKind: 'many' },
  { operator: 'NOT IN', operatorId: 'NOT_IN', label: 'is none of', valueKind: 'many' },
  { operator: 'LIKE', operatorId: 'LIKE', label: 'is like', valueKind: 'one' },
  { operator: 'ILIKE', operatorId: 'ILIKE', label: 'is like (any case)', valueKind: 'one' },
  { operator: 'REGEX', operatorId: 'REGEX', label: 'matches', valueKind: 'one' },
  { operator: 'IS NULL', operatorId: 'IS_NULL', label: 'is null', valueKind: 'none' },
  { operator: 'IS NOT NULL', operatorId: 'IS_NOT_NULL', label: 'is not null', valueKind: 'none' },
  { operator: 'LATEST PARTITION', operatorId: 'LATEST_PARTITION', label: 'is the latest partition', valueKind: 'none' },
  { operator: '==', operatorId: 'IS_TRUE', label: 'is true', valueKind: 'none' },
  { operator: '==', operatorId: 'IS_FALSE', label: 'is false', valueKind: 'none' },
  { operator: 'TEMPORAL_RANGE', operatorId: 'TEMPORAL_RANGE', label: 'is within', valueKind: 'range' },
]

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
  1: ['IN', 'NOT_IN', 'EQUALS', 'NOT_EQUALS', 'LIKE', 'ILIKE', ...always],
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

/** What else decides about the operators of a column. */
export interface OperatorContext {
  /** The only partition column of its table. */
  partitionColumn?: string | null
  /** Those that an advanced data type knows, as the server reports them (CTRL-086). */
  advanced?: readonly string[] | null
}

/** Operators that are valid for a column or a metric, the usual one first. */
export function operatorsFor(
  subject: FilterSubject | undefined,
  { partitionColumn, advanced }: OperatorContext = {},
): Operator[] {
  if (subject?.kind === 'metric') return named(metricOperatorIds)
  const column = subject?.column
  const kind = column?.is_dttm ? 2 : (column?.type_generic ?? 1)
  const ids = [
    ...(byType[kind] ?? byType[1] ?? []),
    ...(kind !== 3 && column && mayBeTruth(column) ? ['IS_TRUE', 'IS_FALSE'] : []),
    ...(column && column.column_name === partitionColumn ? ['LATEST_PARTITION'] : []),
  ]
  return named(advanced ? ids.filter((id) => advanced.includes(id)) : ids)
}

const named = (ids: readonly string[]): Operator[] =>
  ids.flatMap((id) => operators.find(({ operatorId }) => operatorId === id) ?? [])

/** CTRL-080: truth values are kept as integers too, and who wrote an expression knows what it is. */
const mayBeTruth = ({ type, expression }: Pick<ExploreColumn, 'type' | 'expression'>): boolean =>
  Boolean(expression) || integerTypes.has(/^[A-Za-z]+/.exec(type ?? '')?.[0].toUpperCase() ?? '')

/**
 * Operator and value after the subject of a filter has changed: the operator stays where it is valid, else it is IN (CTRL-062,
 * CTRL-063), or the first where the subject knows no IN. Values belong to the subject before.
 */
export function resolveOperatorId(operatorId: string | null, offered: readonly Operator[]): string | null {
  const next =
    offered.find((each) => each.operatorId === operatorId) ??
    (operatorId === null ? undefined : offered.find((each) => each.operatorId === 'IN')) ??
    offered[0]
  return next?.operatorId ?? null
}

export const findOperator = ({ operatorId, operator }: AdhocFilter): Operator | undefined =>
  operators.find((each) => each.operatorId === operatorId) ?? operators.find((each) => each.operator === operator)

/** Whether a text names what can be filtered by. */
export const isFilterSubject = (text: string, { columns, metrics }: ExploreDataset): boolean =>
  columns.some(({ column_name, filterable }) => filterable && column_name === text) ||
  metrics.some(({ metric_name }) => metric_name === text)

/** Whether the dataset still has what a filter is about; SQL is not looked into. */
export const isSubjectInDataset = ({ subject, clause }: AdhocFilter, { columns, metrics }: ExploreDataset): boolean =>
  !subject ||
  columns.some(({ column_name }) => column_name === subject) ||
  (clause === 'HAVING' && metrics.some(({ metric_name }) => metric_name === subject))

/** A filter of SQL that the Simple tab made: of a metric. */
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

/** The API's word for null among the values of a filter is `<NULL>`. */
const quoted = (value: unknown): string => {
  if (value === null || value === '<NULL>') return nullText
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** What a filter's pill says. */
export function formatAdhocFilter(filter: AdhocFilter, verbose: Record<string, string>): string {
  if (filter.expressionType === 'SQL' && filter.sqlExpression) return filter.sqlExpression
  const subject = verbose[filter.subject ?? ''] || (filter.subject ?? '')
  const operator = findOperator(filter)
  if (!operator) return `${subject} ${filter.operator ?? ''} ${String(filter.comparator ?? '')}`
  if (operator.valueKind === 'none') return `${subject} ${operator.label}`
  if (operator.valueKind === 'range') return `${subject}: ${String(filter.comparator ?? 'No filter')}`
  const value = Array.isArray(filter.comparator) ? filter.comparator.map(quoted).join(', ') : quoted(filter.comparator)
  return `${subject} ${operator.label} ${value}`
}

/** A value in the shape that another operator takes: a list of one, or the first of a list (CTRL-069). */
export function adaptComparator(value: unknown, operator: Operator | undefined): unknown {
  if (operator?.valueKind === 'many')
    return Array.isArray(value) || value === null || value === undefined ? value : [value]
  return Array.isArray(value) ? (value[0] ?? null) : value
}

/** A finished filter; null while something is missing. */
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
  return {
    ...before,
    expressionType: 'SIMPLE',
    clause: 'WHERE',
    subject,
    operator: operator.operator,
    operatorId: operator.operatorId,
    comparator: value,
    sqlExpression: null,
    filterOptionName: before?.filterOptionName ?? `filter_${crypto.randomUUID().slice(0, 12)}`,
  }
}

/**
 * CTRL-065: a metric filters the groups. No simple HAVING is ever asked (API), so that it is written as SQL; subject, operator and
 * value stay beside it, for the Simple tab. Null while something is missing.
 */
export function metricFilter(
  { metric_name, expression }: Pick<ExploreMetric, 'metric_name' | 'expression'>,
  operator: Operator | undefined,
  comparator: unknown,
  before?: AdhocFilter,
): AdhocFilter | null {
  if (!operator || typeof comparator !== 'number') return null
  const sign = { '==': '=', '!=': '<>' }[operator.operator] ?? operator.operator
  return {
    ...sqlFilter(`${expression} ${sign} ${comparator}`, 'HAVING', before),
    subject: metric_name,
    operator: operator.operator,
    operatorId: operator.operatorId,
    comparator,
  }
}

/** The only column that a table is parted by, of what `table_metadata/extra` says; null where there are several or none. */
export function findPartitionColumn(extra: object): string | null {
  const { partitions } = extra as { partitions?: { cols?: readonly string[] } | null }
  const [only, ...others] = partitions?.cols ?? []
  return only !== undefined && others.length === 0 ? only : null
}

/** CTRL-066: the newest partition is found by a macro when the question is asked. */
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
