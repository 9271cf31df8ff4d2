import { isFloat, isNull, isText, numberAt } from '../cells.ts'
import { buildNumberColumn } from '../columns.ts'
import type { Column } from '../frame.ts'
import { invalidStep } from './refusal.ts'
import { message } from '@parquetry/model/message'

/** Returns whether sums and means of a column are possible; booleans count as 0 and 1. */
export const isNumeric = (column: Column): boolean =>
  column.kind !== 'time' && !(isText(column) && !(column.kind === 'string' && column.numeric))

/** Returns whether whole results over the column are stored as integers. */
export const isInteger = (column: Column): boolean =>
  column.kind === 'bigint' || column.kind === 'boolean' || (column.kind === 'number' && !isFloat(column))

/**
 * Values as doubles, NaN for null; infinities stay.
 * @throws AppError `invalid_post_processing` naming the step when the column is not numeric
 */
export function toNumbers(column: Column, rows: number, step: string): Float64Array {
  const numeric = isNumeric(column)
  const values = new Float64Array(rows)
  for (let row = 0; row < rows; row++) {
    if (isNull(column, row)) values[row] = NaN
    else if (!numeric)
      throw invalidStep(
        message('errors.frame.notNumeric', '`{step}` needs numbers, but column `{column}` is not numeric.', {
          step,
          column: column.name,
        }),
      )
    else if (column.kind === 'number') values[row] = column.data[row]!
    else values[row] = column.kind === 'boolean' ? column.data[row]! : (numberAt(column, row) ?? NaN)
  }
  return values
}

/** Column like `from` with other numbers (NaN is null); integers if they were integers and still are. */
export const toResultColumn = (from: Column, values: Float64Array): Column =>
  buildNumberColumn(from.name, values, isInteger(from))
