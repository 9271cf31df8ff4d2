import type { AnyChart, ChartForm, DatasetFacts } from './define.ts'

/**
 * Updates `temporal_columns_lookup` from the current dataset, for charts whose query depends on it: their time grain applies to a
 * dimension, and the form alone does not define which are temporal. Returns other forms unchanged.
 */
export function withTemporalColumns(
  chart: AnyChart,
  form: ChartForm,
  dataset: Partial<Pick<DatasetFacts, 'columns'>> | undefined,
): ChartForm {
  if (!dataset?.columns || !('temporal_columns_lookup' in chart.form.properties)) return form
  const temporal = dataset.columns.filter(({ is_dttm }) => is_dttm === true)
  return {
    ...form,
    temporal_columns_lookup: Object.fromEntries(temporal.map(({ column_name }) => [column_name, true])),
  }
}
