import { expect, it } from 'vitest'
import { joinNames } from './join-names.ts'

it('regression: groups whose joined values are the same text have different names', () => {
  expect(
    joinNames([
      ['a, b', 'c'],
      ['a', 'b, c'],
      ['d, e', 'f'],
    ]),
  ).toEqual(['"a, b", c', 'a, "b, c"', 'd, e, f'])
})

it('the same group has the same name in several series', () => {
  expect(
    joinNames([
      ['New York, NY', 'x'],
      ['New York, NY', 'x'],
    ]),
  ).toEqual(['New York, NY, x', 'New York, NY, x'])
})
