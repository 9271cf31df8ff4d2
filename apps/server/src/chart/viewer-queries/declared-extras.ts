import { listFilteredCharts, readNativeFilters, type NativeFilter } from '@parquetry/model'
import { readForm, type ChartForm } from '@parquetry/charts'
import { buildFormData } from '../form-data.ts'
import type { SavedChart } from '../saved-chart-query.ts'
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
 * its type allows, on its own columns, and a chart filters only by columns that its saved form names, each as far as its scope
 * reaches. A list with its own search also filters by the searched text.
 */
export function areDeclaredExtras(shown: ShownChart, extras: ExtraFormData): boolean {
  const sources = isEmpty(extras) ? [] : listSources(shown)
  const allowsFilter = (filter: unknown) => sources.some((source) => source.allowsFilter?.(filter) === true)
  return Object.entries(extras).every(([key, value]) =>
    key === 'filters'
      ? Array.isArray(value) && value.every(allowsFilter)
      : sources.some(({ keys }) => keys.includes(key)) && [value].flat().every((each) => typeof each === 'string'),
  )
}

export const isEmpty = (extras: ExtraFormData): boolean => Object.keys(extras).length === 0

/** A filter, or a chart that filters others. */
interface FilterSource {
  /** Keys of `extraFormData` that it may set to texts. */
  keys: readonly string[]
  allowsFilter?: ((filter: unknown) => boolean) | undefined
}

const sourcesByChart = new WeakMap<ShownChart, FilterSource[]>()

/** Returns all sources of filters that reach a chart. */
function listSources(shown: ShownChart): FilterSource[] {
  const found = sourcesByChart.get(shown) ?? findSources(shown)
  sourcesByChart.set(shown, found)
  return found
}

function findSources({ chart, dashboard }: ShownChart): FilterSource[] {
  const search = searchSource(chart)
  if (!dashboard) return [search]
  const { filtered, charts } = dashboard
  const reaches = (id: string) => listFilteredCharts(filtered, id).includes(chart.id)
  const filters = readNativeFilters(filtered).filter(({ id }) => reaches(id))
  const emitters = [...charts.values()].filter(({ id }) => reaches(String(id)))
  return [search, ...filters.map(nativeFilterSource), ...emitters.map(chartSource)]
}

function nativeFilterSource({ filterType = '', targets = [] }: NativeFilter): FilterSource {
  const keys = Object.hasOwn(keysByFilterType, filterType) ? keysByFilterType[filterType]! : []
  const columns = new Set(targets.map(({ column }) => column?.name))
  const isColumn = (column: unknown) => typeof column === 'string' && columns.has(column)
  return { keys, ...(keys.includes('filters') && { allowsFilter: (filter) => isPlainFilter(filter, isColumn) }) }
}

function chartSource(chart: SavedChart): FilterSource {
  const names = listNames(chart)
  return {
    keys: chart.viz_type === 'filter_box' ? listBoxKeys(readForm(chart.params)) : [],
    allowsFilter: (filter) => isPlainFilter(filter, (column) => names.has(JSON.stringify(column))),
  }
}

/** Filter boxes and paged tables search their columns on the server. */
function searchSource(chart: SavedChart): FilterSource {
  const form = readForm(chart.params)
  if (chart.viz_type !== 'filter_box' && form['server_pagination'] !== true) return { keys: [] }
  const names = listNames(chart)
  return {
    keys: [],
    allowsFilter: (filter) =>
      isPlainFilter(
        filter,
        (column) => typeof column === 'string' && names.has(JSON.stringify(column)),
        searchOperators,
      ),
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

const namesByChart = new WeakMap<SavedChart, ReadonlySet<string>>()

/** Returns every text and object in the saved form of a chart, as JSON: columns are named by either. */
export function listNames(chart: SavedChart): ReadonlySet<string> {
  const found = namesByChart.get(chart) ?? collectNames(buildFormData(chart))
  namesByChart.set(chart, found)
  return found
}

function collectNames(form: Record<string, unknown>): ReadonlySet<string> {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value === 'string') found.add(JSON.stringify(value))
    else if (Array.isArray(value)) value.forEach(walk)
    else if (typeof value === 'object' && value !== null) {
      found.add(JSON.stringify(value))
      Object.values(value).forEach(walk)
    }
  }
  walk(form)
  return found
}
