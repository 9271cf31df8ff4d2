import { cellAt, isNull, textAt } from '../cells.ts'
import { buildColumn } from '../columns.ts'
import { concat } from '../concat.ts'
import type { Column } from '../frame.ts'
import { take } from '../take.ts'
import { aggregateColumn, type Aggregate } from './aggregators.ts'
import { groupRows, type Keys } from './keys.ts'
import type { PivotedTable, PivotedColumn, FillMetric, PivotSource } from './pivot.ts'
import { getColumn, type Table, type TableColumn } from './table.ts'

/**
 * Adds totals to a pivot: for each metric a last column over all series, and a last row over the whole index.
 * @param fill  applied to the last row as to the rows above it; not applied to the last column
 * @param complete  leaves out source rows with a null key or metric, as a pivot that drops missing cells does
 */
export function withMargins(
  crossed: PivotedTable,
  source: PivotSource,
  name: string,
  complete: boolean,
  fill: FillMetric,
): Table {
  const { rows, columns, index, down, levels } = crossed
  if (rows === 0) return crossed
  const { table, indexKeys, columnKeys, metrics } = source
  const members = createGrouper(source, complete)
  const byIndex = members(indexKeys)
  const bySeries = members(columnKeys)
  const everything = members([])
  const totals = (
    metric: Aggregate,
    groups: ReadonlyMap<string, Int32Array>,
    wanted: readonly Int32Array[],
  ): Column => {
    const column = aggregateColumn(getColumn(table, metric.column), table.rows, [...groups.values()], metric)
    const groupIndex = new Map([...groups.keys()].map((key, position) => [key, position]))
    return take(
      column,
      wanted.map((codes) => groupIndex.get(codes.join()) ?? -1),
    )
  }

  const last = metrics.flatMap((metric): TableColumn[] => {
    const own = columns.filter((column) => column.metric.name === metric.name)
    const bottom = totals(
      metric,
      bySeries,
      own.map(({ codes }) => codes),
    )
    const withBottom = own.map(({ label, data }: PivotedColumn, index) => ({
      label,
      data: fill(append(data, take(bottom, [index]), rows), rows + 1),
    }))
    if (columnKeys.length === 0) return withBottom
    const label = [metric.name, name, ...Array.from({ length: columnKeys.length - 1 }, () => '')]
    const right = totals(metric, byIndex, down)
    return [...withBottom, { label, data: append(right, totals(metric, everything, [new Int32Array()]), rows) }]
  })
  const names = index.columns.map((column, level) => withText(column, rows, level === 0 ? name : ''))
  return { rows: rows + 1, columns: last, levels, index: { names: index.names, columns: names } }
}

/** Groups rows by the codes of the given keys, without the rows that do not count. */
function createGrouper({ table, indexKeys, columnKeys, metrics }: PivotSource, complete: boolean) {
  const read = metrics.map(({ column }) => getColumn(table, column))
  const counts = (row: number): boolean =>
    !complete ||
    (read.every((column) => !isNull(column, row)) &&
      [...indexKeys, ...columnKeys].every(({ codes }) => codes[row]! >= 0))
  return (keys: readonly Keys[]): Map<string, Int32Array> => {
    const { members, codes } = groupRows(keys, table.rows)
    const own = members.map((rows, index): [string, Int32Array] => [codes[index]!.join(), rows.filter(counts)])
    return new Map(own.filter(([, rows]) => keys.length === 0 || rows.length > 0))
  }
}

const append = (column: Column, end: Column, rows: number): Column =>
  concat([
    { rows, columns: [column] },
    { rows: 1, columns: [end] },
  ]).columns[0]!

/** Index column with a text added at its end; times are converted to ISO text. */
function withText(column: Column, rows: number, text: string): Column {
  const read = column.kind === 'time' ? textAt : cellAt
  return buildColumn([...Array.from({ length: rows }, (_, row) => read(column, row)), text], column.name)
}
