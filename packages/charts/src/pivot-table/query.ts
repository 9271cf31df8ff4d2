import { labelOfColumn, type QueryColumn, type QueryObject } from '@parquetry/model'
import { unique } from '../query/base-query.ts'
import { baseAxis } from '../query/build-query-context.ts'
import type { PivotSettings } from './spec.ts'

/** One row per combination of row and column dimensions; temporal ones use the grain. */
export function pivotQuery(settings: PivotSettings): Partial<QueryObject> {
  const { groupbyRows, groupbyColumns, metrics, series_limit_metric, order_desc, row_limit } = settings
  const sort = series_limit_metric ?? metrics[0]
  return {
    columns: unique([...groupbyColumns, ...groupbyRows], labelOfColumn).map((column) => applyGrain(column, settings)),
    metrics,
    orderby: sort ? [[sort, !order_desc]] : [],
    row_limit,
  }
}

function applyGrain(column: QueryColumn, { time_grain_sqla, temporal_columns_lookup }: PivotSettings): QueryColumn {
  const isTime = temporal_columns_lookup?.[labelOfColumn(column)] === true
  return isTime && time_grain_sqla ? baseAxis(column, time_grain_sqla) : column
}
