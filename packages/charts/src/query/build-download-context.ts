import type { QueryContext } from '@parquetry/model'
import type { AnyChart, ChartForm } from '../define.ts'
import { buildQueryContext, namedQueries } from './build-query-context.ts'

/**
 * Builds the query context of a chart's data as a file: all rows instead of a page, without the row counts and totals of auxiliary
 * queries, with which the server would send a ZIP. A chart that shows several results has one query for each.
 */
export function buildDownloadContext(chart: AnyChart, form: ChartForm, result_format: string): QueryContext {
  const whole = form['server_pagination'] === true ? { percent_metric_calculation: 'all_records' } : {}
  const unpaged = { ...form, ...whole, server_pagination: false }
  const named = Object.entries(namedQueries(chart, unpaged))
  const shown = named.filter(([name], index) => (chart.queryLabels ? name in chart.queryLabels : index === 0))
  const queries = shown.map(([, query]) => query)
  return { ...buildQueryContext(chart, unpaged, { result_format }), queries }
}
