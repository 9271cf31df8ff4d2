import { mergeExtras, applyDashboardOverrides, withFilters, type ChartForm } from '@parquetry/charts'
import {
  collectExtraFormData,
  inheritedSettings,
  type DataMask,
  type FilteredDashboard,
  type InheritedSettings,
  type QueryFilter,
} from '@parquetry/model'

/** Settings of a form that a dashboard can override. */
const overridable = ['time_range', 'time_grain_sqla', 'time_compare', 'granularity_sqla', 'groupby'] as const

/**
 * Form of a chart that Explore opens from a dashboard, so that it runs the same query. The dashboard's filters are added to its
 * filters, marked as inherited, so that they are shown but not saved with the chart (NATF-019, NATF-020); overridden settings and
 * ranges retain the chart's own (`inheritedSettings`). A time range applies to one column (`findRangeColumn`); ranges on other
 * columns stay.
 * @returns null if nothing filters the chart
 * @param timeColumn  time column of the chart's dataset, to which a time range applies if the form names none
 * @param isTemporal  whether a column of the dataset contains times
 */
export function inheritedForm(
  form: ChartForm,
  chartId: number,
  dashboard: FilteredDashboard,
  mask: DataMask,
  timeColumn: string | null | undefined,
  isTemporal: (column: string) => boolean = () => false,
): ChartForm | null {
  const extras = collectExtraFormData(dashboard, mask, chartId)
  const {
    filters = [],
    adhoc_filters = [],
    time_range,
  } = mergeExtras(extras) as { filters?: QueryFilter[]; adhoc_filters?: object[]; time_range?: string }
  const { extra_form_data: _, ...laid } = applyDashboardOverrides(withFilters(form, extras))
  const own = Array.isArray(form.adhoc_filters) ? (form.adhoc_filters as Filter[]) : []
  const column = findRangeColumn({ ...form, granularity_sqla: laid.granularity_sqla }, own, timeColumn, isTemporal)
  const isOwnRange = (filter: Filter) => isRange(filter) && filter.subject === column
  const hasRange = own.some(isOwnRange) || isSet(form.time_range)
  const simple = [
    ...filters.map(({ col, op, val, isExact }) => ({
      subject: col,
      operator: op,
      comparator: val,
      ...(isExact && { isExact }),
    })),
    ...(time_range && column && !hasRange
      ? [{ subject: column, operator: 'TEMPORAL_RANGE', comparator: time_range }]
      : []),
  ].map((filter) => ({ expressionType: 'SIMPLE', clause: 'WHERE', ...filter }))
  const inherited = [...simple, ...adhoc_filters].map((filter) => ({ ...filter, isExtra: true }))
  const ownFilters = own.map((filter) =>
    time_range && isOwnRange(filter) ? { ...filter, comparator: time_range, isExtra: true, insteadOf: filter } : filter,
  )
  // A range that the form lacks is added as a filter, which `No filter` in the form would disable.
  if (!isSet(form.time_range)) delete laid.time_range
  const settings: InheritedSettings = Object.fromEntries(
    overridable
      .filter((name) => laid[name] !== form[name] && (name !== 'time_range' || time_range))
      .map((name) => [name, { own: form[name], given: laid[name] }]),
  )
  const names = Object.keys(settings)
  if (inherited.length === 0 && names.length === 0 && ownFilters.every((filter, index) => filter === own[index]))
    return null
  return {
    ...form,
    ...Object.fromEntries(names.map((name) => [name, laid[name]])),
    ...(names.length > 0 && { [inheritedSettings]: settings }),
    adhoc_filters: [...ownFilters, ...inherited],
  }
}

/**
 * Returns the column to which the time range of a dashboard applies, as in the query planner: that of the form, its x-axis, or that
 * of its range.
 * @param filters  the chart's own filters
 * @param timeColumn  time column of the chart's dataset
 */
export function findRangeColumn(
  { granularity_sqla, x_axis }: ChartForm,
  filters: readonly Filter[],
  timeColumn: string | null | undefined,
  isTemporal: (column: string) => boolean,
): string | null | undefined {
  if (typeof granularity_sqla === 'string') return granularity_sqla
  if (typeof x_axis === 'string' && isTemporal(x_axis)) return x_axis
  const ranged = filters.filter(isRange).map(({ subject }) => subject)
  return ranged.length === 0 || ranged.includes(timeColumn) ? timeColumn : ranged[0]
}

interface Filter {
  subject?: string | null
  operator?: string | null
}
const isRange = ({ operator }: Filter): boolean => operator === 'TEMPORAL_RANGE'
const isSet = (range: unknown): boolean => typeof range === 'string' && range !== '' && range !== 'No filter'
