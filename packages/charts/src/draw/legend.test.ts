import { expect, it } from 'vitest'
import { themes } from '../resolve/theme.ts'
import { plainSay } from '../resolve/words.ts'
import type { Surroundings } from '../resolve/surroundings.ts'
import { stillLegend } from './legend.ts'

const around = (width: number, height: number): Surroundings => ({
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  say: plainSay,
  width,
  height,
})
const named = (count: number, legendPosition: 'top' | 'bottom' | 'left' | 'right' = 'top') => ({
  legend: Array.from({ length: count }, (_, at) => ({ name: `Region ${at}`, color: '#123456', isHidden: false })),
  legendPosition,
})
const textsIn = (svg = '') => [...svg.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text)

it('regression: a legend that had to be paged through showed its first entries alone', () => {
  const legend = stillLegend(named(12), around(400, 400))
  expect(textsIn(legend?.svg)).toEqual(named(12).legend.map(({ name }) => name))
  expect(legend?.room).toBeGreaterThan(28)
  expect(stillLegend(named(0), around(400, 400))).toBeNull()
})

it('counts what it has no room for, at each side', () => {
  for (const side of ['top', 'bottom', 'left', 'right'] as const) {
    const legend = stillLegend(named(200, side), around(400, 200))!
    const texts = textsIn(legend.svg)
    const shown = texts.length - 1
    expect(shown).toBeGreaterThan(3)
    expect(texts.at(-1)).toBe(`+${200 - shown} more`)
    expect(legend.room).toBeLessThanOrEqual(side === 'top' || side === 'bottom' ? 200 * 0.3 + 8 : 400 * 0.35)
    const lefts = [...legend.svg.matchAll(/ x="([\d.]+)"/g)].map(([, x]) => Number(x))
    expect(Math.max(...lefts)).toBeLessThan(400)
  }
})
