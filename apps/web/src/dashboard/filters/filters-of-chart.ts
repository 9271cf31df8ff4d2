import { nativeFilters, reachOf, type DataMask, type FilteredDashboard } from '@parquetry/model'
import type { ChartAnswer } from '../data/chart-data.ts'
import { columnOf, isDivider, labelOfValue, valueOf, type FilterValue } from './mask.ts'

export interface ShownFilter {
  /** Of the mask entry. */
  id: string
  name: string
  value: string
  from: 'bar' | 'chart'
}

export interface FiltersOfChart {
  applied: ShownFilter[]
  /** In force on the dashboard and not on this chart, with the server's reason or `scope`. */
  notApplied: (ShownFilter & { reason: string })[]
  /** Saved in the chart itself, in words. */
  own: string[]
}

const labelOf = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).map((each) => labelOfValue(each as FilterValue)).join(', ')

/** What filters a chart, by the filters in force and by what the server said of its last answer. */
export function filtersOfChart(
  dashboard: FilteredDashboard,
  mask: DataMask,
  chartId: number,
  form: Record<string, unknown>,
  answer: ChartAnswer | null,
  nameOfChart: (id: number) => string,
): FiltersOfChart {
  const filters = nativeFilters(dashboard).filter((filter) => !isDivider(filter))
  const rejected = new Map(
    Object.values(answer?.facts ?? {}).flatMap((facts) =>
      facts.rejected_filters.map(({ column, reason }) => [column, reason]),
    ),
  )
  const found: FiltersOfChart = { applied: [], notApplied: [], own: ownFilters(form) }
  for (const [id, entry] of Object.entries(mask)) {
    if (Object.keys(entry.extraFormData ?? {}).length === 0) continue
    const filter = filters.find((each) => each.id === id)
    const shown: ShownFilter = {
      id,
      name: filter ? (filter.name ?? columnOf(filter) ?? id) : nameOfChart(Number(id)),
      value: typeof entry.filterState?.label === 'string' ? entry.filterState.label : labelOf(valueOf(entry)),
      from: filter ? 'bar' : 'chart',
    }
    const reason = columnsOf(entry.extraFormData ?? {})
      .map((column) => rejected.get(column))
      .find(Boolean)
    if (!reachOf(dashboard, id).includes(chartId)) {
      if (id !== String(chartId)) found.notApplied.push({ ...shown, reason: 'scope' })
    } else if (reason !== undefined) found.notApplied.push({ ...shown, reason })
    else found.applied.push(shown)
  }
  return found
}

function columnsOf(extra: Record<string, unknown>): string[] {
  const filters = Array.isArray(extra.filters) ? (extra.filters as { col?: unknown }[]) : []
  return filters.flatMap(({ col }) => (typeof col === 'string' ? [col] : []))
}

interface AdhocFilter {
  expressionType?: string
  subject?: string
  operator?: string
  comparator?: unknown
  sqlExpression?: string
}

function ownFilters(form: Record<string, unknown>): string[] {
  const adhoc = Array.isArray(form.adhoc_filters) ? (form.adhoc_filters as AdhocFilter[]) : []
  const range =
    typeof form.time_range === 'string' && form.time_range !== 'No filter' && form.time_range ? [form.time_range] : []
  const texts = adhoc.flatMap(({ expressionType, subject, operator, comparator, sqlExpression }) => {
    if (expressionType === 'SQL') return sqlExpression ? [sqlExpression] : []
    if (operator === 'TEMPORAL_RANGE')
      return comparator && comparator !== 'No filter' ? [`${subject}: ${labelOf(comparator)}`] : []
    return subject ? [[subject, operator, comparator == null ? '' : labelOf(comparator)].filter(Boolean).join(' ')] : []
  })
  return [...range, ...texts]
}
