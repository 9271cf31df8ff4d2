import { labelOfMetric, type QueryFilter, type QueryMetric } from '@parquetry/model'
import type { AnyChart, ChartForm, DatasetFacts } from '../define.ts'
import { controlOf, findDimensionControl } from '../explore/carry-over.ts'
import { isNonAdditiveName } from '../explore/non-additive-name.ts'
import { firstMetric, pickTimeGrain } from '../explore/suggest-form.ts'
import { baseQuery } from '../query/base-query.ts'
import { asRecord, mergeExtras } from '../query/extra-form-data.ts'
import { loadChart, loadStoredForm } from '../registry.ts'
import { dimensionsByLabel } from '../resolve/marks.ts'

/** The form with filters laid over it as a dashboard lays its own, behind those that are there already. */
export function withQueryFilters(form: ChartForm, filters: readonly QueryFilter[]): ChartForm {
  if (filters.length === 0) return form
  return { ...form, extra_form_data: mergeExtras([asRecord(form.extra_form_data), { filters }]) }
}

/** Columns that a mark can be broken down by: those that the dataset groups by and the mark has more than one value of. */
export function drillColumns<C extends { column_name: string; groupby?: boolean | null | undefined }>(
  columns: readonly C[],
  filters: readonly QueryFilter[],
): C[] {
  const single = new Set(
    filters.filter(({ op, grain }) => op !== 'IN' && singleValueOps.has(op) && !grain).map(({ col }) => col),
  )
  return columns.filter(({ column_name, groupby }) => groupby !== false && !single.has(column_name))
}
const singleValueOps = new Set(['==', 'IS NULL'])

/**
 * What a drill shows before a column is chosen: the first one that the chart does not show already, a name of things as late as
 * possible, since nearly every row has one of its own.
 * @param columns in the order in which they are offered
 */
export function firstDrillColumn(columns: readonly string[], form: ChartForm): string | undefined {
  const shown = dimensionsByLabel(form)
  const others = columns.filter((name) => !shown.has(name))
  return others.find((name) => !isNonAdditiveName(name)) ?? others[0] ?? columns[0]
}

/** Comparisons, shares and limits that were made for the groups of the form: of others they would say something else. */
const groupSettingDefaults: ChartForm = {
  time_compare: [],
  contributionMode: null,
  rolling_type: null,
  resample_rule: null,
  resample_method: null,
  forecastEnabled: false,
  annotation_layers: [],
  timeseries_limit_metric: null,
  series_limit_metric: null,
  order_by_cols: [],
  orderby: [],
  show_empty_columns: false,
}

/**
 * The rows behind a mark by another column. Parts of a whole, tables and their like stay what they are, with the column as their
 * only dimension; whatever runs along an axis becomes bars by the column, the largest first, or runs along the column where that
 * is a time. Whatever the form was filtered by still is, but for conditions on groups: so the parts add up to the mark.
 * @param filters of the mark (`Mark.drill`); none for the whole chart
 * @returns undefined for a type that nobody here draws
 */
export async function drillBy(
  stored: ChartForm,
  filters: readonly QueryFilter[],
  column: string,
  dataset: DatasetFacts,
): Promise<{ chart: AnyChart; form: ChartForm } | undefined> {
  const opened = await loadStoredForm(stored, dataset)
  if (!opened) return undefined
  const form = withoutHaving(withQueryFilters(opened.form, filters))
  const isTime = dataset.columns.some(({ column_name, is_dttm }) => column_name === column && is_dttm === true)
  if (!isTime && isTypeKept(opened.chart))
    return { chart: opened.chart, form: byColumn(opened.chart, form, column, dataset) }
  const chart = await loadChart(isTime ? 'echarts_timeseries_line' : 'echarts_timeseries_bar')
  return chart && { chart, form: alongColumn(opened.chart, chart, form, { column, isTime }, dataset) }
}

/** It takes a list of dimensions and nothing else that groups. */
const isTypeKept = (chart: AnyChart): boolean =>
  controlOf(chart, findDimensionControl(chart)) === 'columns' &&
  !Object.keys(chart.form.properties).some((name) => ['column', 'x-axis'].includes(controlOf(chart, name) ?? ''))

function byColumn(chart: AnyChart, form: ChartForm, column: string, dataset: DatasetFacts): ChartForm {
  const isRows = form.query_mode === 'raw' || listMeasures(form).length === 0
  const own = Object.keys(chart.form.properties)
  const reset = Object.fromEntries(
    Object.entries(groupSettingDefaults).filter(([name]) => own.includes(name) && name in form),
  )
  return {
    ...form,
    ...reset,
    ...(own.includes('query_mode') && { query_mode: 'aggregate' }),
    ...(isRows && own.includes('metrics') && { metrics: [firstMetric(dataset)] }),
    ...('groupbyColumns' in chart.form.properties && { groupbyColumns: [] }),
    [findDimensionControl(chart)]: [column],
  }
}

/** Settings that go along: what is asked of which rows, and how numbers and colours look. */
const carriedSettings = [
  'datasource',
  'slice_id',
  'dashboardId',
  'adhoc_filters',
  'extra_form_data',
  'extra_filters',
  'time_range',
  'granularity_sqla',
  'url_params',
  'where',
  'color_scheme',
  'color_namespace',
  'label_colors',
  'shared_label_colors',
  'y_axis_format',
  'currency_format',
]

function alongColumn(
  from: AnyChart,
  to: AnyChart,
  form: ChartForm,
  { column, isTime }: { column: string; isTime: boolean },
  dataset: DatasetFacts,
): ChartForm {
  const all = listMeasures(form)
  const metrics = all.length === 0 ? [firstMetric(dataset)] : 'x_axis' in from.form.properties ? all : all.slice(0, 1)
  const kept = Object.fromEntries(carriedSettings.filter((name) => name in form).map((name) => [name, form[name]]))
  return {
    ...kept,
    viz_type: to.viz_type,
    x_axis: column,
    metrics,
    groupby: [],
    ...(isTime
      ? { time_grain_sqla: form.time_grain_sqla ?? pickTimeGrain(dataset, null), row_limit: 10_000 }
      : { x_axis_sort: labelOfMetric(metrics[0] as QueryMetric), x_axis_sort_asc: false, row_limit: 1000 }),
  }
}

const listMeasures = (form: ChartForm): QueryMetric[] => [...(baseQuery({ ...form, query_mode: null }).metrics ?? [])]

/** Conditions on groups were said of the groups of the form. */
export function withoutHaving(form: ChartForm): ChartForm {
  const { having: _, ...rest } = form
  const filters = form.adhoc_filters
  if (!Array.isArray(filters)) return rest
  return {
    ...rest,
    adhoc_filters: filters.filter((filter: { clause?: unknown } | null) => filter?.clause !== 'HAVING'),
  }
}
