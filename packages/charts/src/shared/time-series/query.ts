import {
  labelOfColumn,
  labelOfMetric,
  type PostProcessing,
  type QueryColumn,
  type QueryMetric,
  type QueryObject,
} from '@parquetry/model'
import type { ChartForm } from '../../define.ts'
import { buildOrderBy } from '../../query/order-by.ts'
import { forecastSteps } from './forecast.ts'

/** The fields that the query and the series names need of a form, validated by `settle`. */
export interface SeriesForm extends ChartForm {
  x_axis?: QueryColumn | null
  groupby: QueryColumn[]
  metrics: QueryMetric[]
  contributionMode?: 'row' | 'column' | null
  group_others_when_limit_reached?: boolean
  truncate_metric: boolean
  show_empty_columns: boolean
  x_axis_sort?: string | null
  x_axis_sort_asc: boolean
  timeseries_limit_metric?: QueryMetric | null
  time_compare: string[]
  comparison_type: 'values' | 'difference' | 'percentage' | 'ratio'
  rolling_type?: string | null
  rolling_periods?: number | null
  min_periods?: number | null
  resample_rule?: string | null
  resample_method?: string | null
  stack?: unknown
}

/**
 * Returns the label of the x-axis in the response; without one the server adds the grained time column under this reserved name.
 */
export const xLabel = (form: { x_axis?: QueryColumn | null }): string =>
  form.x_axis ? labelOfColumn(form.x_axis) : '__timestamp'

/** Builds the single query of a time series: rows by x-axis and dimensions, pivoted into one column per series. */
export const seriesQueries = (form: SeriesForm): { series: Partial<QueryObject> } => ({
  series: {
    ...seriesQuery(form),
    ...(form.time_compare.length > 0 && { time_offsets: form.time_compare }),
    post_processing: seriesSteps(form),
  },
})

const seriesQuery = (form: SeriesForm): Partial<QueryObject> => ({
  columns: [...(form.x_axis ? [form.x_axis] : []), ...form.groupby],
  series_columns: form.groupby,
  metrics: [...form.metrics, ...listSortMetrics(form)],
  orderby: buildOrderBy(form, form.metrics),
  ...(!form.x_axis && { is_timeseries: true }),
})

const isDerived = (form: SeriesForm) => form.time_compare.length > 0 && form.comparison_type !== 'values'
const isExpanded = (form: SeriesForm) => form.stack === 'Expand'

/** Returns the metric columns after the query: each metric, and with time offsets `<metric>__<offset>`. */
const metricColumns = (form: SeriesForm): string[] =>
  form.metrics.flatMap((metric) => {
    const label = labelOfMetric(metric)
    return [label, ...form.time_compare.map((offset) => `${label}__${offset}`)]
  })

/**
 * Returns the metric that only sorts an x-axis without dimensions: `timeseries_limit_metric`, as requested by the clients of the
 * API. Its column is in the response but is not drawn. Empty with shares and offsets, which would include it.
 */
export function listSortMetrics(form: SeriesForm): QueryMetric[] {
  const { timeseries_limit_metric: metric, x_axis_sort: by } = form
  const isAlone =
    form.groupby.length === 0 && form.time_compare.length === 0 && !form.contributionMode && !isExpanded(form)
  if (!metric || !isAlone || labelOfMetric(metric) !== by) return []
  return form.metrics.some((own) => labelOfMetric(own) === by) ? [] : [metric]
}

/**
 * Returns the steps that turn rows into one column per series. The server runs them, so that every client gets the same numbers.
 * Missing times are added before windows and comparisons count rows.
 */
export function seriesSteps(form: SeriesForm): PostProcessing[] {
  return [
    pivot(form),
    ...resampleSteps(form),
    ...rollingSteps(form),
    ...compare(form),
    ...rename(form),
    ...contribution(form),
    ...sort(form),
    { operation: 'flatten' },
    ...forecastSteps(form, xLabel(form)),
  ]
}

const listPivotColumns = (form: SeriesForm): string[] => [
  ...metricColumns(form),
  ...listSortMetrics(form).map(labelOfMetric),
]

const pivot = (form: SeriesForm): PostProcessing => ({
  operation: 'pivot',
  options: {
    index: [xLabel(form)],
    columns: form.groupby.map(labelOfColumn),
    aggregates: Object.fromEntries(listPivotColumns(form).map((label) => [label, { operator: 'mean' }])),
    drop_missing_columns: !form.show_empty_columns,
  },
})

export function rollingSteps(
  form: Pick<SeriesForm, 'rolling_type' | 'rolling_periods' | 'min_periods' | 'metrics' | 'time_compare'>,
): PostProcessing[] {
  const columns = Object.fromEntries(metricColumns(form as SeriesForm).map((label) => [label, label]))
  if (form.rolling_type === 'cumsum') return [{ operation: 'cum', options: { operator: 'sum', columns } }]
  if (!['mean', 'sum', 'std'].includes(form.rolling_type ?? '')) return []
  const { rolling_type, rolling_periods, min_periods } = form
  const options = { rolling_type, window: rolling_periods ?? 1, min_periods: min_periods ?? 0, columns }
  return [{ operation: 'rolling', options: { ...options, ...(min_periods && { drop_incomplete: true }) } }]
}

function compare(form: SeriesForm): PostProcessing[] {
  if (!isDerived(form)) return []
  const pairs = form.metrics.flatMap((metric) =>
    form.time_compare.map((offset) => [labelOfMetric(metric), `${labelOfMetric(metric)}__${offset}`] as const),
  )
  const options = {
    source_columns: pairs.map(([source]) => source),
    compare_columns: pairs.map(([, compared]) => compared),
    compare_type: form.comparison_type,
    drop_original_columns: true,
  }
  return [{ operation: 'compare', options }]
}

export function resampleSteps({
  resample_rule,
  resample_method,
}: Pick<SeriesForm, 'resample_rule' | 'resample_method'>): PostProcessing[] {
  if (!resample_rule || !resample_method) return []
  const isZero = resample_method === 'zerofill'
  const options = {
    method: isZero ? 'asfreq' : resample_method,
    rule: resample_rule,
    fill_value: isZero ? 0 : null,
  }
  return [{ operation: 'resample', options }]
}

/** With one metric its name is omitted: the series is named by its dimension values or its comparison offset. */
function rename(form: SeriesForm): PostProcessing[] {
  const [metric, second] = form.metrics
  if (!metric || second || form.groupby.length === 0 || !form.truncate_metric || isDerived(form)) return []
  const label = labelOfMetric(metric)
  const columns = { [label]: null, ...Object.fromEntries(form.time_compare.map((o) => [`${label}__${o}`, o])) }
  return [{ operation: 'rename', options: { columns, level: 0, inplace: true } }]
}

function contribution(form: SeriesForm): PostProcessing[] {
  const orientation = isExpanded(form) ? 'row' : form.contributionMode
  return orientation ? [{ operation: 'contribution', options: { orientation } }] : []
}

function sort(form: SeriesForm): PostProcessing[] {
  const { x_axis_sort: by, x_axis_sort_asc: ascending } = form
  if (!by || form.groupby.length > 0) return []
  if (by === xLabel(form)) return [{ operation: 'sort', options: { is_sort_index: true, ascending } }]
  return listPivotColumns(form).includes(by) ? [{ operation: 'sort', options: { by, ascending } }] : []
}
