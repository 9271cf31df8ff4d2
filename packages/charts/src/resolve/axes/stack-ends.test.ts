import { expect, it } from 'vitest'
import type { Plot } from './plot.ts'
import { stackEnds } from './stack-ends.ts'

const stacked = (...series: (number | null)[][]): Plot[] =>
  series.map((y, index) => ({
    name: String(index),
    color: '',
    key: {},
    x: y.map((_, i) => i),
    y,
    xColumn: 'x',
    stack: 'all',
  }))
/** Label of the stack at each position, and the series that carries it. */
const labels = (plots: Plot[]) => {
  const ends = stackEnds(plots)
  return plots[0]!.y.map((_, i) =>
    ends.flatMap((places, index) => (places[i]?.label == null ? [] : [[index, places[i].label]])),
  )
}

it('C051: a stack has one label with its sum, also with negative values', () => {
  expect(labels(stacked([5, 2], [-3, null], [null, 4]))).toEqual([[[0, 2]], [[2, 6]]])
  // Without the third series, which the legend hides.
  expect(labels(stacked([5, 2], [-3, null]))).toEqual([[[0, 2]], [[0, 2]]])
  expect(labels(stacked([-5, -1], [-3, -2]))).toEqual([[[1, -8]], [[1, -3]]])
  expect(labels(stacked([0, null, 3], [0, null, -3]))).toEqual([[[1, 0]], [], [[0, 0]]])
})

it('rounds the last mark on each side of zero', () => {
  const ends = stackEnds(stacked([5], [-3], [1], [0], [null])).map(([place]) => place?.isEnd)
  expect(ends).toEqual([false, true, true, false, false])
})

it('C051: negative values of a stack go down from zero', () => {
  const tops = stackEnds(stacked([5], [-3], [1], [null], [-2])).map(([place]) => place?.top)
  expect(tops).toEqual([5, -3, 6, 0, -5])
})

it('labels each mark of series without a stack', () => {
  const [first] = stackEnds(stacked([5, null, -3]).map((plot) => ({ ...plot, stack: undefined }) as unknown as Plot))
  expect(first?.map(({ label }) => label)).toEqual([5, null, -3])
})
