import {
  firstMeasure,
  newGrain,
  suggestForm,
  timeColumn,
  totalOf,
  type ChartForm,
  type DatasetFacts,
  type TimeSpan,
} from '@parquetry/charts'

export interface Suggestion {
  title: string
  form: ChartForm
}

const number = 0
const text = 1

/**
 * First pictures of a dataset, at most six, from the kinds of its columns alone: a total, its course, its largest parts, its
 * shares, the course of the parts, and the rows. Fewer than two columns that can be drawn: the rows alone.
 * @param span of the time column: it chooses the grain of the courses, which their names say
 */
export function suggestForms(
  dataset: DatasetFacts & { id: number; type: string },
  span: TimeSpan | null = null,
): Suggestion[] {
  const base = suggestForm(dataset, span)
  const { datasource, color_scheme, adhoc_filters } = base
  const shared = { datasource, color_scheme, adhoc_filters }
  const { columns } = dataset
  const time = timeColumn(dataset)
  const measure = firstMeasure(dataset)
  const category = columns.find(({ type_generic }) => type_generic === text)?.column_name
  const metric = measure === undefined ? 'count' : totalOf(measure)
  const what = measure ?? 'rows'
  const label = typeof metric === 'string' ? metric : metric.label
  const time_grain_sqla = newGrain(dataset, span)
  const unit = dataset.time_grain_sqla?.find(([grain]) => grain === time_grain_sqla)?.[1].toLowerCase()
  const along = span && unit ? `by ${unit}` : 'over time'
  const course = time !== undefined && { x_axis: time, time_grain_sqla, metrics: [metric], row_limit: 10_000 }
  const top = { metric, metrics: [metric], row_limit: 10 }

  const all: (Suggestion | false)[] = [
    { title: `Total ${what}`, form: { ...shared, viz_type: 'big_number_total', metric } },
    course && {
      title: `${capital(what)} ${along}`,
      form: { ...shared, viz_type: 'echarts_timeseries_line', ...course, groupby: [] },
    },
    category !== undefined && {
      title: `${capital(what)} by ${category}`,
      form: {
        ...shared,
        viz_type: 'echarts_timeseries_bar',
        ...top,
        x_axis: category,
        groupby: [],
        x_axis_sort: label,
        x_axis_sort_asc: false,
      },
    },
    category !== undefined && {
      title: `Share of ${what} by ${category}`,
      form: { ...shared, viz_type: 'pie', ...top, groupby: [category], sort_by_metric: true },
    },
    course &&
      category !== undefined && {
        title: `${capital(what)} ${along}, by ${category}`,
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
  return usable.length < 2 ? found.slice(-1) : found
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
