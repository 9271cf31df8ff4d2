import { expect, it } from 'vitest'
import { exactFields, readFilterText } from './filter-text.ts'

it("reads the API's signs for null and empty text, and drops tabs and line breaks at the ends", () => {
  expect(['<NULL>', '<empty string>', '\ta\n', ' a ', '', 'a\tb'].map(readFilterText)).toEqual([
    null,
    '',
    'a',
    ' a ',
    '',
    'a\tb',
  ])
})

it('marks filters on values that would be read as others as exact', () => {
  expect(exactFields(['a', '<NULL>'])).toEqual({ isExact: true })
  expect(exactFields('line\n')).toEqual({ isExact: true })
  expect(exactFields(['a', null, 1, '', ' '])).toEqual({})
})
