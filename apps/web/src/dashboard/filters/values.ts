import {
  chartsReachedBy,
  nativeFilters,
  type DataMask,
  type FilteredDashboard,
  type NativeFilter,
} from '@parquetry/model'
import type { LoadOptions, Option } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { queryClient } from '../../shared/query-client.ts'
import { columnOf, datasetOf, isDivider, labelOfValue, wordsOf, type FilterValue } from './mask.ts'

/** Values of a select filter that are fetched; from so many on, typing searches on the server. */
export const valueLimit = 1000

/** Selects hold texts and numbers; a value of another kind travels as a marked JSON text. */
const mark = '\u0000'
export const keyOf = (value: FilterValue): string => (typeof value === 'string' ? value : mark + JSON.stringify(value))
export const valueOfKey = (key: string): FilterValue =>
  key.startsWith(mark) ? (JSON.parse(key.slice(1)) as FilterValue) : key

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'count', hasCustomLabel: true } as const

/** `extraFormData` of the filters that this one depends on. */
function parents(filter: NativeFilter, mask: DataMask): Record<string, unknown>[] {
  return (filter.cascadeParentIds ?? []).map((id) => mask[id]?.extraFormData ?? {})
}

/** The question for a filter's values: ranked by how often they occur, or as the filter's own order says. */
export function valuesQuestion(filter: NativeFilter, dashboardId: number, mask: DataMask, search: string): object {
  const column = columnOf(filter) ?? ''
  const sortMetric = typeof filter.sortMetric === 'string' ? filter.sortMetric : undefined
  const ascending = filter.controlValues?.sortAscending
  const metric = sortMetric ?? count
  const above = parents(filter, mask)
  const filters = above.flatMap((extra) => (Array.isArray(extra.filters) ? (extra.filters as object[]) : []))
  const time_range =
    above.map((extra) => extra.time_range).find((range) => typeof range === 'string') ?? filter.time_range
  const order =
    sortMetric === undefined && typeof ascending === 'boolean'
      ? [[column, ascending]]
      : [
          [metric, ascending === true],
          [column, true],
        ]
  return {
    datasource: { id: datasetOf(filter) ?? 0, type: 'table' },
    force: false,
    queries: [
      {
        columns: [column],
        metrics: [metric],
        filters: [...filters, ...(search ? [{ col: column, op: 'ILIKE', val: `%${search}%` }] : [])],
        ...(typeof time_range === 'string' && { time_range }),
        orderby: order,
        row_limit: valueLimit,
        extras: {},
      },
    ],
    form_data: {
      viz_type: 'filter_select',
      type: 'NATIVE_FILTER',
      native_filter_id: filter.id,
      dashboardId,
      datasource: `${datasetOf(filter) ?? 0}__table`,
      groupby: [column],
    },
    result_format: 'json',
    result_type: 'full',
  }
}

/** Loads a filter's values on opening; while all of them are here, typing searches them without asking again. */
export function valueLoader(filter: NativeFilter, dashboardId: number, mask: DataMask): LoadOptions<string> {
  const fetchValues = (search: string) => {
    const body = valuesQuestion(filter, dashboardId, mask, search)
    return queryClient.fetchQuery({
      queryKey: ['filter-values', body],
      staleTime: 5 * 60_000,
      queryFn: async ({ signal }) => {
        const { result } = await api.post('/api/v1/chart/data', { body, signal })
        return (result[0]?.data ?? []).map((row) => optionOf(filter, row as Record<string, FilterValue>))
      },
    })
  }
  return async (search, page) => {
    if (page > 0) return { options: [], count: 0 }
    const all = await fetchValues('')
    const text = search.trim().toLocaleLowerCase()
    const isWhole = all.length < valueLimit
    const options = !text
      ? all
      : isWhole
        ? all.filter(({ value }) => wordsOf(valueOfKey(value)).includes(text))
        : await fetchValues(search.trim())
    return { options, count: options.length }
  }
}

function optionOf(filter: NativeFilter, row: Record<string, FilterValue>): Option<string> {
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
