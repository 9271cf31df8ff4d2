import { expect, it } from 'vitest'
import { buildSpecContext } from '../spec-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'treemap')

const frames = toFrames({
  parts: [
    { name: 'area', values: ['north', 'south', 'north', 'south'] },
    { name: 'city', values: ['Kiel', 'Ulm', 'Bremen', null] },
    { name: 'n', values: [50, 30, 15, 5] },
  ],
})
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 300,
}
const families = await loadFamilies(['treemap'])
interface Tile {
  name: string
  value: number
  itemStyle: { color: string; opacity: number }
  label: { show: boolean; formatter: () => string }
  upperLabel: { show: boolean; formatter: () => string }
  children?: Tile[]
}
const drawn = (more: object = {}, looks: object = {}) => {
  const form = applyDefaults(chart.form, { viz_type: 'treemap_v2', groupby: ['area', 'city'], metric: 'n', ...more })
  return resolveSpec(chart.spec(frames, form, buildSpecContext(form)), frames, { ...around, ...looks }, families)
}
const tiles = (more?: object, looks?: object) => (drawn(more, looks).option.series as { data: Tile[] }[])[0]?.data ?? []

it('divides the parts of the first dimension by the next one, in the same color', () => {
  const [north, south] = tiles()
  expect([north?.name, north?.value, south?.name, south?.value]).toEqual(['north', 65, 'south', 35])
  expect(south?.children?.map(({ name, value }) => [name, value])).toEqual([
    ['Ulm', 30],
    ['∅', 5],
  ])
  expect(north?.children?.every(({ itemStyle }) => itemStyle.color === north.itemStyle.color)).toBe(true)
  expect(north?.itemStyle.color).not.toBe(south?.itemStyle.color)
})

it('labels the parts that are large enough as set in the form', () => {
  const [north] = tiles({ label_type: 'key_value' })
  expect(north?.upperLabel.show && north.upperLabel.formatter()).toBe('north  65')
  const kiel = north?.children?.[0]?.label
  expect(kiel?.show && kiel.formatter()).toBe('Kiel\n50')
  expect(tiles({ label_type: 'value', show_upper_labels: false })[0]?.upperLabel).toMatchObject({ show: false })
  expect(tiles({}, { width: 60, height: 40 })[0]?.children?.[1]?.label.show).toBe(false)
})

it('filters by a part and its parents, and fades the others', () => {
  const resolved = drawn()
  const place = resolved.fromTarget({ seriesIndex: 0, dataIndex: 6 })
  expect(place && resolved.mark(place, {})).toMatchObject({
    filters: [
      { col: 'area', op: '==', val: 'south' },
      { col: 'city', op: 'IS NULL' },
    ],
    row: { area: 'south', city: null, n: 5 },
  })
  expect(resolved.mark({ series: 0, at: 0 }, {})?.filters).toEqual([{ col: 'area', op: '==', val: 'north' }])
  expect(resolved.fromTarget({ seriesIndex: 0, dataIndex: 0 })).toBe(null)
  const faded = tiles({}, { selected: { area: 'north' } }).map(({ itemStyle }) => itemStyle.opacity)
  expect(faded).toEqual([1, 0.25])
})

it('arrow keys move between siblings, into and out of a part', () => {
  const resolved = drawn()
  const walked = (...moves: Parameters<typeof resolved.navigate>[1][]) => {
    let place = resolved.navigate(null, 'next')
    return moves.map((move) => {
      place = resolved.navigate(place, move) ?? place
      return place && resolved.markText(place)
    })
  }
  expect(walked('down', 'next', 'next', 'up', 'next', 'down')).toEqual([
    'north, Kiel: 50, 50%',
    'north, Bremen: 15, 15%',
    'north, Bremen: 15, 15%',
    'north: 65, 65%',
    'south: 35, 35%',
    'south, Ulm: 30, 30%',
  ])
  expect(walked('last', 'first')).toEqual(['south: 35, 35%', 'north: 65, 65%'])
})

it('describes the innermost parts', () => {
  expect(drawn().describe('Treemap')).toBe(
    'Treemap of n with 4 parts. Largest: north / Kiel, 50. Smallest: south / ∅, 5.',
  )
})

it('converts the legacy treemap with the first of its metrics', async () => {
  const opened = await loadStoredForm({ viz_type: 'treemap', metrics: ['a', 'b'], groupby: ['c'] })
  expect(opened?.chart.viz_type).toBe('treemap_v2')
  expect(opened?.form).toMatchObject({ metric: 'a', groupby: ['c'], metrics: ['a', 'b'] })
})
