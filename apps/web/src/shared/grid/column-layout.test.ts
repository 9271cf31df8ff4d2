import { expect, it } from 'vitest'
import { changeLayout, newLayout, placeLayout, type LayoutChange } from './column-layout.ts'

const after = (...changes: LayoutChange[]) => changes.reduce(changeLayout, newLayout(5))
const placed = (...changes: LayoutChange[]) => placeLayout(after(...changes), () => 100, 50)
const shown = (...changes: LayoutChange[]) => placed(...changes).all.map(({ index }) => index)

it('places pinned columns first, in their own order', () => {
  const { all, pinned, pinnedWidth, width } = placed(
    { type: 'pin', column: 3, on: true },
    { type: 'pin', column: 1, on: true },
  )
  expect(all.map(({ index, start }) => [index, start])).toEqual([
    [1, 50],
    [3, 150],
    [0, 250],
    [2, 350],
    [4, 450],
  ])
  expect([pinned, pinnedWidth, width]).toEqual([2, 250, 550])
})

it('moves a column before or after another, and pins it when dropped among pinned ones', () => {
  expect(shown({ type: 'move', column: 4, to: 0, after: false })).toEqual([4, 0, 1, 2, 3])
  expect(shown({ type: 'move', column: 0, to: 3, after: true })).toEqual([1, 2, 3, 0, 4])
  const beside: LayoutChange[] = [
    { type: 'pin', column: 0, on: true },
    { type: 'move', column: 2, to: 0, after: true },
  ]
  expect(shown(...beside)).toEqual([0, 2, 1, 3, 4])
  expect(placed(...beside).pinned).toBe(2)
  expect(placed(...beside, { type: 'move', column: 2, to: 4, after: true }).pinned).toBe(1)
})

it('hides columns except the last one, and shows all again', () => {
  const all = [0, 1, 2, 3, 4].map((column): LayoutChange => ({ type: 'hide', column }))
  expect(shown(...all)).toEqual([4])
  expect(shown(...all, { type: 'showAll' })).toHaveLength(5)
})

it('keeps widths within bounds', () => {
  expect(after({ type: 'resize', column: 0, width: 3 }).widths.get(0)).toBe(48)
})
