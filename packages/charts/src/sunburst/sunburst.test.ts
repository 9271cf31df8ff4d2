import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { rampColor } from '../shared/colors/ramps.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'sunburst')

const frames = toFrames({
  parts: [
    { name: 'area', values: ['north', 'south', 'north', 'south'] },
    { name: 'city', values: ['Kiel', 'Ulm', 'Bremen', null] },
    { name: 'n', values: [30, 25, 20, 25] },
    { name: 'm', values: [30, 50, 40, 0] },
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
const families = await loadFamilies(['sunburst'])
interface Drawn {
  name: string
  value: number
  itemStyle: { color: string; opacity: number }
  label: { show: boolean; rotate: string; formatter: () => string }
  children?: Drawn[]
}
const baseForm = { viz_type: 'sunburst_v2', columns: ['area', 'city'], metric: 'n' }
const drawn = (more: object = {}, looks: object = {}, answer = frames) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, { ...around, ...looks }, families)
}
const rings = (...given: Parameters<typeof drawn>) => (drawn(...given).option.series as { data: Drawn[] }[])[0]!.data

it('has one ring per level, the largest part first, each ring paler than the one inside it', () => {
  const [first, second] = rings()
  expect([first?.name, first?.value, second?.name, second?.value]).toEqual(['north', 50, 'south', 50])
  expect(first?.children?.map(({ name }) => name)).toEqual(['Kiel', 'Bremen'])
  expect(second?.children?.map(({ name }) => name)).toEqual(['Ulm', '∅'])
  const [kiel, bremen] = first?.children ?? []
  expect(kiel?.itemStyle.color).toBe(bremen?.itemStyle.color)
  expect(new Set([first, second, kiel].map((each) => each?.itemStyle.color)).size).toBe(3)
  const asGiven = toFrames({
    parts: [
      { name: 'area', values: ['a', 'b'] },
      { name: 'n', values: [1, 2] },
    ],
  })
  expect(rings({ columns: ['area'] }, {}, asGiven).map(({ name }) => name)).toEqual(['b', 'a'])
})

it('queries both metrics once, sorted by the first if the form says so', () => {
  const question = (more: object) => namedQueries(chart, { ...baseForm, ...more }).parts
  expect(question({ secondary_metric: 'm', sort_by_metric: true })).toMatchObject({
    columns: ['area', 'city'],
    metrics: ['n', 'm'],
    orderby: [['n', false]],
    row_limit: 10_000,
  })
  expect(question({ secondary_metric: 'n' })?.metrics).toEqual(['n'])
  for (const unsorted of [{}, { sort_by_metric: false }]) expect(question(unsorted)?.orderby).toEqual([])
})

it('a secondary metric colors by the ratio and has its own line in the tooltip', () => {
  const more = { secondary_metric: 'm' }
  const [, south] = rings(more)
  expect(south?.children?.map(({ itemStyle }) => itemStyle.color)).toEqual([
    rampColor('lapis', 1, 'light'),
    rampColor('lapis', 0, 'light'),
  ])
  const dark = rings({ ...more, linear_color_scheme: 'dawn' }, { theme: themes.dark })
  expect(dark[1]?.children?.[0]?.itemStyle.color).toBe(rampColor('dawn', 1, 'dark'))
  const formatter = (drawn(more).option.tooltip as { formatter: (params: object) => string }).formatter
  expect(formatter({ seriesIndex: 0, dataIndex: 2 })).toMatch(/north.*Kiel.*30.*30%.*>m<.*30/)
})

it('labels parts above the threshold as set in the form, along the ring where they only fit that way', () => {
  const labels = (more: object) => rings(more).map(({ label }) => [label.show, label.formatter()])
  expect(labels({ label_type: 'key_value' })).toEqual([
    [true, 'north: 50'],
    [true, 'south: 50'],
  ])
  expect(labels({ label_type: 'value' })[0]?.[1]).toBe('50')
  expect(labels({ show_labels_threshold: 60 })[0]?.[0]).toBe(false)
  expect(labels({ show_labels: false })[0]?.[0]).toBe(false)
  expect(rings({ label_type: 'key_value' }, { width: 150 })[0]?.label.rotate).toBe('tangential')
})

it('shows the total in the center if enabled', () => {
  expect(drawn({ show_total: true }).option.title).toMatchObject({ text: 'Total', subtext: '100' })
  expect(drawn().option).not.toHaveProperty('title')
})

it('filters by a part and its parents, is navigated ring by ring, and has a description', () => {
  const resolved = drawn()
  const place = resolved.fromTarget({ seriesIndex: 0, dataIndex: 6 })
  expect(place && resolved.mark(place, baseForm)).toMatchObject({
    filters: [
      { col: 'area', op: '==', val: 'south' },
      { col: 'city', op: 'IS NULL' },
    ],
  })
  expect(rings({}, { selected: { area: 'north' } }).map(({ itemStyle }) => itemStyle.opacity)).toEqual([1, 0.25])
  const first = resolved.navigate(null, 'next')
  const inner = first && resolved.navigate(first, 'down')
  expect([first, inner].map((each) => each && resolved.markText(each))).toEqual([
    'north: 50, 50%',
    'north, Kiel: 30, 30%',
  ])
  expect(resolved.describe('Sunburst Chart')).toBe(
    'Sunburst Chart of n with 4 parts. Largest: north / Kiel, 30. Smallest: north / Bremen, 20.',
  )
})

it('a negative part does not reduce the space of the others', () => {
  const answer = toFrames({
    parts: [
      { name: 'area', values: ['north', 'north', 'south'] },
      { name: 'city', values: ['Kiel', 'Bremen', 'Ulm'] },
      { name: 'n', values: [30, -20, 30] },
    ],
  })
  expect(rings({}, {}, answer).map(({ value }) => value)).toEqual([30, 30])
})

it('converts the legacy sunburst with its levels in groupby', async () => {
  const old = { viz_type: 'sunburst', groupby: ['Origin', 'hp_class'], metric: 'count', secondary_metric: 'avg_hp' }
  const opened = await loadStoredForm(old)
  expect(opened?.chart.viz_type).toBe('sunburst_v2')
  expect(opened?.form).toMatchObject({ ...old, viz_type: 'sunburst_v2', columns: ['Origin', 'hp_class'] })
  expect(namedQueries(chart, opened!.form).parts).toMatchObject({
    columns: ['Origin', 'hp_class'],
    metrics: ['count', 'avg_hp'],
  })
})

it.each(Object.entries(buildHostileFrames('area', 'n')))('draws %s', async (_, { rows, isEmpty }) => {
  const form = { ...baseForm, columns: ['area'], show_total: true, secondary_metric: 'n', show_labels_threshold: 0 }
  expect(drawn(form, {}, { parts: rows }).isEmpty).toBe(isEmpty)
  // ECharts takes seconds for this many marks, and they add nothing to the test
  if (rows.rows > 1000) return
  const { svg } = await drawChart('sunburst_v2', { parts: rows }, form, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
