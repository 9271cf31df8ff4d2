import type { ChartForm, Field } from '@parquetry/charts'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { ExploreDataset } from '../use-explore.ts'

/** A column of a table's result: its name, display text and kind. */
export interface ResultColumn {
  name: string
  label: string
  /** `figure`: computed by the chart, not a column of the result. */
  kind: 'number' | 'time' | 'text' | 'figure'
}

const list = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : [])

/** Figures that a chart configures, or the columns of its result. */
export const listConfigurableColumns = ({ control }: Field, form: ChartForm, dataset: ExploreDataset): ResultColumn[] =>
  control.configures?.map(([name, label]) => ({ name, label, kind: 'figure' })) ?? listResultColumns(form, dataset)

/** Columns that a table's form queries, in order. */
export function listResultColumns(form: ChartForm, dataset: ExploreDataset): ResultColumn[] {
  const displayName = (name: string): string => dataset.verbose_map[name] || name
  const columnNamed = (column: QueryColumn): ResultColumn => {
    const name = labelOfColumn(column)
    const known = dataset.columns.find(({ column_name }) => column_name === name)
    const kind = known?.is_dttm ? 'time' : known?.type_generic === 0 ? 'number' : 'text'
    return { name, label: displayName(name), kind }
  }
  if (form['viz_type'] === 'big_number_total')
    return [form['metric']].flatMap((metric): ResultColumn[] => {
      if (metric === undefined || metric === null) return []
      const name = labelOfMetric(metric as QueryMetric)
      return [{ name, label: displayName(name), kind: 'number' }]
    })
  if (form['query_mode'] === 'raw') return list<QueryColumn>(form['all_columns']).map(columnNamed)
  const metrics = list<QueryMetric>(form['metrics']).map(labelOfMetric)
  const shares = list<QueryMetric>(form['percent_metrics']).map((metric) => `%${labelOfMetric(metric)}`)
  return [
    ...list<QueryColumn>(form['groupby']).map(columnNamed),
    ...metrics.flatMap((name): ResultColumn[] => [
      { name, label: displayName(name), kind: 'number' },
      ...(form['time_compare'] ? ['#', '△', '%'] : []).map((sign): ResultColumn => ({
        name: `${sign} ${name}`,
        label: `${sign} ${displayName(name)}`,
        kind: 'number',
      })),
    ]),
    ...shares.map((name): ResultColumn => ({ name, label: displayName(name), kind: 'number' })),
  ]
}
