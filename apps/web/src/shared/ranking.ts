import type { ChartForm } from '@parquetry/charts'

const isAny = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value != null && value !== '')

/** Whether the form asks for the first so many of an order, so that a limit leaves out the small ones and no part of a course. */
export function isRanking(form: ChartForm): boolean {
  if (isAny(form.x_axis)) return isAny(form.x_axis_sort) && form.x_axis_sort_asc === false && !isAny(form.groupby)
  if (form.sort_by_metric === true && isAny(form.metric)) return true
  if (form.query_mode === 'raw') return isAny(form.order_by_cols)
  return isAny(form.groupby) && (isAny(form.metric) || isAny(form.metrics))
}
