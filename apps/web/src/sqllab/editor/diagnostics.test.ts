import { expect, it } from 'vitest'
import { queryFixture as query } from '../fixtures.testing.ts'
import { errorDiagnostic, errorRange, lineAndColumn, locateRun } from './diagnostics.ts'

it('finds the word that an error refers to', () => {
  expect(errorRange('select no_such from t', 7)).toEqual([7, 14])
  expect(errorRange('select "no such" from t', 7)).toEqual([7, 16])
  expect(errorRange('select 1', null)).toEqual([0, 8])
})

it('SQL-059: an error follows its statement, and disappears once the statement changes', () => {
  const error = { message: 'no column dely', link: null, errors: [], offset: 7 }
  const failed = query({ sql: 'select dely from t', from: 10, state: 'failed', error })
  const text = 'select 1;\nselect dely from t'
  expect(errorDiagnostic(text, failed)).toMatchObject({ from: 17, to: 21, message: 'no column dely' })
  expect(lineAndColumn(text, 17)).toEqual({ line: 2, column: 8 })
  expect(errorDiagnostic(`-- why\n${text}`, failed)).toMatchObject({ from: 24, to: 28 })
  expect(locateRun('select delay from t', failed)).toBeNull()
  expect(errorDiagnostic('select delay from t', failed)).toBeNull()
})
