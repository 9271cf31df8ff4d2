import { expect, it } from 'vitest'
import { colorScale, resolveColorScale } from './scale.ts'
import { parquetry, schemes } from './schemes.ts'

const weather = ['drizzle', 'fog', 'rain', 'snow', 'sun']
const assignColors = (labels: readonly string[], of = colorScale('parquetry')) =>
  Object.fromEntries(labels.map((label) => [label, of(labels)(label)]))

it('regression: a label had the colour of its turn; whatever is drawn before it and in whatever order, it keeps its own', () => {
  const scale = colorScale('parquetry')
  scale(['red', 'green', 'blue'])
  expect(assignColors(weather.toReversed(), scale)).toEqual(assignColors(weather))
  expect(assignColors([...weather, ...weather])).toEqual(assignColors(weather))
})

it('regression: what a filter takes away recolours no label that has the slot of its own text', () => {
  const all = assignColors(weather)
  const own = weather.filter((label) => assignColors([label])[label] === all[label])
  expect(own.length).toBeGreaterThan(2)
  for (const label of own)
    expect(assignColors(weather.filter((each) => each === label || each > 'r'))[label]).toBe(all[label])
})

it('labels of the examples have the slots of their own texts, so that each picture of them shows the same colors', () => {
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

it('no colour is there twice before the scheme is used up', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  for (const { id, colors } of schemes) {
    const count = Math.min(letters.length, new Set(colors).size)
    expect(new Set(Object.values(assignColors(letters.slice(0, count), colorScale(id)))).size, id).toBe(count)
  }
  const twice = Object.values(assignColors(letters.slice(0, 24)))
  for (const color of parquetry.light) expect(twice.filter((each) => each === color)).toHaveLength(2)
})

it('a colour that is set is used by no other label while there are free ones', () => {
  const own = assignColors(['sun'])['sun'] as string
  const pinned = colorScale('parquetry', { fog: own })
  expect(assignColors(weather, pinned)['fog']).toBe(own)
  expect(new Set(Object.values(assignColors(weather, pinned))).size).toBe(weather.length)
})

it('a picture without labels to tell apart has the first colour, unless its one label is set', () => {
  expect(colorScale('parquetry')([])('anything')).toBe(parquetry.light[0])
  expect(colorScale('parquetry', { sales: '#123456' })([])('sales')).toBe('#123456')
})

it('regression: label colours of a form won over the scheme and over those of its dashboard', () => {
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
