import type { AnyChart, ChartForm, DatasetFacts } from './define.ts'

/**
 * The form with `temporal_columns_lookup` as its dataset has it today, for charts whose question depends on it: their time grain
 * goes to a dimension, and a form alone does not say which of those are times. Any other form as it is.
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
