import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { settle } from '../read-form.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { framesOf } from '../testing/frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'area')

it('regression: a form without `stack` was drawn stacked', () => {
  expect(settle(chart.form, { viz_type: 'echarts_area' }).stack).not.toBe('Stack')
  expect(settle(chart.form, { viz_type: 'echarts_area', stack: 'Stack' }).stack).toBe('Stack')
})

it('regression: the total of stacked areas was never shown; parts are on demand', async () => {
  const frames = framesOf({
    series: [
      { name: 'at', kind: 'time', values: [0, 86_400_000] },
      { name: 'a', parts: ['a'], values: [123, 10] },
      { name: 'b', parts: ['b'], values: [111, null] },
    ],
  })
  const textsOf = async (more: object) => {
    const form = { x_axis: 'at', metrics: ['n'], groupby: ['k'], stack: 'Stack', show_value: true, ...more }
    const { svg } = await drawChart('echarts_area', frames, form)
    return [...svg.matchAll(/>(\d{2,3})<\/text>/g)].map(([, text]) => text)
  }
  const totals = await textsOf({})
  expect(totals).toContain('234')
  expect(totals).not.toContain('123')
  expect(await textsOf({ only_total: false })).toEqual(expect.arrayContaining(['123', '111']))
})
