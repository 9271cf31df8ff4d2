import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { renderShapes } from '../testing/rendered-shapes.ts'
import { toFrames, type FixtureColumn } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'country-map')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 800,
  height: 400,
}
const families = await loadFamilies(['map:usa', 'map:france', 'map:germany', 'map:russia', 'map:italy'])
const baseForm = { viz_type: 'country_map', entity: 'region', metric: 'n', select_country: 'usa' }
const answer = (names: FixtureColumn['values'], n: (number | null)[] = names.map((_, index) => names.length - index)) =>
  toFrames({
    regions: [
      { name: 'region', values: names },
      { name: 'n', values: n },
    ],
  })
const frames = answer(['US-CA', 'US-TX', 'US-AK'])

const drawn = (more: object = {}, looks: object = {}, given = frames) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(given, form, buildSpecContext(form)), given, { ...around, ...looks }, families)
}
const shapes = (...given: Parameters<typeof drawn>) => renderShapes(drawn(...given), { ...around, ...given[1] })
const describeChart = (...given: Parameters<typeof drawn>) => drawn(...given).describe('Country Map')
const boundingBox = (pathData = '') => {
  const numbers = [...pathData.matchAll(/([-\d.]+)[ ,]([-\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
  const [xs, ys] = [numbers.map(([x]) => x), numbers.map(([, y]) => y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

it('queries the metric of each region', () => {
  expect(chart.queries(applyDefaults(chart.form, baseForm), {})).toEqual({
    regions: { columns: ['region'], metrics: ['n'], row_limit: 10_000 },
  })
})

describe('a region is matched', () => {
  it.each([
    ['usa', 'its code', ['US-CA', 'us-tx', 'US_NY', ' us.fl ']],
    ['usa', 'its code without the country', ['CA', 'tx']],
    ['usa', 'its name', ['California', 'new york']],
    ['france', 'a number that lost its zeros', [1, 2, 75]],
    ['france', 'the code of the unit above it', ['FR-BRE', 'IDF']],
    ['germany', 'its name in both languages', ['Bayern', 'saxony', 'Thuringen']],
    ['italy', 'a code that it had before', ['IT-OT', 'CI']],
  ])('in %s by %s', (select_country, _, names) => {
    expect(describeChart({ select_country }, {}, answer(names))).not.toContain('no region')
  })

  it('but not by the code of another country', () => {
    expect(describeChart({ select_country: 'germany' }, {}, answer(['FR-75', 'DE-BY']))).toContain(
      '1 row does not match a region of this map: FR-75.',
    )
  })
})

it('reports a country without a map, and a form without a country', async () => {
  for (const select_country of ['atlantis', '__proto__', 'two words', 'a:b']) {
    expect(drawn({ select_country }).isEmpty).toBe(false)
    expect(describeChart({ select_country })).toBe(`Country Map. No map is available for “${select_country}”.`)
    const { svg } = await drawChart('country_map', frames, { ...baseForm, select_country }, { title: 'x' })
    expect(svg).toContain(`No map is available for “${select_country}”.`)
  }
  expect(describeChart({ select_country: undefined })).toBe('Country Map. Choose a country')
})

it('draws remote regions in separate boxes, beside or below', () => {
  const [california, , alaska] = shapes()
  const far = boundingBox(alaska?.[0]?.shape.pathData)
  expect(far.right).toBeLessThan(boundingBox(california?.[0]?.shape.pathData).left)
  const narrow = shapes({}, { width: 320, height: 500 })
  expect(boundingBox(narrow[2]?.[0]?.shape.pathData).top).toBeGreaterThan(
    boundingBox(narrow[1]?.[0]?.shape.pathData).bottom,
  )
  // Hawaii has no row, but its box is drawn
  expect(
    shapes()
      .at(-1)
      ?.filter(({ type, style }) => type === 'rect' && style.fill === 'none'),
  ).toHaveLength(2)
})

it('draws a country on both sides of the date line in one piece', () => {
  const given = answer(['RU-CHU', 'RU-MOW', 'RU-KGD'])
  const [chukotka, moscow, kaliningrad] = shapes({ select_country: 'russia' }, {}, given).map((mark) =>
    boundingBox(mark[0]?.shape.pathData),
  )
  expect(kaliningrad!.right).toBeLessThan(moscow!.left)
  expect(moscow!.right).toBeLessThan(chukotka!.left)
  expect(chukotka!.right - chukotka!.left).toBeLessThan(around.width / 4)
})

it('draws a unit behind its parts', () => {
  const [region, part] = shapes({ select_country: 'france' }, {}, answer(['FR-IDF', 'FR-75']))
  const z = [region, part].map((mark) => (mark![0] as unknown as { z2: number }).z2)
  expect(z[0]).toBeLessThan(z[1]!)
})

it('is described and navigated from the highest value, and each region is a filter', () => {
  expect(describeChart()).toBe('Country Map of n with 3 places. Highest: California, 3. Lowest: Alaska, 1.')
  const resolved = drawn()
  const first = resolved.navigate(null, 'next')!
  expect(resolved.markText(first)).toBe('California (US-CA), n: 3')
  expect(resolved.markText(resolved.navigate(first, 'next')!)).toBe('Texas (US-TX), n: 2')
  expect(resolved.mark(first, baseForm)).toMatchObject({ filters: [{ col: 'region', op: '==', val: 'US-CA' }] })
})

it.each(Object.entries(buildHostileFrames('region', 'n')))('draws %s', async (name, { rows }) => {
  const given = { regions: rows }
  expect(drawn({}, {}, given).isEmpty).toBe(name === 'no rows')
  const { svg } = await drawChart('country_map', given, baseForm, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
