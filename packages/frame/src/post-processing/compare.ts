import { buildNumberColumn } from '../columns.ts'
import { isInteger, toNumbers } from './numbers.ts'
import type { Options } from './options.ts'
import { invalidStep, StepRefusal } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { round } from './statistics.ts'
import { requireColumns, isSameLabel, columnsUnder, type Table, type TableColumn } from './table.ts'

const kinds: Record<string, (source: number, other: number) => number> = {
  difference: (source, other) => source - other,
  percentage: (source, other) => (source - other) / other,
  ratio: (source, other) => source / other,
}

/**
 * `compare`: adds a column `<type>__<source>__<compare>` for each pair, after a pivot one per series. Ratios and percentages are
 * rounded to `precision` digits; division by zero is an infinity (null in responses), 0 / 0 is null.
 */
export function compare(table: Table, options: Options): Table {
  const sources = options.required('source_columns', options.texts('source_columns'))
  const others = options.required('compare_columns', options.texts('compare_columns'))
  const type = options.required('compare_type', options.text('compare_type'))
  const precision = options.raw('precision') === null ? NaN : (options.integer('precision') ?? 4)
  requireColumns(table, [...sources, ...others])
  if (sources.length !== others.length)
    throw new StepRefusal('`source_columns` and `compare_columns` must have the same length.')
  if (!Object.hasOwn(kinds, type)) throw new StepRefusal(`Unknown comparison type \`${type}\`.`)
  if (sources.length > 0 && !(Math.abs(precision) <= 100))
    throw invalidStep(
      message('errors.frame.precision', '`precision` of `compare` must be a whole number from -100 to 100.'),
    )
  const compared = sources.flatMap((source, index) => {
    const other = others[index]!
    const name = [type, source, other].join('__')
    const [left, right] = [columnsUnder(table, source), columnsUnder(table, other)]
    return pairSeries(left, right).map((series): TableColumn => {
      const values = kinds[type]!
      const [one, two] = [left, right].map(
        (columns) => columns.find(({ label }) => isSameLabel(label.slice(1), series))?.data,
      )
      const [first, second] = [one, two].map((column) =>
        column ? toNumbers(column, table.rows, 'compare') : new Float64Array(table.rows).fill(NaN),
      ) as [Float64Array, Float64Array]
      const hasIntegerResult =
        type === 'difference' && one !== undefined && two !== undefined && isInteger(one) && isInteger(two)
      const result = first.map((value, row) => values(value, second[row]!))
      const rounded = type === 'difference' ? result : result.map((value) => round(value, precision))
      return { label: [name, ...series], data: buildNumberColumn(name, rounded, hasIntegerResult) }
    })
  })
  const droppedNames = options.flag('drop_original_columns') ? new Set([...sources, ...others]) : new Set<string>()
  const remaining = table.columns.filter(
    ({ label }) => sources.length === 0 || label[0] == null || !droppedNames.has(label[0]),
  )
  return { ...table, columns: [...remaining, ...compared] }
}

/** Series of both sides, those of the left side first. */
function pairSeries(left: readonly TableColumn[], right: readonly TableColumn[]): (string | null)[][] {
  const all = [...left, ...right].map(({ label }) => label.slice(1))
  return all.filter((series, index) => all.findIndex((other) => isSameLabel(series, other)) === index)
}
