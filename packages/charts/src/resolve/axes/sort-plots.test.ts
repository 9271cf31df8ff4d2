import { expect, it } from 'vitest'
import { sortPlots, type AxisOrder } from './sort-plots.ts'
import type { Plot } from './plot.ts'

const plot = (name: string, x: string[], y: (number | null)[]): Plot => ({
  name,
  x,
  y,
  color: '#000',
  key: {},
  xColumn: 'x',
})
const plots = [plot('a', ['m', 'n', 'k', 'l'], [1, 5, null, -4]), plot('b', ['m', 'n', 'k', 'l'], [8, 2, null, null])]
const ordered = (by: AxisOrder['by'], ascending: boolean) => sortPlots(plots, { by, ascending })

it('sorts names by their values in all series; names without numbers come last', () => {
  const names = (...given: Parameters<typeof ordered>) => ordered(...given)[0]?.x.join('')
  expect(names('sum', false)).toBe('mnlk')
  expect(names('sum', true)).toBe('lnmk')
  expect(names('max', true)).toBe('lnmk')
  expect(names('min', false)).toBe('nmlk')
  expect(names('avg', false)).toBe('mnlk')
  expect(names('name', true)).toBe('klmn')
  expect(names('name', false)).toBe('nmlk')
})

it('moves numbers along with their names', () => {
  expect(ordered('sum', false).map(({ y }) => y)).toEqual([
    [1, 5, -4, null],
    [8, 2, null, null],
  ])
})
