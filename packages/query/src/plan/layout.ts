import type { PlanColumn, PlannerDataset, ResultLayout } from '@parquetry/model'
import { listVerboseNames } from './plan-columns.ts'
import type { PlanContext } from './scope.ts'

/** Charts whose result has its own layout; for all others `post_processed` returns the rows unchanged. */
const layoutVizTypes = new Set<unknown>(['table', 'pivot_table_v2'])

/** Layout of the result of a query, if it has one. @param columns  of the result */
export function planLayout(
  dataset: PlannerDataset,
  columns: readonly PlanColumn[],
  { resultType, form }: Pick<PlanContext, 'resultType' | 'form'>,
): ResultLayout | null {
  if (resultType !== 'post_processed' || !form || !layoutVizTypes.has(form['viz_type'])) return null
  const ofColumns = columns.flatMap(({ name, heading }) => (heading ? [[name, heading]] : []))
  return { form, headings: { ...listVerboseNames(dataset), ...Object.fromEntries(ofColumns) } }
}
