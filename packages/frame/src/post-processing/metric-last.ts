import { buildNumberColumn } from '../columns.ts'
import type { Label, Table } from './table.ts'

/** Pivoted table with the series values before the metric. A metric that a series lacks is a column of nulls. */
export function withMetricLast(table: Table): Table {
  const metrics = [...new Set(table.columns.map(({ label }) => label[0]!))]
  const series = new Map(table.columns.map(({ label }): [string, Label] => [labelKey(label.slice(1)), label.slice(1)]))
  const found = new Map(table.columns.map(({ label, data }) => [labelKey(label), data]))
  return {
    ...table,
    levels: [...table.levels.slice(1), null],
    columns: [...series.values()].flatMap((values) =>
      metrics.map((metric) => ({
        label: [...values, metric],
        data: found.get(labelKey([metric, ...values])) ?? buildNumberColumn('', new Float64Array(table.rows).fill(NaN)),
      })),
    ),
  }
}

const labelKey = (label: Label): string => JSON.stringify(label)
