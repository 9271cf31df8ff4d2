import { baseQuery, withFilters } from '@parquetry/charts'
import {
  extraFor,
  extraFormDataFor,
  labelOfColumn,
  nativeFilters,
  type DataMask,
  type FilteredDashboard,
} from '@parquetry/model'
import type { ChartAnswer } from '../data/chart-data.ts'
import { columnOf, isDivider, labelOfEntry, labelOfValue, listOf as asList, type FilterValue } from './mask.ts'

export interface ShownFilter {
  /** Of the mask entry. */
  id: string
  name: string
  value: string
  from: 'bar' | 'chart'
}

export interface FiltersOfChart {
  applied: ShownFilter[]
  /** In force on the dashboard and not on this chart: the server's reason, or `scope`, `overridden`, `unused`. */
  notApplied: (ShownFilter & { reason: string })[]
  /** Saved in the chart itself, in words. */
  own: string[]
}

/** What filters the dashboard, whichever of its charts it reaches. */
export function filtersInForce(
  dashboard: FilteredDashboard,
  mask: DataMask,
  nameOfChart: (id: number) => string,
): ShownFilter[] {
  const filters = nativeFilters(dashboard).filter((filter) => !isDivider(filter))
  return Object.entries(mask).flatMap(([id, entry]): ShownFilter[] => {
    if (Object.keys(entry.extraFormData ?? {}).length === 0) return []
    const filter = filters.find((each) => each.id === id)
    return [
      {
        id,
        name: filter ? (filter.name ?? columnOf(filter) ?? id) : nameOfChart(Number(id)),
        value: labelOfEntry(entry),
        from: filter ? 'bar' : 'chart',
      },
    ]
  })
}

const labelOf = (value: unknown): string =>
  (Array.isArray(value) ? value : [value]).map((each) => labelOfValue(each as FilterValue)).join(', ')

/**
 * What filters a chart: the filters in force, each as the server said of it in the chart's last answer. A filter that this
 * answer was not asked with yet is in neither list.
 */
export function filtersOfChart(
  dashboard: FilteredDashboard,
  mask: DataMask,
  chartId: number,
  form: Record<string, unknown>,
  answer: ChartAnswer | null,
  nameOfChart: (id: number) => string,
): FiltersOfChart {
  const asked = withFilters(form, extraFormDataFor(dashboard, mask, chartId)).extra_form_data
  const found: FiltersOfChart = { applied: [], notApplied: [], own: ownFilters(form) }
  for (const shown of filtersInForce(dashboard, mask, nameOfChart)) {
    const { id } = shown
    const extra = extraFor(dashboard, id, mask[id]?.extraFormData ?? {}, chartId)
    if (Object.keys(extra).length === 0) {
      if (id !== String(chartId)) found.notApplied.push({ ...shown, reason: 'scope' })
      continue
    }
    const fate = answer && fateOf(extra, asked, answer)
    if (fate === 'applied') found.applied.push(shown)
    else if (fate) found.notApplied.push({ ...shown, reason: fate })
  }
  return found
}

/** What became of one entry: `applied`, why not, or null while the answer to it is not there. */
function fateOf(extra: Record<string, unknown>, asked: unknown, answer: ChartAnswer): string | null {
  const answered = answer.form.extra_form_data
  if (!isPartOf(extra, answered)) return isSame(asked, answered) ? 'overridden' : null
  const facts = Object.values(answer.facts)
  // The server groups by what it is told to; whether a chart groups at all is its own.
  if ('interactive_groupby' in extra && asList(answer.form.groupby).length === 0) return 'unused'
  const names = namesOf(extra)
  const rejected = facts.flatMap(({ rejected_filters }) => rejected_filters)
  const reason = rejected.find(({ column }) => names.includes(column))?.reason
  if (reason !== undefined) return reason
  const applied = new Set(facts.flatMap(({ applied_filters }) => applied_filters.map(({ column }) => column)))
  return names.every((name) => applied.has(name)) ? 'applied' : 'unused'
}

/** Under which names the server reports what an entry says. */
function namesOf(extra: Record<string, unknown>): string[] {
  const { filters = [], applied_time_extras = {} } = baseQuery({ viz_type: '', extra_form_data: extra })
  return [...(filters ?? []).map(({ col }) => labelOfColumn(col)), ...Object.keys(applied_time_extras ?? {})]
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Whether the merged extras say all that the entry says: of lists every item, of the rest the same. */
function isPartOf(extra: Record<string, unknown>, merged: unknown): boolean {
  const whole = (merged ?? {}) as Record<string, unknown>
  return Object.entries(extra).every(([key, value]) => {
    const found = whole[key]
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

function ownFilters(form: Record<string, unknown>): string[] {
  const listOf = (value: unknown) => (Array.isArray(value) ? (value as AdhocFilter[]) : [])
  const adhoc = [...listOf(form.adhoc_filters), ...listOf(form.adhoc_filters_b)]
  const range =
    typeof form.time_range === 'string' && form.time_range !== 'No filter' && form.time_range ? [form.time_range] : []
  const texts = adhoc.flatMap(({ expressionType, subject, operator, comparator, sqlExpression }) => {
    if (expressionType === 'SQL') return sqlExpression ? [sqlExpression] : []
    if (operator === 'TEMPORAL_RANGE')
      return comparator && comparator !== 'No filter' ? [`${subject}: ${labelOf(comparator)}`] : []
    return subject ? [[subject, operator, comparator == null ? '' : labelOf(comparator)].filter(Boolean).join(' ')] : []
  })
  return [...new Set([...range, ...texts])]
}
