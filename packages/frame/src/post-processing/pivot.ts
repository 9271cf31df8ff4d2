import { isNull } from '../cells.ts'
import { buildColumn, buildNumberColumn } from '../columns.ts'
import type { Cell, Column } from '../frame.ts'
import { take } from '../take.ts'
import { aggregateColumn, parseAggregates, readAggregatesOption, type Aggregate } from './aggregators.ts'
import type { Budget } from './budget.ts'
import { compareCodes, compareTexts, groupRows, factorize, withNull, type Keys } from './keys.ts'
import { withMetricLast } from './metric-last.ts'
import { withMargins } from './margins.ts'
import { isInteger, toNumbers } from './numbers.ts'
import type { Options } from './options.ts'
import { invalidStep, StepRefusal } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { getColumn, requireColumns, type Table, type TableColumn, type TableIndex } from './table.ts'

/** Table with the keys of its index and pivoted columns, and the metrics of its cells. */
export interface PivotSource {
  table: Table
  indexKeys: Keys[]
  columnKeys: Keys[]
  metrics: readonly Aggregate[]
}

/** Pivoted table that still knows the values of its rows and columns, as codes of the keys. */
export interface PivotedTable extends Table {
  index: TableIndex
  down: readonly Int32Array[]
  columns: readonly PivotedColumn[]
}
/** Replaces null metrics with `metric_fill_value`. */
export type FillMetric = (data: Column, rows: number) => Column
export interface PivotedColumn extends TableColumn {
  metric: Aggregate
  codes: Int32Array
}

/**
 * `pivot`: one row per value of `index` and, for each metric, one column per value of `columns`, both ascending. The index stays
 * separate until `flatten`. `drop_missing_columns` drops cells, rows and columns without any value, and rows with a null in the
 * index. Otherwise null is one more row after the others, except for times and with more than one index column, where such rows
 * are dropped.
 */
export function pivot(table: Table, options: Options, budget: Budget): Table {
  const index = options.required('index', options.texts('index'))
  const columns = options.texts('columns') ?? []
  const given = readAggregatesOption(options)
  const fill = options.raw('column_fill_value') === undefined ? '<NULL>' : options.raw('column_fill_value')
  const drop = options.flag('drop_missing_columns') ?? true
  const margins = options.flag('marginal_distributions') ? options.text('marginal_distribution_name') : null
  requireColumns(table, [...index, ...columns])
  if (index.length === 0) throw new StepRefusal('A pivot needs at least one index column.')
  if (given.size === 0) throw new StepRefusal('A pivot needs at least one aggregate.')
  if (margins === undefined)
    throw invalidStep(
      message('errors.frame.marginalName', 'Marginal distributions need a `marginal_distribution_name`.'),
    )

  // Results are named after their source column, so only the last aggregate of a column is used.
  const byColumn = new Map(parseAggregates(table, given).map((one) => [one.column, { ...one, name: one.column }]))
  const source: PivotSource = {
    table,
    metrics: [...byColumn.values()].sort((one, other) => compareTexts(one.name, other.name)),
    indexKeys: index.map((name) => {
      const column = getColumn(table, name)
      const keys = factorize(column, table.rows)
      return drop || index.length > 1 || column.kind === 'time' ? keys : withNull(keys)
    }),
    columnKeys: columns.map((name) => factorize(getColumn(table, name), table.rows, fill as Cell | undefined)),
  }
  const metricFill = options.raw('metric_fill_value') ?? null
  const fillMetric: FillMetric = (data, rows) => (metricFill === null ? data : fillNulls(data, rows, metricFill))
  const crossed = buildPivot(source, index, columns, drop, budget)
  const plain = {
    ...crossed,
    columns: crossed.columns.map((one) => ({ ...one, data: fillMetric(one.data, crossed.rows) })),
  }
  const pivotWithTotals = margins === null ? plain : withMargins(plain, source, margins, drop, fillMetric)
  const result = drop
    ? {
        ...pivotWithTotals,
        columns: pivotWithTotals.columns.filter(({ data }) => hasValue(data, pivotWithTotals.rows)),
      }
    : pivotWithTotals
  return options.flag('combine_value_with_metric') && columns.length > 0 ? withMetricLast(result) : result
}

function buildPivot(
  { table, indexKeys, columnKeys, metrics }: PivotSource,
  index: string[],
  columns: string[],
  drop: boolean,
  budget: Budget,
): PivotedTable {
  const groups = groupRows([...indexKeys, ...columnKeys], table.rows)
  const results = metrics.map((metric) =>
    aggregateColumn(getColumn(table, metric.column), table.rows, groups.members, metric),
  )
  const groupIds = groups.codes
    .map((_, group) => group)
    .filter((group) => !drop || results.some((column) => !isNull(column, group)))
  const indexOf = (group: number): Int32Array => groups.codes[group]!.subarray(0, indexKeys.length)
  const seriesOf = (group: number): Int32Array => groups.codes[group]!.subarray(indexKeys.length)
  // When nothing is dropped, series that occur only in rows without an index become columns of nulls.
  const across = distinct(drop ? groupIds.map(seriesOf) : groupRows(columnKeys, table.rows).codes)
  const down =
    drop || indexKeys.length === 1
      ? distinct(groupIds.map(indexOf))
      : product(columnKeys.length ? groupIds.map(indexOf) : listAllCodes(indexKeys), budget)
  const width = across.length * metrics.length
  budget.admit('pivot', { rows: down.length, columns: width, work: down.length * width })
  const rowIndexByCodes = indexByCodes(down)
  const columnIndexByCodes = indexByCodes(across)
  const orders = across.map(() => new Int32Array(down.length).fill(-1))
  for (const group of groupIds)
    orders[columnIndexByCodes.get(seriesOf(group).join())!]![rowIndexByCodes.get(indexOf(group).join())!] = group
  const columnsOf = metrics.flatMap((metric, index) =>
    across.map((codes, position): PivotedColumn => ({
      label: [metric.name, ...columnKeys.map((key, level) => key.texts[codes[level]!]!)],
      data: take(results[index]!, orders[position]!),
      metric,
      codes,
    })),
  )
  const rowsOf = (key: Keys, level: number): number[] => down.map((codes) => key.rows[codes[level]!]!)
  return {
    rows: down.length,
    columns: columnsOf,
    levels: [null, ...columns],
    index: {
      names: index,
      columns: index.map((name, index) => take(getColumn(table, name), rowsOf(indexKeys[index]!, index))),
    },
    down,
    isPivoted: true,
  }
}

const hasValue = (column: Column, rows: number): boolean => {
  for (let row = 0; row < rows; row++) if (!isNull(column, row)) return true
  return false
}

function distinct(codes: readonly Int32Array[]): Int32Array[] {
  const found = new Map(codes.map((one) => [one.join(), one]))
  return [...found.values()].sort(compareCodes)
}

const indexByCodes = (codes: readonly Int32Array[]): Map<string, number> =>
  new Map(codes.map((one, index) => [one.join(), index]))

/** Every value of each key, including those that only occur beside a null. */
const listAllCodes = (keys: readonly Keys[]): Int32Array[] => {
  if (keys.some(({ texts }) => texts.length === 0)) return []
  const maxLength = Math.max(...keys.map(({ texts }) => texts.length))
  return Array.from({ length: maxLength }, (_, code) =>
    Int32Array.from(keys, ({ texts }) => Math.min(code, texts.length - 1)),
  )
}

/** Every combination of the values that occur in each index column. */
function product(codes: readonly Int32Array[], budget: Budget): Int32Array[] {
  if (codes.length === 0) return []
  let rows: number[][] = [[]]
  for (let level = 0; level < codes[0]!.length; level++) {
    const values = [...new Set(codes.map((one) => one[level]!))].sort((one, other) => one - other)
    const size = rows.length * values.length
    budget.admit('pivot', { rows: size, columns: 1, work: size * 80 })
    rows = rows.flatMap((row) => values.map((value) => [...row, value]))
  }
  return rows.map((row) => Int32Array.from(row))
}

function fillNulls(data: Column, rows: number, fill: unknown): Column {
  const values = toNumbers(data, rows, 'pivot')
  if (typeof fill !== 'number')
    return buildColumn(
      Array.from(values, (value) => (Number.isNaN(value) ? fill : value)),
      data.name,
    )
  const numbers = values.map((value) => (Number.isNaN(value) ? fill : value))
  return buildNumberColumn(data.name, numbers, isInteger(data) && Number.isInteger(fill))
}
