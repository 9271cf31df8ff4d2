import { AppError, type NativeFilter, type QueryContext, type QueryObject } from '@parquetry/model'
import { findGrantedFilter, canReadData } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { ChartDeps } from './deps.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'

/**
 * Limits users who may read a dataset only through a native filter of a dashboard to the values of that filter's column.
 * @throws AppError `dataset_access`
 */
export async function authorizeFilterValues(
  { db, settings }: ChartDeps,
  principal: Principal,
  dataset: number,
  via: { dashboardId: number; filterId: string },
  context: QueryContext,
): Promise<void> {
  const access = { db, principal, ...readViewerRules(settings) }
  if (await canReadData(access, dataset)) return
  const granted = await findGrantedFilter(access, dataset, via)
  if (!granted || !isFilterValuesQuery({ ...granted, dataset }, context)) throw new AppError('dataset_access')
}

/** Filter types that may query only the description of a dataset, with their result type. */
const descriptions: Readonly<Record<string, string>> = {
  filter_timecolumn: 'columns',
  filter_groupby: 'columns',
  filter_timegrain: 'timegrains',
}
const operators = new Set([
  'IN',
  'NOT IN',
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'IS NULL',
  'IS NOT NULL',
  'LIKE',
  'NOT LIKE',
  'ILIKE',
  'REGEX',
  'NOT REGEX',
])
const keys = new Set([
  'columns',
  'metrics',
  'filters',
  'extras',
  'time_range',
  'granularity',
  'orderby',
  'order_desc',
  'row_limit',
  // it only excludes values, and belongs to the dataset
  'apply_fetch_values_predicate',
  'result_type',
])

interface FilterValuesContext {
  filter: NativeFilter
  /** Filters of the dashboard. */
  all: readonly NativeFilter[]
  /** The queried dataset among those of the filter. */
  dataset: number
}

/**
 * Checks if a query reads only what a filter offers: its column, counted, ordered and searched, under its own conditions and
 * those of the dashboard's other filters.
 */
export function isFilterValuesQuery(filterContext: FilterValuesContext, context: QueryContext): boolean {
  const { filter } = filterContext
  const { result_type = 'full', queries } = context
  const expectedType = Object.hasOwn(descriptions, filter.filterType ?? '')
    ? descriptions[filter.filterType ?? '']
    : undefined
  if (expectedType !== undefined)
    return result_type === expectedType && queries.every(({ result_type: ownType }) => !ownType)
  if (filter.filterType !== 'filter_select' && filter.filterType !== 'filter_range') return false
  if (result_type !== 'full' && result_type !== 'results') return false
  return queries.every((query) => isAllowed(query, filterContext))
}

function isAllowed(query: QueryObject, { filter, all, dataset }: FilterValuesContext): boolean {
  const column = filter.targets?.find((target) => target?.datasetId === dataset)?.column?.name
  if (column === undefined || query.result_type) return false
  const conditions = (Array.isArray(filter.adhoc_filters) ? filter.adhoc_filters : []) as Condition[]
  const sql = conditions.flatMap(({ expressionType, sqlExpression }) =>
    expressionType === 'SQL' ? [`(${sqlExpression})`] : [],
  )
  const columns = new Set([
    ...all.flatMap(({ targets = [] }) => targets.map((target) => target?.column?.name)),
    ...conditions.map(({ subject }) => subject),
  ])
  const { where = '', ...extras } = (query.extras ?? {}) as Record<string, unknown>
  const isMetric = (metric: unknown) => isValuesMetric(metric, column, filter.sortMetric)
  return (
    Object.entries(query).every(([key, value]) => keys.has(key) || isEmptyValue(value)) &&
    (query.columns ?? []).every((each) => each === column) &&
    (query.metrics ?? []).every(isMetric) &&
    (query.orderby ?? []).every((each) => Array.isArray(each) && (each[0] === column || isMetric(each[0]))) &&
    (query.filters ?? []).every(
      ({ col, op, val }) => typeof col === 'string' && columns.has(col) && operators.has(op) && isPlain(val),
    ) &&
    (where === '' || where === sql.join(' AND ')) &&
    Object.values(extras).every(isEmptyValue)
  )
}

interface Condition {
  expressionType?: string
  subject?: string
  sqlExpression?: string
}

const isPlain = (value: unknown): boolean => [value].flat().every((each) => each === null || typeof each !== 'object')

const isEmptyValue = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Checks if the metric is a count, minimum or maximum, or the metric that the filter is ordered by. */
function isValuesMetric(metric: unknown, column: string, sortMetric: unknown): boolean {
  if (typeof metric === 'string') return metric === sortMetric
  const {
    expressionType,
    sqlExpression,
    aggregate,
    column: metricColumn,
  } = (metric ?? {}) as {
    expressionType?: string
    sqlExpression?: string
    aggregate?: string
    column?: { column_name?: string }
  }
  return expressionType === 'SQL'
    ? sqlExpression === 'COUNT(*)'
    : expressionType === 'SIMPLE' &&
        metricColumn?.column_name === column &&
        ['MIN', 'MAX', 'COUNT'].includes(aggregate ?? '')
}
