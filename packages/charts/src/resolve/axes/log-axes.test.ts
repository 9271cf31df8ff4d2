import { createRandom } from '@parquetry/model/testing/random'
import { expect, it } from 'vitest'
import { drawChart } from '../../draw/index.ts'
import { readDrawnBars } from '../../testing/drawn-bars.ts'
import { toFrames } from '../../testing/frames.ts'
import { findLogStart } from './log-axes.ts'
import type { Plot } from './plot.ts'

type Series = Record<string, (number | null)[]>
const draw = async (viz_type: string, x: unknown[], series: Series, more: object = {}) => {
  const columns = Object.entries(series).map(([name, values]) => ({ name, values }))
  const isTime = typeof x[0] === 'number'
  const frames = toFrames({ series: [{ name: 'x', ...(isTime && { kind: 'time' }), values: x } as never, ...columns] })
  const form = { x_axis: 'x', metrics: ['n'], groupby: ['g'], sort_series_type: 'name', sort_series_ascending: true }
  return (await drawChart(viz_type, frames, { ...form, show_legend: false, ...more }, { width: 640, height: 400 })).svg
}
/** Bars with a height, by position from the left and then from the bottom, as the names of their series. */
const standing = (svg: string, names: string[]) => {
  const bars = readDrawnBars(svg).filter(({ top, bottom }) => bottom - top > 3)
  return [...new Set(bars.map(({ at }) => at))]
    .toSorted((a, b) => a - b)
    .map((index) =>
      bars
        .filter((bar) => bar.at === index)
        .toSorted((a, b) => b.bottom - a.bottom)
        .map(({ series }) => names[series]),
    )
}
const note = /(\d+) values? of 0 or less cannot be shown on a logarithmic axis/

it('C050: zero and null take no room in a stack on a logarithmic axis and hide no other series', async () => {
  const series = { high: [0, 5], mid: [10, null], low: [1000, 100] }
  for (const sort_series_ascending of [true, false]) {
    const form = { stack: 'Stack', logAxis: true, sort_series_type: 'sum', sort_series_ascending }
    const svg = await draw('echarts_timeseries_bar', ['mon', 'tue'], series, form)
    const names = ['high', 'mid', 'low']
    expect(standing(svg, sort_series_ascending ? names : names.toReversed())).toEqual([
      ['mid', 'low'],
      ['high', 'low'],
    ])
    expect(svg).not.toContain('NaN')
    expect(note.exec(svg)?.[1]).toBe('1')
  }
})

it('bars of a stack on a logarithmic axis have their own numbers as labels', async () => {
  const form = { stack: 'Stack', logAxis: true, show_value: true }
  const svg = await draw('echarts_timeseries_bar', ['mon', 'tue'], { a: [0, 7.25], b: [12.5, 33.75] }, form)
  const labels = [...svg.matchAll(/<text[^>]*>(\d+\.\d+)<\/text>/g)].map(([, text]) => text)
  expect(labels.toSorted()).toEqual(['12.5', '33.75', '7.25'])
})

it.each([{}, { stack: 'Stack' }, { orientation: 'horizontal' }])(
  'regression: every positive bar is visible on a logarithmic axis (%j)',
  async (more) => {
    const random = createRandom(3)
    for (let turn = 0; turn < 8; turn++) {
      const values = Array.from({ length: 5 }, () => 10 ** (random() * 8 - 3))
      const bars = readDrawnBars(
        await draw('echarts_timeseries_bar', [...'abcde'], { n: values }, { logAxis: true, ...more }),
      )
      const sizes = bars.map(({ left, right, top, bottom }) => ('orientation' in more ? right - left : bottom - top))
      expect(sizes).toHaveLength(5)
      expect(Math.min(...sizes)).toBeGreaterThan(3)
      const bySize = bars.toSorted((a, b) => sizes[a.at]! - sizes[b.at]!).map(({ at }) => values[at]!)
      expect(bySize).toEqual(values.toSorted((a, b) => a - b))
    }
  },
)

it('bars begin below the smallest one at a round number', () => {
  const startOf = (...y: (number | null)[]) => findLogStart([{ y } as Plot])
  expect(startOf(1, 10, 1000)).toBe(0.1)
  expect(startOf(50, 60, 100)).toBe(20)
  expect(startOf(0, -3, null, 8)).toBe(5)
  expect([startOf(), startOf(0, null, -1)]).toEqual([null, null])
})

it.each(['echarts_timeseries_line', 'echarts_area', 'echarts_timeseries_scatter'])(
  'C050: zero and negative numbers are a gap and a sentence on a logarithmic axis, as %s',
  async (viz_type) => {
    const x = [0, 1, 2, 3].map((day) => Date.UTC(2024, 0, 1 + day))
    const svg = await draw(viz_type, x, { a: [3, 0, 4, 5], b: [1, 2, -3, null] }, { logAxis: true })
    expect(svg).not.toMatch(/NaN|Infinity/)
    expect(note.exec(svg)?.[1]).toBe('2')
    const none = await draw(viz_type, x, { a: [0, 0, -1, null] }, { logAxis: true })
    expect(note.exec(none)?.[1]).toBe('3')
    expect(await draw(viz_type, x, { a: [3, 0, -4, 5] })).not.toMatch(note)
  },
)

it('C051: "only total" shows the sum of a stack with negative values', async () => {
  const totals = async (series: Series) => {
    const form = { stack: 'Stack', show_value: true, only_total: true }
    const svg = await draw('echarts_timeseries_bar', ['x1', 'x2'], series, form)
    return [...svg.matchAll(/<text[^>]*>(−?\d+\.\d+)<\/text>/g)].map(([, text]) => text).toSorted()
  }
  expect(await totals({ a: [5, 2.5], b: [-2.75, null], c: [null, 4.25] })).toEqual(['2.25', '6.75'])
  expect(await totals({ a: [-5, -2.5], b: [-2.75, null] })).toEqual(['−2.5', '−7.75'])
})

it('regression: a single point between gaps is drawn, also in a stack', async () => {
  const x = [0, 1, 2, 3, 4].map((day) => Date.UTC(2024, 0, 1 + day))
  const dots = (svg: string) => svg.match(/<path d="M1 0A1 1 0 1 1 1 -0\.\d+A/g)?.length ?? 0
  const series = { a: [1, null, 3, null, null], b: [1, 2, null, 4, null] }
  for (const viz_type of ['echarts_timeseries_line', 'echarts_timeseries_smooth', 'echarts_timeseries_step'])
    expect(dots(await draw(viz_type, x, series)), viz_type).toBe(3)
  expect(dots(await draw('echarts_area', x, series))).toBe(3)
  expect(dots(await draw('echarts_timeseries_line', x, series, { stack: 'Stack' }))).toBe(3)
  expect(dots(await draw('echarts_timeseries_line', x, { a: [1, 2, 3, 4, 5] }))).toBe(0)
})
