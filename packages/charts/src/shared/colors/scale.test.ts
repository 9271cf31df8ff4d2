import { createRandom } from '@parquetry/model/testing/random'
import { describe, expect, it } from 'vitest'
import { colorScale, resolveColorScale, type LabelSlots } from './scale.ts'
import { parquetry, schemes } from './schemes.ts'

const weather = ['drizzle', 'fog', 'rain', 'snow', 'sun']
const assignColors = (labels: readonly string[], of = colorScale('parquetry')) =>
  Object.fromEntries(labels.map((label) => [label, of(labels)(label)]))

it('regression: a label keeps its color regardless of the order of labels and of what is drawn before', () => {
  const scale = colorScale('parquetry')
  scale(['red', 'green', 'blue'])
  expect(assignColors(weather.toReversed(), scale)).toEqual(assignColors(weather))
  expect(assignColors([...weather, ...weather])).toEqual(assignColors(weather))
})

it('regression: filtering out labels does not recolor those in the slot of their own text', () => {
  const all = assignColors(weather)
  const own = weather.filter((label) => assignColors([label])[label] === all[label])
  expect(own.length).toBeGreaterThan(2)
  for (const label of own)
    expect(assignColors(weather.filter((each) => each === label || each > 'r'))[label]).toBe(all[label])
})

it('labels of the examples have the slots of their own texts, so that they have the same color in all charts', () => {
  const sets = [
    weather,
    ['Adelie', 'Chinstrap', 'Gentoo'],
    ['male', 'female', '∅'],
    [
      'South Asia',
      'Europe and Central Asia',
      'Sub-Saharan Africa',
      'America',
      'East Asia and Pacific',
      'Middle East and North Africa',
    ],
    ['Agriculture', 'Construction', 'Mining and Extraction', 'Leisure and hospitality', 'Business services'],
  ]
  for (const labels of sets)
    expect(assignColors(labels)).toEqual(
      Object.fromEntries(labels.map((label) => [label, assignColors([label])[label]])),
    )
  expect(assignColors(weather)['sun']).toBe('#c27f1c')
})

it('no color is repeated before the scheme is exhausted', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  for (const { id, colors } of schemes) {
    const count = Math.min(letters.length, new Set(colors).size)
    expect(new Set(Object.values(assignColors(letters.slice(0, count), colorScale(id)))).size, id).toBe(count)
  }
  const twice = Object.values(assignColors(letters.slice(0, 24)))
  for (const color of parquetry.light) expect(twice.filter((each) => each === color)).toHaveLength(2)
})

it('regression: neighbors have different colors also if there are more labels than colors', () => {
  const random = createRandom(5)
  for (const count of [13, 20, 40, 100])
    for (let turn = 0; turn < 20; turn++) {
      const labels = Array.from({ length: count }, () => `label ${Math.floor(random() * 1e9)}`)
      const colors = labels.map(colorScale('parquetry')(labels))
      for (const [at, color] of colors.entries()) expect(color).not.toBe(colors.at(at - 1))
    }
})

it('a pinned color is not used for other labels while there are unused ones', () => {
  const own = assignColors(['sun'])['sun'] as string
  const pinned = colorScale('parquetry', { fog: own })
  expect(assignColors(weather, pinned)['fog']).toBe(own)
  expect(new Set(Object.values(assignColors(weather, pinned))).size).toBe(weather.length)
})

it('a chart without labels to distinguish has the first color, unless its only label is pinned', () => {
  expect(colorScale('parquetry')([])('anything')).toBe(parquetry.light[0])
  expect(colorScale('parquetry', { sales: '#123456' })([])('sales')).toBe('#123456')
})

it('regression: the scheme and the label colors of the dashboard take precedence over label colors of the form', () => {
  const form = { color_scheme: 'd3Category10', label_colors: { sun: '#123456' } }
  expect(resolveColorScale(form)(weather)('sun')).toBe(colorScale('d3Category10')(weather)('sun'))
  const dashboard = {
    color_scheme: 'parquetry',
    map_label_colors: { sun: '#111111', fog: '#222222', rain: '#333333' },
    shared_label_colors: { sun: '#444444', fog: '#555555' },
    label_colors: { sun: '#666666' },
  }
  const of = resolveColorScale(form, dashboard)(weather)
  expect(['sun', 'fog', 'rain'].map(of)).toEqual(['#666666', '#555555', '#333333'])
  expect(resolveColorScale(form, { label_colors: [], shared_label_colors: ['sun'] })(weather)('sun')).not.toBe(
    '#123456',
  )
})

describe('PERM-038: with analogous colors', () => {
  const names = Array.from({ length: 40 }, (_, index) => `name ${index}`)
  const analogous = (shown?: LabelSlots) => colorScale('parquetry', {}, { shown, isAnalogous: true })

  it('labels beyond the colors of the scheme have colors of their own, whatever their order', () => {
    const colors = assignColors(names, analogous())
    expect(new Set(Object.values(colors)).size).toBe(40)
    for (const color of parquetry.light) expect(Object.values(colors)).toContain(color)
    expect(assignColors(names.toReversed(), analogous())).toEqual(colors)
    expect(new Set(Object.values(assignColors(names))).size).toBe(parquetry.light.length)
  })

  it('charts with few labels have the colors of the scheme', () => {
    expect(assignColors(weather, analogous())).toEqual(assignColors(weather))
    expect(analogous()([])('sales')).toBe(parquetry.light[0])
  })

  it('a label of a dashboard keeps its color when a filter leaves few labels, also after a reload', () => {
    const shown = {}
    const colors = assignColors(names, analogous(shown))
    const left = names.slice(20, 25)
    const again = analogous(JSON.parse(JSON.stringify(shown)) as LabelSlots)
    expect(assignColors(left, again)).toEqual(Object.fromEntries(left.map((name) => [name, colors[name]])))
  })

  it('stored slots of analogous colors are ignored when the flag is off', () => {
    const shown = {}
    analogous(shown)(names)
    for (const color of Object.values(assignColors(names, colorScale('parquetry', {}, { shown }))))
      expect(parquetry.light).toContain(color)
  })

  it('more labels than analogous colors repeat them evenly', () => {
    const many = Array.from({ length: 800 }, (_, index) => `many ${index}`)
    expect(new Set(many.map(analogous()(many))).size).toBeGreaterThan(300)
  })
})

describe('on a dashboard', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']

  it('regression: a label keeps its color whatever is filtered, in all charts', () => {
    const random = createRandom(11)
    for (let turn = 0; turn < 100; turn++) {
      const scale = colorScale('supersetColors', {}, { shown: {} })
      const colors = assignColors(letters.slice(0, 20), scale)
      expect(new Set(Object.values(colors)).size).toBe(20)
      for (let filter = 0; filter < 5; filter++) {
        const left = letters.slice(0, 20).filter(() => random() < 0.3)
        expect(assignColors(left, scale)).toEqual(Object.fromEntries(left.map((each) => [each, colors[each]])))
      }
    }
  })

  it('a chart repeats no color because its labels had the same one in different charts', () => {
    const shown = {}
    const scale = colorScale('parquetry', {}, { shown })
    const alone = Object.fromEntries(letters.map((label) => [label, scale([label])(label)]))
    const [one, other] = letters.flatMap((a) =>
      letters.filter((b) => b > a && alone[a] === alone[b]).map((b) => [a, b]),
    )[0]!
    expect(new Set(Object.values(assignColors([one!, other!], scale))).size).toBe(2)
    expect(scale([other!])(other!)).toBe(alone[other!])
  })

  it('the slots survive as JSON, for labels with any name', () => {
    const shown = {}
    const labels = ['__proto__', 'constructor', ...weather]
    const colors = labels.map(colorScale('parquetry', {}, { shown })(labels))
    const again = colorScale('parquetry', {}, { shown: JSON.parse(JSON.stringify(shown)) as typeof shown })
    expect(labels.map((label) => again([label])(label))).toEqual(colors)
  })

  it('a pinned color takes precedence, and a chart of one measure still has the first color', () => {
    const shown = {}
    colorScale('parquetry', {}, { shown })(['sales', ...weather])
    expect(colorScale('parquetry', { sun: '#123456' }, { shown })(weather)('sun')).toBe('#123456')
    expect(colorScale('parquetry', {}, { shown })([])('sales')).toBe(parquetry.light[0])
  })
})
