import { labelOfColumn, type PostProcessing, type QueryColumn } from '@parquetry/model'
import type { RestrictedQuery } from '../restrict.ts'
import { isTemporalRange, readRangeText } from './filters.ts'

/** Form data of the query, from which the x-axis is read. Without it, the x-axis cannot be moved to another column. */
type Form = Readonly<Record<string, unknown>> | null | undefined

/**
 * Resolves conflicting time settings: `time_range` replaces the ranges of the filters, and `granularity` replaces the form's
 * temporal x-axis or the temporal filter. This is how the time filters of a dashboard reach a chart.
 */
export function mergeTimeFilters(
  query: RestrictedQuery,
  isTemporal: (name: string) => boolean,
  form: Form,
): RestrictedQuery {
  return withTimeRange(withGranularity(query, isTemporal, form))
}

function withTimeRange(query: RestrictedQuery): RestrictedQuery {
  if (!query.time_range || !query.filters) return query
  const val = query.time_range
  return { ...query, filters: query.filters.map((filter) => (isTemporalRange(filter) ? { ...filter, val } : filter)) }
}

function withGranularity(query: RestrictedQuery, isTemporal: (name: string) => boolean, form: Form): RestrictedQuery {
  const { granularity } = query
  if (!granularity || !isTemporal(granularity)) return query
  const axis = form?.['x_axis']
  if (typeof axis === 'string' && isTemporal(axis)) return swapAxis(ontoGranularity(query, axis), axis, granularity)
  const ranged = query.filters?.filter(isTemporalRange).map(({ col }) => col) ?? []
  return ontoGranularity(query, ranged.includes(granularity) ? granularity : ranged[0])
}

/** Moves the range of the temporal filter on a column to the query, unless the query has its own. */
function ontoGranularity(query: RestrictedQuery, column: QueryColumn | undefined): RestrictedQuery {
  const moved = query.filters?.find((filter) => isTemporalRange(filter) && filter.col === column)
  if (!moved) return query
  const filters = query.filters?.filter((filter) => !(isTemporalRange(filter) && filter.col === column))
  return { ...query, filters, time_range: query.time_range ?? readRangeText(moved) }
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
