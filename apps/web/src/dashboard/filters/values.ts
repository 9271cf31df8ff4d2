import { rowsOf, type Frame } from '@parquetry/frame'
import {
  chartsReachedBy,
  nativeFilters,
  type DataMask,
  type FilteredDashboard,
  type GenericType,
  type NativeFilter,
} from '@parquetry/model'
import type { LoadOptions, Option } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { framesType, messagesOf } from '../../shared/message-stream.ts'
import { queryClient } from '../../shared/query-client.ts'
import { columnOf, isDivider, labelOfValue, wordsOf, type FilterValue } from './mask.ts'
import { namesQuestion, presentQuestion, valueLimit, valuesQuestion } from './value-questions.ts'

const keptMs = 5 * 60_000

/** Selects hold texts and numbers; a value of another kind travels as a marked JSON text. */
const mark = '\u0000'
export const keyOf = (value: FilterValue): string => (typeof value === 'string' ? value : mark + JSON.stringify(value))
export const valueOfKey = (key: string): FilterValue =>
  key.startsWith(mark) ? (JSON.parse(key.slice(1)) as FilterValue) : key

type Row = Record<string, FilterValue>

/** Whether what is asked first after the last refresh goes past the server's cache too, and what has been asked since. */
let isForced = false
const askedSince = new Set<string>()

/** DASH-067: values are read anew when they are next needed; those that are shown, now. */
export function forgetValues(force: boolean): void {
  isForced = force
  askedSince.clear()
  queryClient.removeQueries({ queryKey: ['filter-values'] })
  void queryClient.invalidateQueries({ queryKey: ['filter-range'] })
}

function forced(body: object): object {
  const key = JSON.stringify(body)
  const isFirst = !askedSince.has(key)
  askedSince.add(key)
  return isForced && isFirst ? { ...body, force: true } : body
}

/** Rows of each query; the same question is asked once and kept for a while. @throws ApiError */
export function askRows(body: object): Promise<Row[][]> {
  return queryClient.fetchQuery({
    queryKey: ['filter-values', body],
    staleTime: keptMs,
    queryFn: async ({ signal }) => {
      const response = await api.send('POST', '/api/v1/chart/data', {
        body: forced(body),
        signal,
        accept: framesType,
      })
      const queries: Frame[][] = []
      let last: Frame[] = []
      for await (const { head, frame } of messagesOf(response)) {
        const { type, query, error } = head as { type: string; query?: number; error?: { message: string } }
        if (type === 'error') throw new Error(error?.message ?? 'Network error.')
        if (type === 'frame' && typeof query === 'number') last = queries[query] ??= []
        if (frame) last.push(frame)
      }
      return queries.map((frames) => frames.flatMap((frame) => rowsOf(frame) as Row[]))
    },
  })
}

/** A column of a dataset, or a grain of its database. */
export interface NameRow {
  column_name?: string
  verbose_name?: string | null
  dtype?: GenericType
  name?: string
  duration?: string
}

/** The columns of a filter's dataset, or the grains of its database. @throws ApiError */
export function askNames(
  filter: NativeFilter,
  dashboardId: number,
  result_type: 'columns' | 'timegrains',
): Promise<NameRow[]> {
  const body = namesQuestion(filter, dashboardId, result_type)
  return queryClient.fetchQuery({
    queryKey: ['filter-values', body],
    staleTime: keptMs,
    queryFn: async ({ signal }) => {
      const { result } = await api.post('/api/v1/chart/data', { body, signal })
      return (result[0]?.data ?? []) as NameRow[]
    },
  })
}

/** Loads a filter's values on opening; while all of them are here, typing searches them without asking again. */
export function valueLoader(filter: NativeFilter, dashboardId: number, mask: DataMask): LoadOptions<string> {
  const fetchValues = async (search: string) => {
    const [rows = []] = await askRows(valuesQuestion(filter, dashboardId, mask, search))
    return rows.map((row) => optionOf(filter, row))
  }
  return async (search, page) => {
    if (page > 0) return { options: [], count: 0 }
    const all = await fetchValues('')
    const text = search.trim().toLocaleLowerCase()
    const isWhole = all.length < valueLimit
    const found = !text || isWhole ? all : await fetchValues(search.trim())
    const options = text ? found.filter(({ value }) => wordsOf(valueOfKey(value)).includes(text)) : found
    return { options, count: options.length }
  }
}

/** The first of a filter's values; undefined when there is none. @throws ApiError */
export async function firstValue(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
): Promise<FilterValue | undefined> {
  const [rows = []] = await askRows(valuesQuestion(filter, dashboardId, mask, ''))
  return rows[0]?.[columnOf(filter) ?? '']
}

/** Those of the values of which the filters above leave nothing. @throws ApiError */
export async function missingValues(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  values: readonly FilterValue[],
): Promise<FilterValue[]> {
  const [rows = []] = await askRows(presentQuestion(filter, dashboardId, mask, values))
  const left = new Set(rows.map((row) => wordsOf(row[columnOf(filter) ?? ''] ?? null)))
  return values.filter((value) => !left.has(wordsOf(value)))
}

function optionOf(filter: NativeFilter, row: Row): Option<string> {
  const value = row[columnOf(filter) ?? ''] ?? null
  return {
    value: keyOf(value),
    label: labelOfValue(value),
    ...(typeof row.count === 'number' && { note: row.count.toLocaleString() }),
  }
}

/** Filters whose charts are all out of sight: listed apart and not asked. */
export function outOfSight(dashboard: FilteredDashboard, shownCharts: readonly number[]): Set<string> {
  const shown = new Set(shownCharts)
  const filters = nativeFilters(dashboard).filter((filter) => !isDivider(filter))
  return new Set(
    filters.flatMap(({ id }) => (chartsReachedBy(dashboard, id).some((chart) => shown.has(chart)) ? [] : [id])),
  )
}
