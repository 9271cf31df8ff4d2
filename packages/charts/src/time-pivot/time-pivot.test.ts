import { expect, it } from 'vitest'
import type { ChartForm } from '../define.ts'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'time-pivot')

const day = 86_400_000
/** A Wednesday, followed by ten days of data. */
const begin = Date.parse('2026-11-04')
const frames = toFrames({
  series: [
    { name: 'at', kind: 'time', values: Array.from({ length: 10 }, (_, i) => begin + i * day) },
    { name: 'n', values: [0, 1, 2, 3, 4, 5, null, 7, 8, 9] },
  ],
})
const families = await loadFamilies(['line'])
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 300,
}
const baseForm: ChartForm = { viz_type: 'time_pivot', x_axis: 'at', time_grain_sqla: 'P1D', metric: 'n' }
const drawn = (more: ChartForm = {}, until: number | null = null) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(frames, form, buildSpecContext(form, { until })), frames, around, families)
}
const drawLines = (more: ChartForm = {}) => drawn(more).axes!.plots.map(({ name, y }) => [name, y])

it('overlays weeks, the last one first', () => {
  expect(drawLines()).toEqual([
    ['Nov 9, 2026', [5, null, 7, 8, 9, null, null]],
    ['Nov 2, 2026', [null, null, 0, 1, 2, 3, 4]],
  ])
  expect(drawLines({ freq: 'W-SUN' }).map(([name]) => name)).toEqual(['Nov 8, 2026', 'Nov 1, 2026'])
  expect(drawLines({ freq: 'MS' })).toHaveLength(1)
})

it('a tooltip shows the weekday and its value in each week, and a mark has its own date', () => {
  const picture = drawn()
  const { formatter } = picture.option.tooltip as { formatter(params: unknown): string }
  const place = picture.fromTarget({ seriesIndex: 1, dataIndex: 1 })
  expect(
    formatter([{ seriesIndex: 1, dataIndex: 1 }])
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).toBe('Thursday Nov 9, 2026 8 Nov 2, 2026 1')
  expect(picture.mark(place!, baseForm)?.drill).toEqual([{ col: 'at', op: '==', val: begin + day, grain: 'P1D' }])
})

it('only the last position of the last week is incomplete', () => {
  const { plots } = drawn({}, begin + 9 * day + 1).axes!
  expect(plots.map(({ unfinished }) => unfinished)).toEqual([4, undefined])
})

it('the last period differs from the others in color, width and name', () => {
  const [last, before] = drawn({ color_picker: { r: 200, g: 10, b: 10, a: 1 } }).option.series as Record<
    string,
    never
  >[]
  expect([last!.color, before!.color]).toEqual(['#c80a0a', 'rgba(200,10,10,0.53)'])
  expect([last!.lineStyle, before!.lineStyle]).toMatchObject([{ width: 3 }, { width: 1.5 }])
  expect(drawn({ show_legend: true }).legend.map(({ name }) => name)).toEqual(['Nov 9, 2026', 'Nov 2, 2026'])
})

it('opens stored forms', async () => {
  const opened = await loadStoredForm({
    viz_type: 'time_pivot',
    granularity_sqla: 'at',
    metric: 'n',
    freq: 'AS',
    line_interpolation: 'cardinal',
    x_axis_label: 'Month',
  })
  expect(opened?.form).toMatchObject({ viz_type: 'time_pivot', seriesType: 'smooth', x_axis_title: 'Month' })
})

it.each(Object.entries(buildHostileFrames('at', 'n')))('draws %s', async (_, { rows }) => {
  if (rows.rows > 1000) return
  const { svg } = await drawChart('time_pivot', { series: rows }, { ...baseForm, freq: 'AS' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})

it('draws periods with extreme values, and a single one', async () => {
  for (const values of [[1e308, 1e-308, -5], [null, null, null], [7]]) {
    const answer = toFrames({
      series: [
        { name: 'at', kind: 'time', values: values.map((_, i) => begin + i * 7 * day) },
        { name: 'n', values },
      ],
    })
    const { svg } = await drawChart('time_pivot', answer, baseForm)
    expect(svg).not.toMatch(/NaN|Infinity/)
  }
})

it('a line that ends before others has its label over the plot, without space reserved at the right', () => {
  const rightOf = (more: ChartForm) => (drawn(more).option.grid as { right: number }).right
  expect(rightOf({})).toBeLessThan(rightOf({ freq: 'MS' }))
})

it('regression: the oldest of many periods are visible on a dark background', () => {
  const alphas = drawn({ freq: 'D', show_legend: true }).legend.map(({ color }) =>
    Number(/,([\d.]+)\)$/.exec(color)?.[1] ?? 1),
  )
  expect(alphas.length).toBeGreaterThan(1)
  expect(Math.min(...alphas)).toBeGreaterThanOrEqual(0.35)
  expect(alphas).toEqual(alphas.toSorted((a, b) => b - a))
})
