import { labelOfMetric, type QueryFilter, type QueryMetric } from '@parquetry/model'
import type { AnyChart, ChartForm, DatasetFacts } from '../define.ts'
import { controlKindOf, findDimensionControl } from '../explore/carry-over.ts'
import { isNonAdditiveName } from '../explore/non-additive-name.ts'
import { firstMetric, pickTimeGrain } from '../explore/suggest-form.ts'
import { baseQuery } from '../query/base-query.ts'
import { asRecord, mergeExtras } from '../query/extra-form-data.ts'
import { loadChart, loadStoredForm } from '../registry.ts'
import { dimensionsByLabel } from '../resolve/marks.ts'

/** Adds filters to the form as a dashboard adds its own, after existing ones. */
export function withQueryFilters(form: ChartForm, filters: readonly QueryFilter[]): ChartForm {
  if (filters.length === 0) return form
  return { ...form, extra_form_data: mergeExtras([asRecord(form.extra_form_data), { filters }]) }
}

/** Columns by which a mark can be broken down: groupable ones of which the mark has more than one value. */
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
 * Returns the column shown before one is selected: the first that the chart does not show already. Identifiers come last, since
 * nearly every row has its own.
 * @param columns in the order in which they are offered
 */
export function firstDrillColumn(columns: readonly string[], form: ChartForm): string | undefined {
  const shown = dimensionsByLabel(form)
  const others = columns.filter((name) => !shown.has(name))
  return others.find((name) => !isNonAdditiveName(name)) ?? others[0] ?? columns[0]
}

/** Defaults of the comparisons, shares and limits that refer to the groups of the old form and make no sense for others. */
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
 * Breaks a mark down by another column. A time column becomes the axis of a line chart. For other columns, charts with a list of
 * dimensions and no axis keep their type, with the column as their only dimension; other charts become bars by the column,
 * largest first. All filters apply except conditions on groups, so that the parts add up to the mark.
 * @param filters of the mark (`Mark.drill`); none for the whole chart
 * @returns undefined for an unknown chart type
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
  if (!isTime && keepsChartType(opened.chart))
    return { chart: opened.chart, form: regroupByColumn(opened.chart, form, column, dataset) }
  const chart = await loadChart(isTime ? 'echarts_timeseries_line' : 'echarts_timeseries_bar')
  return chart && { chart, form: buildAxisForm(opened.chart, chart, form, { column, isTime }, dataset) }
}

/** Returns whether the chart can show other dimensions: it has a list of them and no other grouping control. */
const keepsChartType = (chart: AnyChart): boolean =>
  controlKindOf(chart, findDimensionControl(chart)) === 'columns' &&
  !Object.keys(chart.form.properties).some((name) => ['column', 'x-axis'].includes(controlKindOf(chart, name) ?? ''))

function regroupByColumn(chart: AnyChart, form: ChartForm, column: string, dataset: DatasetFacts): ChartForm {
  const isRows = form.query_mode === 'raw' || listMeasures(form).length === 0
  const controlNames = Object.keys(chart.form.properties)
  const reset = Object.fromEntries(
    Object.entries(groupSettingDefaults).filter(([name]) => controlNames.includes(name) && name in form),
  )
  return {
    ...form,
    ...reset,
    ...(controlNames.includes('query_mode') && { query_mode: 'aggregate' }),
    ...(isRows && controlNames.includes('metrics') && { metrics: [firstMetric(dataset)] }),
    ...('groupbyColumns' in chart.form.properties && { groupbyColumns: [] }),
    [findDimensionControl(chart)]: [column],
  }
}

/** Settings that are carried over: the rows to query, and number and color formats. */
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

function buildAxisForm(
  oldChart: AnyChart,
  newChart: AnyChart,
  form: ChartForm,
  { column, isTime }: { column: string; isTime: boolean },
  dataset: DatasetFacts,
): ChartForm {
  const all = listMeasures(form)
  const metrics =
    all.length === 0 ? [firstMetric(dataset)] : 'x_axis' in oldChart.form.properties ? all : all.slice(0, 1)
  const carried = Object.fromEntries(carriedSettings.filter((name) => name in form).map((name) => [name, form[name]]))
  return {
    ...carried,
    viz_type: newChart.viz_type,
    x_axis: column,
    metrics,
    groupby: [],
    ...(isTime
      ? { time_grain_sqla: form.time_grain_sqla ?? pickTimeGrain(dataset, null), row_limit: 10_000 }
      : { x_axis_sort: labelOfMetric(metrics[0] as QueryMetric), x_axis_sort_asc: false, row_limit: 1000 }),
  }
}

const listMeasures = (form: ChartForm): QueryMetric[] => [...(baseQuery({ ...form, query_mode: null }).metrics ?? [])]

/** Removes conditions on groups, which apply to the groups of the form. */
export function withoutHaving(form: ChartForm): ChartForm {
  const { having: _, ...rest } = form
  const filters = form.adhoc_filters
  if (!Array.isArray(filters)) return rest
  return {
    ...rest,
    adhoc_filters: filters.filter((filter: { clause?: unknown } | null) => filter?.clause !== 'HAVING'),
  }
}
