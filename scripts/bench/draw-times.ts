import type { ChartForm } from '@parquetry/charts'
import { readFixtures } from '@parquetry/charts/testing/fixtures'
import type { FixtureColumn } from '@parquetry/charts/testing/frames'
import { servePage } from '@parquetry/charts/testing/serve-page'
import { readFileSync } from 'node:fs'
import { launchBrowser } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import { listChartTypes } from './chart-types.ts'
import type { DrawRequest } from './draw-page/main.ts'
import type { Figure } from './figure.ts'
import { median } from './measure.ts'

const sizes = [1000, 10_000, 100_000]
/** ECharts alone takes two minutes to fill an area of a hundred thousand. */
const maxRowsByType: Record<string, number> = { echarts_area: 10_000 }
/** Slower drawings are measured once. */
const slowMs = 3000

/** The types that draw as many rows as a query may return, as in `SQL_MAX_ROW`; all others stop at fewer marks. */
const large: Record<string, (rows: number) => DrawRequest> = {
  ...Object.fromEntries(
    [
      'echarts_timeseries_line',
      'echarts_timeseries_smooth',
      'echarts_timeseries_step',
      'echarts_area',
      'echarts_timeseries_bar',
      'echarts_timeseries_scatter',
    ].map((viz_type) => [viz_type, (rows: number) => overTime(viz_type, rows)]),
  ),
  mixed_timeseries: (rows) => {
    const { form, frames } = overTime('mixed_timeseries', rows / 2)
    const second = { seriesTypeB: 'bar', metrics_b: ['n'], groupby_b: [] }
    return { form: { ...form, ...second }, frames: { series: frames.series!, series_b: frames.series! } }
  },
  bubble_v2: (rows) => ({
    form: { viz_type: 'bubble_v2', entity: 'a', x: 'x', y: 'y', size: 'n', max_bubble_size: 10 },
    frames: {
      bubbles: [
        { name: 'a', values: makeRows(rows, (row) => `Part ${row}`) },
        { name: 'x', values: makeRows(rows, (row) => (row * 7919) % 100_003) },
        { name: 'y', values: makeRows(rows, valueAt) },
        { name: 'n', values: makeRows(rows, (row) => row % 17) },
      ],
    },
  }),
}

const makeRows = <T>(rows: number, of: (row: number) => T): T[] => Array.from({ length: rows }, (_, row) => of(row))
const valueAt = (row: number): number => 50 + 40 * Math.sin(row / (1 + (row % 3))) + ((row * 7919) % 101) / 10

const overTime = (viz_type: string, rows: number): DrawRequest => ({
  form: { viz_type, x_axis: 'day', metrics: ['n'], groupby: [] },
  frames: {
    series: [
      { name: 'day', kind: 'time', values: makeRows(rows, (row) => row * 3_600_000) },
      { name: 'n', values: makeRows(rows, valueAt) },
    ],
  },
})

/**
 * Each chart type from its data to its finished drawing, on a canvas of 960 x 480, compared with ECharts given only the same
 * series and data; for shapes that ECharts does not know, the same shapes. Types with any number of rows are drawn at a thousand,
 * ten and a hundred thousand marks, the others with the data of their fixture.
 */
export const drawTimes: Workload = async ({ runs }) => {
  const served = await servePage(new URL('draw-page/', import.meta.url))
  const browser = await launchBrowser()
  const count = Math.max(3, Math.round(runs / 5))
  const figures: Figure[] = []
  try {
    const page = await browser.newPage()
    await page.goto(served.url)
    const charts = (await listChartTypes()).filter(({ kinds }) => kinds.length > 0)
    const all = charts.flatMap(
      ({ viz_type, folder }): { viz_type: string; request: DrawRequest; rows: number | null }[] => {
        const grow = large[viz_type]
        if (!grow) return [{ viz_type, request: readFixture(folder), rows: null }]
        const largest = maxRowsByType[viz_type] ?? Infinity
        return sizes.filter((rows) => rows <= largest).map((rows) => ({ viz_type, request: grow(rows), rows }))
      },
    )
    for (const { viz_type, request, rows } of all) {
      await page.evaluate((each) => window.prepare(each), request)
      const [ours, plain] = [[] as number[], [] as number[]]
      let marks = 0
      for (let turn = -1; turn < count; turn += 1) {
        const one = await page.evaluate(() => window.drawOurs())
        const other = await page.evaluate(() => window.drawPlain())
        marks = one.marks
        const isSlow = one.ms + other.ms > slowMs
        if (turn < 0 && !isSlow) continue
        ours.push(one.ms)
        plain.push(other.ms)
        if (isSlow) break
      }
      figures.push({
        name: `draw ${(rows ?? marks).toLocaleString('en')} marks: ${viz_type}`,
        unit: 'ms',
        value: median(ours),
        runs: ours.length,
        floor: median(plain),
        floorIs: 'ECharts with the same data',
        budget: Math.max(1.5 * median(plain), 50),
      })
    }
    return figures
  } finally {
    await browser.close()
    await served.close()
  }
}

function readFixture(folder: string): DrawRequest {
  const [fixture] = readFixtures(folder)
  if (!fixture) throw new Error(`${folder} has no fixture`)
  const path = new URL(`../../packages/charts/src/${folder}/fixtures/${fixture.name}.frames.json`, import.meta.url)
  return {
    form: fixture.form satisfies ChartForm,
    frames: JSON.parse(readFileSync(path, 'utf8')) as Record<string, FixtureColumn[]>,
  }
}
