import { labelOfColumn } from '@parquetry/model'
import { isFilterApplied, isTemporalRange } from './filters.ts'
import type { Scope } from './scope.ts'

/**
 * `no_time_filter` and `no_time_axis` are additions to the API: the dataset has a time, but the query cannot apply this part to
 * it.
 */
export interface RejectedFilter {
  reason: 'not_in_datasource' | 'no_temporal_column' | 'no_time_filter' | 'no_time_axis'
  column: string
}

/** `applied_filters` and `rejected_filters` of the response: first the filters, then the dashboard's time extras. */
export function reportedFilters(scope: Scope): {
  applied_filters: { column: string }[]
  rejected_filters: RejectedFilter[]
} {
  const filters = (scope.query.filters ?? []).map((filter) => ({
    column: labelOfColumn(filter.col),
    isApplied: isFilterApplied(filter, scope),
    isAdhoc: typeof filter.col !== 'string',
  }))
  const inOrder = [...filters.filter(({ isAdhoc }) => !isAdhoc), ...filters.filter(({ isAdhoc }) => isAdhoc)]
  const extras = timeExtras(scope)
  return {
    applied_filters: [
      ...inOrder.filter(({ isApplied }) => isApplied).map(({ column }) => ({ column })),
      ...extras.filter(({ reason }) => reason === null).map(({ column }) => ({ column })),
    ],
    rejected_filters: [
      ...inOrder.filter(({ isApplied }) => !isApplied).map(({ column }) => rejected('not_in_datasource', column)),
      ...extras.flatMap(({ reason, column }) => (reason ? [rejected(reason, column)] : [])),
    ],
  }
}

const rejected = (reason: RejectedFilter['reason'], column: string): RejectedFilter => ({ reason, column })

function timeExtras(scope: Scope): { column: string; reason: RejectedFilter['reason'] | null }[] {
  const { query, dataset, granularity } = scope
  const extras = query.applied_time_extras ?? {}
  const temporal = dataset.columns.filter(({ is_dttm }) => is_dttm).map(({ column_name }) => column_name)
  const isRanged =
    granularity !== null ||
    (query.filters ?? []).some((filter) => isTemporalRange(filter) && isFilterApplied(filter, scope))
  const isGrained =
    granularity !== null || (query.columns ?? []).some((column) => typeof column !== 'string' && column.timeGrain)
  const rejectUnless = (isApplicable: boolean, reason: 'no_time_filter' | 'no_time_axis') =>
    temporal.length === 0 ? 'no_temporal_column' : isApplicable ? null : reason
  const reasons = {
    __time_col: temporal.includes(String(extras['__time_col'])) ? null : 'not_in_datasource',
    __time_grain: rejectUnless(isGrained, 'no_time_axis'),
    __time_range: rejectUnless(isRanged, 'no_time_filter'),
  } as const
  return Object.entries(reasons)
    .filter(([name]) => extras[name])
    .map(([column, reason]) => ({ column, reason }))
}
