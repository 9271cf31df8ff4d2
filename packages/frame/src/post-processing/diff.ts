import { buildNumberColumn } from '../columns.ts'
import { toNumbers, toResultColumn } from './numbers.ts'
import type { Options } from './options.ts'
import { invalidStep } from './refusal.ts'
import { message } from '@parquetry/model/message'
import { requireColumns, columnsUnder, withResults, type Table } from './table.ts'

/**
 * `diff`: subtracts from each value the one `periods` rows before it (`axis` 0), or `periods` columns before it in the order of
 * `columns` (`axis` 1). The result is null where there is none.
 */
export function diff(table: Table, options: Options): Table {
  const names = options.required('columns', options.renames('columns')) as Map<string, string>
  const periods = options.integer('periods') ?? 1
  const axis = options.integer('axis') ?? 0
  requireColumns(table, names.keys())
  if (axis !== 0 && axis !== 1)
    throw invalidStep(message('errors.frame.diffAxis', '`axis` of `diff` must be 0 (rows) or 1 (columns).'))
  const sources = [...names.keys()].flatMap((name) => columnsUnder(table, name))
  const numbers = sources.map(({ data }) => toNumbers(data, table.rows, 'diff'))
  const before = (index: number, row: number): number =>
    axis === 0 ? (numbers[index]![row - periods] ?? NaN) : (numbers[index - periods]?.[row] ?? NaN)
  const results = sources.map(({ label, data }, index) => {
    const values = numbers[index]!.map((value, row) => value - before(index, row))
    return { label, data: axis === 0 ? toResultColumn(data, values) : buildNumberColumn(data.name, values) }
  })
  return withResults(table, results, names)
}
