import { mergeExtras, applyDashboardOverrides, withFilters, type ChartForm } from '@parquetry/charts'
import {
  collectExtraFormData,
  inheritedSettings,
  type DataMask,
  type FilteredDashboard,
  type InheritedSettings,
  type QueryFilter,
} from '@parquetry/model'

/** Settings of a form that a dashboard can put others in place of. */
const overridable = ['time_range', 'time_grain_sqla', 'time_compare', 'granularity_sqla', 'groupby'] as const

/**
 * The form of a chart as Explore opens it from a dashboard, which asks what the chart asks there. What filters it there stands among its
 * filters, marked as inherited, so that it is shown and is not saved with the chart (NATF-019, NATF-020); what stands in place of a
 * setting or of a range of its own remembers that one (`inheritedSettings`, `insteadOf`).
 * @returns null where nothing filters it
 * @param timeColumn  of the chart's dataset, which a time range is of when the form names none
 */
export function inheritedForm(
  form: ChartForm,
  chartId: number,
  dashboard: FilteredDashboard,
  mask: DataMask,
  timeColumn: string | null | undefined,
): ChartForm | null {
  const extras = collectExtraFormData(dashboard, mask, chartId)
  const {
    filters = [],
    adhoc_filters = [],
    time_range,
  } = mergeExtras(extras) as { filters?: QueryFilter[]; adhoc_filters?: object[]; time_range?: string }
  const { extra_form_data: _, ...laid } = applyDashboardOverrides(withFilters(form, extras))
  const own = Array.isArray(form.adhoc_filters) ? (form.adhoc_filters as Filter[]) : []
  const column = (laid.granularity_sqla as string | undefined) ?? timeColumn
  const hasRange = own.some(isRange) || isSet(form.time_range)
  const simple = [
    ...filters.map(({ col, op, val }) => ({ subject: col, operator: op, comparator: val })),
    ...(time_range && column && !hasRange
      ? [{ subject: column, operator: 'TEMPORAL_RANGE', comparator: time_range }]
      : []),
  ].map((filter) => ({ expressionType: 'SIMPLE', clause: 'WHERE', ...filter }))
  const inherited = [...simple, ...adhoc_filters].map((filter) => ({ ...filter, isExtra: true }))
  const kept = own.map((filter) =>
    time_range && isRange(filter) ? { ...filter, comparator: time_range, isExtra: true, insteadOf: filter } : filter,
  )
  // A range that the form does not have stands among the filters, where `No filter` of the form would put it out of force.
  if (!isSet(form.time_range)) delete laid.time_range
  const settings: InheritedSettings = Object.fromEntries(
    overridable
      .filter((name) => laid[name] !== form[name] && (name !== 'time_range' || time_range))
      .map((name) => [name, { own: form[name], given: laid[name] }]),
  )
  const names = Object.keys(settings)
  if (inherited.length === 0 && names.length === 0 && kept.every((filter, at) => filter === own[at])) return null
  return {
    ...form,
    ...Object.fromEntries(names.map((name) => [name, laid[name]])),
    ...(names.length > 0 && { [inheritedSettings]: settings }),
    adhoc_filters: [...kept, ...inherited],
  }
}

interface Filter {
  operator?: string | null
}
const isRange = ({ operator }: Filter): boolean => operator === 'TEMPORAL_RANGE'
const isSet = (range: unknown): boolean => typeof range === 'string' && range !== '' && range !== 'No filter'
