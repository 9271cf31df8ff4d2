import { filterValueAt, type Frame } from '@parquetry/frame'
import {
  compareExactNumbers,
  listFilteredCharts,
  readNativeFilters,
  type DataMask,
  type FilteredDashboard,
  type GenericType,
  type NativeFilter,
} from '@parquetry/model'
import type { LoadOptions, Option, OptionPage } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { formatNumber } from '../../shared/formats.ts'
import { framesType, readMessageStream } from '../../shared/message-stream.ts'
import { queryClient } from '../../shared/query-client.ts'
import { buildHistogram, readRangeEnd, type RangeEnd } from './kinds/range/range.ts'
import { targetColumnOf, isDivider, formatFilterValue, toSearchText, type ColumnValue } from './mask.ts'
import { mergeValues, type ValueRow } from './merge-values.ts'
import {
  allValuesLimit,
  histogramLimit,
  buildNamesQuery,
  splitByDataset,
  buildHistogramQuery,
  buildPresenceQuery,
  buildRangeQuery,
  valueLimit,
  buildValuesQuery,
} from './value-queries.ts'

const valuesStaleMs = 5 * 60_000

/** Selects hold strings; other values are encoded as JSON text with this prefix. */
const mark = '\u0000'
export const toOptionKey = (value: ColumnValue): string =>
  typeof value === 'string' ? value : mark + JSON.stringify(value)
export const parseOptionKey = (key: string): ColumnValue =>
  key.startsWith(mark) ? (JSON.parse(key.slice(1)) as ColumnValue) : key

type Row = Record<string, ColumnValue>

/**
 * True if the last refresh was forced: the first request of each query then bypasses the server's cache too. `queriedSinceRefresh`
 * contains the queries sent since.
 */
let isForced = false
const queriedSinceRefresh = new Set<string>()

/** DASH-067: values are read again when next needed, or immediately if they are shown. */
export function invalidateValues(force: boolean): void {
  isForced = force
  queriedSinceRefresh.clear()
  queryClient.removeQueries({ queryKey: ['filter-values'] })
  void queryClient.invalidateQueries({ queryKey: ['filter-range'] })
}

function withForce(body: object): object {
  const key = JSON.stringify(body)
  const isFirst = !queriedSinceRefresh.has(key)
  queriedSinceRefresh.add(key)
  return isForced && isFirst ? { ...body, force: true } : body
}

/**
 * Rows of each query; identical queries are sent once and cached for `valuesStaleMs`.
 * @throws ApiError
 */
export function fetchRows(body: object): Promise<Row[][]> {
  return queryClient.fetchQuery({
    queryKey: ['filter-values', body],
    staleTime: valuesStaleMs,
    queryFn: async ({ signal }) => {
      const response = await api.send('POST', '/api/v1/chart/data', {
        body: withForce(body),
        signal,
        accept: framesType,
      })
      const queries: Frame[][] = []
      let last: Frame[] = []
      for await (const { head, frame } of readMessageStream(response)) {
        const { type, query, error } = head as { type: string; query?: number; error?: { message: string } }
        if (type === 'error') throw new Error(error?.message ?? 'Network error.')
        if (type === 'frame' && typeof query === 'number') last = queries[query] ??= []
        if (frame) last.push(frame)
      }
      return queries.map((frames) => frames.flatMap(listRows))
    },
  })
}

/** Row objects with all digits of their values. */
const listRows = ({ rows, columns }: Frame): Row[] =>
  Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map((column) => [column.name, filterValueAt(column, row)])),
  )

/** Column of a dataset, or time grain of its database. */
export interface NameRow {
  column_name?: string
  verbose_name?: string | null
  dtype?: GenericType
  name?: string
  duration?: string
}

/**
 * Columns of a filter's dataset, or time grains of its database.
 * @throws ApiError
 */
export function fetchNames(
  filter: NativeFilter,
  dashboardId: number,
  result_type: 'columns' | 'timegrains',
): Promise<NameRow[]> {
  const body = buildNamesQuery(filter, dashboardId, result_type)
  return queryClient.fetchQuery({
    queryKey: ['filter-values', body],
    staleTime: valuesStaleMs,
    queryFn: async ({ signal }) => {
      const { result } = await api.post('/api/v1/chart/data', { body, signal })
      return (result[0]?.data ?? []) as NameRow[]
    },
  })
}

/** Values that a filter offers with their counts, and whether these are all. */
interface FilterValueList {
  rows: ValueRow[]
  isWhole: boolean
}

/**
 * Values of a filter in its order, from all of its datasets.
 * @throws ApiError if none of them responds
 */
async function fetchValues(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  search: string,
  limit = valueLimit,
): Promise<FilterValueList> {
  const answers = await Promise.allSettled(
    splitByDataset(filter).map(async (each): Promise<ValueRow[]> => {
      const [rows = []] = await fetchRows(buildValuesQuery(each, dashboardId, mask, search, limit))
      const column = targetColumnOf(each) ?? ''
      return rows.map((row) => [row[column] ?? null, typeof row.count === 'number' ? row.count : null])
    }),
  )
  const [first] = answers
  const lists = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  if (lists.length === 0 && first?.status === 'rejected') throw first.reason
  return { rows: mergeValues(filter, lists), isWhole: lists.every((rows) => rows.length < limit) }
}

/** Loads a filter's values on opening; if all of them are loaded, typing searches them without another request. */
export function createValueLoader(filter: NativeFilter, dashboardId: number, mask: DataMask): LoadOptions<string> {
  return async (search, page) => {
    if (page > 0) return { options: [], count: 0 }
    const all = await fetchValues(filter, dashboardId, mask, '')
    const found = !search.trim() || all.isWhole ? all : await fetchValues(filter, dashboardId, mask, search.trim())
    return toOptionPage(found, search)
  }
}

/**
 * Loads all values that match a text, up to `allValuesLimit`.
 * @throws ApiError
 */
export async function loadAllValues(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  search: string,
): Promise<OptionPage<string>> {
  return toOptionPage(await fetchValues(filter, dashboardId, mask, search.trim(), allValuesLimit), search)
}

function toOptionPage({ rows, isWhole }: FilterValueList, search: string): OptionPage<string> {
  const text = search.trim().toLocaleLowerCase()
  const found = rows.map(toOption)
  const options = text ? found.filter(({ value }) => toSearchText(parseOptionKey(value)).includes(text)) : found
  return { options, count: options.length, isCut: !isWhole }
}

/** True if the list of a filter would not contain all values of its column; false if they cannot be loaded. */
export const hasManyValues = (filter: NativeFilter, dashboardId: number): Promise<boolean> =>
  fetchValues(filter, dashboardId, {}, '').then(
    ({ isWhole }) => !isWhole,
    () => false,
  )

/**
 * First value of a filter; undefined if there is none.
 * @throws ApiError
 */
export async function fetchFirstValue(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
): Promise<ColumnValue | undefined> {
  const { rows } = await fetchValues(filter, dashboardId, mask, '')
  return rows[0]?.[0]
}

/**
 * Those of the values that the parent filters exclude.
 * @throws ApiError
 */
export async function fetchMissingValues(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  values: readonly ColumnValue[],
): Promise<ColumnValue[]> {
  const present = await Promise.all(
    splitByDataset(filter).map(async (each) => {
      const [rows = []] = await fetchRows(buildPresenceQuery(each, dashboardId, mask, values))
      return rows.map((row) => toPresenceKey(row[targetColumnOf(each) ?? ''] ?? null))
    }),
  )
  const left = new Set(present.flat())
  return values.filter((value) => !left.has(toPresenceKey(value)))
}

/** The case of letters is ignored, as some databases do; null differs from the text `null`. */
const toPresenceKey = (value: ColumnValue): string => (value === null ? mark : toSearchText(value))

const toOption = ([value, count]: ValueRow): Option<string> => ({
  value: toOptionKey(value),
  label: formatFilterValue(value),
  ...(count !== null && { note: formatNumber(count) }),
})

/** Data of a range filter: its ends, null without rows, and the number of rows in each of equal intervals between them. */
export interface RangeValues {
  least: RangeEnd
  greatest: RangeEnd
  /** Empty if there is no histogram. */
  bins: number[]
}

/**
 * Combines all datasets of the filter.
 * @throws ApiError if one of them does not respond
 */
export async function fetchRange(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  parts: number,
): Promise<RangeValues> {
  const each = splitByDataset(filter)
  const answers = await Promise.all(
    each.map(async (one) => {
      const [ends = [], values = []] = await fetchRows(buildRangeQuery(one, dashboardId, mask))
      const column = targetColumnOf(one) ?? ''
      const counts = values.flatMap((row): [number, number][] => {
        const value = numberIn(row[column])
        return value === null ? [] : [[value, Number(row.count)]]
      })
      return { ends: [ends[0]?.min, ends[0]?.max], counts, isWhole: values.length < histogramLimit }
    }),
  )
  const ends = answers
    .flatMap((answer) => answer.ends.map(readRangeEnd))
    .filter((end) => end !== null)
    .sort(compareExactNumbers)
  const range = { least: ends[0] ?? null, greatest: ends.at(-1) ?? null }
  if (range.least === null || range.greatest === null) return { ...range, bins: [] }
  const [least, greatest] = [Number(range.least), Number(range.greatest)]
  const bins = await Promise.all(
    answers.map(async ({ counts, isWhole }, index) => {
      // Only some of the values were fetched, so their histogram would be wrong.
      if (isWhole || least === greatest) return buildHistogram(counts, { least, greatest, parts })
      const query = buildHistogramQuery(each[index] as NativeFilter, dashboardId, mask, { least, greatest, parts })
      // The slider also works without bars.
      const [rows] = await fetchRows(query).catch(() => [])
      if (rows === undefined) return null
      return Array.from({ length: parts }, (_, part) => Number(rows[0]?.[String(part)] ?? 0))
    }),
  )
  if (bins.includes(null)) return { ...range, bins: [] }
  const sums = Array.from({ length: parts }, (_, part) =>
    bins.reduce((sum, histogram) => sum + (histogram?.[part] ?? 0), 0),
  )
  return { ...range, bins: sums.some((sum) => sum > 0) ? sums : [] }
}

const numberIn = (value: unknown): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Filters whose charts are all hidden; they are listed separately and not queried. */
export function findHiddenFilters(dashboard: FilteredDashboard, shownCharts: readonly number[]): Set<string> {
  const shown = new Set(shownCharts)
  const filters = readNativeFilters(dashboard).filter((filter) => !isDivider(filter))
  return new Set(
    filters.flatMap(({ id }) => (listFilteredCharts(dashboard, id).some((chart) => shown.has(chart)) ? [] : [id])),
  )
}
