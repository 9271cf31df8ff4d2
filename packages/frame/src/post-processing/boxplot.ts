import { buildColumn, buildNumberColumn } from '../columns.ts'
import type { Column } from '../frame.ts'
import { take } from '../take.ts'
import type { Budget } from './budget.ts'
import { groupRows, factorize, withNull } from './keys.ts'
import { toNumbers } from './numbers.ts'
import type { Options } from './options.ts'
import { invalidStep, StepRefusal } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { mean, quantile } from './statistics.ts'
import { getColumn, requireColumns, type Table } from './table.ts'

/** Lowest and highest value within the whiskers. */
type Whiskers = (sorted: Float64Array) => [low: number, high: number]

interface Box {
  sorted: Float64Array
  /** Number of rows of the group, including nulls. */
  rows: number
  low: number
  high: number
  outliers: number[]
}

const parts: Record<string, (box: Box) => number> = {
  mean: ({ sorted }) => mean(sorted),
  median: ({ sorted }) => quantile(sorted, 0.5),
  max: ({ high }) => high,
  min: ({ low }) => low,
  q1: ({ sorted }) => quantile(sorted, 0.25, 'midpoint'),
  q3: ({ sorted }) => quantile(sorted, 0.75, 'midpoint'),
  count: ({ rows }) => rows,
}

/**
 * `boxplot`: mean, median, ends of the whiskers (`max`, `min`), quartiles, row count and outliers (as a list, those above first)
 * per group and metric. Rows with a null key form their own group.
 */
export function boxplot(table: Table, options: Options, budget: Budget): Table {
  const groupby = options.required('groupby', options.texts('groupby'))
  const metrics = options.required('metrics', options.texts('metrics'))
  const whiskers = readWhiskers(options)
  requireColumns(table, groupby)
  const sources = metrics.map((name) => toNumbers(getColumn(table, name), table.rows, 'boxplot'))
  const keys = groupby.map((name) => getColumn(table, name))
  const { members } = groupRows(
    keys.map((column) => withNull(factorize(column, table.rows))),
    table.rows,
  )
  budget.admit('boxplot', {
    rows: members.length,
    columns: groupby.length + metrics.length * (Object.keys(parts).length + 1),
    work: members.length * metrics.length * 200,
  })
  const boxes = sources.map((values) => members.map((rows) => computeBox(rows, values, whiskers)))

  const column = (part: string, make: (index: number) => Column) =>
    metrics.map((metric, index) => ({ label: [`${metric}__${part}`], data: make(index) }))
  const firsts = members.map((rows) => rows[0]!)
  return {
    rows: members.length,
    levels: [null],
    index: null,
    columns: [
      ...groupby.map((name, index) => ({ label: [name], data: take(keys[index]!, firsts) })),
      ...Object.entries(parts).flatMap(([part, compute]) =>
        column(part, (index) => buildNumberColumn(part, Float64Array.from(boxes[index]!, compute), part === 'count')),
      ),
      ...column('outliers', (index) =>
        buildColumn(
          boxes[index]!.map(({ outliers }) => outliers),
          'outliers',
        ),
      ),
    ],
  }
}

function computeBox(rows: Int32Array, values: Float64Array, whiskers: Whiskers): Box {
  const own = Float64Array.from(rows, (row) => values[row]!).filter((value) => !Number.isNaN(value))
  const sorted = own.slice().sort()
  const [low, high] = sorted.length ? whiskers(sorted) : [NaN, NaN]
  return {
    sorted,
    rows: rows.length,
    low,
    high,
    outliers: [...own.filter((value) => value > high), ...own.filter((value) => value < low)],
  }
}

/** An unknown type extends the whiskers to the extremes, as in the reference. */
function readWhiskers(options: Options): Whiskers {
  const type = options.required('whisker_type', options.text('whisker_type'))
  if (type === 'tukey') return tukey
  if (type !== 'percentile') return (sorted) => [sorted[0]!, sorted.at(-1)!]
  const given = options.raw('percentiles')
  const [low, high] = Array.isArray(given) && given.length === 2 ? (given as unknown[]) : []
  if (typeof low !== 'number' || typeof high !== 'number' || low >= high)
    throw new StepRefusal('`percentiles` must be two numbers, the first lower than the second.')
  if (low < 0 || high > 100)
    throw invalidStep(message('errors.frame.percentiles', '`percentiles` must be between 0 and 100.'))
  return (sorted) => [quantile(sorted, low / 100), quantile(sorted, high / 100)]
}

/** Last values within 1.5 times the interquartile range from the quartiles. */
const tukey: Whiskers = (sorted) => {
  const [q1, q3] = [quantile(sorted, 0.25, 'midpoint'), quantile(sorted, 0.75, 'midpoint')]
  const reach = 1.5 * (q3 - q1)
  return [sorted.find((value) => value >= q1 - reach)!, sorted.findLast((value) => value <= q3 + reach)!]
}
