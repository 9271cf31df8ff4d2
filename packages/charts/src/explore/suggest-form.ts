import type { QueryMetric } from '@parquetry/model'
import type { AnyChart, ChartForm, DatasetFacts } from '../define.ts'
import { buildFieldGroups, type Field } from '../field-groups.ts'
import { chooseGrain } from '../shared/grain.ts'
import { isNonAdditiveName } from './non-additive-name.ts'

/** The rows themselves, as an expression, for a dataset without a saved metric that counts them. */
const countRows: QueryMetric = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'COUNT(*)' }

const numeric = 0
const textual = 1

/** The first column whose numbers add up. */
export const firstMeasure = ({ columns }: Pick<DatasetFacts, 'columns'>): string | undefined =>
  columns.find(({ column_name, type_generic }) => type_generic === numeric && !isNonAdditiveName(column_name))
    ?.column_name

export const buildSumMetric = (column_name: string) => ({
  expressionType: 'SIMPLE' as const,
  column: { column_name },
  aggregate: 'SUM',
  label: `SUM(${column_name})`,
})

/** What a new chart counts: the saved metric `count` where there is one. */
export const firstMetric = ({ metrics = [] }: DatasetFacts): QueryMetric =>
  metrics.some(({ metric_name }) => metric_name === 'count') ? 'count' : countRows

/** The column that a chart over time runs along: the dataset's main one, else its first temporal one. */
export const timeColumn = ({ columns, main_dttm_col }: DatasetFacts): string | undefined =>
  columns.find(({ column_name, is_dttm }) => is_dttm && column_name === main_dttm_col)?.column_name ??
  columns.find(({ is_dttm }) => is_dttm)?.column_name

/** From where to where the times of a column go, in milliseconds. */
export interface TimeSpan {
  from: number
  to: number
}

/** The grain of a new course: what its span asks for, a day where nobody knows the span. */
export const pickTimeGrain = ({ time_grain_sqla }: DatasetFacts, span: TimeSpan | null): string =>
  span
    ? chooseGrain(
        span,
        time_grain_sqla?.flatMap(([grain]) => grain ?? []),
      )
    : 'P1D'

/**
 * The first picture of a dataset, before any question: rows over time, else rows by the first text column, else the first rows.
 * A run of SQL Lab mostly counted by itself already, so that its first measure is added up instead of its rows. Names our own colours; a form that names none draws in the API's default ones.
 * @param span of the time column (`timeColumn`), where somebody has asked for it
 * @param range of time that is asked first
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
  const measure = dataset.type === 'query' ? firstMeasure(dataset) : undefined
  const metric = measure === undefined ? firstMetric(dataset) : buildSumMetric(measure)
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
  return { ...base, viz_type: 'table', query_mode: 'raw', all_columns, row_limit: 1000 }
}

/** A tree of names by chance says nothing. */
const settingsWithoutGuess = new Set(['id', 'parent'])

/** A first picture with a guess for each setting without which its chart is nothing: text columns in turn, numbers that add up, times in their order. */
export function fillRequiredSettings({ form: schema }: AnyChart, form: ChartForm, dataset: DatasetFacts): ChartForm {
  const categories = dataset.columns.filter(({ type_generic }) => type_generic === textual)
  const measures = dataset.columns.filter(
    ({ column_name, type_generic }) => type_generic === numeric && !isNonAdditiveName(column_name),
  )
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
    const measure = as === 'metric' ? measures[next++]?.column_name : undefined
    return measure && buildSumMetric(measure)
  }
  const fields = buildFieldGroups(schema, form, dataset).flatMap((group) => group.fields)
  let whole = form
  for (const field of fields) {
    const { name, isEmpty, error, control: own } = field
    const isMissing = isEmpty && error !== null && !settingsWithoutGuess.has(name)
    const told = form[name] == null ? own.guess?.(dataset, whole) : undefined
    const guessed = told ?? (isMissing ? guess(field) : undefined)
    if (guessed !== undefined) whole = { ...whole, [name]: guessed }
  }
  return whole
}

/** Columns that are called as places are. */
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

/** The place where a time range goes; one that filters nothing yet. */
export const timeFilter = (column: string, comparator = 'No filter') => ({
  clause: 'WHERE',
  subject: column,
  operator: 'TEMPORAL_RANGE',
  comparator,
  expressionType: 'SIMPLE',
})
