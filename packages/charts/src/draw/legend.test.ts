import { expect, it } from 'vitest'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import type { RenderContext } from '../resolve/render-context.ts'
import { drawLegend } from './legend.ts'

const around = (width: number, height: number): RenderContext => ({
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width,
  height,
})
const named = (count: number, legendPosition: 'top' | 'bottom' | 'left' | 'right' = 'top') => ({
  legend: Array.from({ length: count }, (_, index) => ({ name: `Region ${index}`, color: '#123456', isHidden: false })),
  legendPosition,
})
const textsIn = (svg = '') => [...svg.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text)

it('regression: shows all entries when they fit on several lines', () => {
  const legend = drawLegend(named(12), around(400, 400))
  expect(textsIn(legend?.svg)).toEqual(named(12).legend.map(({ name }) => name))
  expect(legend?.room).toBeGreaterThan(28)
  expect(drawLegend(named(0), around(400, 400))).toBeNull()
})

it('counts the entries that do not fit, on each side', () => {
  for (const side of ['top', 'bottom', 'left', 'right'] as const) {
    const legend = drawLegend(named(200, side), around(400, 200))!
    const texts = textsIn(legend.svg)
    const shown = texts.length - 1
    expect(shown).toBeGreaterThan(3)
    expect(texts.at(-1)).toBe(`+${200 - shown} more`)
    expect(legend.room).toBeLessThanOrEqual(side === 'top' || side === 'bottom' ? 200 * 0.3 + 8 : 400 * 0.35)
    const lefts = [...legend.svg.matchAll(/ x="([\d.]+)"/g)].map(([, x]) => Number(x))
    expect(Math.max(...lefts)).toBeLessThan(400)
  }
})
