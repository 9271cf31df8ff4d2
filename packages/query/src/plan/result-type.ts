import type { PlannerDataset, ResultType } from '@parquetry/model'
import type { RestrictedQuery } from '../row-level-security.ts'
import type { QuerySettings } from './scope.ts'

/** Query for a result type: samples and drill to detail select all columns of ungrouped rows. */
export function applyResultType(
  resultType: ResultType,
  query: RestrictedQuery,
  dataset: PlannerDataset,
): RestrictedQuery {
  if (resultType !== 'samples' && resultType !== 'drill_detail') return query
  return {
    ...query,
    columns: dataset.columns.map(({ column_name }) => column_name),
    metrics: null,
    orderby: [],
    post_processing: [],
    time_offsets: [],
    is_timeseries: false,
    ...(resultType === 'samples' && { time_range: 'No filter' }),
  }
}

/** 0 or absent means the default of the result type; SQL_MAX_ROW is the upper limit. */
export function resolveRowLimit(
  { row_limit }: RestrictedQuery,
  resultType: ResultType,
  settings: QuerySettings,
): number {
  const byDefault = resultType === 'samples' ? settings.SAMPLES_ROW_LIMIT : settings.ROW_LIMIT
  return Math.min(row_limit || byDefault, settings.SQL_MAX_ROW)
}
