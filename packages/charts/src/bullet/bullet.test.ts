import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { buildBulletScale } from '../resolve/families/bullet/layout.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import { renderMarkShapes } from '../testing/mark-shapes.ts'
import chart from './chart.ts'

chartSuite(chart, 'bullet')

const buildFrames = (value: number | null) => toFrames({ measure: [{ name: 'n', values: [value] }] })
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 424,
  height: 200,
}
const families = await loadFamilies(['bullet'])
const baseForm = { viz_type: 'bullet', metric: 'n' }
const drawn = (value: number | null, more: object = {}, looks: object = {}) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  const answer = buildFrames(value)
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, { ...around, ...looks }, families)
}
interface Shape {
  type: string
  z2?: number
  shape: { x: number; width: number; points: [number, number][] }
  style: { text?: string }
}
const drawShapes = (...[value, more, looks]: Parameters<typeof drawn>) =>
  renderMarkShapes<Shape>(drawn(value, more, looks).option, { ...around, ...looks })
const drawFirstShapes = (...given: Parameters<typeof drawn>) => drawShapes(...given).map(([shape]) => shape)
const textsIn = (shapes: readonly Shape[] = []) => shapes.flatMap(({ style: { text } }) => text ?? [])

it('queries one number', () => {
  expect(namedQueries(chart, baseForm).measure).toMatchObject({ columns: [], metrics: ['n'] })
})

it('draws the bar, ranges and markers on one axis from zero', () => {
  const form = { ranges: '50, 200,100', markers: '150', marker_lines: '20' }
  const [bar, half, whole, middle, marker, line] = drawFirstShapes(75, form)
  expect(bar?.shape).toMatchObject({ x: 12, width: 150 })
  expect([half, whole, middle].map((range) => range?.shape.width)).toEqual([100, 400, 200])
  expect(marker?.shape.points[2]?.[0]).toBe(12 + 300)
  expect(line?.shape.x).toBe(12 + 40 - 1)
  // narrow ranges in front of wide ones, the bar in front of both
  const fronts = [whole, middle, half, bar, line, marker].map((shape) => shape?.z2 ?? 0)
  expect(fronts).toEqual(fronts.toSorted((a, b) => a - b))
})

it('reads comma-separated lists, and skips non-numeric values with their labels', () => {
  const form = { markers: ' 1, x ,3e1,, 4', marker_labels: 'one, odd,thirty' }
  const { data } = (
    chart.spec(buildFrames(5), applyDefaults(chart.form, { ...baseForm, ...form }), buildSpecContext({})).series as {
      data: object[]
    }[]
  )[0]!
  expect(data.slice(1)).toEqual([
    { role: 'marker', name: 'one', value: 1, isNamed: true },
    { role: 'marker', name: 'thirty', value: 30, isNamed: true },
    { role: 'marker', name: 'Marker', value: 4 },
  ])
})

it('names the value, its markers and its ranges where space permits', () => {
  const form = { ranges: '50,100', range_labels: 'low,high', markers: '90', marker_labels: 'last year' }
  const texts = (looks: object) => textsIn(drawShapes(75, form, looks).at(-1))
  expect(texts({})).toEqual(['n', '75', 'last year', '0', '20', '40', '60', '80', '100', 'low', 'high'])
  expect(texts({ height: 100 })).toEqual(['n', '75', '0', '20', '40', '60', '80', '100'])
  expect(texts({ height: 60 })).toEqual(['0', '20', '40', '60', '80', '100'])
})

it('places marker names in separate rows, and omits names without a row', () => {
  const form = { markers: '50,51,52,53', marker_labels: 'first,second,third,fourth', ranges: '100' }
  const texts = drawShapes(75, form).at(-1)
  expect(textsIn(texts)).not.toContain('fourth')
  expect(textsIn(texts).filter((text) => /first|second|third/.test(text))).toHaveLength(3)
})

describe('the axis', () => {
  const ends = { left: 0, right: 400, between: 80 }
  it.each([
    [[0, 100], false, [0, 20, 40, 60, 80, 100]],
    [[0, 7], true, [0, 2, 4, 6, 8]],
    [[-30, 20], false, [-30, -20, -10, 0, 10, 20]],
    [[0.3], true, [0, 0.1, 0.2, 0.3]],
    [[0], true, [0, 1]],
  ])('has round ticks for %j', (values, isOpen, ticks) => {
    expect(buildBulletScale(values, { ...ends, isOpen }).ticks).toEqual(ticks)
  })

  it.each([[Number.MAX_VALUE], [-Number.MAX_VALUE, Number.MAX_VALUE], [Number.MIN_VALUE]])(
    'stays within the chart for %d',
    (...values) => {
      const { x, ticks } = buildBulletScale(values, { ...ends, isOpen: true })
      for (const each of [...values, 0, ...ticks]) {
        expect(x(each)).toBeGreaterThanOrEqual(0)
        expect(x(each)).toBeLessThanOrEqual(400)
      }
    },
  )
})

it('draws negative values to the left of zero', () => {
  const [bar, loss, gain] = drawFirstShapes(-20, { ranges: '-100,100' })
  expect(bar?.shape).toMatchObject({ x: 12 + 160, width: 40 })
  expect([loss?.shape, gain?.shape]).toMatchObject([
    { x: 12, width: 200 },
    { x: 212, width: 200 },
  ])
})

it('announces and describes the value with its comparison values', () => {
  const form = { ranges: '100', range_labels: 'Plan', markers: '90', number_format: ',.1f' }
  const resolved = drawn(75, form)
  expect(resolved.describe('Bullet Chart')).toBe('Bullet Chart. n: 75.0, compared with Plan 100.0, Marker 90.0.')
  expect(drawn(75).describe('Bullet Chart')).toBe('Bullet Chart. n: 75.')
  const first = resolved.navigate(null, 'next')
  const next = first && resolved.navigate(first, 'next')
  expect([first, next].map((place) => place && resolved.markText(place))).toEqual(['n: 75.0', 'Plan: 100.0'])
  const tip = (resolved.option.tooltip as { formatter: (params: object) => string }).formatter
  expect(tip({ seriesIndex: 0, dataIndex: 2 })).toMatch(/>n<.*75\.0.*Plan.*100\.0.*Marker.*90\.0/)
})

it('is empty without a value, but not at zero', () => {
  expect([drawn(null).isEmpty, drawn(0).isEmpty]).toEqual([true, false])
})

it.each(Object.entries(buildHostileFrames('label', 'n')))('draws %s', async (_, { rows }) => {
  const form = {
    ...baseForm,
    ranges: '1,2',
    range_labels: 'x'.repeat(10_000),
    markers: '1e308',
    marker_labels: '{a|b}',
  }
  const { svg } = await drawChart('bullet', { measure: rows }, form, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
