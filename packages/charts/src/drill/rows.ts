import type { QueryContext, QueryFilter, QueryObject } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { baseQuery } from '../query/base-query.ts'
import { parseDatasource } from '../query/build-query-context.ts'
import { readForm } from '../read-form.ts'
import { withQueryFilters, withoutHaving } from './drill-by.ts'

export interface DrillRowsOptions {
  /** Filters of the mark (`Mark.drill`); none for all rows behind the chart. */
  filters?: readonly QueryFilter[]
  /** Columns to read; all of the dataset if none are named. */
  columns?: readonly string[]
  row_limit: number
  row_offset?: number
}

/** Builds the query of one page of the rows behind a chart or one of its marks, under all filters except conditions on groups. */
export function buildDrillRowsContext(
  form: ChartForm,
  { filters = [], columns = [], row_limit, row_offset = 0 }: DrillRowsOptions,
): QueryContext {
  const isAll = columns.length === 0
  return buildContext(form, filters, {
    columns: [...columns],
    ...(isAll && { result_type: 'drill_detail' }),
    row_limit,
    row_offset,
  })
}

/** Builds the query of the number of these rows. */
export const buildRowCountContext = (form: ChartForm, filters: readonly QueryFilter[] = []): QueryContext =>
  buildContext(form, filters, {
    columns: [],
    metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'rows' }],
  })

function buildContext(stored: ChartForm, filters: readonly QueryFilter[], query: QueryObject): QueryContext {
  const form = withQueryFilters(withoutHaving(readForm(stored)), filters)
  const { extras, time_range, granularity, filters: chartFilters, applied_time_extras, url_params } = baseQuery(form)
  const { having: _, time_grain_sqla: __, ...left } = extras ?? {}
  const whole: QueryObject = {
    filters: chartFilters ?? [],
    extras: left,
    ...(time_range && { time_range }),
    ...(granularity && { granularity }),
    ...(applied_time_extras && { applied_time_extras }),
    ...(url_params && { url_params }),
    ...query,
  }
  return {
    datasource: parseDatasource(form),
    force: false,
    queries: [whole],
    form_data: form,
    result_format: 'json',
    result_type: 'full',
  }
}
