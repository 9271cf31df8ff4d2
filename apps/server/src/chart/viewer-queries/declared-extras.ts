import {
  listFilteredCharts,
  readNativeFilters,
  type NativeFilter,
  type PlannerColumn,
  type QueryColumn,
} from '@parquetry/model'
import { readForm, type ChartForm } from '@parquetry/charts'
import type { SavedChart } from '../saved-chart-query.ts'
import { formatPart } from './compare-queries.ts'
import { listSavedQueries } from './list-saved-queries.ts'
import type { ShownChart } from './saved-query.ts'

/** The part of a data mask that filters add to the form of a chart. */
export type ExtraFormData = Record<string, unknown>

/** Keys of `extraFormData` that each filter type may set; columns are checked separately. */
const keysByFilterType: Record<string, readonly string[]> = {
  filter_select: ['filters'],
  filter_range: ['filters'],
  filter_time: ['time_range'],
  filter_timecolumn: ['granularity_sqla'],
  filter_timegrain: ['time_grain_sqla'],
  filter_groupby: ['interactive_groupby'],
}
const operators = new Set(['IN', 'NOT IN', '==', '>=', '<=', 'IS NULL'])

/** Keys that users of a filter box may set. The time range is on by default. */
const listBoxKeys = (form: ChartForm): string[] => [
  ...(form['date_filter'] === false ? [] : ['time_range']),
  ...(form['show_sqla_time_column'] === true ? ['granularity_sqla'] : []),
  ...(form['show_sqla_time_granularity'] === true ? ['time_grain_sqla'] : []),
]

/**
 * Tests whether the stored dashboard of a chart declares filters that may add this to the chart: a native filter sets only what
 * its type allows, on its own columns, and a chart filters only by the dimensions that its saved queries show, each as far as its
 * scope reaches. A list with its own search also filters by the searched text.
 * @param columns  the columns of the dataset, if known
 */
export async function areDeclaredExtras(
  shown: ShownChart,
  extras: ExtraFormData,
  columns?: readonly Pick<PlannerColumn, 'column_name'>[],
): Promise<boolean> {
  const sources = isEmpty(extras) ? [] : await listSources(shown)
  const isUnknown = (name: string) => columns?.every(({ column_name }) => column_name !== name) ?? false
  const allowsFilter = (filter: unknown) => sources.some((source) => source.allowsFilter?.(filter, isUnknown) === true)
  return Object.entries(extras).every(([key, value]) =>
    key === 'filters'
      ? Array.isArray(value) && value.every(allowsFilter)
      : sources.some(({ keys }) => keys.includes(key)) &&
        [value].flat().every((each) => typeof each === 'string' && each !== ''),
  )
}

export const isEmpty = (extras: ExtraFormData): boolean => Object.keys(extras).length === 0

/** A filter, or a chart that filters others. */
interface FilterSource {
  /** Keys of `extraFormData` that it may set to texts. */
  keys: readonly string[]
  /** @param isUnknown  tests whether the dataset of the filtered chart lacks a column */
  allowsFilter?: ((filter: unknown, isUnknown: (name: string) => boolean) => boolean) | undefined
}

const sourcesByChart = new WeakMap<ShownChart, Promise<FilterSource[]>>()

/** Returns all sources of filters that reach a chart. */
function listSources(shown: ShownChart): Promise<FilterSource[]> {
  const found = sourcesByChart.get(shown) ?? findSources(shown)
  sourcesByChart.set(shown, found)
  return found
}

async function findSources({ chart, dashboard }: ShownChart): Promise<FilterSource[]> {
  const search = await searchSource(chart)
  if (!dashboard) return [search]
  const { filtered, charts } = dashboard
  const reaches = (id: string) => listFilteredCharts(filtered, id).includes(chart.id)
  const filters = readNativeFilters(filtered).filter(({ id }) => reaches(id))
  const emitters = [...charts.values()].filter(({ id }) => reaches(String(id)))
  return [
    search,
    ...filters.map((filter) => nativeFilterSource(filter, chart)),
    ...(await Promise.all(emitters.map((emitter) => chartSource(emitter, chart)))),
  ]
}

/** Filters apply by the names of their columns, also to charts of other datasets. Those that offer any column do not. */
function nativeFilterSource({ filterType = '', targets = [] }: NativeFilter, chart: SavedChart): FilterSource {
  const isOwn = filterType !== 'filter_groupby' || targets.some((target) => target?.datasetId === chart.datasource_id)
  const keys = isOwn && Object.hasOwn(keysByFilterType, filterType) ? keysByFilterType[filterType]! : []
  const columns = new Set(targets.map((target) => target?.column?.name))
  const isColumn = (column: unknown) => typeof column === 'string' && columns.has(column)
  return { keys, ...(keys.includes('filters') && { allowsFilter: (filter) => isPlainFilter(filter, isColumn) }) }
}

/**
 * A chart of another dataset is changed by others than those who may read this one. It filters only by names of columns that the
 * filtered chart shows itself, and by those that its dataset lacks, which filter nothing.
 */
async function chartSource(emitter: SavedChart, chart: SavedChart): Promise<FilterSource> {
  const names = await listDimensions(emitter)
  const shared = isSameDataset(emitter, chart) ? null : await listDimensions(chart)
  return {
    keys: emitter.viz_type === 'filter_box' ? listBoxKeys(readForm(emitter.params)) : [],
    allowsFilter: (filter, isUnknown) =>
      isPlainFilter(
        filter,
        (column) =>
          names.has(formatPart(column)) &&
          (!shared ||
            (typeof column === 'string' &&
              column !== timestampLabel &&
              (shared.has(formatPart(column)) || isUnknown(column)))),
      ),
  }
}

/** Names the time column of a query without an x-axis, whatever column that is. */
const timestampLabel = '__timestamp'

const isSameDataset = (a: SavedChart, b: SavedChart): boolean =>
  a.datasource_id === b.datasource_id && a.datasource_type === b.datasource_type

/** Filter boxes and paged tables search their columns on the server. */
async function searchSource(chart: SavedChart): Promise<FilterSource> {
  const form = readForm(chart.params)
  if (chart.viz_type !== 'filter_box' && form['server_pagination'] !== true) return { keys: [] }
  const names = await listDimensions(chart)
  return {
    keys: [],
    allowsFilter: (filter) =>
      isPlainFilter(filter, (column) => typeof column === 'string' && names.has(formatPart(column)), searchOperators),
  }
}
const searchOperators = new Set(['ILIKE'])

const isPlain = (value: unknown): boolean => [value].flat().every((each) => each === null || typeof each !== 'object')

/**
 * Tests whether a filter compares a declared column with plain values. A SQL expression counts as a column only where it is
 * declared.
 */
export function isPlainFilter(
  filter: unknown,
  isColumn: (column: unknown) => boolean,
  allowed: ReadonlySet<string> = operators,
): boolean {
  if (typeof filter !== 'object' || filter === null) return false
  const { col, op, val, ...others } = filter as Record<string, unknown>
  return (
    isColumn(col) &&
    allowed.has(String(op)) &&
    isPlain(val) &&
    Object.entries(others).every(
      ([key, own]) => key === 'isExtra' || key === 'isExact' || (key === 'grain' && typeof own === 'string'),
    )
  )
}

const dimensionsByChart = new WeakMap<SavedChart, Promise<ReadonlySet<string>>>()

/** Returns the texts of the columns that the saved queries of a chart show. Those of its metrics and conditions are not among them. */
function listDimensions(chart: SavedChart): Promise<ReadonlySet<string>> {
  const found = dimensionsByChart.get(chart) ?? findDimensions(chart)
  dimensionsByChart.set(chart, found)
  return found
}

async function findDimensions(chart: SavedChart): Promise<ReadonlySet<string>> {
  const { queries } = await listSavedQueries(chart, null)
  const columns = queries.flatMap(({ columns, series_columns, is_timeseries, granularity }) => [
    ...(columns ?? []),
    ...(series_columns ?? []),
    ...(is_timeseries && granularity ? [granularity] : []),
  ])
  return new Set(columns.flatMap(listSpellings).map(formatPart))
}

/** The x-axis has a grain in queries, but not in the form and the filters of its marks. */
function listSpellings(column: QueryColumn): unknown[] {
  if (typeof column === 'string') return [column]
  const { columnType, timeGrain: _, isColumnReference, ...axis } = column as unknown as Record<string, unknown>
  if (columnType !== 'BASE_AXIS') return [column]
  if (isColumnReference === true) return [column, column.sqlExpression]
  const { expressionType: __, ...plain } = axis
  return [column, axis, plain]
}
