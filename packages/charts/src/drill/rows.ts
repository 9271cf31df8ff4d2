import type { QueryContext, QueryFilter, QueryObject } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { baseQuery } from '../query/base-query.ts'
import { datasourceOf } from '../query/build-query-context.ts'
import { readForm } from '../read-form.ts'
import { laidOver, withoutHaving } from './drill-by.ts'

export interface RowsAsked {
  /** Of the mark (`Mark.drill`); none for all rows behind the chart. */
  filters?: readonly QueryFilter[]
  /** Those to be read; all of the dataset where none are named. */
  columns?: readonly string[]
  row_limit: number
  row_offset?: number
  /** Asks how many rows there are as well, as the second query. */
  isCounted?: boolean
}

/** Name of the number of rows in the second answer. */
export const rowsCounted = 'rows'

/** The rows behind a chart or one of its marks, under all that filters it but conditions on groups, a page at a time. */
export function rowsContext(
  stored: ChartForm,
  { filters = [], columns = [], row_limit, row_offset = 0, isCounted = false }: RowsAsked,
): QueryContext {
  const form = laidOver(withoutHaving(readForm(stored)), filters)
  const { extras, time_range, granularity, filters: asked, applied_time_extras, url_params } = baseQuery(form)
  const { having: _, time_grain_sqla: __, ...left } = extras ?? {}
  const shared: QueryObject = {
    filters: asked ?? [],
    extras: left,
    ...(time_range && { time_range }),
    ...(granularity && { granularity }),
    ...(applied_time_extras && { applied_time_extras }),
    ...(url_params && { url_params }),
  }
  const isAll = columns.length === 0
  const rows: QueryObject = {
    ...shared,
    columns: [...columns],
    ...(isAll && { result_type: 'drill_detail' }),
    row_limit,
    row_offset,
  }
  const count: QueryObject = {
    ...shared,
    columns: [],
    metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: rowsCounted }],
  }
  return {
    datasource: datasourceOf(form),
    force: false,
    queries: isCounted ? [rows, count] : [rows],
    form_data: form,
    result_format: 'json',
    result_type: 'full',
  }
}
