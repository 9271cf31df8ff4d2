import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { bandColors, bandPath, splitAtGaps } from '../resolve/families/horizon/bands.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { renderShapes } from '../testing/rendered-shapes.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'horizon')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 400,
}
const families = await loadFamilies(['horizon'])
const baseForm = { viz_type: 'horizon', x_axis: 'date', time_grain_sqla: 'P1D', metrics: ['n'], groupby: ['kind'] }
const day = (index: number) => Date.UTC(2024, 0, 1 + index)
const answer = (series: Record<string, (number | null)[]>) =>
  toFrames({
    series: [
      { name: 'date', kind: 'time', values: (Object.values(series)[0] ?? []).map((_, index) => day(index)) },
      ...Object.entries(series).map(([name, values]) => ({ name, parts: [name], values })),
    ],
  })
const frames = answer({ a: [10, 20, null, 40], b: [-5, 0, 5, -1] })
const drawn = (more: object = {}, looks: object = {}, given = frames, until: number | null = null) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(
    chart.spec(given, form, buildSpecContext(form, { until })),
    given,
    { ...around, ...looks },
    families,
  )
}
/** Shapes of each mark; the last entry has the shapes outside the marks. */
const shapes = (...given: Parameters<typeof drawn>) => renderShapes(drawn(...given), { ...around, ...given[1] })
const beside = (...given: Parameters<typeof drawn>) => shapes(...given).at(-1) ?? []
const texts = (...given: Parameters<typeof drawn>) => beside(...given).flatMap(({ style }) => style?.text || [])
const rows = (...given: Parameters<typeof drawn>) => beside(...given).filter(({ type }) => type === 'group')

describe('the query', () => {
  it('is that of a line chart, with one column per row', () => {
    const { series } = namedQueries(chart, {
      ...baseForm,
      limit: 5,
      rolling_type: 'cumsum',
      time_compare: '1 year ago',
    })
    expect(series).toMatchObject({
      columns: [{ label: 'date', columnType: 'BASE_AXIS', timeGrain: 'P1D' }, 'kind'],
      series_columns: ['kind'],
      series_limit: 5,
      orderby: [['n', false]],
      time_offsets: ['1 year ago'],
    })
    expect(series?.post_processing?.map((step) => step?.operation)).toEqual(['pivot', 'cum', 'rename', 'flatten'])
  })

  it('calculates shares for the `contribution` setting of legacy forms', () => {
    const steps = (more: object) => namedQueries(chart, { ...baseForm, ...more }).series?.post_processing
    const shares = { operation: 'contribution', options: { orientation: 'row' } }
    expect(steps({ contribution: true })).toContainEqual(shares)
    expect(steps({})).not.toContainEqual(shares)
    expect(texts({ contribution: true, horizon_color_scale: 'overall' })).toContain('4,000%')
  })
})

describe('a band', () => {
  const points = [
    { x: 0, value: 1 },
    { x: 10, value: -2 },
  ]
  const box = { top: 100, height: 20, reach: 4 }
  it('covers a quarter of the range of a row, shifted down by the bands below it', () => {
    expect(bandPath(points, { ...box, band: 0, side: 'above' })).toBe('M0 120L0 100L10 160L10 120Z')
    expect(bandPath(points, { ...box, band: 1, side: 'above' })).toBe('M0 140L0 120L10 180L10 140Z')
    expect(bandPath(points, { ...box, band: 1, side: 'below' })).toBe('M0 140L0 160L10 100L10 140Z')
  })

  it('has gaps at missing values; a single value between gaps is visible', () => {
    expect(splitAtGaps([0, 10, 20, 30, 40], [null, 1, null, 2, 3])).toEqual([
      [
        { x: 9, value: 1 },
        { x: 11, value: 1 },
      ],
      [
        { x: 30, value: 2 },
        { x: 40, value: 3 },
      ],
    ])
  })

  it('has the colors of its side of zero; a side without values has none', () => {
    const fills = rows().map(({ children }) => children.map(({ style }) => style.fill))
    expect(fills).toEqual([
      bandColors('above', themes.light),
      [...bandColors('above', themes.light), ...bandColors('below', themes.light)],
    ])
  })
})

it('rows extend to their own maximum, to the overall maximum, or to their largest change', () => {
  const reaches = (horizon_color_scale: string) => texts({ horizon_color_scale }).filter((text) => text.startsWith('±'))
  expect(reaches('series')).toEqual(['±40', '±5'])
  expect(reaches('change')).toEqual(['±30', '±10'])
  expect(reaches('overall')).toEqual([])
  expect(texts({ horizon_color_scale: 'overall' }).slice(-2)).toEqual(['−40', '40'])
})

it('labels its rows, times and colors', () => {
  expect(texts()).toEqual([
    'a',
    '±40',
    'b',
    '±5',
    'Jan 1, 2024',
    'Jan 2',
    'Jan 3',
    'Jan 4',
    '-100%',
    '100%',
    'of each row’s maximum (±)',
  ])
  expect(texts({}, { height: 120 })).toEqual([])
})

it('rows have the configured height if all fit, else they shrink; rows that do not fit are counted', () => {
  const heights = (more: object, looks: object = {}, given = frames) =>
    rows(more, looks, given).map(
      (row) => (row as unknown as { clipPath: { shape: { height: number } } }).clipPath.shape.height,
    )
  expect(heights({ series_height: '50' })).toEqual([48, 48])
  expect(heights({ series_height: 33 })).toEqual([31, 31])
  expect(heights({ series_height: 'high' })).toEqual([23, 23])
  const many = answer(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`row ${index}`, [index, 1]])))
  expect(heights({}, { height: 1000 }, many)).toHaveLength(60)
  const shown = heights({}, {}, many).length
  expect(shown).toBeGreaterThan(10)
  expect(texts({}, {}, many).at(-1)).toBe(`${60 - shown} more rows don’t fit`)
  // the rows shown are those with the largest totals
  expect(texts({}, {}, many)[0]).toBe('row 59')
})

it('pointer targets surround each value; very many values have only as many as can be distinguished', () => {
  const met = shapes()
    .slice(0, 8)
    .map(([hit]) => hit?.shape)
  expect(met).toHaveLength(8)
  for (const [at, hit] of met.slice(0, 3).entries())
    expect((hit?.x ?? 0) + (hit?.width ?? 0)).toBeCloseTo(met[at + 1]?.x ?? 0)
  const long = answer({ a: Array.from({ length: 5000 }, (_, index) => index) })
  const hits = shapes({}, {}, long)
    .slice(0, -1)
    .filter((each) => each.length > 0)
  expect(hits.length).toBeGreaterThan(200)
  expect(hits.length).toBeLessThan(320)
})

it('navigates by keyboard in time and between rows, and shows changes and incomplete periods', () => {
  const resolved = drawn({ horizon_color_scale: 'change' }, {}, frames, day(3) + 1)
  let place = resolved.navigate(null, 'next')
  const markTexts = (['next', 'down', 'last', 'down', 'up', 'first'] as const).map((move) => {
    place = resolved.navigate(place, move) ?? place
    return place && resolved.markText(place)
  })
  expect(markTexts).toEqual([
    'Tue, Jan 2, 2024, a: 20',
    'Tue, Jan 2, 2024, b: 0',
    'Thu, Jan 4, 2024 (incomplete), b: -1',
    'Thu, Jan 4, 2024 (incomplete), b: -1',
    'Thu, Jan 4, 2024 (incomplete), a: 40',
    'Mon, Jan 1, 2024, a: 10',
  ])
  const tooltip = resolved.option.tooltip as { formatter: (params: object) => string }
  expect(tooltip.formatter({ seriesIndex: 0, dataIndex: 3 })).toMatch(/Jan 4.*incomplete.*>a<.*40.*Change.*30/s)
  expect(resolved.mark({ series: 0, at: 1 }, baseForm)?.filters).toEqual([{ col: 'kind', op: '==', val: 'a' }])
})

it.each(Object.entries(buildHostileFrames('kind', 'n')))('draws %s', async (name, { rows: given }) => {
  const isNothing = ['no rows', 'only nulls', 'NaN and infinities'].includes(name)
  const form = { ...baseForm, x_axis: 'kind', groupby: [] }
  for (const horizon_color_scale of ['series', 'change', 'overall']) {
    expect(drawn({ ...form, horizon_color_scale }, {}, { series: given }).isEmpty).toBe(isNothing)
    const { svg } = await drawChart('horizon', { series: given }, { ...form, horizon_color_scale }, { title: 'x' })
    expect(svg).not.toMatch(/NaN|Infinity|<script/)
  }
})
