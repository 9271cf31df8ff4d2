import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import chart, { type PeriodComparisonSpec } from './chart.ts'
import { layoutPeriodComparison } from './layout.ts'

chartSuite(chart, 'pop-kpi')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 300,
}
const baseForm = { viz_type: 'pop_kpi', metric: 'n', time_compare: '1 year ago' }
const buildSpec = (now: number | null, before: number | null, more: object = {}) => {
  const total = [
    { name: 'n', values: [now] },
    { name: 'n__1 year ago', values: [before] },
  ]
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return chart.spec(toFrames({ total }), form, buildSpecContext(form)) as PeriodComparisonSpec
}
const drawn = (...given: Parameters<typeof buildSpec>) => layoutPeriodComparison(buildSpec(...given), around)
const figures = (...given: Parameters<typeof buildSpec>) =>
  drawn(...given)
    .lines.flat()
    .map(({ text }) => text)
const tones = (...given: Parameters<typeof buildSpec>) =>
  drawn(...given)
    .lines.flat()
    .map(({ tone }) => tone)

it('queries the number and its value at the comparison time', () => {
  const offsets = (more: object) => namedQueries(chart, { ...baseForm, ...more }).total?.time_offsets
  expect(namedQueries(chart, baseForm).total).toMatchObject({
    columns: [],
    metrics: ['n'],
    time_offsets: ['1 year ago'],
  })
  expect(offsets({ time_compare: ['inherit'] })).toEqual(['inherit'])
  expect(offsets({ time_compare: 'custom', start_date_offset: '2024-02-29T00:00:00' })).toEqual(['2024-02-29'])
  expect(offsets({ time_compare: 'custom', start_date_offset: 'soon' })).toBeUndefined()
  expect(offsets({ time_compare: null })).toBeUndefined()
})

it('the comparison time of a dashboard takes precedence', () => {
  expect(
    namedQueries(chart, { ...baseForm, extra_form_data: { time_compare: 'inherit' } }).total?.time_offsets,
  ).toEqual(['inherit'])
})

it('reads the shift codes of the first release', () => {
  const offsets = (more: object) =>
    namedQueries(chart, { ...baseForm, time_compare: undefined, ...more }).total?.time_offsets
  expect(['y', 'm', 'w', 'r'].map((time_comparison) => offsets({ time_comparison })?.[0])).toEqual([
    '1 year ago',
    '1 month ago',
    '1 week ago',
    'inherit',
  ])
  const adhoc_custom = [{ subject: 'day', operator: 'TEMPORAL_RANGE', comparator: '2023-05-01 : 2023-06-01' }]
  expect(offsets({ time_comparison: 'c', adhoc_custom })).toEqual(['2023-05-01'])
})

it('shows the previous value, the difference and the percentage change', () => {
  expect(figures(120, 100)).toEqual(['# 100', '△ +20', '% +20%'])
  expect(figures(80, 100)).toEqual(['# 100', '△ −20', '% −20%'])
  expect(figures(-5, -10)).toEqual(['# −10', '△ +5', '% +50%'])
  expect(figures(7, 7)).toEqual(['# 7', '△ 0', '% 0%'])
  expect([drawn(120, 100), drawn(80, 100), drawn(7, 7)].map(({ arrow }) => arrow.text)).toEqual(['▲', '▼', ''])
})

it('shows missing comparison data and never an infinite change', () => {
  expect(figures(5, null)).toEqual(['no data to compare with'])
  expect(figures(5, 3, { time_compare: null })).toEqual(['no data to compare with'])
  expect(figures(5, 0)).toEqual(['# 0', '△ +5', '% ∅'])
  expect(figures(0, 0)).toEqual(['# 0', '△ 0', '% ∅'])
  expect(figures(null, 4)).toEqual(['# 4', '△ ∅', '% ∅'])
  expect(drawn(null, 4).arrow.text).toBe('')
  const form = applyDefaults(chart.form, baseForm)
  expect(
    layoutPeriodComparison(chart.spec({}, form, buildSpecContext(form)) as PeriodComparisonSpec, around).value,
  ).toBe('∅')
})

it('shows the comparison time', () => {
  expect(drawn(2, 1).caption).toBe('compared with 1 year ago')
  const caption = (more: object) => drawn(2, 1, more).caption
  expect(caption({ time_compare: 'inherit' })).toBe('compared with the previous period of the same length')
  expect(caption({ time_compare: 'custom', start_date_offset: '2024-01-01' })).toBe(
    'compared with the period starting 2024-01-01',
  )
  expect(caption({ time_compare: null })).toBe('')
})

it('colors a change as the form defines good and bad', () => {
  const on = { comparison_color_enabled: true }
  expect(tones(2, 1)).toEqual(['same', 'same', 'same'])
  expect(tones(2, 1, on)).toEqual(['same', 'good', 'good'])
  expect(tones(1, 2, on)).toEqual(['same', 'bad', 'bad'])
  expect(tones(2, 1, { ...on, comparison_color_scheme: 'Red' })).toEqual(['same', 'bad', 'bad'])
  expect(tones(1, 1, on)).toEqual(['same', 'same', 'same'])
})

it('applies the names, signs and visibility of figures set in the form', () => {
  const column_config = {
    'Previous value': { customColumnName: 'Before', displayTypeIcon: false },
    Delta: { visible: false },
    'Percent change': { displayTypeIcon: false },
  }
  expect(figures(120, 100, { column_config })).toEqual(['Before 100', '+20%'])
})

it('uses the format of the form and fits its tile', async () => {
  const money = { y_axis_format: ',.2f', currency_format: { symbol: 'EUR', symbolPosition: 'suffix' } }
  expect(figures(1.5, 1, money).slice(0, 2)).toEqual(['# 1.00 €', '△ +0.50 €'])
  expect(drawn(120, 100).lines).toHaveLength(1)
  const narrow = layoutPeriodComparison(buildSpec(1_234_567.891, 1_230_000, money), {
    ...around,
    width: 160,
    height: 100,
  })
  expect(narrow.lines.length).toBeGreaterThan(1)
  expect(narrow.numberSize).toBeLessThan(drawn(1_234_567.891, 1_230_000, money).numberSize)
  const { svg } = await drawChart('pop_kpi', toFrames({ total: [{ name: 'n', values: [3] }] }), {
    ...baseForm,
    column_config: { Delta: { customColumnName: '<script>' } },
  })
  expect(svg).toContain('no data to compare with')
  expect(svg).not.toContain('<script>')
})

it('has a complete description', () => {
  expect(drawn(120, 100).describe).toBe('n: 120. # 100. △ +20. % +20%. compared with 1 year ago.')
})
