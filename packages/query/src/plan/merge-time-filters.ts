import { labelOfColumn, type PostProcessing, type QueryColumn, type QueryFilter } from '@parquetry/model'
import type { RestrictedQuery } from '../row-level-security.ts'
import { isBaseAxis } from './dimensions.ts'
import { isTemporalRange, readRangeText } from './filters.ts'

/** Form data of the query, from which the x-axis is read. Without it, the x-axis cannot be moved to another column. */
type Form = Readonly<Record<string, unknown>> | null | undefined

/** Facts beyond the query that its time settings depend on. */
interface TimeColumns {
  isTemporal(name: string): boolean
  /** `main_dttm_col` of the dataset. */
  main: string | null
}

/**
 * Resolves conflicting time settings: `time_range` replaces the ranges of the filters, and `granularity` replaces the form's
 * temporal x-axis or the temporal filter. The range of a dashboard reaches one time column of the chart: `granularity`, its
 * x-axis, or the column of its range filter.
 */
export function mergeTimeFilters(query: RestrictedQuery, time: TimeColumns, form: Form): RestrictedQuery {
  const merged = withGranularity(query, time, form)
  return hasDashboardRange(query) ? withDashboardRange(merged, time, form) : withTimeRange(merged)
}

const hasDashboardRange = ({ time_range, applied_time_extras }: RestrictedQuery): boolean =>
  Boolean(time_range) && time_range === applied_time_extras?.['__time_range']

function withTimeRange(query: RestrictedQuery): RestrictedQuery {
  if (!query.time_range || !query.filters) return query
  const val = query.time_range
  return { ...query, filters: query.filters.map((filter) => (isTemporalRange(filter) ? { ...filter, val } : filter)) }
}

/** Replaces or adds the range of the chart's time column; ranges on other columns stay. */
function withDashboardRange(query: RestrictedQuery, { isTemporal, main }: TimeColumns, form: Form): RestrictedQuery {
  const { time_range: val, granularity, filters } = query
  // The rows behind a chart are queried without its x-axis.
  const axis = query.columns?.find(isBaseAxis)?.sqlExpression ?? form?.['x_axis']
  const ranged = (filters ?? []).filter(isTemporalRange).map(({ col }) => col)
  const own = [granularity, axis].find((name): name is string => typeof name === 'string' && isTemporal(name))
  const column = own ?? ranged.find((col) => col === main) ?? ranged[0]
  if (column === undefined) return query
  const isOwn = (filter: QueryFilter) => isTemporalRange(filter) && filter.col === column
  const replaced = (filters ?? []).map((filter) => (isOwn(filter) ? { ...filter, val } : filter))
  // The range is applied to `granularity` without a filter.
  const isMissing = column !== granularity && !ranged.includes(column)
  return { ...query, filters: isMissing ? [...replaced, { col: column, op: 'TEMPORAL_RANGE', val }] : replaced }
}

function withGranularity(query: RestrictedQuery, { isTemporal }: TimeColumns, form: Form): RestrictedQuery {
  const { granularity } = query
  if (!granularity || !isTemporal(granularity)) return query
  const axis = form?.['x_axis']
  if (typeof axis === 'string' && isTemporal(axis)) return swapAxis(ontoGranularity(query, axis), axis, granularity)
  const ranged = query.filters?.filter(isTemporalRange).map(({ col }) => col) ?? []
  const isOwnColumn = hasDashboardRange(query) && !query.applied_time_extras?.['__time_col']
  return ontoGranularity(query, ranged.includes(granularity) || isOwnColumn ? granularity : ranged[0])
}

/** Moves the range of the temporal filter on a column to the query, unless the query has its own. */
function ontoGranularity(query: RestrictedQuery, column: QueryColumn | undefined): RestrictedQuery {
  const moved = query.filters?.find((filter) => isTemporalRange(filter) && filter.col === column)
  if (!moved) return query
  const filters = query.filters?.filter((filter) => !(isTemporalRange(filter) && filter.col === column))
  return { ...query, filters, time_range: query.time_range || readRangeText(moved) }
}

function swapAxis(query: RestrictedQuery, axis: string, granularity: string): RestrictedQuery {
  const axisColumn = query.columns?.find((column) => column === axis || isExpression(column, axis))
  if (axisColumn === undefined || axis === granularity) return query
  const from = labelOfColumn(axisColumn)
  const swapped =
    typeof axisColumn === 'string' ? granularity : { ...axisColumn, sqlExpression: granularity, label: granularity }
  return {
    ...query,
    columns: query.columns?.map((column) => (column === axisColumn ? swapped : column)),
    orderby: query.orderby?.map((entry) =>
      Array.isArray(entry) && entry[0] === from ? [granularity, entry[1] as unknown] : entry,
    ),
    post_processing: query.post_processing?.map((step) => step && withIndex(step, from, granularity)),
  }
}

const isExpression = (column: QueryColumn, text: string): boolean =>
  typeof column !== 'string' && column.sqlExpression === text

function withIndex(step: PostProcessing, from: string, to: string): PostProcessing {
  const index = step.options?.['index']
  const moved = (name: unknown) => (name === from ? to : name)
  if (step.operation === 'prophet') return { ...step, options: { ...step.options, index: moved(index) } }
  if (step.operation !== 'pivot' || !Array.isArray(index)) return step
  return { ...step, options: { ...step.options, index: index.map(moved) } }
}
