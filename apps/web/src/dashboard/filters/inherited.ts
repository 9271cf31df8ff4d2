import { mergeExtras, type ChartForm } from '@parquetry/charts'
import { extraFormDataFor, type DataMask, type FilteredDashboard, type QueryFilter } from '@parquetry/model'

/**
 * The form of a chart as Explore opens it from a dashboard: what filters it there stands among its filters, marked as inherited, so
 * that it is shown and is not saved with the chart (NATF-019, NATF-020).
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
  const {
    filters = [],
    adhoc_filters = [],
    time_range,
  } = mergeExtras(extraFormDataFor(dashboard, mask, chartId)) as {
    filters?: QueryFilter[]
    adhoc_filters?: object[]
    time_range?: string
  }
  const column = (form.granularity_sqla as string | undefined) ?? timeColumn
  const simple = [
    ...filters.map(({ col, op, val }) => ({ subject: col, operator: op, comparator: val })),
    ...(time_range && column ? [{ subject: column, operator: 'TEMPORAL_RANGE', comparator: time_range }] : []),
  ].map((filter) => ({ expressionType: 'SIMPLE', clause: 'WHERE', ...filter }))
  const inherited = [...simple, ...adhoc_filters].map((filter) => ({ ...filter, isExtra: true }))
  if (inherited.length === 0) return null
  const own = Array.isArray(form.adhoc_filters) ? (form.adhoc_filters as object[]) : []
  return { ...form, adhoc_filters: [...own, ...inherited] }
}
