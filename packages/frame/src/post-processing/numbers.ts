import { isFloat, isNull, isText, numberAt } from '../cells.ts'
import { buildNumberColumn } from '../columns.ts'
import type { Column } from '../frame.ts'
import { invalidStep } from './refusal.ts'
import { message } from '@parquetry/model/message'

/** Whether a column holds numbers for sums and means; booleans count as 0 and 1. */
export const isNumeric = (column: Column): boolean =>
  column.kind !== 'time' && !(isText(column) && !(column.kind === 'string' && column.numeric))

/** Whether a result of whole numbers stays one of integers. */
export const isInteger = (column: Column): boolean =>
  column.kind === 'bigint' || column.kind === 'boolean' || (column.kind === 'number' && !isFloat(column))

/**
 * The values as doubles, NaN for null; infinities stay.
 * @throws AppError `invalid_post_processing` naming the step when the column holds something else
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

/** A column like `from`, with other numbers (NaN is null): integers when they were integers and still are. */
export const toResultColumn = (from: Column, values: Float64Array): Column =>
  buildNumberColumn(from.name, values, isInteger(from))
