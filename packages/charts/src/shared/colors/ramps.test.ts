import { expect, it } from 'vitest'
import { parseColor } from './color.ts'
import { rampColor, ramps } from './ramps.ts'

const reference = [
  'blue_white_yellow fire white_black black_white dark_blue pink_grey greens purples oranges red_yellow_blue',
  'brown_white_green purple_white_green superset_seq_1 superset_seq_2 superset_div_1 superset_div_2 preset_seq_1',
  'preset_seq_2 preset_div_1 preset_div_2 echarts_gradient',
  ...[
    'Blues Greens Grays Oranges Purples Reds Viridis Inferno Magma Warm Cool CubehelixDefault BuGn BuPu GnBu OrRd',
  ].map(d3),
  ...['PuBuGn PuBu PuRd RdPu YlGnBu YlGn YlOrBr YlOrRd BrBG PRGn PiYG PuOr RdBu RdGy RdYlBu RdYlGn Spectral'].map(d3),
].flatMap((names) => names.split(' '))

function d3(names: string): string {
  return names.replaceAll(/\w+/g, 'scheme$&')
}

it('regression: sequential and diverging schemes of documents are known by name', () => {
  for (const name of reference) {
    expect(Object.hasOwn(ramps, name), name).toBe(true)
    for (const theme of ['light', 'dark'] as const) {
      const colors = ramps[name]![theme]
      expect(
        colors.every((color) => parseColor(color) !== null),
        name,
      ).toBe(true)
      expect([rampColor(name, 0, theme), rampColor(name, 1, theme)]).toEqual([colors[0], colors.at(-1)])
    }
  }
  expect(rampColor('superset_seq_1', 5 / 9, 'light')).toBe('#1fa8c9')
  expect(rampColor('white_black', 0.5, 'dark')).toBe('#808080')
  expect(ramps['schemeRdBu']?.isDiverging).toBe(true)
})

it('each scheme has its own label', () => {
  const labels = Object.values(ramps).map(({ label }) => label)
  expect(new Set(labels).size).toBe(labels.length)
})
