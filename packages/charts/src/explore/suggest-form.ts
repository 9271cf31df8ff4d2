import type { QueryMetric } from '@parquetry/model'
import type { AnyChart, ChartForm, DatasetFacts } from '../define.ts'
import { buildFieldGroups, type Field } from '../field-groups.ts'
import { chooseGrain, type TimeSpan } from '../shared/grain.ts'
import { isAveragedName, isNonAdditiveName } from './non-additive-name.ts'

/** Row count as an expression, for a dataset without a saved count metric. */
const countRows: QueryMetric = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'COUNT(*)' }

const numeric = 0
const textual = 1

const buildMetric = (aggregate: 'SUM' | 'AVG', column_name: string) => ({
  expressionType: 'SIMPLE' as const,
  column: { column_name },
  aggregate,
  label: `${aggregate}(${column_name})`,
})
export const buildSumMetric = (column_name: string) => buildMetric('SUM', column_name)
export const buildAverageMetric = (column_name: string) => buildMetric('AVG', column_name)

/** Metrics of a dataset's numbers: sums, then averages of those that cannot be summed. */
function listColumnMetrics({ columns }: Pick<DatasetFacts, 'columns'>) {
  const names = columns
    .filter(({ column_name, type_generic }) => type_generic === numeric && !isNonAdditiveName(column_name))
    .map(({ column_name }) => column_name)
  const averaged = names.filter(isAveragedName)
  return [...names.filter((name) => !averaged.includes(name)).map(buildSumMetric), ...averaged.map(buildAverageMetric)]
}

/** Saved metrics that say more than the row count. */
export const listSavedMetrics = ({ metrics = [] }: Pick<DatasetFacts, 'metrics'>): string[] =>
  metrics.map(({ metric_name }) => metric_name).filter((name) => name !== 'count')

/** Metric of a new chart: the saved metric `count`, else the row count. */
export const firstMetric = ({ metrics = [] }: DatasetFacts): QueryMetric =>
  metrics.some(({ metric_name }) => metric_name === 'count') ? 'count' : countRows

/** Axis of a new chart over time: the dataset's main time column, else its first one. */
export const timeColumn = ({ columns, main_dttm_col }: DatasetFacts): string | undefined =>
  columns.find(({ column_name, is_dttm }) => is_dttm && column_name === main_dttm_col)?.column_name ??
  columns.find(({ is_dttm }) => is_dttm)?.column_name

/** Grain of a new time series: chosen for its times, or a day when they are unknown. */
export const pickTimeGrain = ({ time_grain_sqla }: DatasetFacts, span: TimeSpan | null): string =>
  span
    ? chooseGrain(
        span,
        time_grain_sqla?.flatMap(([grain]) => grain ?? []),
      )
    : 'P1D'

/**
 * Returns the first chart of a dataset: rows over time, else rows by the first text column, else the first rows. SQL Lab results
 * are mostly aggregated already, so their first measure is summed, or averaged, instead of counting rows. Sets our own colors; a
 * form without a color scheme uses the API's default.
 * @param span of the time column (`buildTimeColumn`), if it was queried
 * @param range initial time range
 */
export function suggestForm(
  dataset: DatasetFacts & { id?: number; type?: string },
  span: TimeSpan | null = null,
  range = 'No filter',
): ChartForm {
  const base = {
    ...(dataset.id !== undefined && { datasource: `${dataset.id}__${dataset.type ?? 'table'}` }),
    adhoc_filters: [],
    color_scheme: 'parquetry',
  }
  const time = timeColumn(dataset)
  const [measure] = dataset.type === 'query' ? listColumnMetrics(dataset) : []
  const metric = measure ?? firstMetric(dataset)
  if (time !== undefined)
    return {
      ...base,
      viz_type: 'echarts_timeseries_line',
      x_axis: time,
      time_grain_sqla: pickTimeGrain(dataset, span),
      metrics: [metric],
      groupby: [],
      adhoc_filters: [timeFilter(time, range)],
      row_limit: 10_000,
    }
  const category = dataset.columns.find(({ type_generic }) => type_generic === textual)?.column_name
  if (category !== undefined)
    return {
      ...base,
      viz_type: 'echarts_timeseries_bar',
      x_axis: category,
      metrics: [metric],
      groupby: [],
      x_axis_sort: typeof metric === 'string' ? metric : metric.label,
      x_axis_sort_asc: false,
      row_limit: 25,
    }
  const all_columns = dataset.columns.map(({ column_name }) => column_name)
  return { ...base, viz_type: 'table', query_mode: 'raw', all_columns, order_desc: true, row_limit: 1000 }
}

/** A tree of arbitrary columns would be meaningless. */
const settingsWithoutGuess = new Set(['id', 'parent'])

/**
 * Fills the settings that a suggested chart requires with guesses: successive text columns, saved metrics before sums and averages of
 * numbers, times in order.
 */
export function fillRequiredSettings({ form: schema }: AnyChart, form: ChartForm, dataset: DatasetFacts): ChartForm {
  const categories = dataset.columns.filter(({ type_generic }) => type_generic === textual)
  const measures = dataset.columns.filter(
    ({ column_name, type_generic }) => type_generic === numeric && !isNonAdditiveName(column_name),
  )
  const metrics: QueryMetric[] = [...listSavedMetrics(dataset), ...listColumnMetrics(dataset)]
  const times = dataset.columns.filter(({ is_dttm }) => is_dttm)
  let next = 0
  let nextTime = 0
  let nextCategory = 0
  const guess = ({ name, control: { as } }: Field): unknown => {
    if (as === 'temporal-column') return times[nextTime++]?.column_name
    if (as === 'columns') return categories[0] && [categories[0].column_name]
    if (as === 'spatial') return findCoordinateColumns(dataset)
    if (name === 'all_columns_x') return findCoordinateColumns(dataset)?.lonCol
    if (name === 'all_columns_y') return findCoordinateColumns(dataset)?.latCol
    if (as === 'column') return (name === 'column' ? measures[0] : categories[nextCategory++])?.column_name
    return as === 'metric' ? metrics[next++] : undefined
  }
  const fields = buildFieldGroups(schema, form, dataset).flatMap((group) => group.fields)
  let whole = form
  for (const field of fields) {
    const { name, isEmpty, error, control: own } = field
    const isMissing = isEmpty && error !== null && !settingsWithoutGuess.has(name)
    const guessedByControl = form[name] == null ? own.guess?.(dataset, whole) : undefined
    const guessed = guessedByControl ?? (isMissing ? guess(field) : undefined)
    if (guessed !== undefined) whole = { ...whole, [name]: guessed }
  }
  return whole
}

/** Finds longitude and latitude columns by name. */
function findCoordinateColumns({
  columns,
}: DatasetFacts): { type: string; latCol: string; lonCol: string } | undefined {
  const named = (pattern: RegExp) => columns.find(({ column_name }) => pattern.test(column_name))?.column_name
  const [lonCol, latCol] = [
    named(/^(lon|lng|long|longitude)$|_(lon|lng|longitude)$/i),
    named(/^lat(itude)?$|_lat(itude)?$/i),
  ]
  return lonCol && latCol ? { type: 'latlong', latCol, lonCol } : undefined
}

/** Time range filter on a column; by default it filters nothing. */
export const timeFilter = (column: string, comparator = 'No filter') => ({
  clause: 'WHERE',
  subject: column,
  operator: 'TEMPORAL_RANGE',
  comparator,
  expressionType: 'SIMPLE',
})
