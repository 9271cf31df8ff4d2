import {
  labelOfColumn,
  labelOfMetric,
  toLikePattern,
  type QueryColumn,
  type QueryMetric,
  type QueryObject,
} from '@parquetry/model'
import type { ChartForm } from '../../define.ts'
import { baseQuery, readOrder, unique } from '../../query/base-query.ts'
import { baseAxis } from '../../query/build-query-context.ts'

export interface TableSettings extends ChartForm {
  query_mode: 'aggregate' | 'raw'
  groupby: QueryColumn[]
  metrics: QueryMetric[]
  percent_metrics: QueryMetric[]
  percent_metric_calculation: 'row_limit' | 'all_records'
  all_columns: QueryColumn[]
  timeseries_limit_metric?: QueryMetric | null
  /** Unset is ascending. */
  order_desc?: boolean
  order_by_cols: unknown[]
  server_pagination: boolean
  server_page_length: number
  time_grain_sqla?: unknown
  /** Names of the dataset's temporal columns. */
  temporal_columns_lookup?: Record<string, boolean>
  row_limit: number
  show_totals: boolean
}

/** Table state set by the user; names are those of `ownState` in the API's data mask. */
export interface TableState {
  currentPage?: number
  pageSize?: number
  /** For server pagination: `[{ key, desc }]`. */
  sortBy?: { key: string; desc?: boolean }[]
  searchText?: string
  searchColumn?: string
}

/**
 * Builds the queries: `rows` is a page or all rows, `count` the number of rows without paging, `totals` one row over the rows of all
 * pages, without the row limit; HAVING selects the same groups in all of them.
 */
export function tableQueries(form: TableSettings, state: TableState): Record<string, Partial<QueryObject>> {
  const isRaw = form.query_mode === 'raw'
  const { server_pagination, server_page_length, show_totals } = form
  const asked = isRaw ? rawQuery(form) : aggregateQuery(form)
  const rows = server_pagination
    ? { ...asked, ...searchFilters(form, state), ...headingOrder(asked, form, state.sortBy) }
    : asked
  const size = state.pageSize ?? server_page_length
  const page = server_pagination ? { row_limit: size, row_offset: size * (state.currentPage ?? 0) } : {}
  const { post_processing: _, orderby: __, ...bare } = rows
  const everything = { row_limit: 0, row_offset: 0 }
  const hasHaving = Boolean(baseQuery(form).extras?.having)
  return {
    rows: { ...rows, ...page },
    ...(server_pagination && { count: { ...bare, is_rowcount: true, ...everything } }),
    ...(show_totals &&
      !isRaw && {
        totals: {
          ...bare,
          columns: [],
          ...(hasHaving && { having_columns: bare.columns }),
          ...everything,
          ...shareSteps(form.percent_metrics),
        },
      }),
  }
}

/** Returns the columns in which a paged table can be searched: those of the dataset, because the server searches. */
export const searchableColumns = (form: TableSettings): string[] =>
  (form.query_mode === 'raw' ? form.all_columns : form.groupby).filter((column) => typeof column === 'string')

/** Returns the columns by which a paged table can be sorted: those of the query itself. */
export const sortableColumns = (form: TableSettings): string[] =>
  form.query_mode === 'raw'
    ? form.all_columns.map(labelOfColumn)
    : [
        ...form.groupby.map(labelOfColumn),
        ...form.metrics.map(labelOfMetric),
        ...form.percent_metrics.map(labelOfShare),
      ]

/**
 * Applies the search of a paged table as a filter, so that it finds rows of other pages and also applies to counts and totals.
 */
function searchFilters(form: TableSettings, { searchText, searchColumn }: TableState): Partial<QueryObject> {
  const wanted = searchText?.trim()
  if (!wanted || searchColumn === undefined || !searchableColumns(form).includes(searchColumn)) return {}
  return {
    filters: [...(baseQuery(form).filters ?? []), { col: searchColumn, op: 'ILIKE', val: toLikePattern(wanted) }],
  }
}

const rawQuery = (form: TableSettings): Partial<QueryObject> => ({
  columns: form.all_columns,
  metrics: null,
  orderby: readOrder(form.order_by_cols),
})

function aggregateQuery(form: TableSettings): Partial<QueryObject> {
  const { metrics, percent_metrics, timeseries_limit_metric: by, order_desc } = form
  const sort = by ?? metrics[0]
  return {
    columns: applyGrain(form),
    metrics: unique([...metrics, ...percent_metrics], labelOfMetric),
    orderby: sort ? [[sort, by ? !order_desc : false]] : [],
    ...shareSteps(percent_metrics, isShareOfAllRows(form) ? { whole: 'all_records' } : {}),
  }
}

/** A page has no shares of its own: they are the same on all pages. */
export const isShareOfAllRows = (
  form: Pick<TableSettings, 'server_pagination' | 'percent_metric_calculation'>,
): boolean => form.server_pagination || form.percent_metric_calculation === 'all_records'

/** Label of the column with the share of a metric. */
const labelOfShare = (metric: QueryMetric): string => `%${labelOfMetric(metric)}`

/** Adds the shares of metrics: of the rows of the response, or of `whole`. The single row of totals is its own whole. */
function shareSteps(metrics: readonly QueryMetric[], whole: { whole?: 'all_records' } = {}): Partial<QueryObject> {
  const shared = unique([...metrics], labelOfMetric)
  if (shared.length === 0) return {}
  const options = { columns: shared.map(labelOfMetric), rename_columns: shared.map(labelOfShare), ...whole }
  return { post_processing: [{ operation: 'contribution', options }] }
}

/** The first temporal dimension gets the grain; the form itself stores which ones are temporal. */
function applyGrain({ groupby, time_grain_sqla, temporal_columns_lookup }: TableSettings): QueryColumn[] {
  const first = groupby.findIndex((column) => temporal_columns_lookup?.[labelOfColumn(column)] === true)
  if (typeof time_grain_sqla !== 'string') return groupby
  return groupby.map((column, i) => (i === first ? baseAxis(column, time_grain_sqla) : column))
}

/** Applies the sort order of a paged table to the query; labels that the query lacks are skipped. */
function headingOrder(
  query: Partial<QueryObject>,
  { percent_metrics }: TableSettings,
  sortBy: TableState['sortBy'],
): Partial<QueryObject> {
  const byLabel = new Map<string, QueryColumn | QueryMetric>([
    ...(query.columns ?? []).map((column) => [labelOfColumn(column), column] as const),
    ...(query.metrics ?? []).map((metric) => [labelOfMetric(metric), metric] as const),
    // Shares have the order of their metric.
    ...percent_metrics.map((metric) => [labelOfShare(metric), metric] as const),
  ])
  const orderby = (sortBy ?? []).flatMap(({ key, desc }) => {
    const by = byLabel.get(key)
    return by === undefined ? [] : [[by, desc !== true]]
  })
  return orderby.length > 0 ? { orderby } : {}
}
