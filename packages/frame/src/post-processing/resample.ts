import { AppError } from '@parquetry/model/errors'
import { dayMs } from '../calendar.ts'
import { isNull } from '../cells.ts'
import { buildNumberColumn, buildTimeColumn } from '../columns.ts'
import type { Column } from '../frame.ts'
import { take } from '../take.ts'
import { parseFrequency, type Frequency } from './frequency.ts'
import { isInteger, isNumeric, toNumbers, toResultColumn } from './numbers.ts'
import type { Options } from './options.ts'
import { invalidStep, StepRefusal } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { mean, median, sum } from './statistics.ts'
import type { Table } from './table.ts'

const reduces: Record<string, (values: Float64Array) => number> = {
  mean,
  median: (values) => median(values.sort()),
  sum,
}
const methods = ['asfreq', 'bfill', 'ffill', 'linear', ...Object.keys(reduces)]

/** Times of the index in ascending order, and the row of each. */
interface Axis {
  times: Float64Array
  rows: Int32Array
}

/**
 * `resample`: one row per period of `rule` from the first to the last time of the index. `asfreq` uses the row at the period's
 * label, `ffill` and `bfill` the nearest row before or after it, `linear` interpolates, the others aggregate the rows in the
 * period. `fill_value` fills the rows that `asfreq` adds, and the values that `ffill` and `bfill` leave null. After a pivot, a hole
 * in one series at a time that others have is filled like a missing time.
 */
export function resample(table: Table, options: Options, cells: number): Table {
  const rule = options.required('rule', options.text('rule'))
  const method = options.required('method', options.text('method'))
  const fill = options.number('fill_value')
  const index = table.index?.columns.length === 1 ? table.index.columns[0] : undefined
  if (index?.kind !== 'time') throw new StepRefusal('Resampling needs a time index.')
  if (!methods.includes(method)) throw new StepRefusal(`Unknown resampling method \`${method}\`.`)
  const frequency = parseFrequency(rule)

  const axis = buildAxis(index, table.rows)
  const labels = buildLabels(frequency, axis, cells / Math.max(1, table.columns.length))
  const columns = table.columns.map(({ label, data }) => ({
    label,
    data: resampled(data, table, axis, labels, frequency, method, fill),
  }))
  return {
    ...table,
    rows: labels.length,
    columns,
    index: { names: table.index!.names, columns: [buildTimeColumn(index.name, labels, 'datetime')] },
  }
}

function buildAxis(index: Extract<Column, { kind: 'time' }>, rows: number): Axis {
  const known = Array.from({ length: rows }, (_, row) => row).filter(
    (row) => !isNull(index, row) && Number.isFinite(index.data[row]),
  )
  known.sort((one, other) => index.data[one]! - index.data[other]!)
  return { times: Float64Array.from(known, (row) => index.data[row]!), rows: Int32Array.from(known) }
}

function buildLabels(frequency: Frequency, { times }: Axis, maxRows: number): Float64Array {
  if (times.length === 0) return new Float64Array()
  const [first, last] = [times[0]!, times.at(-1)!]
  if ((last - first) / frequency.minMs > maxRows)
    throw new AppError('result_too_large', {
      message: message(
        'errors.frame.resampledTooLarge',
        'The resampled table is larger than the limit. Choose a longer period.',
      ),
    })
  return frequency.labels(first, last)
}

function resampled(
  column: Column,
  { rows, isPivoted }: Table,
  axis: Axis,
  labels: Float64Array,
  frequency: Frequency,
  method: string,
  fill: number | undefined,
): Column {
  if (Object.hasOwn(reduces, method)) {
    const values = toNumbers(column, rows, method)
    return reduced(column, values, axis, labels, frequency, reduces[method]!, method)
  }
  const order =
    method === 'ffill' || method === 'bfill'
      ? findNearestRows(isPivoted ? withoutHoles(axis, column) : axis, labels, method)
      : findExactRows(axis, labels)
  const reindexed = take(column, order)
  if (method === 'linear')
    return isNumeric(column)
      ? buildNumberColumn(column.name, interpolate(toNumbers(reindexed, labels.length, method)))
      : reindexed
  if (fill === undefined) return reindexed
  const filled = toNumbers(reindexed, labels.length, 'resample').map((value, index) =>
    Number.isNaN(value) && (isPivoted || method !== 'asfreq' || order[index]! < 0) ? fill : value,
  )
  return buildNumberColumn(column.name, filled, isInteger(column) && Number.isInteger(fill))
}

/** The axis of the rows in which the series has a value. */
function withoutHoles({ times, rows }: Axis, column: Column): Axis {
  const isKnown = (_: number, index: number) => !isNull(column, rows[index]!)
  return { times: times.filter(isKnown), rows: rows.filter(isKnown) }
}

function findExactRows({ times, rows }: Axis, labels: Float64Array): Int32Array {
  const rowAt = new Map<number, number>()
  times.forEach((time, index) => {
    if (rowAt.has(time))
      throw invalidStep(
        message(
          'errors.frame.timesNotUnique',
          'With this method, `resample` needs each time of the index to be unique.',
        ),
      )
    rowAt.set(time, rows[index]!)
  })
  return Int32Array.from(labels, (label) => rowAt.get(label) ?? -1)
}

function findNearestRows({ times, rows }: Axis, labels: Float64Array, method: 'ffill' | 'bfill'): Int32Array {
  if (times.some((time, index) => index > 0 && time === times[index - 1]))
    throw invalidStep(
      message('errors.frame.timesNotUnique', 'With this method, `resample` needs each time of the index to be unique.'),
    )
  let next = 0
  return Int32Array.from(labels, (label) => {
    while (next < times.length && times[next]! < label) next++
    if (method === 'bfill' || times[next] === label) return rows[next] ?? -1
    return next > 0 ? rows[next - 1]! : -1
  })
}

function reduced(
  column: Column,
  values: Float64Array,
  { times, rows }: Axis,
  labels: Float64Array,
  { byEnd }: Frequency,
  reduce: (values: Float64Array) => number,
  method: string,
): Column {
  let next = 0
  const out = labels.map((label, index) => {
    // A period labeled by its last day includes that whole day.
    const end = byEnd ? label + dayMs : (labels[index + 1] ?? Infinity)
    const start = next
    while (next < times.length && times[next]! < end) next++
    return reduce(
      Float64Array.from(rows.subarray(start, next), (row) => values[row]!).filter((value) => !Number.isNaN(value)),
    )
  })
  return method === 'sum' ? toResultColumn(column, out) : buildNumberColumn(column.name, out)
}

/**
 * Interpolates missing values linearly by position between two numbers, and repeats the last number after it. Values before the
 * first number stay missing.
 */
function interpolate(values: Float64Array): Float64Array {
  const out = values.slice()
  let last = -1
  for (let index = 0; index < values.length; index++) {
    if (Number.isNaN(values[index]!)) {
      if (last >= 0) out[index] = values[last]!
      continue
    }
    for (let between = last + 1; last >= 0 && between < index; between++)
      out[between] = values[last]! + ((values[index]! - values[last]!) * (between - last)) / (index - last)
    last = index
  }
  return out
}
