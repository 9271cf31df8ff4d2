import { numberColumn } from '../columns.ts'
import type { Label, Table } from './table.ts'

/** A pivoted table with the series' values before the metric. A metric that one series lacks is a column of nulls. */
export function withMetricLast(table: Table): Table {
  const metrics = [...new Set(table.columns.map(({ label }) => label[0]!))]
  const series = new Map(table.columns.map(({ label }): [string, Label] => [keyOf(label.slice(1)), label.slice(1)]))
  const found = new Map(table.columns.map(({ label, data }) => [keyOf(label), data]))
  return {
    ...table,
    levels: [...table.levels.slice(1), null],
    columns: [...series.values()].flatMap((values) =>
      metrics.map((metric) => ({
        label: [...values, metric],
        data: found.get(keyOf([metric, ...values])) ?? numberColumn('', new Float64Array(table.rows).fill(NaN)),
      })),
    ),
  }
}

const keyOf = (label: Label): string => JSON.stringify(label)
