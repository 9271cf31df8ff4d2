import { cellAt, frameOf } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { sortedRows } from './sort.ts'

const frame = frameOf({
  n: [3, null, 1, 2],
  t: ['b', 'ä', null, 'a'],
  big: [9007199254740993n, 9007199254740992n, null, -1n],
})
const order = (column: number, descending: boolean) =>
  [...(sortedRows(frame, { column, descending }) ?? [])].map((row) => cellAt(frame.columns[column]!, row))

it('sorts numbers, texts and integers beyond 2^53, with nulls last either way', () => {
  expect(order(0, false)).toEqual([1, 2, 3, null])
  expect(order(0, true)).toEqual([3, 2, 1, null])
  expect(order(1, false)).toEqual(['a', 'ä', 'b', null])
  expect(order(2, true).slice(0, 2).map(String)).toEqual(['9007199254740993', '9007199254740992'])
})

it('without a column the rows stay as they came', () => {
  expect(sortedRows(frame, null)).toBeUndefined()
})
