import { splitFilters } from '@parquetry/charts'
import type { NativeFilter, QueryContext, QueryObject } from '@parquetry/model'
import { subtractFilters } from './compare-queries.ts'
import { isPlainFilter } from './declared-extras.ts'

/** Filter types that may query only the description of a dataset, with their result type. */
const descriptions: Readonly<Record<string, string>> = {
  filter_timecolumn: 'columns',
  filter_groupby: 'columns',
  filter_timegrain: 'timegrains',
}
const searchOperators = new Set(['IN', 'NOT IN', '==', '>=', '<=', 'IS NULL', 'ILIKE'])
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
 * Tests whether a query reads only what a filter offers: its column, counted, ordered and searched, under its own conditions, and
 * under those of the filters that it depends on, on the same dataset.
 */
export function isFilterValuesQuery(
  filterContext: FilterValuesContext,
  { result_type = 'full', form_data }: Pick<QueryContext, 'result_type' | 'form_data'>,
  query: QueryObject,
): boolean {
  const { filter } = filterContext
  const expectedType = Object.hasOwn(descriptions, filter.filterType ?? '')
    ? descriptions[filter.filterType ?? '']
    : undefined
  // As frames or as a file, the response would contain the rows of the query.
  if (expectedType !== undefined) return result_type === expectedType && Object.values(query).every(isEmptyValue)
  if (filter.filterType !== 'filter_select' && filter.filterType !== 'filter_range') return false
  if (result_type !== 'full' && result_type !== 'results') return false
  return isEmptyValue(form_data?.['x_axis']) && isAllowed(query, filterContext)
}

function isAllowed(query: QueryObject, { filter, all, dataset }: FilterValuesContext): boolean {
  const column = filter.targets?.find((target) => target?.datasetId === dataset)?.column?.name
  if (column === undefined || query.result_type) return false
  const { where = '', ...extras } = query.extras ?? {}
  const isMetric = (metric: unknown) => isValuesMetric(metric, column, filter.sortMetric)
  const own = splitFilters(filter.adhoc_filters)
  const others = subtractFilters(query.filters ?? [], own.filters)
  const parents = all.filter(({ id }) => filter.cascadeParentIds?.includes(id))
  const targets = parents.flatMap((each) => each.targets ?? []).filter((target) => target?.datasetId === dataset)
  const columns = new Set(targets.map((target) => target.column?.name))
  return (
    Object.entries(query).every(([key, value]) => keys.has(key) || isEmptyValue(value)) &&
    (query.columns ?? []).every((each) => each === column) &&
    (query.metrics ?? []).every(isMetric) &&
    (query.orderby ?? []).every((each) => Array.isArray(each) && (each[0] === column || isMetric(each[0]))) &&
    others !== null &&
    others.every(
      (each) =>
        isPlainFilter(each, (col) => col === column, searchOperators) ||
        isPlainFilter(each, (col) => typeof col === 'string' && columns.has(col)),
    ) &&
    (where ?? '') === own.where.join(' AND ') &&
    Object.values(extras).every(isEmptyValue) &&
    isDeclaredTime(query.time_range, filter['time_range'], parents, 'filter_time') &&
    isDeclaredTime(query.granularity, filter['granularity_sqla'], parents, 'filter_timecolumn')
  )
}

/** Tests whether a time setting is that of the filter, or the filter depends on one that changes it. */
const isDeclaredTime = (value: unknown, own: unknown, parents: readonly NativeFilter[], filterType: string): boolean =>
  (value || null) === (own || null) || (Boolean(value) && parents.some((filter) => filter.filterType === filterType))

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
