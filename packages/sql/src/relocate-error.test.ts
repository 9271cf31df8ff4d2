import { AppError, type InspectedStatement } from '@parquetry/model'
import { expect, it } from 'vitest'
import { relocateError } from './index.ts'

const sql = '-- first\nSELECT 1;\n  SELECT nope'
const statements = [
  [9, 17],
  [21, 32],
].map((span) => ({ span })) as InspectedStatement[]
const relocate = (details: Record<string, unknown>) => {
  const error = new AppError('column_missing', { message: 'm', details })
  return (relocateError(sql, { statements, error: null }, error) as AppError).details
}

it('maps the position in a statement to that in the whole text', () => {
  expect(relocate({ line: 1, column: 8, offset: 7 })).toEqual({ line: 2, column: 8, offset: 16 })
  expect(relocate({ line: 1, column: 8, offset: 7, statement: 2, of: 2 })).toEqual({
    line: 3,
    column: 10,
    offset: 28,
    statement: 2,
    of: 2,
  })
})

it('leaves errors without a position and other errors unchanged', () => {
  expect(relocate({ statement: 2, of: 2 })).toEqual({ statement: 2, of: 2 })
  expect(relocate({ offset: 0, statement: 3 })).toEqual({ offset: 0, statement: 3 })
  const bug = new Error('bug')
  expect(relocateError(sql, { statements, error: null }, bug)).toBe(bug)
})
