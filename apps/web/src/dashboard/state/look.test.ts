import { expect, it } from 'vitest'
import { dashboardColors } from './look.ts'

const byWeather = { datasource: '7__table', groupby: ['weather'] }
const byMetric = { datasource: '7__table', groupby: [], metrics: ['high', 'low'] }

it('a label has one colour in all charts that part by the same column, whichever comes first', () => {
  const colors = dashboardColors({})
  const rain = colors(byWeather)('rain')
  const sun = colors({ ...byWeather, viz_type: 'echarts_area' })('sun')
  expect(colors(byWeather)('sun')).toBe(sun)
  expect(sun).not.toBe(rain)
})

it('charts that part by other things start at the front of the scheme, so that loading order recolours nothing', () => {
  const first = dashboardColors({})
  const second = dashboardColors({})
  const a = [first(byWeather)('rain'), first(byMetric)('high')]
  const b = [second(byMetric)('high'), second(byWeather)('rain')].toReversed()
  expect(a).toEqual(b)
})

it('DASH-039, DASH-043: the dashboard’s scheme and label colours win over the charts’ own', () => {
  const form = { ...byWeather, color_scheme: 'd3Category10' }
  const own = dashboardColors({
    color_scheme: 'supersetColors',
    shared_label_colors: { sun: '#111111', fog: '#222222' },
    label_colors: { sun: '#333333' },
  })(form)
  expect([own('sun'), own('fog')]).toEqual(['#333333', '#222222'])
  expect(own('rain')).toBe(dashboardColors({ color_scheme: 'supersetColors' })(byWeather)('rain'))
  expect(own('rain')).not.toBe(dashboardColors({})(form)('rain'))
})
