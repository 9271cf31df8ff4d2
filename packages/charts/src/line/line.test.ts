import { expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'line')

it('regression: shows the values of lines if configured', async () => {
  const frames = toFrames({
    series: [
      { name: 'at', kind: 'time', values: [0, 1, 2].map((day) => day * 86_400_000) },
      { name: 'n', values: [123, 234, null] },
    ],
  })
  const textsOf = async (show_value: boolean) => {
    const { svg } = await drawChart('echarts_timeseries_line', frames, { x_axis: 'at', metrics: ['n'], show_value })
    return [...svg.matchAll(/>(\d+)<\/text>/g)].map(([, text]) => text)
  }
  expect(await textsOf(true)).toEqual(expect.arrayContaining(['123', '234']))
  expect(await textsOf(false)).not.toContain('123')
})
