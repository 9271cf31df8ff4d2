import { expect, it } from 'vitest'
import { columnsBetween, placeColumns } from './placed-columns.ts'

it('draws the columns that intersect the viewport, excluding pinned ones', () => {
  const columns = placeColumns(
    [0, 1, 2, 3, 4].map((index) => ({ index, width: 100 })),
    1,
    50,
  )
  expect([columns.pinnedWidth, columns.width]).toEqual([150, 550])
  expect(columnsBetween(columns, 150, 251)).toEqual([1, 3])
  expect(columnsBetween(columns, 0, 9999)).toEqual([1, 5])
  expect(columnsBetween(columns, 9000, 9999)).toEqual([5, 5])
})
