import {
  labelOfColumn,
  type PlannerColumn,
  type QueryColumn,
  type QueryFilter,
  type QueryObject,
} from '@parquetry/model'
import { hasPermission } from '../../access/principal.ts'
import type { ResolvedQuery } from '../resolved-query.ts'
import { formatPart, isSorted, queryFields, subtractFilters } from './compare-queries.ts'
import { areDeclaredExtras, isPlainFilter, listNames } from './declared-extras.ts'
import { findExtras, listSavedQueries, type ShownChart } from './saved-query.ts'

/** Largest row limit of a drilled query. */
const maxRows = 10_000

/** Fields that a drill sets, each with a check of its own. All other fields are those of the saved query or not set. */
const drilledFields = new Set(
  `columns metrics filters extras orderby order_desc row_limit row_offset series_columns series_limit_metric series_limit
   post_processing is_timeseries applied_time_extras time_range granularity result_type`.split(/\s+/),
)

/**
 * Returns the columns by which viewers may break down a chart: those that the dataset offers for grouping and the dashboard
 * filters the chart by. A drill by any other column would show more than the filters do.
 */
export function listDrillColumns(shown: ShownChart, columns: readonly PlannerColumn[]): string[] {
  const names = listNames(shown.chart)
  const isFilter = (col: string) => areDeclaredExtras(shown, { filters: [{ col, op: '==', val: '' }] })
  return columns
    .filter(({ groupby, column_name: name }) => groupby && (names.has(JSON.stringify(name)) || isFilter(name)))
    .map(({ column_name }) => column_name)
}

/**
 * Tests whether a query breaks a saved query down by another column: it has metrics of the saved query, and the filters of the
 * saved query, of the dashboard and of the selected marks. Only principals who may drill can run it, and only on a dashboard.
 */
export async function isDrilledQuery(shown: ShownChart, query: QueryObject, resolved: ResolvedQuery): Promise<boolean> {
  const { principal, dataset, deps, context } = resolved
  if (!shown.dashboard || deps.settings.flags['DRILL_BY'] !== true) return false
  if (!hasPermission(principal, ['can_drill', 'Dashboard'])) return false
  const saved = await listSavedQueries(shown.chart, null)
  const column = findGroupColumn(query)
  const axis = context.form_data?.['x_axis']
  if (column === null || (axis !== column && !saved.axes.includes(formatPart(axis)))) return false
  const drillColumns = listDrillColumns(shown, dataset.columns)
  if (!drillColumns.includes(column)) return false
  const names = listNames(shown.chart)
  const isMarkColumn = (name: unknown) => names.has(JSON.stringify(name)) || drillColumns.includes(name as string)
  return saved.queries.some(
    (base) =>
      !(base.columns ?? []).some((each) => labelOfColumn(each) === column) &&
      hasSavedMetrics(query, base) &&
      hasAllowedFilters(query, base, shown, isMarkColumn) &&
      queryFields.every((field) => drilledFields.has(field) || isDroppedOrSaved(query[field], base[field])),
  )
}

/** Returns the only column by which a query groups; null if the query has another form. */
function findGroupColumn({ columns, series_columns, metrics, row_limit, row_offset }: QueryObject): string | null {
  const [column, ...others] = columns ?? []
  if (column === undefined || others.length > 0 || !metrics?.length) return null
  const isOwnSeries = (series_columns ?? []).every((each) => formatPart(each) === formatPart(column))
  return isOwnSeries && (row_limit ?? 0) <= maxRows && !row_offset ? findColumnName(column) : null
}

/** Returns the name of a column of the dataset, also for the x-axis of a chart; null for an expression. */
function findColumnName(column: QueryColumn): string | null {
  if (typeof column === 'string') return column
  const { sqlExpression, isColumnReference, columnType } = column as Record<string, unknown>
  return columnType === 'BASE_AXIS' && isColumnReference === true && sqlExpression === labelOfColumn(column)
    ? (sqlExpression as string)
    : null
}

function hasSavedMetrics(query: QueryObject, base: QueryObject): boolean {
  const own = new Set((base.metrics ?? []).map(formatPart))
  const { metrics, series_limit_metric: by } = query
  return [...(metrics ?? []), ...(by ? [by] : [])].every((metric) => own.has(formatPart(metric))) && isSorted(query)
}

function hasAllowedFilters(
  query: QueryObject,
  base: QueryObject,
  shown: ShownChart,
  isMarkColumn: (column: unknown) => boolean,
): boolean {
  const added = subtractFilters(query.filters ?? [], base.filters ?? [])
  if (!added) return false
  const others = added.filter((filter) => !isPlainFilter(filter, isMarkColumn, markOperators))
  const { time_grain_sqla: _, having: __, ...extras } = query.extras ?? {}
  const { time_grain_sqla: ___, having: ____, ...own } = base.extras ?? {}
  const declared = findExtras(base, { ...query, extras, filters: [...(base.filters ?? []), ...others] })
  return declared !== null && areDeclaredExtras(shown, declared) && formatPart(extras) === formatPart(own)
}
/** Operators of filters by marks, which are groups, periods or bins. */
const markOperators = new Set<QueryFilter['op']>(['IN', '==', 'IS NULL', '>', '>=', '<', '<='])

/** Tests whether a field has its saved value or none: a drill drops conditions on groups, comparisons and layers. */
const isDroppedOrSaved = (value: unknown, own: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0) ||
  formatPart(value) === formatPart(own)
