import type { QueryMetric, QueryObject } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { readOrder } from './base-query.ts'

/**
 * Order of a query over metrics: the form's own if valid, else by the metric that ranks series, else by the first metric;
 * descending unless `order_desc` is false.
 */
export function buildOrderBy(form: ChartForm, metrics: readonly QueryMetric[]): QueryObject['orderby'] {
  const given = readOrder(form.orderby)
  if (given.length > 0) return given
  const rank = form.series_limit_metric ?? form.timeseries_limit_metric ?? form.legacy_order_by ?? metrics[0]
  return rank ? [[rank, form.order_desc === false]] : []
}
