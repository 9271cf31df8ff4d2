import {
  buildAverageMetric,
  buildSpecContext,
  buildSumMetric,
  classifyAggregate,
  firstMetric,
  listSavedMetrics,
  pickTimeGrain,
  rankColumns,
  suggestForm,
  type ChartForm,
  type DatasetFacts,
  type RankedColumns,
  type TableFacts,
} from '@parquetry/charts'
import { labelOfMetric, type QueryMetric } from '@parquetry/model'

/** Input of suggested charts: the columns and their labels. */
export type SuggestionDataset = DatasetFacts & {
  id: number
  type: string
  metrics?: readonly { metric_name: string; expression?: string | null }[]
  verbose_map?: Record<string, string | null>
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
  const ranked = rankColumns(dataset, facts)
  const { time, span, dimensions, names } = ranked
  const [category, other = category] = dimensions
  const top = category ?? names[0]
  const base = suggestForm({ ...dataset, ...(time !== undefined && { main_dttm_col: time }) }, span)
  const { datasource, color_scheme, adhoc_filters } = base
  const shared = { datasource, color_scheme, adhoc_filters }
  const { columns } = dataset
  const named = (name: string): string => dataset.verbose_map?.[name] || name
  const { metric, name: measureName, title, isAdditive } = chooseMeasure(dataset, ranked)
  const [distributed] = [...ranked.measures, ...ranked.averages]
  const time_grain_sqla = pickTimeGrain(dataset, span)
  const unit = dataset.time_grain_sqla?.find(([grain]) => grain === time_grain_sqla)?.[1].toLowerCase()
  const along = span && unit ? `by ${unit}` : 'over time'
  const course = time !== undefined && { x_axis: time, time_grain_sqla, metrics: [metric], row_limit: 10_000 }
  const largest = { metric, metrics: [metric], row_limit: 10 }

  const all: (Suggestion | false)[] = [
    { title, form: { ...shared, viz_type: 'big_number_total', metric } },
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
        x_axis_sort: labelOfMetric(metric),
        x_axis_sort_asc: false,
      },
    },
    isAdditive &&
      category !== undefined && {
        title: `Share of ${measureName} by ${named(other ?? category)}`,
        form: { ...shared, viz_type: 'pie', ...largest, groupby: [other], sort_by_metric: true },
      },
    course &&
      category !== undefined && {
        title: `${capital(measureName)} ${along}, by ${named(category)}`,
        form: {
          ...shared,
          ...course,
          groupby: [category],
          series_limit: 8,
          ...(isAdditive
            ? { viz_type: 'echarts_area', group_others_when_limit_reached: true, stack: 'Stack', only_total: true }
            : { viz_type: 'echarts_timeseries_line' }),
        },
      },
    distributed !== undefined && {
      title: `How ${named(distributed)} is spread`,
      form: { ...shared, viz_type: 'histogram_v2', column: distributed, groupby: [], bins: 20, row_limit: 10_000 },
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

interface Measure {
  metric: QueryMetric
  /** Name within a title. */
  name: string
  /** Title of its single value. */
  title: string
  /** Its parts add up to the whole, so that they can be stacked and have shares. */
  isAdditive: boolean
}

/**
 * Chooses the metric of the suggestions: a saved metric, which the dataset's owner has defined; else the sum of a column, the
 * average of one that cannot be summed, or the row count.
 */
function chooseMeasure(dataset: SuggestionDataset, { measures, averages }: RankedColumns): Measure {
  const named = (name: string): string => dataset.verbose_map?.[name] || name
  const [saved] = listSavedMetrics(dataset)
  if (saved !== undefined) {
    const isSum = classifyAggregate(saved, buildSpecContext({}, { dataset })) === 'sum'
    return { metric: saved, name: named(saved), title: capital(named(saved)), isAdditive: isSum }
  }
  const [sum] = measures
  if (sum !== undefined)
    return { metric: buildSumMetric(sum), name: named(sum), title: `Total ${named(sum)}`, isAdditive: true }
  const [average] = averages
  if (average !== undefined) {
    const name = `average ${named(average)}`
    return { metric: buildAverageMetric(average), name, title: capital(name), isAdditive: false }
  }
  return { metric: firstMetric(dataset), name: 'rows', title: 'Total rows', isAdditive: true }
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
