import type { PlannerDataset, ResultLayout } from '@parquetry/model'
import type { PlanContext } from './scope.ts'

/** Charts whose result has its own layout; for all others `post_processed` returns the rows unchanged. */
const layoutVizTypes = new Set<unknown>(['table', 'pivot_table_v2'])

/** Layout of the result of a query, if it has one. */
export function planLayout(
  { columns, metrics }: PlannerDataset,
  { resultType, form }: Pick<PlanContext, 'resultType' | 'form'>,
): ResultLayout | null {
  if (resultType !== 'post_processed' || !form || !layoutVizTypes.has(form['viz_type'])) return null
  const names = [
    ...columns.map(({ column_name, verbose_name }) => [column_name, verbose_name] as const),
    ...metrics.map(({ metric_name, verbose_name }) => [metric_name, verbose_name] as const),
  ]
  return { form, headings: Object.fromEntries(names.filter((pair): pair is [string, string] => Boolean(pair[1]))) }
}
