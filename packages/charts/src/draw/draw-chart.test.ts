import { expect, it } from 'vitest'
import { framesOf } from '../testing/frames.ts'
import { drawChart } from './index.ts'

const rows = Array.from({ length: 10_000 }, (_, row) => row)
const frames = (name: string) =>
  framesOf({
    [name]: [
      { name: 'day', kind: 'time', values: rows.map((row) => row * 86_400_000) },
      { name: 'n', values: rows.map((row) => (row % 7 === 0 ? null : Math.sin(row / 50) * 100)) },
    ],
  })

it.each(['echarts_timeseries_line', 'echarts_area', 'echarts_timeseries_bar', 'echarts_timeseries_scatter'])(
  'draws ten thousand points with gaps as %s',
  async (viz_type) => {
    const form = { viz_type, x_axis: 'day', metrics: ['n'], groupby: [] }
    const { svg } = await drawChart(viz_type, frames('series'), form, { title: 'Many' })
    expect(svg).not.toContain('NaN')
    expect(svg.match(/<path/g)?.length).toBeGreaterThan(5)
  },
)

it.each(['echarts_timeseries_line', 'pie', 'table', 'big_number', 'big_number_total'])(
  'draws an answer without rows as %s',
  async (viz_type) => {
    const form = { viz_type, x_axis: 'day', metrics: ['n'], metric: 'n', groupby: ['day'] }
    const { svg } = await drawChart(viz_type, {}, form, { title: 'None' })
    expect(svg).toContain('<title>None</title>')
    expect(svg).not.toContain('NaN')
  },
)
