import { expect, it } from 'vitest'
import { listPagerItems } from './pager-items.ts'
import { selectRange } from './select-range.ts'

it('shows all pages of a short list', () => {
  expect(listPagerItems(1, 3)).toEqual([0, 1, 2])
})

it('shows the first, the last and those around the current page, with null for gaps', () => {
  const shown = listPagerItems(20, 49)
  expect([shown[0], shown.at(-1)]).toEqual([0, 48])
  expect(shown).toEqual(expect.arrayContaining([19, 20, 21]))
  expect(shown.filter((page) => page === null)).toHaveLength(2)
})

it('ranges work in both directions; without a start on the page only the row is selected', () => {
  const ids = [5, 3, 9, 7]
  expect(selectRange(ids, 3, 7)).toEqual([3, 9, 7])
  expect(selectRange(ids, 7, 3)).toEqual([3, 9, 7])
  expect(selectRange(ids, null, 9)).toEqual([9])
  expect(selectRange(ids, 4, 9)).toEqual([9])
})
