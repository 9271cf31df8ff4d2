import { fieldsUsed, loadChart, type ChartForm } from '@parquetry/charts'
import type { DatasetObject } from '@parquetry/model'

/** Properties of a dataset that a swap needs. */
export type SwapTarget = Pick<DatasetObject, 'id' | 'type' | 'main_dttm_col'> & {
  columns: Pick<DatasetObject['columns'][number], 'column_name' | 'is_dttm'>[]
  metrics: Pick<DatasetObject['metrics'][number], 'metric_name'>[]
}

/**
 * Converts the form to another dataset (DSET-007). A time column that the dataset does not have is replaced by the main one, else
 * the first, else none (DSET-008 to DSET-010). Other fields stay and are marked if missing.
 */
export function swapFormDataset(form: ChartForm, { id, type, main_dttm_col, columns }: SwapTarget): ChartForm {
  const swapped = { ...form, datasource: `${id}__${type}` }
  if (type !== 'table') return swapped
  const times = columns.filter(({ is_dttm }) => is_dttm).map(({ column_name }) => column_name)
  if (times.includes(String(form.granularity_sqla))) return swapped
  const main = main_dttm_col !== null && times.includes(main_dttm_col) ? main_dttm_col : undefined
  return { ...swapped, granularity_sqla: main ?? times[0] ?? null }
}

export interface MissingFields {
  missing: string[]
  /** Number of fields that the chart uses. */
  of: number
}

/** Finds columns and metrics of a chart that a dataset does not have. */
export async function findMissingFields(form: ChartForm, { columns, metrics }: SwapTarget): Promise<MissingFields> {
  const known = {
    columns: new Set(columns.map(({ column_name }) => column_name)),
    metrics: new Set(metrics.map(({ metric_name }) => metric_name)),
  }
  const { granularity_sqla: _, ...rest } = form
  const used = fieldsUsed(await loadChart(form.viz_type as string | undefined), rest, known)
  const missing = [
    ...used.metrics.filter((name) => !known.metrics.has(name)),
    ...used.columns.filter((name) => !known.columns.has(name)),
  ]
  return { missing: [...new Set(missing)], of: used.metrics.length + used.columns.length }
}
