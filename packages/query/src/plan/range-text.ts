import type { QueryFilter, QueryObject } from '@parquetry/model'
import { isBaseAxis } from './dimensions.ts'
import { isTemporalRange, readRangeText } from './filters.ts'

/** Temporal filter that provides the range in the absence of `time_range`: the one on the x-axis, otherwise the first. */
export function findRangeFilter({
  filters,
  columns,
}: Pick<QueryObject, 'filters' | 'columns'>): QueryFilter | undefined {
  const ranged = filters?.filter(isTemporalRange) ?? []
  const axis = columns?.find(isBaseAxis)
  return ranged.find(({ col }) => axis !== undefined && col === axis.sqlExpression) ?? ranged[0]
}

/**
 * Text of the range that applies to a query as a whole; null without one.
 * @throws AppError `invalid_query` for a range that is not text
 */
export function findRangeText(query: Pick<QueryObject, 'filters' | 'columns' | 'time_range'>): string | null {
  if (query.time_range) return query.time_range
  const filter = findRangeFilter(query)
  return (filter && readRangeText(filter)) || null
}
