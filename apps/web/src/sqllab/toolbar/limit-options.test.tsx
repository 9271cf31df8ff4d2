import { expect, it } from 'vitest'
import { limitOptions, readLimit } from './limit-options.ts'

it('SQL-118: lists the choices up to the maximum of the server, with the limit of the tab', () => {
  expect(limitOptions(700, 1000).map(({ value }) => value)).toEqual([10, 50, 100, 250, 500, 700, 1000])
})

it.each([
  ['700', 700],
  [' 12,345 ', 12_345],
  ['100000', 100_000],
  ['100001', null],
  ['0', null],
  ['-5', null],
  ['1.5', null],
  ['ten', null],
  ['', null],
])('reads a typed limit within the maximum of the server: %s', (text, limit) => {
  expect(readLimit(text, 100_000)).toBe(limit)
})
