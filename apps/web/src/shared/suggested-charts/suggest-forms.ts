import {
  pickTimeGrain,
  rankColumns,
  suggestForm,
  buildSumMetric,
  type ChartForm,
  type DatasetFacts,
  type TableFacts,
} from '@parquetry/charts'

/** Input of suggested charts: the columns and their labels. */
export type SuggestionDataset = DatasetFacts & {
  id: number
  type: string
  verbose_map?: Readonly<Record<string, string | null>>
}

export interface Suggestion {
  title: string
  form: ChartForm
}

const number = 0
const text = 1

/** Number of charts that users view before their first query. */
const maxSuggestions = 6

/**
 * Suggests at most six charts of a dataset from its best columns (`rankColumns`): a total, its trend, its largest categories, its
 * shares, the trend by category, a distribution, and the rows. With fewer than two usable columns: only the rows.
 * @param facts from one pass over its data: they select columns, and the grain of the trends, which their titles name
 */
export function suggestForms(dataset: SuggestionDataset, facts: TableFacts | null = null): Suggestion[] {
  const { time, span, dimensions, names, measures } = rankColumns(dataset, facts)
  const [measure] = measures
  const [category, other = category] = dimensions
  const top = category ?? names[0]
  const base = suggestForm({ ...dataset, ...(time !== undefined && { main_dttm_col: time }) }, span)
  const { datasource, color_scheme, adhoc_filters } = base
  const shared = { datasource, color_scheme, adhoc_filters }
  const { columns } = dataset
  const metric = measure === undefined ? 'count' : buildSumMetric(measure)
  const named = (name: string): string => dataset.verbose_map?.[name] || name
  const measureName = measure === undefined ? 'rows' : named(measure)
  const label = typeof metric === 'string' ? metric : metric.label
  const time_grain_sqla = pickTimeGrain(dataset, span)
  const unit = dataset.time_grain_sqla?.find(([grain]) => grain === time_grain_sqla)?.[1].toLowerCase()
  const along = span && unit ? `by ${unit}` : 'over time'
  const course = time !== undefined && { x_axis: time, time_grain_sqla, metrics: [metric], row_limit: 10_000 }
  const largest = { metric, metrics: [metric], row_limit: 10 }

  const all: (Suggestion | false)[] = [
    { title: `Total ${measureName}`, form: { ...shared, viz_type: 'big_number_total', metric } },
    course && {
      title: `${capital(measureName)} ${along}`,
      form: { ...shared, viz_type: 'echarts_timeseries_line', ...course, groupby: [] },
    },
    top !== undefined && {
      title: `${capital(measureName)} by ${named(top)}`,
      form: {
        ...shared,
        viz_type: 'echarts_timeseries_bar',
        ...largest,
        x_axis: top,
        groupby: [],
        x_axis_sort: label,
        x_axis_sort_asc: false,
      },
    },
    category !== undefined && {
      title: `Share of ${measureName} by ${named(other ?? category)}`,
      form: { ...shared, viz_type: 'pie', ...largest, groupby: [other], sort_by_metric: true },
    },
    course &&
      category !== undefined && {
        title: `${capital(measureName)} ${along}, by ${named(category)}`,
        form: {
          ...shared,
          viz_type: 'echarts_area',
          ...course,
          groupby: [category],
          series_limit: 8,
          group_others_when_limit_reached: true,
          stack: 'Stack',
        },
      },
    measure !== undefined && {
      title: `How ${measureName} is spread`,
      form: { ...shared, viz_type: 'histogram_v2', column: measure, groupby: [], bins: 20, row_limit: 10_000 },
    },
    {
      title: 'Rows',
      form: {
        ...shared,
        viz_type: 'table',
        query_mode: 'raw',
        all_columns: columns.map(({ column_name }) => column_name),
        row_limit: 1000,
      },
    },
  ]
  const usable = columns.filter(
    ({ type_generic, is_dttm }) => is_dttm || type_generic === number || type_generic === text,
  )
  const found = all.filter((each) => each !== false)
  return usable.length < 2 ? found.slice(-1) : [...found.slice(0, -1).slice(0, maxSuggestions - 1), ...found.slice(-1)]
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
