import { expect, it } from 'vitest'
import { themes } from '../../resolve/theme.ts'
import { analogousColor } from './analogous.ts'
import { contrast } from './color.ts'
import { schemes } from './schemes.ts'

it('PERM-038: analogous colors of all schemes can be seen in both themes, and none is repeated', () => {
  for (const { id, colors } of schemes) {
    const own = [...new Set(colors)]
    const more = [1, 2, 3, 4].flatMap((round) => own.map((color) => analogousColor(color, round)))
    expect(new Set([...own, ...more]).size, id).toBe(own.length * 5)
    for (const color of more)
      for (const theme of Object.values(themes))
        expect(contrast(color, theme.surface), `${id} ${color} ${theme.name}`).toBeGreaterThanOrEqual(3)
  }
})

it('turns the hue to one side and the other, and gives grays a hue', () => {
  expect([0, 1, 2, 3].map((round) => analogousColor('#e05050', round))).toEqual([
    '#e05050',
    '#dc5c3c',
    '#e0536f',
    '#ce6824',
  ])
  expect([1, 2].map((round) => analogousColor('#666666', round))).toEqual(['#a17063', '#a66b76'])
})
