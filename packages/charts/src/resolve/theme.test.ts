import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { resolveCellTint } from '../table/cells.ts'
import { toThemeColor } from './paint.ts'
import { themes, type ChartTheme } from './theme.ts'

const css = readFileSync(new URL('../../../ui/src/theme/tokens.css', import.meta.url), 'utf8')
/** Tokens of a theme; the CSS contains the light ones before the dark ones. */
const tokens = (name: ChartTheme['name']) => {
  const found = [...css.matchAll(/^ +--([\w-]+): (#[\da-f]{6});/gm)].map(([, token = '', value = '']) => [token, value])
  return Object.fromEntries(name === 'light' ? found.toReversed() : found) as Record<string, string>
}

it.each(['light', 'dark'] as const)('uses the design tokens in the %s theme', (name) => {
  const { surface, raised, sunken, border, text, accent, axis, grid, tick, ...theme } = themes[name]
  const own = tokens(name)
  expect({ surface, raised, sunken, border, text, text2: theme.text2, text3: theme.text3, accent }).toEqual({
    surface: own.surface,
    raised: own.raised,
    sunken: own.sunken,
    border: own.border,
    text: own.text,
    text2: own['text-2'],
    text3: own['text-3'],
    accent: own.accent,
  })
  expect({ axis, grid, tick }).toEqual({ axis: own['chart-axis'], grid: own['chart-grid'], tick: own['chart-tick'] })
})

it('regression: colors and tints depend on the values of the theme, not on its name', () => {
  const third: ChartTheme = {
    ...themes.light,
    series: ['#000001'],
    tints: { green: '#000002', yellow: '#000003', red: '#000004' },
    tintOpacity: 1,
  }
  expect(toThemeColor('#3F6BDC', third)).toBe('#000001')
  expect(toThemeColor('#c27f1c', third)).toBe('#c27f1c')
  expect(toThemeColor('#123456', themes.dark)).toBe('#123456')
  const cell = (color: string) =>
    resolveCellTint(
      { rules: [{ column: 'n', operator: 'None', target: null, left: null, right: null, color }] } as never,
      1,
      third,
    )
  expect(cell('red')).toBe('#000004')
  expect(cell('#0a0b0c')).toBe('rgba(10,11,12,1)')
})
