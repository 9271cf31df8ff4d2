import { toNumbers } from './numbers.ts'
import { buildNumberColumn } from '../columns.ts'
import type { Options } from './options.ts'
import { invalidStep, StepRefusal } from './refusal.ts'
import { message } from '@parquetry/model/message'
import {
  interpolations,
  kurtosis,
  mean,
  median,
  quantile,
  skewness,
  sum,
  variance,
  type Interpolation,
} from './statistics.ts'
import { requireColumns, takeRows, columnsUnder, withResults, type Table } from './table.ts'

/** Function over the non-null numbers of one window, in row order or sorted when `sorted` is set. */
interface Roll {
  reduce(values: Float64Array, options: ReadonlyMap<string, unknown>): number
  sorted?: true
  read?(value: number): number
  known?: readonly string[]
}

const readDdof = (options: ReadonlyMap<string, unknown>): number => (options.get('ddof') as number | undefined) ?? 1

const rolls: Record<string, Roll> = {
  // Counts values as 1 and nulls as 0, so that every row of the window is a period.
  count: { reduce: sum, read: (value) => (Number.isNaN(value) ? 0 : 1) },
  kurt: { reduce: kurtosis },
  max: { reduce: (values) => values.at(-1) ?? NaN, sorted: true },
  mean: { reduce: mean },
  median: { reduce: median, sorted: true },
  min: { reduce: (values) => values[0] ?? NaN, sorted: true },
  quantile: {
    reduce: (values, options) =>
      quantile(values, options.get('quantile') as number, (options.get('interpolation') as Interpolation) ?? 'linear'),
    sorted: true,
    known: ['quantile', 'interpolation'],
  },
  skew: { reduce: skewness },
  std: { reduce: (values, options) => Math.sqrt(variance(values, readDdof(options))), known: ['ddof'] },
  sum: { reduce: sum },
  var: { reduce: (values, options) => variance(values, readDdof(options)), known: ['ddof'] },
}

/**
 * `rolling`: applies a function to each row and those before it (`center`: around it), in row order. A window with fewer than
 * `min_periods` numbers (by default the window size) is null; when `min_periods` is given, that many rows are cut off at the
 * beginning, or with `drop_incomplete` those before the first window of any column that has so many.
 */
export function rolling(table: Table, options: Options): Table {
  const names = options.required('columns', options.renames('columns')) as Map<string, string>
  const type = options.required('rolling_type', options.text('rolling_type'))
  const window = options.integer('window')
  const given = options.integer('min_periods')
  const own = options.record('rolling_type_options') ?? new Map<string, unknown>()
  requireColumns(table, names.keys())
  if (window === undefined) throw new StepRefusal('A rolling step needs a window.')
  if (window === 0) throw new StepRefusal('The window of a rolling step must be greater than 0.')
  if (window < 0)
    throw invalidStep(message('errors.frame.rollingWindow', 'The window of a rolling step must be greater than 0.'))
  if (given !== undefined && (given > window || given < 0))
    throw invalidStep(message('errors.frame.minPeriods', '`min_periods` must be between 0 and the window.'))
  if (options.raw('win_type') != null)
    throw invalidStep(message('errors.frame.weightedWindow', 'Weighted windows (`win_type`) are not supported.'))
  if (type === 'corr' || type === 'cov')
    throw invalidStep(
      message(
        'errors.frame.rollingOfTwo',
        '`{type}` is not supported because it compares two columns and a rolling step reads one at a time.',
        { type },
      ),
    )
  const roll = Object.hasOwn(rolls, type) ? rolls[type] : undefined
  if (!roll) throw new StepRefusal(`Unknown rolling type \`${type}\`.`)
  checkOptions(type, roll, own)

  const minCount = given ?? (type === 'count' ? 0 : window)
  const ahead = options.flag('center') ? (window - 1) >> 1 : 0
  let firstComplete = table.rows
  const results = [...names.keys()].flatMap((name) =>
    columnsUnder(table, name).map(({ label, data }) => {
      const numbers = toNumbers(data, table.rows, 'rolling')
      const values = roll.read ? numbers.map(roll.read) : numbers
      const rolled = windows(values, window, ahead, roll.sorted === true, (inside, row) => {
        if (inside.length < minCount) return NaN
        firstComplete = Math.min(firstComplete, row)
        return roll.reduce(inside, own)
      })
      return { label, data: buildNumberColumn(data.name, rolled) }
    }),
  )
  const rolledTable = withResults(table, results, names)
  if (!given) return rolledTable
  const start = options.flag('drop_incomplete') ? firstComplete : Math.min(given, table.rows)
  return takeRows(
    rolledTable,
    Int32Array.from({ length: table.rows - start }, (_, row) => start + row),
  )
}

function checkOptions(type: string, { known = [] }: Roll, options: ReadonlyMap<string, unknown>): void {
  const share = options.get('quantile')
  const how = options.get('interpolation') ?? 'linear'
  const fits =
    [...options.keys()].every((name) => known.includes(name)) &&
    (type !== 'quantile' || (typeof share === 'number' && share >= 0 && share <= 1)) &&
    (interpolations as readonly unknown[]).includes(how) &&
    Number.isInteger(options.get('ddof') ?? 1)
  if (!fits) throw new StepRefusal(`These options are not valid for the rolling type \`${type}\`.`)
}

/**
 * One number per row, computed from the numbers in the window that ends `ahead` rows after it; `reduce` must not retain its
 * argument.
 */
function windows(
  values: Float64Array,
  size: number,
  ahead: number,
  sorted: boolean,
  reduce: (inside: Float64Array, row: number) => number,
): Float64Array {
  const rows = values.length
  const out = new Float64Array(rows)
  const windowValues = new Float64Array(Math.min(size, rows))
  let count = 0
  const insertionIndex = (value: number): number => {
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >> 1
      if (windowValues[middle]! < value) low = middle + 1
      else high = middle
    }
    return low
  }
  const leave = (value: number): void => {
    if (Number.isNaN(value)) return
    const at = sorted ? insertionIndex(value) : 0
    windowValues.copyWithin(at, at + 1, count--)
  }
  const enter = (value: number): void => {
    if (Number.isNaN(value)) return
    const at = sorted ? insertionIndex(value) : count
    windowValues.copyWithin(at + 1, at, count++)
    windowValues[at] = value
  }
  for (let row = 0; row < Math.min(ahead, rows); row++) enter(values[row]!)
  for (let row = 0; row < rows; row++) {
    const end = row + ahead
    if (end - size >= 0 && end - size < rows) leave(values[end - size]!)
    if (end < rows) enter(values[end]!)
    out[row] = reduce(windowValues.subarray(0, count), row)
  }
  return out
}
