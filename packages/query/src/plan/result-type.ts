import type { PlannerDataset, ResultType } from '@parquetry/model'
import type { RestrictedQuery } from '../restrict.ts'
import type { QuerySettings } from './scope.ts'

/** The query that a result type stands for: samples and drill to detail ask for all columns of the rows as they are. */
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

/** 0 and nothing mean the default of the result type; nothing goes above SQL_MAX_ROW. */
export function resolveRowLimit(
  { row_limit }: RestrictedQuery,
  resultType: ResultType,
  settings: QuerySettings,
): number {
  const byDefault = resultType === 'samples' ? settings.SAMPLES_ROW_LIMIT : settings.ROW_LIMIT
  return Math.min(row_limit || byDefault, settings.SQL_MAX_ROW)
}
