import {
  parseAggregation,
  cellAt,
  computeShare,
  aggregateInputAt,
  type Cell,
  type Column,
  type Frame,
  type MatrixValue,
} from '@parquetry/frame'
import { findColumn } from '../shared/column.ts'
import {
  buildAxisTree,
  compareSortKeys,
  encodeKeys,
  toSortKey,
  indexRange,
  type AxisTree,
  type LevelKeys,
} from './axis-tree.ts'
import type { PivotOrder } from './form.ts'
import type { PivotAxis, PivotSpec } from './spec.ts'

/** A group of rows or columns; level −1 contains all of them. */
export interface PivotGroup {
  level: number
  at: number
  /** Restricts a group over several metrics to one of them, by its position among the drawn metrics. */
  metric?: number
}

export interface PivotCell {
  /** Undefined when no row of the response belongs to the cell, null when its values are null. */
  value: Cell | undefined
  /** Index of the cell's metric among the drawn metrics. */
  metric: number
}

/** An axis with the contents of its levels. */
export interface PivotAxisData {
  axis: AxisTree
  /** By level: the column of the response, null for the metrics. */
  columns: readonly (Column | null)[]
  /** By level: the groups in display order, sorted within each parent group as set in the form. */
  order: readonly Int32Array[]
}

export interface Pivot {
  rows: PivotAxisData
  columns: PivotAxisData
  /** Indexes of the drawn metrics in the spec. */
  metrics: readonly number[]
  cell(row: PivotGroup, column: PivotGroup): PivotCell
}

export const rootGroup: PivotGroup = { level: -1, at: 0 }

/**
 * Arranges the rows of a response along both axes. A record is one metric of one row. Totals are calculated from their records,
 * never from other totals; cells are computed on demand and cached. No value combines metrics: where neither group determines the
 * metric, it is the first one.
 */
export function buildPivot(frame: Frame, spec: PivotSpec): Pivot {
  const steps = buildPivotInSteps(frame, spec)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Builds the same pivot in steps that keep the page responsive: a large table takes longer than a frame. */
export function* buildPivotInSteps(frame: Frame, spec: PivotSpec): Generator<void, Pivot> {
  const known = spec.metrics.flatMap(({ name }, index) => {
    const column = findColumn(frame, name)
    return column ? [{ column, at: index }] : []
  })
  const records = frame.rows * known.length
  const down = yield* axisIn(frame, spec.rows, known.length)
  const across = yield* axisIn(frame, spec.columns, known.length)
  const byRow = sortRecords(down.axis, across.axis, records)
  yield
  const byColumn = sortRecords(across.axis, down.axis, records)
  const { of, name, fraction } = parseAggregation(spec.aggregate)

  const columnOf = (record: number): Column => known[record % known.length]!.column
  const rowOf = (record: number): number => Math.floor(record / known.length)
  const leaves = (axis: AxisTree, { level, at }: PivotGroup): [from: number, end: number] =>
    level < 0 ? [0, axis.leaves] : [axis.levels[level]!.leaves.from[at]!, axis.levels[level]!.leaves.end[at]!]

  const metricAt = createMetricLookup(down, across)
  const recordsIn = (row: PivotGroup, column: PivotGroup, metric = metricAt(row, column)): number[] => {
    const [top, bottom] = leaves(down.axis, row)
    const [left, right] = leaves(across.axis, column)
    const isByRow = ordered.has(name) || bottom - top <= right - left
    const found = isByRow ? byRow.within(top, bottom, left, right) : byColumn.within(left, right, top, bottom)
    return known.length > 1 ? found.filter((record) => record % known.length === metric) : found
  }
  const valuesOf = (found: readonly number[]): Cell[] =>
    found.map((record) => aggregateInputAt(columnOf(record), rowOf(record)))
  const wholes = new Map<string, MatrixValue>()
  const wholeOf = (row: PivotGroup, column: PivotGroup, metric: number): MatrixValue => {
    const key = `${row.level},${row.at},${column.level},${column.at},${metric}`
    const cached = wholes.get(key)
    if (cached !== undefined) return cached
    const whole = of(valuesOf(recordsIn(row, column, metric)))
    wholes.set(key, whole)
    return whole
  }

  const cell = (row: PivotGroup, column: PivotGroup): PivotCell => {
    const found = recordsIn(row, column)
    const metric = metricAt(row, column)
    if (found.length === 0) return { value: undefined, metric }
    const [only] = found
    // A single number keeps all of its digits.
    if (found.length === 1 && identityAggregates.has(name))
      return { value: cellAt(columnOf(only!), rowOf(only!)), metric }
    const value = of(valuesOf(found))
    if (!fraction) return { value, metric }
    const whole = wholeOf(fraction === 'Rows' ? row : rootGroup, fraction === 'Columns' ? column : rootGroup, metric)
    return { value: computeShare(value, whole), metric }
  }

  const cache = new Map<number, PivotCell>()
  const [rowIds, columnIds] = [numberGroups(down.axis), numberGroups(across.axis)]
  const rankIn = (isRow: boolean) => (group: PivotGroup) =>
    toSortKey(of(valuesOf(isRow ? recordsIn(group, rootGroup) : recordsIn(rootGroup, group))))
  yield
  const rows = { ...down, order: sortGroups(down, spec.rows.order, rankIn(true)) }
  yield
  return {
    rows,
    columns: { ...across, order: sortGroups(across, spec.columns.order, rankIn(false)) },
    metrics: known.map(({ at }) => at),
    cell: (row, column) => {
      const id = (rowIds.of(row) * columnIds.count + columnIds.of(column)) * known.length + metricAt(row, column)
      const before = cache.get(id)
      if (before) return before
      const created = cell(row, column)
      cache.set(id, created)
      return created
    },
  }
}

/** Aggregates that depend on the order of the values: by rows, then columns, each ascending. */
const ordered = new Set(['First', 'Last', 'List Unique Values'])
/** Aggregates that return a single value unchanged. */
const identityAggregates = new Set(['Sum', 'Average', 'Median', 'Minimum', 'Maximum', 'First', 'Last'])

function* axisIn(frame: Frame, { levels }: PivotAxis, metrics: number): Generator<void, Omit<PivotAxisData, 'order'>> {
  const records = frame.rows * metrics
  const columns: (Column | null)[] = []
  const keys: LevelKeys[] = []
  for (const level of levels) {
    const column = 'metrics' in level ? null : findColumn(frame, level.name)
    if (column === undefined) continue
    columns.push(column)
    keys.push(column ? forRecords(encodeKeys(column, frame.rows), metrics) : metricKeys(records, metrics))
    yield
  }
  const axis = buildAxisTree(keys, records)
  yield
  return { axis, columns }
}

const metricKeys = (records: number, metrics: number): LevelKeys => ({
  values: [...indexRange(metrics)],
  codes: indexRange(records).map((record) => record % metrics),
})

function forRecords({ values, codes }: LevelKeys, metrics: number): LevelKeys {
  if (metrics === 1) return { values, codes }
  const all = new Int32Array(codes.length * metrics)
  for (let index = 0; index < all.length; index++) all[index] = codes[Math.floor(index / metrics)]!
  return { values, codes: all }
}

/** Sorts records by the leaves of one axis, and within them by those of the other. */
function sortRecords(axis: AxisTree, other: AxisTree, records: number) {
  const { starts, place } = countingSort(axis, countingSort(other, indexRange(records)).place)
  const otherOf = place.map((record) => other.leafOf[record]!)
  return {
    within: (from: number, end: number, first: number, last: number): number[] => {
      const found: number[] = []
      if (first === 0 && last === other.leaves) {
        for (let index = starts[from]!; index < starts[end]!; index++) found.push(place[index]!)
        return found
      }
      for (let leaf = from; leaf < end; leaf++) {
        let [low, high] = [starts[leaf]!, starts[leaf + 1]!]
        const stop = high
        while (low < high) {
          const middle = (low + high) >> 1
          if (otherOf[middle]! < first) low = middle + 1
          else high = middle
        }
        for (; low < stop && otherOf[low]! < last; low++) found.push(place[low]!)
      }
      return found
    },
  }
}

/** A stable counting sort. */
function countingSort({ leafOf, leaves }: AxisTree, records: Int32Array) {
  const starts = new Int32Array(leaves + 1)
  for (const leaf of leafOf) starts[leaf + 1]! += 1
  for (let leaf = 0; leaf < leaves; leaf++) starts[leaf + 1]! += starts[leaf]!
  const next = starts.slice()
  const place = new Int32Array(records.length)
  for (const record of records) place[next[leafOf[record]!]!++] = record
  return { starts, place }
}

/** Assigns a number to each group of an axis. */
function numberGroups({ levels }: AxisTree) {
  const starts: number[] = []
  let count = 1
  for (const { code } of levels) {
    starts.push(count)
    count += code.length
  }
  return { count, of: ({ level, at }: PivotGroup) => (level < 0 ? 0 : starts[level]! + at) }
}

/** Returns the group of an outer level that contains a group. */
export function findOuterGroup({ levels }: AxisTree, group: PivotGroup, level: number): number {
  let { level: own, at } = group
  for (; own > level; own--) at = levels[own]!.parent[at]!
  return at
}

/** Returns the code of a group's value at a level; undefined for levels inside the group. */
export const codeAt = (axis: AxisTree, group: PivotGroup, level: number): number | undefined =>
  level <= group.level ? axis.levels[level]!.code[findOuterGroup(axis, group, level)] : undefined

/** Returns the metric of a cell, from whichever axis has the metrics; the first one where neither group determines it. */
function createMetricLookup(down: Omit<PivotAxisData, 'order'>, across: Omit<PivotAxisData, 'order'>) {
  const [ofRows, ofColumns] = [down.columns.indexOf(null), across.columns.indexOf(null)]
  return (row: PivotGroup, column: PivotGroup): number =>
    row.metric ??
    column.metric ??
    (ofRows >= 0 ? codeAt(down.axis, row, ofRows) : ofColumns >= 0 ? codeAt(across.axis, column, ofColumns) : 0) ??
    0
}

/** Metrics keep the order of the form. */
function sortGroups(
  { axis, columns }: Omit<PivotAxisData, 'order'>,
  order: PivotOrder,
  rankIn: (group: PivotGroup) => Cell,
): Int32Array[] {
  return axis.levels.map(({ code, parent }, level) => {
    const groups = indexRange(code.length)
    if (columns[level] === null || order === 'key_a_to_z') return groups
    const values = axis.keys[level]!.values
    const isDown = order.endsWith('z_to_a')
    const ranks =
      order === 'key_z_to_a'
        ? Array.from(code, (index): Cell => (values[index] === null ? null : index))
        : Array.from(code, (_, index) => rankIn({ level, at: index }))
    const down = (one: Cell, other: Cell) =>
      one === null || other === null || !isDown ? compareSortKeys(one, other) : compareSortKeys(other, one)
    return groups.sort((a, b) => parent[a]! - parent[b]! || down(ranks[a]!, ranks[b]!) || a - b)
  })
}
