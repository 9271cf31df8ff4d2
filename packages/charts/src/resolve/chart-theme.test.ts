import { expect, it } from 'vitest'
import { resolveChartTheme } from './chart-theme.ts'
import { themes } from './theme.ts'

it('charts take their colors and font from the variables of a theme, and keep the rest', () => {
  const set = {
    '--surface': '#101820',
    '--text': '#fefefe',
    '--accent': '#ff8800',
    '--chart-grid': '#223344',
    '--font': 'serif',
  }
  const theme = resolveChartTheme('dark', set)
  expect(theme).toEqual({
    ...themes.dark,
    surface: '#101820',
    text: '#fefefe',
    accent: '#ff8800',
    grid: '#223344',
    font: 'serif',
    chosen: 'rgba(255,136,0,0.25)',
  })
  expect(resolveChartTheme('dark', set)).toBe(theme)
  expect(resolveChartTheme('light', { '--radius-1': '2px' })).toBe(themes.light)
})
