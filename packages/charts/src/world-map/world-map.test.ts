import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { fillRequiredSettings } from '../explore/suggest-form.ts'
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

chartSuite(chart, 'world-map')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 800,
  height: 400,
}
const families = await loadFamilies(['map:world'])
const baseForm = {
  viz_type: 'world_map',
  entity: 'country',
  country_fieldtype: 'cca2',
  metric: 'n',
  secondary_metric: 'm',
}
const answer = (names: FixtureColumn['values'], n: (number | null)[], m: (number | null)[] = n) =>
  toFrames({
    countries: [
      { name: 'country', values: names },
      { name: 'n', values: n },
      { name: 'm', values: m },
    ],
  })
const frames = answer(['DE', 'FR', 'BR'], [10, 30, 20], [4, 1, 16])

const drawn = (more: object = {}, looks: object = {}, given = frames) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(given, form, buildSpecContext(form)), given, { ...around, ...looks }, families)
}
const shapes = (...given: Parameters<typeof drawn>) => renderShapes(drawn(...given), { ...around, ...given[1] })
const describeChart = (...given: Parameters<typeof drawn>) => drawn(...given).describe('World Map')
const boundingBox = (pathData = '') => {
  const numbers = [...pathData.matchAll(/([-\d.]+)[ ,]([-\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
  const [xs, ys] = [numbers.map(([x]) => x), numbers.map(([, y]) => y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

it('queries both metrics per country, the largest first if set in the form', () => {
  const question = (more: object) => chart.queries(applyDefaults(chart.form, { ...baseForm, ...more }), {}).countries
  expect(question({})).toEqual({ columns: ['country'], metrics: ['n', 'm'], orderby: [], row_limit: 10_000 })
  expect(question({ sort_by_metric: true, secondary_metric: 'n' })).toMatchObject({
    metrics: ['n'],
    orderby: [['n', false]],
  })
})

describe('a country is matched', () => {
  it.each([
    ['cca2', ['de', ' FR ', 'XK', 'RE']],
    ['cca3', ['deu', 'FRA', 'XKX', 'REU']],
    ['cioc', ['GER', 'fra', 'KOS']],
    ['name', ['germany', 'FRANCE', 'Kosovo', "Côte d'Ivoire", 'Cote dIvoire', 'Korea, Rep.', 'Viet Nam']],
  ])('by its %s', (country_fieldtype, names) => {
    const given = answer(
      names,
      names.map((_, index) => index),
    )
    expect(describeChart({ country_fieldtype }, {}, given)).not.toContain('names no country')
  })

  it('only by the kind of code set in the form', () => {
    expect(describeChart({ country_fieldtype: 'cioc' }, {}, answer(['DEU', 'GER'], [1, 2]))).toContain(
      '1 row does not match a country: DEU.',
    )
  })
})

it('rows that match no country are counted and reported, also in the image', async () => {
  const given = answer(['DE', 'XX', null, '', 'Europe', 'ZZ', 'QQ', 'YY'], [1, 2, 3, 4, 5, 6, 7, 8])
  const sentence = '7 rows do not match a country: XX, ∅, "", Europe, ZZ and 2 more.'
  expect(describeChart({}, {}, given)).toBe(
    `World Map of n with 1 place. Highest: Germany, 1. Lowest: Germany, 1. ${sentence}`,
  )
  const { svg } = await drawChart('world_map', given, baseForm, { title: 'x', width: 900 })
  expect(svg.replaceAll(/<[^>]*>/g, '').replaceAll('&quot;', '"')).toContain(sentence)
})

it('regression: a response without any known country is not reported as having no rows', () => {
  const given = answer(['a', 'b'], [1, 2])
  expect(drawn({}, {}, given).isEmpty).toBe(false)
  expect(describeChart({}, {}, given)).toBe('World Map with no data. 2 rows do not match a country: a, b.')
})

it('draws one of several rows with the same country and reports the others', () => {
  const given = answer(['DE', 'de', 'FR'], [1, 7, 3])
  expect(describeChart({}, {}, given)).toContain('1 row is not shown because another row has the same place: de.')
  expect(drawn({}, {}, given).mark({ series: 0, at: 1 }, baseForm)?.row).toEqual({ country: 'DE', n: 1, m: 1 })
})

it('colors depend on the metric, or each country has its own', () => {
  const fills = (more: object) => shapes(more).map(([land]) => land?.style.fill)
  const [high, middle, low, rest] = fills({})
  expect(new Set([high, middle, low, rest]).size).toBe(4)
  expect(fills({ linear_color_scheme: 'dawn' })[0]).not.toBe(high)
  const own = fills({ color_by: 'country', color_scheme: 'd3Category10' })
  expect(new Set(own.slice(0, 3)).size).toBe(3)
  expect(own.slice(0, 3)).not.toContain(high)
})

it('the area of bubbles is proportional to the other metric, with small ones in front', () => {
  const circles = shapes({ show_bubbles: true, max_bubble_size: 20 }).map((marks) =>
    marks.find(({ type }) => type === 'circle'),
  )
  // from the highest: France, Brazil, Germany
  const radii = circles.slice(0, 3).map((circle) => (circle!.shape as unknown as { r: number }).r)
  expect(radii).toEqual([5, 20, 10])
  const z = circles.slice(0, 3).map((circle) => (circle as unknown as { z2: number }).z2)
  expect(z.toSorted((a, b) => a - b)).toEqual([z[1], z[2], z[0]])
  expect(
    shapes({ show_bubbles: false })
      .flat()
      .some(({ type }) => type === 'circle'),
  ).toBe(false)
})

it('countries across the date line are drawn at both edges, and no shape crosses the map', () => {
  const given = answer(['RU', 'FJ', 'US', 'NZ'], [4, 3, 2, 1])
  const [russia, , usa] = shapes({}, {}, given)
  for (const [land] of [russia!, usa!]) {
    const rings = land!.shape.pathData.split('M').filter(Boolean)
    // a ring across the date line would be as wide as the world
    for (const ring of rings) {
      const { left, right } = boundingBox(ring)
      expect(right - left).toBeLessThan(400)
    }
  }
})

it('regions smaller than a pixel or without an outline are dots', () => {
  const marks = shapes({ country_fieldtype: 'cca2' }, {}, answer(['TV', 'SG', 'VA', 'GP'], [4, 3, 2, 1])).slice(0, 4)
  for (const mark of marks) expect(mark.some(({ type }) => type === 'circle')).toBe(true)
})

it('CTRL-109, CTRL-111: bubbles have the color of the picker, by default that of the API', () => {
  const fill = (more: object) =>
    shapes({ show_bubbles: true, ...more })[0]?.find(({ type }) => type === 'circle')?.style.fill
  expect(fill({})).toBe('rgba(0,122,135,1)')
  expect(fill({ color_picker: { r: 200, g: 10, b: 0, a: 0.5 } })).toBe('rgba(200,10,0,0.5)')
})

it('the map extends to Antarctica if a row contains it', () => {
  const height = (codes: string[]) =>
    boundingBox(
      shapes(
        {},
        {},
        answer(
          codes,
          codes.map(() => 1),
        ),
      ).at(0)?.[0]?.shape.pathData,
    )
  expect(height(['BR']).bottom).toBeGreaterThan(height(['BR', 'AQ']).bottom)
  const land = shapes()
    .at(-1)
    ?.find(({ type }) => type === 'path')
  expect(boundingBox(land?.shape.pathData).bottom).toBeLessThan(around.height - 20)
  const all = shapes({}, {}, answer(['AQ'], [1]))
  expect(boundingBox(all[0]?.[0]?.shape.pathData).bottom).toBeLessThan(around.height)
})

it('arrow keys move from the highest to the lowest, and both values of a country are announced', () => {
  const resolved = drawn()
  const first = resolved.navigate(null, 'next')!
  expect(resolved.markText(first)).toBe('France (FR), n: 30, m: 1')
  expect(resolved.markText(resolved.navigate(first, 'next')!)).toBe('Brazil (BR), n: 20, m: 16')
  expect(resolved.markText(resolved.navigate(first, 'last')!)).toBe('Germany (DE), n: 10, m: 4')
})

it('a mark filters by the value of its row, and the others fade', () => {
  const mark = drawn().mark({ series: 0, at: 0 }, baseForm)
  expect(mark).toMatchObject({
    filters: [{ col: 'country', op: '==', val: 'FR' }],
    row: { country: 'FR', n: 30, m: 1 },
    label: 'FR',
  })
  const opacity = shapes({}, { selected: { country: 'BR' } }).map(([land]) => land?.style.opacity)
  expect(opacity.slice(0, 3)).toEqual([0.25, 1, 0.25])
})

it('names countries in the language of the user', () => {
  expect(drawn({}, { locale: 'de' }).markText({ series: 0, at: 1 })).toContain('Brasilien (BR)')
})

it('a new chart starts with the country column and its content type', () => {
  const guessed = (...names: string[]) =>
    fillRequiredSettings(
      chart,
      { viz_type: 'world_map' },
      { columns: names.map((column_name) => ({ column_name, type_generic: 1 })) },
    )
  expect(guessed('city', 'country')).toMatchObject({ entity: 'country', country_fieldtype: 'name' })
  expect(guessed('city', 'country_code')).toMatchObject({ entity: 'country_code', country_fieldtype: 'cca3' })
  expect(guessed('iso2')).toMatchObject({ entity: 'iso2', country_fieldtype: 'cca2' })
  expect(guessed('city')).toMatchObject({ entity: 'city', country_fieldtype: 'name' })
})

it.each(Object.entries(buildHostileFrames('country', 'n')))('draws %s', async (name, { rows }) => {
  const given = { countries: rows }
  expect(drawn({ secondary_metric: null }, {}, given).isEmpty).toBe(name === 'no rows')
  const form = { ...baseForm, secondary_metric: 'n', show_bubbles: true, country_fieldtype: 'name' }
  const { svg } = await drawChart('world_map', given, form, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})

it.each([
  ['the ends of what there is', [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE]],
  ['NaN and infinities', [Number.NaN, Infinity, null]],
  ['one number', [5, 5, 5]],
])('draws countries with %s', async (_, numbers) => {
  const given = answer(['DE', 'FR', 'BR'], numbers)
  for (const linear_color_scheme of ['lapis', 'lapis-amber']) {
    const form = { ...baseForm, show_bubbles: true, linear_color_scheme }
    const { svg } = await drawChart('world_map', given, form, { title: 'x' })
    expect(svg.replace(/<desc>.*<\/desc>/, '')).not.toMatch(/NaN|Infinity|undefined/)
  }
})
