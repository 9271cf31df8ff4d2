import { cellAt, isNull, textAt } from '../cells.ts'
import { columnOf } from '../columns.ts'
import { concat } from '../concat.ts'
import type { Column } from '../frame.ts'
import { take } from '../take.ts'
import { aggregate, type Aggregate } from './aggregators.ts'
import { groupRows, type Keys } from './keys.ts'
import type { Crossed, CrossedColumn, Source } from './pivot.ts'
import { columnNamed, type Table, type TableColumn } from './table.ts'

/**
 * Adds to a pivot, for each metric, a last column over all series, and a last row over the whole index.
 * @param complete  leaves out source rows in which a key or a metric is null, as a pivot that drops missing cells does
 */
export function withMargins(crossed: Crossed, source: Source, name: string, complete: boolean): Table {
  const { rows, columns, index, down, levels } = crossed
  if (rows === 0) return crossed
  const { table, indexKeys, columnKeys, metrics } = source
  const members = grouperOf(source, complete)
  const totals = (metric: Aggregate, groups: readonly Int32Array[]): Column =>
    aggregate(columnNamed(table, metric.column), table.rows, groups, metric)

  const byIndex = members(indexKeys)
  const bySeries = members(columnKeys)
  const everything = [...members([]).values()]
  const last = metrics.flatMap((metric): TableColumn[] => {
    const own = columns.filter((column) => column.metric.name === metric.name)
    const bottom = totals(
      metric,
      own.map(({ codes }) => bySeries.get(codes.join()) ?? new Int32Array()),
    )
    const withBottom = own.map(({ label, data }: CrossedColumn, at) => ({
      label,
      data: append(data, take(bottom, [at]), rows),
    }))
    if (columnKeys.length === 0) return withBottom
    const right = totals(
      metric,
      down.map((codes) => byIndex.get(codes.join()) ?? new Int32Array()),
    )
    const label = [metric.name, name, ...Array.from({ length: columnKeys.length - 1 }, () => '')]
    return [...withBottom, { label, data: append(right, totals(metric, everything), rows) }]
  })
  const names = index.columns.map((column, level) => withText(column, rows, level === 0 ? name : ''))
  return { rows: rows + 1, columns: last, levels, index: { names: index.names, columns: names } }
}

/** Rows by the codes of some keys, those left out that do not count. */
function grouperOf({ table, indexKeys, columnKeys, metrics }: Source, complete: boolean) {
  const read = metrics.map(({ column }) => columnNamed(table, column))
  const counts = (row: number): boolean =>
    !complete ||
    (read.every((column) => !isNull(column, row)) &&
      [...indexKeys, ...columnKeys].every(({ codes }) => codes[row]! >= 0))
  return (keys: readonly Keys[]): Map<string, Int32Array> => {
    const { members, codes } = groupRows(keys, table.rows)
    return new Map(members.map((rows, at) => [codes[at]!.join(), rows.filter(counts)]))
  }
}

const append = (column: Column, end: Column, rows: number): Column =>
  concat([
    { rows, columns: [column] },
    { rows: 1, columns: [end] },
  ]).columns[0]!

/** A column of the index with a word at its end; times become ISO text beside it. */
function withText(column: Column, rows: number, text: string): Column {
  const read = column.kind === 'time' ? textAt : cellAt
  return columnOf([...Array.from({ length: rows }, (_, row) => read(column, row)), text], column.name)
}
