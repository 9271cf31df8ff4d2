import { expect, it } from 'vitest'
import { drawChart } from '../../draw/index.ts'
import { readDrawnBars } from '../../testing/drawn-bars.ts'
import { toFrames } from '../../testing/frames.ts'

const day = 86_400_000
const every = (count: number, ms: number) =>
  Array.from({ length: count }, (_, index) => Date.UTC(2024, 0, 1) + index * ms)
/** Events at irregular times, two of them within a second. */
const events = [
  ...every(30, 3 * day).map((time, index) => time + (index % 7) * 3333),
  Date.UTC(2024, 0, 1) + 1000,
].toSorted((a, b) => a - b)
const size = { width: 640, height: 400 }

async function drawBars(times: readonly number[], names: readonly string[], more: object = {}) {
  const columns = names.map((name, index) => ({ name, values: times.map(() => index + 1) }))
  const frames = toFrames({ series: [{ name: 't', kind: 'time', values: [...times] }, ...columns] })
  const form = { x_axis: 't', metrics: ['n'], groupby: ['g'], show_legend: false, ...more }
  const { svg } = await drawChart('echarts_timeseries_bar', frames, form, size)
  const isFlipped = 'orientation' in more
  return readDrawnBars(svg).map(({ series, left, right, top, bottom }) => ({
    series,
    from: isFlipped ? top : left,
    to: isFlipped ? bottom : right,
  }))
}

it.each([
  ['months', every(6, 30 * day), 4, {}],
  ['one day', every(1, day), 4, {}],
  ['sixty days', every(60, day), 12, {}],
  ['sixty days, horizontally', every(60, day), 12, { orientation: 'horizontal' }],
  ['a year of days', every(365, day), 4, {}],
  ['irregular times', events, 8, {}],
  ['irregular times, horizontally', events, 8, { orientation: 'horizontal' }],
  ['irregular times that can be zoomed', events, 8, { zoomable: true }],
] as const)(
  'regression: grouped bars over %s are neither missing nor cut at the edges',
  async (_, times, count, more) => {
    const bars = await drawBars(times, [...'abcdefghijkl'].slice(0, count), more)
    // ECharts omits bars outside the plot, and cuts those at its edge.
    expect(bars).toHaveLength(times.length * count)
    const widths = bars.map(({ from, to }) => to - from)
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(0.25)
  },
)

it.each([
  [60, 12],
  [300, 4],
])('regression: the bars of %i days and %i groups do not overlap', async (days, count) => {
  const bars = await drawBars(every(days, day), [...'abcdefghijkl'].slice(0, count))
  const sorted = bars.toSorted((a, b) => a.from - b.from)
  for (const [at, bar] of sorted.slice(1).entries()) expect(bar.from).toBeGreaterThan(sorted[at]!.to - 0.2)
})

it('bars of one series are at least one pixel wide', async () => {
  const bars = await drawBars(every(2000, day), ['a'])
  for (const { from, to } of bars) expect(to - from).toBeGreaterThan(0.8)
})
