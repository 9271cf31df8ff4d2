import { splitFilters } from '@parquetry/charts'
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
import { columnOf, datasetOf, isDivider, labelOfValue, wordsOf, type FilterValue } from './mask.ts'

/** NATF-023: values of a select filter that are fetched; from so many on, typing searches on the server. */
export const valueLimit = 1000

const keptMs = 5 * 60_000

/** Selects hold texts and numbers; a value of another kind travels as a marked JSON text. */
const mark = '\u0000'
export const keyOf = (value: FilterValue): string => (typeof value === 'string' ? value : mark + JSON.stringify(value))
export const valueOfKey = (key: string): FilterValue =>
  key.startsWith(mark) ? (JSON.parse(key.slice(1)) as FilterValue) : key

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count', hasCustomLabel: true } as const

/** `extraFormData` of the filters that this one depends on. */
const parentsOf = ({ cascadeParentIds = [] }: NativeFilter, mask: DataMask): Record<string, unknown>[] =>
  cascadeParentIds.map((id) => mask[id]?.extraFormData ?? {})

/** A text that differs when the filters above leave other values. */
export const underParents = (filter: NativeFilter, mask: DataMask): string => JSON.stringify(parentsOf(filter, mask))

const listIn = (extra: Record<string, unknown>, key: string): object[] =>
  Array.isArray(extra[key]) ? (extra[key] as object[]) : []

/** What every question for a filter's values shares: where it is asked, the filters above it, its own pre-filter and time. */
function asked(filter: NativeFilter, dashboardId: number, mask: DataMask) {
  const above = parentsOf(filter, mask)
  const own = { adhoc_filters: filter.adhoc_filters ?? [] }
  const time_range =
    above.map((extra) => extra.time_range).find((range) => typeof range === 'string') ?? filter.time_range
  const granularity =
    above.map((extra) => extra.granularity_sqla).find((column) => typeof column === 'string') ?? filter.granularity_sqla
  const conditions = splitFilters([own, ...above].flatMap((extra) => listIn(extra, 'adhoc_filters')))
  return {
    place: {
      datasource: { id: datasetOf(filter) ?? 0, type: 'table' },
      force: false,
      form_data: {
        viz_type: filter.filterType,
        type: 'NATIVE_FILTER',
        native_filter_id: filter.id,
        dashboardId,
        datasource: `${datasetOf(filter) ?? 0}__table`,
        ...(columnOf(filter) !== undefined && { groupby: [columnOf(filter)] }),
      },
      result_format: 'json',
      result_type: 'full',
    },
    query: {
      filters: [...above.flatMap((extra) => listIn(extra, 'filters')), ...conditions.filters],
      extras: conditions.where.length > 0 ? { where: conditions.where.join(' AND ') } : {},
      ...(typeof time_range === 'string' && { time_range }),
      ...(typeof granularity === 'string' && { granularity }),
    },
  }
}

/**
 * What is typed as a pattern. The signs of patterns, and the one that escapes them in some databases, stand for any sign: no two
 * databases escape alike, and what fits too widely is left out here.
 */
const patternOf = (search: string): string => `%${search.replaceAll(/[%_\\]/g, '_')}%`

/** The question for a filter's values: ranked by how often they occur, or as the filter's own order says. */
export function valuesQuestion(filter: NativeFilter, dashboardId: number, mask: DataMask, search: string): object {
  const column = columnOf(filter) ?? ''
  const sortMetric = typeof filter.sortMetric === 'string' && filter.sortMetric ? filter.sortMetric : undefined
  const ascending = filter.controlValues?.sortAscending
  const metric = sortMetric ?? count
  const { place, query } = asked(filter, dashboardId, mask)
  const orderby =
    sortMetric === undefined && typeof ascending === 'boolean'
      ? [[column, ascending]]
      : [
          [metric, ascending === true],
          [column, true],
        ]
  const filters = [...query.filters, ...(search ? [{ col: column, op: 'ILIKE', val: patternOf(search) }] : [])]
  const values = { ...query, columns: [column], metrics: [metric], filters, orderby, row_limit: valueLimit }
  return { ...place, queries: [values] }
}

/** The question which of these values are left under the filters above. */
export function presentQuestion(
  filter: NativeFilter,
  dashboardId: number,
  mask: DataMask,
  values: readonly FilterValue[],
): object {
  const column = columnOf(filter) ?? ''
  const { place, query } = asked(filter, dashboardId, mask)
  const filters = [...query.filters, { col: column, op: 'IN', val: values }]
  return { ...place, queries: [{ ...query, columns: [column], metrics: [], filters, row_limit: values.length }] }
}

/** Values that a histogram is made of; a column with more of them has none. */
export const histogramLimit = 5000

/** The question for the least and the greatest value of a column, and how often each value occurs. */
export function rangeQuestion(filter: NativeFilter, dashboardId: number, mask: DataMask): object {
  const column = columnOf(filter) ?? ''
  const { place, query } = asked(filter, dashboardId, mask)
  const metric = (aggregate: 'MIN' | 'MAX', label: string) => ({
    expressionType: 'SIMPLE',
    column: { column_name: column },
    aggregate,
    label,
    hasCustomLabel: true,
  })
  const ends = { ...query, columns: [], metrics: [metric('MIN', 'min'), metric('MAX', 'max')], row_limit: 1 }
  const each = { ...query, columns: [column], metrics: [count], row_limit: histogramLimit }
  return { ...place, queries: [ends, each] }
}

type Row = Record<string, FilterValue>

/** Rows of each query; the same question is asked once and kept for a while. @throws ApiError */
export function askRows(body: object): Promise<Row[][]> {
  return queryClient.fetchQuery({
    queryKey: ['filter-values', body],
    staleTime: keptMs,
    queryFn: async ({ signal }) => {
      const response = await api.send('POST', '/api/v1/chart/data', { body, signal, accept: framesType })
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
  const { place } = asked(filter, dashboardId, {})
  const body = { ...place, result_type, queries: [{ columns: [], metrics: [] }] }
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
