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
import { chartSuite } from '../testing/chart-suite.ts'
import { readFixtures } from '../testing/fixtures.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import { renderMarkShapes } from '../testing/mark-shapes.ts'
import chart from './chart.ts'

chartSuite(chart, 'rose')

const month = (index: number) => Date.UTC(2024, index)
const frames = toFrames({
  series: [
    { name: 'month', kind: 'time', values: [0, 1, 2, 3].map(month) },
    { name: 'rain', values: [30, 10, null, 20] },
    { name: 'snow', values: [10, 0, 5, -4] },
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
const families = await loadFamilies(['rose'])
const baseForm = { viz_type: 'rose', x_axis: 'month', time_grain_sqla: 'P1M', metrics: ['n'], groupby: ['weather'] }
const drawn = (more: object = {}, { answer = frames, until = null as number | null, looks = {} } = {}) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(
    chart.spec(answer, form, buildSpecContext(form, { until })),
    answer,
    { ...around, ...looks },
    families,
  )
}
interface Sector {
  shape: { r0: number; r: number; startAngle: number; endAngle: number }
  style: { opacity: number }
}
/** Sectors ordered by series, then by petal. */
const sectors = (...given: Parameters<typeof drawn>): Sector[] =>
  renderMarkShapes<Sector>(drawn(...given).option, around)
    .slice(0, -1)
    .flat()
const computeArea = ({ shape: { r0, r } }: Sector) => r ** 2 - r0 ** 2
const reach = ({ shape: { r0, r } }: Sector) => r - r0

it('draws values in proportion to the area or to the radius', () => {
  const [jan, , , apr, snow] = sectors({ rose_area_proportion: true }) as [Sector, Sector, Sector, Sector, Sector]
  expect(computeArea(apr) / computeArea(jan)).toBeCloseTo(20 / 30)
  expect(computeArea(snow) / computeArea(jan)).toBeCloseTo(10 / 30)
  const [long, , , short, beside] = sectors() as [Sector, Sector, Sector, Sector, Sector]
  expect(reach(short) / reach(long)).toBeCloseTo(20 / 30)
  expect(reach(beside) / reach(long)).toBeCloseTo(10 / 30)
})

it('stacks the segments of a petal, with petals clockwise from the top', () => {
  const all = sectors()
  expect(all[4]?.shape.r0).toBe(all[0]?.shape.r)
  expect(all[0]?.shape.startAngle).toBeCloseTo(-Math.PI / 2)
  expect(all[1]?.shape.startAngle).toBeCloseTo(0)
  expect(all[4]?.shape.startAngle).toBe(all[0]?.shape.startAngle)
})

it('fills the current size even when it was resolved for another size', () => {
  const { option } = drawn()
  const radius = (size: { width: number; height: number }) =>
    Math.max(...renderMarkShapes<Sector>(option, size).flatMap((each) => each.map(({ shape }) => shape?.r ?? 0)))
  expect(radius({ width: 400, height: 240 }) - radius({ width: 400, height: 200 })).toBeCloseTo(20)
})

it('draws comparison values next to a period, not on top of it', () => {
  const answer = toFrames({
    series: [
      { name: 'month', kind: 'time', values: [month(0), month(1)] },
      { name: 'n', values: [4, 2] },
      { name: 'n__1 year ago', values: [1, 3] },
    ],
  })
  const [now, , before] = sectors({ groupby: [], time_compare: ['1 year ago'] }, { answer }) as [Sector, Sector, Sector]
  expect(before.shape.r0).toBe(0)
  expect(before.shape.startAngle).toBeCloseTo(now.shape.endAngle)
  expect(before.style.opacity).toBe(0.5)
})

it('sends the same query as other time series; the legacy contribution setting gives shares of each period', async () => {
  const steps = (more: object) => namedQueries(chart, { ...baseForm, ...more }).series?.post_processing
  expect(steps({})?.map((step) => step?.operation)).toEqual(['pivot', 'rename', 'flatten'])
  expect(steps({ contribution: true })).toContainEqual({ operation: 'contribution', options: { orientation: 'row' } })
  const old = await loadStoredForm({
    viz_type: 'rose',
    granularity_sqla: 'ds',
    metrics: ['n'],
    limit: 5,
    since: '2020',
    until: '',
  })
  expect(namedQueries(chart, old!.form).series).toMatchObject({
    granularity: 'ds',
    is_timeseries: true,
    series_limit: 5,
    time_range: '2020 : ',
  })
})

it('shows all series of a petal in the tooltip, or only the one under the pointer', () => {
  const tip = (more: object, dataIndex: number) =>
    (drawn(more).option.tooltip as { formatter: (params: object) => string })
      .formatter({ seriesIndex: 0, dataIndex })
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
  expect(tip({}, 0)).toBe(' January 2024 rain 30 snow 10 Total 40 ')
  expect(tip({ rich_tooltip: false }, 4)).toBe(' January 2024 snow 10 ')
  expect(tip({ date_time_format: '%m/%Y' }, 3)).toContain('04/2024')
  expect(tip({ metrics: ['n', 'm'], groupby: [] }, 0)).not.toContain('Total')
  expect(tip({}, 8)).toBe('')
})

it('negative values have no area and are counted in a note', () => {
  const all = sectors()
  expect(computeArea(all[7]!)).toBe(0)
  expect((drawn().option.title as { text: string }).text).toBe('1 negative value cannot be shown as an area.')
  expect(drawn().describe('Rose')).toMatch(
    /Highest: 30 \(January 2024, rain\).*1 negative value cannot be shown as an area\.$/,
  )
})

it('an incomplete period is paler and labeled as incomplete', () => {
  const until = Date.UTC(2024, 3, 12)
  expect(sectors({}, { until })[3]?.style.opacity).toBe(0.6)
  expect(drawn({}, { until }).markText({ series: 0, at: 3 })).toBe('April 2024 (incomplete), rain: 20')
  expect(sectors({ mark_unfinished: false }, { until })[3]?.style.opacity).toBe(1)
})

it('arrow keys move along the petals and across their segments', () => {
  const resolved = drawn()
  const first = resolved.navigate(null, 'next')
  const next = first && resolved.navigate(first, 'next')
  const across = next && resolved.navigate(next, 'down')
  expect([first, next, across].map((place) => place && resolved.markText(place))).toEqual([
    'January 2024, rain: 30',
    'February 2024, rain: 10',
    'February 2024, snow: 0',
  ])
  expect(across && resolved.navigate(across, 'down')).toBe(null)
  expect(resolved.navigate(null, 'last')).toEqual({ series: 0, at: 3 })
  expect(across && resolved.mark(across, baseForm)).toMatchObject({
    row: { weather: 'snow', month: month(1), snow: 0 },
  })
})

it('regression: the legend shows a period and its comparison in different colors', () => {
  const { form, frames: answer } = readFixtures('rose').find(({ name }) => name === 'year-before')!
  const settled = applyDefaults(chart.form, form)
  const { legend } = resolveSpec(chart.spec(answer, settled, buildSpecContext(settled)), answer, around, families)
  const [now, before] = legend
  expect(before?.name).toBe(`${now?.name}, 1 year ago`)
  expect(before?.color).toMatch(/,0\.5\)$/)
  expect(now?.color).not.toMatch(/,0\.5\)$/)
})

it('omits series that are hidden in the legend', () => {
  const resolved = drawn({}, { looks: { hidden: new Set(['rain']) } })
  expect(resolved.legend.map(({ name, isHidden }) => [name, isHidden])).toEqual([
    ['rain', true],
    ['snow', false],
  ])
  expect(resolved.markText({ series: 0, at: 0 })).toBe('January 2024, snow: 10')
})

it('names its series in the image when there is no page around it', async () => {
  const { svg } = await drawChart('rose', frames, baseForm)
  expect(svg).toMatch(/>rain<.*>snow</s)
})

it.each(Object.entries(buildHostileFrames('label', 'n')))('draws %s', async (_, { rows, isEmpty }) => {
  const form = { ...baseForm, x_axis: 'label', groupby: [] }
  expect(drawn(form, { answer: { series: rows } }).isEmpty).toBe(isEmpty)
  const { svg } = await drawChart('rose', { series: rows }, form, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
