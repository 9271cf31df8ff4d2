import type { QueryMetric } from '@parquetry/model'
import type { AnyChart, ChartForm, DatasetFacts } from '../define.ts'
import { controlsOf, type Field } from '../controls-of.ts'
import { grainFor } from '../shared/grain.ts'

/** The rows themselves, as an expression, for a dataset without a saved metric that counts them. */
const countRows: QueryMetric = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'COUNT(*)' }

const numeric = 0
const textual = 1

/** Numbers that name things, times of a calendar or a clock among them, are not added up. */
export const isNameOfThings = (name: string): boolean =>
  /(^|_|\b)(id|key|code|zip|year|quarter|month|week|weekday|day|hour|minute|lat|lon|latitude|longitude)$/i.test(name)

/** The first column whose numbers add up. */
export const firstMeasure = ({ columns }: Pick<DatasetFacts, 'columns'>): string | undefined =>
  columns.find(({ column_name, type_generic }) => type_generic === numeric && !isNameOfThings(column_name))?.column_name

export const totalOf = (column_name: string) => ({
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
export const newGrain = ({ time_grain_sqla }: DatasetFacts, span: TimeSpan | null): string =>
  span
    ? grainFor(
        span,
        time_grain_sqla?.flatMap(([grain]) => grain ?? []),
      )
    : 'P1D'

/**
 * The first picture of a dataset, before any question: rows over time, else rows by the first text column, else the first rows.
 * A run of SQL Lab mostly counted by itself already, so that its first measure is added up instead of its rows. Names our own colours; a form that names none draws in the API's default ones.
 * @param span of the time column (`timeColumn`), where somebody has asked for it
 */
export function suggestForm(
  dataset: DatasetFacts & { id?: number; type?: string },
  span: TimeSpan | null = null,
): ChartForm {
  const base = {
    ...(dataset.id !== undefined && { datasource: `${dataset.id}__${dataset.type ?? 'table'}` }),
    adhoc_filters: [],
    color_scheme: 'parquetry',
  }
  const time = timeColumn(dataset)
  const measure = dataset.type === 'query' ? firstMeasure(dataset) : undefined
  const metric = measure === undefined ? firstMetric(dataset) : totalOf(measure)
  if (time !== undefined)
    return {
      ...base,
      viz_type: 'echarts_timeseries_line',
      x_axis: time,
      time_grain_sqla: newGrain(dataset, span),
      metrics: [metric],
      groupby: [],
      adhoc_filters: [timeFilter(time)],
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
const notGuessed = new Set(['id', 'parent'])

/** A first picture with a guess for each setting without which its chart is nothing: the first text column, numbers that add up. */
export function withGuesses({ form: schema }: AnyChart, form: ChartForm, dataset: DatasetFacts): ChartForm {
  const category = dataset.columns.find(({ type_generic }) => type_generic === textual)?.column_name
  const measures = dataset.columns.filter(
    ({ column_name, type_generic }) => type_generic === numeric && !isNameOfThings(column_name),
  )
  let next = 0
  const guess = ({ name, control: { as } }: Field): unknown => {
    if (as === 'columns') return category && [category]
    if (as === 'column') return name === 'column' ? measures[0]?.column_name : category
    const measure = as === 'metric' ? measures[next++]?.column_name : undefined
    return measure && totalOf(measure)
  }
  const missing = controlsOf(schema, form, dataset)
    .flatMap(({ fields }) => fields)
    .filter(({ name, isEmpty, error }) => isEmpty && error !== null && !notGuessed.has(name))
  const guesses = missing.map((field) => [field.name, guess(field)] as const)
  return { ...form, ...Object.fromEntries(guesses.filter(([, value]) => value !== undefined)) }
}

/** A filter that filters nothing yet: the place where a time range goes. */
export const timeFilter = (column: string) => ({
  clause: 'WHERE',
  subject: column,
  operator: 'TEMPORAL_RANGE',
  comparator: 'No filter',
  expressionType: 'SIMPLE',
})
