import { cellAt } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { toFrames } from '../testing/frames.ts'
import { joinFrames } from './join-frames.ts'

const joinToRows = (...given: Parameters<typeof joinFrames>) => {
  const { rows, columns } = joinFrames(...given)
  return [
    columns.map(({ name }) => name),
    ...Array.from({ length: rows }, (_, row) => columns.map((column) => cellAt(column, row))),
  ]
}

it('joins responses by time in order, with nulls where a response has no row', () => {
  const frames = toFrames({
    series: [
      { name: 'at', kind: 'time', values: [2, 4] },
      { name: 'n', values: [20, 40] },
    ],
    series_b: [
      { name: 'at', kind: 'time', values: [1, 4] },
      { name: 'n', values: [0.1, 0.4] },
      { name: 'm', values: ['a', 'b'] },
    ],
  })
  expect(joinToRows(frames)).toEqual([
    ['at', 'n', 'n (B)', 'm'],
    [1, null, 0.1, 'a'],
    [2, 20, null, null],
    [4, 40, 0.4, 'b'],
  ])
})

it('names stay in their original order', () => {
  const frames = toFrames({
    series: [
      { name: 'x', values: ['b', null] },
      { name: 'n', values: [1, 2] },
    ],
    series_b: [
      { name: 'x', values: ['a', null] },
      { name: 'm', values: [3, 4] },
    ],
  })
  expect(joinToRows(frames).slice(1)).toEqual([
    ['b', 1, null],
    [null, 2, 4],
    ['a', null, 3],
  ])
})

it('a single response, or one next to a response over another axis, is unchanged', () => {
  const { a, b } = toFrames({ a: [{ name: 'x', values: [1] }], b: [{ name: 'rowcount', values: [7] }] })
  expect(joinFrames({ a: a! })).toBe(a)
  expect(joinFrames({ a: a!, b: b! })).toBe(a)
})
