import { expect, it } from 'vitest'
import { dashboardColors } from './dashboard-colors.ts'

const labels = ['rain', 'sun', 'fog']
const byWeather = { datasource: '7__table', groupby: ['weather'] }
const byKind = { datasource: '8__table', groupby: ['kind'], viz_type: 'pie' }

it('regression: a label has the same color in all charts and visits, whichever chart draws first', () => {
  const [first, second] = [dashboardColors({}), dashboardColors({})]
  const one = [first(byWeather)(labels)('sun'), first(byKind)(['sun', 'rain', 'fog'])('sun')]
  const other = [second(byKind)(['sun', 'rain', 'fog'])('sun'), second(byWeather)(labels)('sun')]
  expect(new Set([...one, ...other]).size).toBe(1)
})

it('the scale of a scheme stays the same function, so that nothing is redrawn', () => {
  const colors = dashboardColors({})
  expect(colors(byWeather)).toBe(colors(byKind))
})

it('DASH-039, DASH-043: the dashboard’s scheme and label colors override those of the charts', () => {
  const form = { ...byWeather, color_scheme: 'd3Category10', label_colors: { sun: '#000000', rain: '#000000' } }
  const metadata = {
    color_scheme: 'supersetColors',
    shared_label_colors: { sun: '#111111', fog: '#222222' },
    label_colors: { sun: '#333333' },
  }
  const own = dashboardColors(metadata)(form)(labels)
  expect([own('sun'), own('fog')]).toEqual(['#333333', '#222222'])
  expect(own('rain')).toBe(dashboardColors({ color_scheme: 'supersetColors' })(byWeather)(['rain'])('rain'))
  expect(own('rain')).not.toBe(dashboardColors({})(form)(['rain'])('rain'))
})

it('regression: a label keeps its color when a filter leaves only some labels, whatever scheme the dashboard gets', () => {
  const shown = {}
  const names = [...'abcdefghijkl']
  for (const metadata of [{}, { color_scheme: 'supersetColors' }, { color_scheme: 'd3Category10' }]) {
    const colors = dashboardColors(metadata, { shown })(byWeather)
    const all = names.map(colors(names))
    expect(names.map((name) => colors([name])(name))).toEqual(all)
    expect(names.map((name) => dashboardColors(metadata, { shown })(byKind)([name])(name))).toEqual(all)
  }
})
