import {
  AppError,
  readNativeFilters,
  type DataMask,
  type DataMaskEntry,
  type FilteredDashboard,
  type NativeFilter,
} from '@parquetry/model'
import { buildFormData } from '../chart/form-data.ts'
import type { SavedChart } from '../chart/saved-chart-query.ts'

/**
 * Restricts the data mask of a guest to what the stored dashboard declares: a filter sets only what its type allows, on its own
 * columns, and a chart filters only by columns that its saved form names. Entries for filters and charts that the dashboard does
 * not have affect nothing and are dropped.
 * @throws AppError `forbidden` for everything else
 */
export function authorizeGuestMask(
  dashboard: FilteredDashboard,
  charts: ReadonlyMap<number, SavedChart>,
  mask: DataMask,
): DataMask {
  const filters = new Map(readNativeFilters(dashboard).map((filter) => [filter.id, filter]))
  return Object.fromEntries(
    Object.entries(mask).filter(([id, entry]) => {
      const filter = filters.get(id)
      const chart = /^\d+$/.test(id) ? charts.get(Number(id)) : undefined
      if (filter ? !isDeclared(filter, entry) : chart && !isChartSelection(chart, entry))
        throw new AppError('forbidden')
      return filter !== undefined || chart !== undefined
    }),
  )
}

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

function isDeclared(filter: NativeFilter, { extraFormData = {} }: DataMaskEntry): boolean {
  if (filter.type === 'DIVIDER') return Object.keys(extraFormData).length === 0
  const allowed = Object.hasOwn(keysByFilterType, filter.filterType ?? '')
    ? keysByFilterType[filter.filterType ?? '']!
    : []
  const columns = new Set((filter.targets ?? []).map(({ column }) => column?.name))
  return Object.entries(extraFormData).every(([key, value]) => {
    if (!allowed.includes(key)) return false
    if (key === 'filters') return isFilters(value, (column) => typeof column === 'string' && columns.has(column))
    return [value].flat().every((each) => typeof each === 'string')
  })
}

function isChartSelection(chart: SavedChart, { extraFormData = {} }: DataMaskEntry): boolean {
  const usedNames = collectNames(buildFormData(chart))
  return Object.entries(extraFormData).every(
    ([key, value]) => key === 'filters' && isFilters(value, (column) => usedNames.has(JSON.stringify(column))),
  )
}

const isPlain = (value: unknown): boolean => [value].flat().every((each) => each === null || typeof each !== 'object')

/**
 * Tests whether a value is a list of filters that compare declared columns with plain values. A SQL expression counts as a column
 * only where it is declared.
 */
const isFilters = (value: unknown, isColumn: (column: unknown) => boolean): boolean =>
  Array.isArray(value) &&
  value.every((filter: unknown) => {
    if (typeof filter !== 'object' || filter === null) return false
    const { col, op, val, ...others } = filter as Record<string, unknown>
    return (
      isColumn(col) &&
      operators.has(String(op)) &&
      isPlain(val) &&
      Object.entries(others).every(([key, own]) => key === 'isExtra' || (key === 'grain' && typeof own === 'string'))
    )
  })

/** Every string and object in a form, as JSON texts: columns are named by either. */
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
