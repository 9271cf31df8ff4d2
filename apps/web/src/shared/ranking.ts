import type { ChartForm } from '@parquetry/charts'

const isAny = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value != null && value !== '')

/** Returns whether the form requests the top rows of an order, so that a limit drops small values and not a part of a series. */
export function isRanking(form: ChartForm): boolean {
  if (isAny(form.x_axis)) return isAny(form.x_axis_sort) && form.x_axis_sort_asc === false && !isAny(form.groupby)
  if (form.sort_by_metric === true && isAny(form.metric)) return true
  if (form.query_mode === 'raw') return isAny(form.order_by_cols)
  return isAny(form.groupby) && (isAny(form.metric) || isAny(form.metrics))
}
