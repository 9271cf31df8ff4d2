import { filterValueAt, numberAt, type Cell, type Frame } from '@parquetry/frame'
import { labelOfColumn, type QueryMetric, type QueryObject } from '@parquetry/model'
import { defineChart, type SpecContext } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { findColumn } from '../shared/column.ts'
import { defaultChoices, withItemDefaults, type Choices } from './choices.ts'
import { form, type FilterBoxItem } from './form.ts'

/** NATF-048, NATF-049: maximum number of values loaded per column. */
export const maxFilterValues = 1000

/** Input of the View and the SVG. */
export interface FilterBoxSpec extends Record<string, unknown> {
  /** Selects, each with the name of the query that provides its values. */
  items: {
    query: string
    column: string
    label: string
    isMultiple: boolean
    isRequired: boolean
    /** The typed text is searched in the database. */
    searchesAll: boolean
    options: FilterOption[]
  }[]
  time: { range: boolean; grain: boolean; column: boolean }
  isInstant: boolean
  defaults: Choices
  words: { range: string; grain: string; column: string; apply: string; unchanged: string; any: string; own: string }
}

export interface FilterOption {
  value: Cell
  /** Value of the ranking metric as a fraction of the largest one; null without a metric. */
  part: number | null
}

const queryName = (index: number) => `values_${index}`
const count: QueryMetric = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count' }

/** Filters for the charts of a dashboard, combined in one chart; `values_0` and so on have one row per value. */
export default defineChart({
  viz_type: 'filter_box',
  name: 'Filter box',
  category: 'Tools',
  tags: ['Legacy'],
  description: 'Filters the other charts on a dashboard by the values selected in it.',
  icon: 'filter',
  series: [],
  deprecated: true,
  labelExplanation: 'Dashboard filters do the same and more.',
  behaviors: ['NATIVE_FILTER'],
  form,
  queries: ({ filter_configs }) => {
    const queries = filter_configs.map((item, index): [string, Partial<QueryObject>] => {
      const { column, metric, asc } = withItemDefaults(item)
      return [
        queryName(index),
        {
          columns: [column],
          metrics: metric ? [metric] : [],
          orderby: [[metric || column, asc]],
          row_limit: maxFilterValues,
        },
      ]
    })
    // Time filters need no data, but a chart must have a result.
    if (queries.length === 0) queries.push(['rows', { columns: [], metrics: [count], row_limit: 1 }])
    return Object.fromEntries(queries)
  },
  spec: (frames, settings, context): FilterBoxSpec => {
    const say = createTranslator(context)
    return {
      items: settings.filter_configs.map((item, index) =>
        buildItem(item, queryName(index), frames[queryName(index)], context),
      ),
      time: {
        range: settings.date_filter,
        grain: settings.show_sqla_time_granularity,
        column: settings.show_sqla_time_column,
      },
      isInstant: settings.instant_filtering,
      defaults: defaultChoices(settings),
      words: {
        range: say('picture.filterBox.range', 'Time range'),
        grain: say('picture.filterBox.grain', 'Time grain'),
        column: say('picture.filterBox.column', 'Time column'),
        apply: say('picture.filterBox.apply', 'Apply'),
        unchanged: say('picture.filterBox.unchanged', 'No changes to apply'),
        any: say('picture.filterBox.any', 'All'),
        own: say('picture.filterBox.own', 'Chart default'),
      },
    }
  },
})

function buildItem(
  item: FilterBoxItem,
  query: string,
  frame: Frame | undefined,
  context: SpecContext,
): FilterBoxSpec['items'][number] {
  const { column, label, metric, multiple, clearable, searchAllOptions } = withItemDefaults(item)
  return {
    query,
    column,
    label: label || context.displayName(labelOfColumn(column)),
    isMultiple: multiple,
    isRequired: !clearable,
    searchesAll: searchAllOptions,
    options: frame ? readFilterOptions(frame, column, metric ?? null) : [],
  }
}

/** Returns the options of a result, in its order. */
export function readFilterOptions(frame: Frame, column: string, metric: string | null): FilterOption[] {
  const values = findColumn(frame, column)
  const sizes = metric === null ? undefined : findColumn(frame, metric)
  if (!values) return []
  const rows = Array.from({ length: frame.rows }, (_, row) => row)
  const largest = sizes ? rows.reduce((most, row) => Math.max(most, numberAt(sizes, row) ?? 0), 0) : 0
  return rows.map((row) => ({
    value: filterValueAt(values, row),
    part: sizes && largest > 0 ? Math.max(0, (numberAt(sizes, row) ?? 0) / largest) : null,
  }))
}
