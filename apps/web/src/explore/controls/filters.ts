import { nullText } from '@parquetry/charts'
import type { ExploreColumn, ExploreDataset } from '../use-explore.ts'

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
  isExtra?: boolean
}

export interface Operator {
  operator: string
  operatorId: string
  /** English words; the catalogue id is `explore.operator.<operatorId>`. */
  words: string
  takes: 'one' | 'many' | 'none' | 'range'
}

export const operators: readonly Operator[] = [
  { operator: '==', operatorId: 'EQUALS', words: 'equals', takes: 'one' },
  { operator: '!=', operatorId: 'NOT_EQUALS', words: 'is not', takes: 'one' },
  { operator: '<', operatorId: 'LESS_THAN', words: 'is less than', takes: 'one' },
  { operator: '<=', operatorId: 'LESS_THAN_OR_EQUAL', words: 'is at most', takes: 'one' },
  { operator: '>', operatorId: 'GREATER_THAN', words: 'is greater than', takes: 'one' },
  { operator: '>=', operatorId: 'GREATER_THAN_OR_EQUAL', words: 'is at least', takes: 'one' },
  { operator: 'IN', operatorId: 'IN', words: 'is one of', takes: 'many' },
  { operator: 'NOT IN', operatorId: 'NOT_IN', words: 'is none of', takes: 'many' },
  { operator: 'LIKE', operatorId: 'LIKE', words: 'is like', takes: 'one' },
  { operator: 'ILIKE', operatorId: 'ILIKE', words: 'is like (any case)', takes: 'one' },
  { operator: 'IS NULL', operatorId: 'IS_NULL', words: 'is null', takes: 'none' },
  { operator: 'IS NOT NULL', operatorId: 'IS_NOT_NULL', words: 'is not null', takes: 'none' },
  { operator: '==', operatorId: 'IS_TRUE', words: 'is true', takes: 'none' },
  { operator: '==', operatorId: 'IS_FALSE', words: 'is false', takes: 'none' },
  { operator: 'TEMPORAL_RANGE', operatorId: 'TEMPORAL_RANGE', words: 'is within', takes: 'range' },
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

/** Operators that are valid for a column, the usual one first. */
export function operatorsFor(column: Pick<ExploreColumn, 'type_generic' | 'is_dttm'> | undefined): Operator[] {
  const ids = byType[column?.is_dttm ? 2 : (column?.type_generic ?? 1)] ?? byType[1] ?? []
  return ids.flatMap((id) => operators.find(({ operatorId }) => operatorId === id) ?? [])
}

export const operatorOf = ({ operatorId, operator }: AdhocFilter): Operator | undefined =>
  operators.find((each) => each.operatorId === operatorId) ?? operators.find((each) => each.operator === operator)

/** Whether the dataset still has what a filter is about; SQL is not looked into. */
export const isSubjectThere = ({ subject, clause }: AdhocFilter, { columns, metrics }: ExploreDataset): boolean =>
  !subject ||
  columns.some(({ column_name }) => column_name === subject) ||
  (clause === 'HAVING' && metrics.some(({ metric_name }) => metric_name === subject))

/** The API's word for null among the values of a filter is `<NULL>`. */
const quoted = (value: unknown): string => {
  if (value === null || value === '<NULL>') return nullText
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** What a filter's pill says. */
export function wordsOfFilter(filter: AdhocFilter, verbose: Record<string, string>): string {
  if (filter.expressionType === 'SQL') return filter.sqlExpression ?? ''
  const subject = verbose[filter.subject ?? ''] || (filter.subject ?? '')
  const operator = operatorOf(filter)
  if (!operator) return `${subject} ${filter.operator ?? ''} ${String(filter.comparator ?? '')}`
  if (operator.takes === 'none') return `${subject} ${operator.words}`
  if (operator.takes === 'range') return `${subject}: ${String(filter.comparator ?? 'No filter')}`
  const value = Array.isArray(filter.comparator) ? filter.comparator.map(quoted).join(', ') : quoted(filter.comparator)
  return `${subject} ${operator.words} ${value}`
}

/** A value in the shape that another operator takes: a list of one, or the first of a list (CTRL-069). */
export function fitting(value: unknown, operator: Operator | undefined): unknown {
  if (operator?.takes === 'many') return Array.isArray(value) || value === null || value === undefined ? value : [value]
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
    operator.takes === 'one' &&
    (Array.isArray(comparator) || comparator === null || comparator === undefined || comparator === '')
  )
    return null
  if (operator.takes === 'many' && (!Array.isArray(comparator) || comparator.length === 0)) return null
  const value =
    operator.operatorId === 'IS_TRUE'
      ? true
      : operator.operatorId === 'IS_FALSE'
        ? false
        : operator.takes === 'none'
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
