import { firstMeasure, suggestForm, totalOf, type ChartForm, type DatasetFacts } from '@parquetry/charts'

export interface Suggestion {
  title: string
  form: ChartForm
}

interface Column {
  column_name: string
  type_generic?: number | null
  is_dttm?: boolean
}

export type SuggestedDataset = Omit<DatasetFacts, 'columns'> & {
  id: number
  type: string
  columns: readonly Column[]
}

const number = 0
const text = 1

/**
 * First pictures of a dataset, at most six, from the kinds of its columns alone: a total, its course, its largest parts, its
 * shares, the course of the parts, and the rows. Fewer than two columns that can be drawn: the rows alone.
 */
export function suggestForms(dataset: SuggestedDataset): Suggestion[] {
  const base = suggestForm(dataset as Parameters<typeof suggestForm>[0])
  const { datasource, color_scheme } = base
  const shared = { datasource, color_scheme, adhoc_filters: [] }
  const { columns, main_dttm_col } = dataset
  const time =
    columns.find(({ column_name, is_dttm }) => is_dttm && column_name === main_dttm_col)?.column_name ??
    columns.find(({ is_dttm }) => is_dttm)?.column_name
  const measure = firstMeasure(dataset)
  const category = columns.find(({ type_generic }) => type_generic === text)?.column_name
  const metric = measure === undefined ? 'count' : totalOf(measure)
  const what = measure ?? 'rows'
  const label = typeof metric === 'string' ? metric : metric.label
  const course = time !== undefined && { x_axis: time, time_grain_sqla: 'P1D', metrics: [metric], row_limit: 10_000 }
  const top = { metric, metrics: [metric], row_limit: 10 }

  const all: (Suggestion | false)[] = [
    { title: `Total ${what}`, form: { ...shared, viz_type: 'big_number_total', metric } },
    course && {
      title: `${capital(what)} over time`,
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
        title: `${capital(what)} over time by ${category}`,
        form: { ...shared, viz_type: 'echarts_area', ...course, groupby: [category], limit: 8, stack: 'Stack' },
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
