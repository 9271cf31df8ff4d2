import { labelOfColumn } from '@parquetry/model'
import { isFilterApplied } from './filters.ts'
import type { Scope } from './scope.ts'

export interface RejectedFilter {
  reason: 'not_in_datasource' | 'no_temporal_column'
  column: string
}

/** `applied_filters` and `rejected_filters` of the answer: first the filters, then the dashboard's time extras. */
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

function timeExtras({ query, dataset }: Scope): { column: string; reason: RejectedFilter['reason'] | null }[] {
  const extras = query.applied_time_extras ?? {}
  const temporal = dataset.columns.filter(({ is_dttm }) => is_dttm).map(({ column_name }) => column_name)
  const reasons = {
    __time_col: temporal.includes(String(extras['__time_col'])) ? null : 'not_in_datasource',
    __time_grain: temporal.length > 0 ? null : 'no_temporal_column',
    __time_range: temporal.length > 0 ? null : 'no_temporal_column',
  } as const
  return Object.entries(reasons)
    .filter(([name]) => extras[name])
    .map(([column, reason]) => ({ column, reason }))
}
