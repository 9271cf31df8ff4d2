import { expect, it } from 'vitest'
import { breakPages } from './break-pages.ts'
import type { Band } from './bands.ts'

const band = (height: number, more: Partial<Band> = {}): Band => ({
  height,
  items: [],
  isHeading: false,
  isText: false,
  ...more,
})
const chart = (height: number) => band(height)
const text = band(60, { isText: true })
const heading = band(30, { isHeading: true, isText: true })
const heights = (...bands: Band[]) => breakPages(bands, 100, 800).map((page) => page.map(({ height }) => height))

it('starts a new page where a band does not fit, and splits none', () => {
  expect(heights(chart(300), chart(300), chart(300))).toEqual([[300, 300], [300]])
  expect(heights(chart(2000), chart(100))).toEqual([[2000], [100]])
})

it('keeps a heading together with the text below it and the chart after both', () => {
  expect(heights(chart(500), heading, text, chart(300))).toEqual([[500], [30, 60, 300]])
  expect(heights(chart(200), heading, text, chart(300))).toEqual([[200, 30, 60, 300]])
})

it('does not move a text that does not follow a heading', () => {
  expect(heights(chart(500), text, heading, chart(300))).toEqual([
    [500, 60],
    [30, 300],
  ])
  expect(heights(chart(500), heading, text)).toEqual([[500, 30, 60]])
})
