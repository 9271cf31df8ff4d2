import { asRecord, baseQuery, withFilters } from '@parquetry/charts'
import {
  scopeExtraFormData,
  collectExtraFormData,
  labelOfColumn,
  readNativeFilters,
  type DataMask,
  type FilteredDashboard,
} from '@parquetry/model'
import type { LoadedDataset } from '../data/calls.ts'
import type { ChartDataResult } from '../data/chart-data.ts'
import { findRangeColumn } from './inherited-form.ts'
import {
  targetColumnOf,
  isDivider,
  formatEntry,
  formatFilterValue,
  toList as asList,
  type ColumnValue,
} from './mask.ts'

export interface ActiveFilter {
  /** Id of the mask entry. */
  id: string
  name: string
  value: string
  from: 'bar' | 'chart'
}

export interface ChartFilters {
  applied: ActiveFilter[]
  /** Active on the dashboard but not in this chart: the server's reason, or `scope`, `overridden`, `unused`. */
  notApplied: (ActiveFilter & { reason: string })[]
  /** Texts of the filters saved in the chart itself, without ranges that the dashboard replaces. */
  own: string[]
}

/** Active filters of the dashboard, whatever their scope. */
export function listActiveFilters(
  dashboard: FilteredDashboard,
  mask: DataMask,
  nameOfChart: (id: number) => string,
): ActiveFilter[] {
  const filters = readNativeFilters(dashboard).filter((filter) => !isDivider(filter))
  return Object.entries(mask).flatMap(([id, entry]): ActiveFilter[] => {
    if (Object.keys(entry.extraFormData ?? {}).length === 0) return []
    const filter = filters.find((each) => each.id === id)
    return [
      {
        id,
        name: filter ? (filter.name ?? targetColumnOf(filter) ?? id) : nameOfChart(Number(id)),
        value: formatEntry(entry),
        from: filter ? 'bar' : 'chart',
      },
    ]
  })
}

const formatValues = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).map((each) => formatFilterValue(each as ColumnValue)).join(', ')

/**
 * Filters of a chart: the active filters, with the status that the server reported in the chart's last result. A filter that was
 * not part of that query is in neither list.
 */
export function resolveChartFilters(
  dashboard: FilteredDashboard,
  mask: DataMask,
  chartId: number,
  form: Record<string, unknown>,
  answer: ChartDataResult | null,
  nameOfChart: (id: number) => string,
  dataset?: LoadedDataset,
): ChartFilters {
  const requested = withFilters(form, collectExtraFormData(dashboard, mask, chartId)).extra_form_data
  const found: ChartFilters = {
    applied: [],
    notApplied: [],
    own: ownFilters(form, answer?.form.extra_form_data, dataset),
  }
  for (const shown of listActiveFilters(dashboard, mask, nameOfChart)) {
    const { id } = shown
    const extra = scopeExtraFormData(dashboard, id, mask[id]?.extraFormData ?? {}, chartId)
    if (Object.keys(extra).length === 0) {
      if (id !== String(chartId)) found.notApplied.push({ ...shown, reason: 'scope' })
      continue
    }
    const status = answer && resolveStatus(extra, requested, answer)
    if (status === 'applied') found.applied.push(shown)
    else if (status) found.notApplied.push({ ...shown, reason: status })
  }
  return found
}

/** Status of one entry: `applied`, the reason why not, or null while its result is pending. */
function resolveStatus(extra: Record<string, unknown>, requested: unknown, answer: ChartDataResult): string | null {
  const answered = answer.form.extra_form_data
  if (!isSubset(extra, answered)) return isSame(requested, answered) ? 'overridden' : null
  const queryResults = Object.values(answer.facts)
  // The server groups as requested; only the chart knows whether it groups at all.
  if ('interactive_groupby' in extra && asList(answer.form.groupby).length === 0) return 'unused'
  const names = listReportedNames(extra)
  const rejected = queryResults.flatMap(({ rejected_filters }) => rejected_filters)
  const reason = rejected.find(({ column }) => names.includes(column))?.reason
  if (reason !== undefined) return reason
  const applied = new Set(queryResults.flatMap(({ applied_filters }) => applied_filters.map(({ column }) => column)))
  return names.every((name) => applied.has(name)) ? 'applied' : 'unused'
}

/** Names under which the server reports an entry. */
function listReportedNames(extra: Record<string, unknown>): string[] {
  const { filters = [], applied_time_extras = {} } = baseQuery({ viz_type: '', extra_form_data: extra })
  return [...(filters ?? []).map(({ col }) => labelOfColumn(col)), ...Object.keys(applied_time_extras ?? {})]
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** True if the merged extras contain the entry: all items of lists, equal values otherwise. */
function isSubset(extra: Record<string, unknown>, merged: unknown): boolean {
  const mergedExtras = (merged ?? {}) as Record<string, unknown>
  return Object.entries(extra).every(([key, value]) => {
    const found = mergedExtras[key]
    if (!Array.isArray(found)) return value === undefined || value === null || isSame(value, found)
    return [value].flat().every((item) => found.some((each) => isSame(item, each)))
  })
}

interface AdhocFilter {
  expressionType?: string
  subject?: string
  operator?: string
  comparator?: unknown
  sqlExpression?: string
}

function ownFilters(form: Record<string, unknown>, applied: unknown, dataset: LoadedDataset | undefined): string[] {
  const { time_range, granularity_sqla = form.granularity_sqla } = asRecord(applied)
  const { main_dttm_col, columns = [] } = dataset ?? {}
  const isTemporal = (name: string) => columns.some(({ column_name, is_dttm }) => column_name === name && is_dttm)
  /** Filters of one query that the time range of the dashboard does not replace. */
  const listApplied = (value: unknown) => {
    const filters = Array.isArray(value) ? (value as AdhocFilter[]) : []
    if (!time_range) return filters
    const column = findRangeColumn({ ...form, granularity_sqla }, filters, main_dttm_col, isTemporal)
    return filters.filter(({ operator, subject }) => operator !== 'TEMPORAL_RANGE' || subject !== column)
  }
  const adhoc = [...listApplied(form.adhoc_filters), ...listApplied(form.adhoc_filters_b)]
  const own = time_range ? undefined : form.time_range
  const range = typeof own === 'string' && own !== 'No filter' && own ? [own] : []
  const texts = adhoc.flatMap(({ expressionType, subject, operator, comparator, sqlExpression }) => {
    if (expressionType === 'SQL') return sqlExpression ? [sqlExpression] : []
    if (operator === 'TEMPORAL_RANGE')
      return comparator && comparator !== 'No filter' ? [`${subject}: ${formatValues(comparator)}`] : []
    return subject
      ? [[subject, operator, comparator == null ? '' : formatValues(comparator)].filter(Boolean).join(' ')]
      : []
  })
  return [...new Set([...range, ...texts])]
}
