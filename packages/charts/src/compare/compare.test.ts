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

chartSuite(chart, 'compare')

const days = ['2026-03-01', '2026-03-02', '2026-03-03'].map((day) => Date.parse(day))
const frames = toFrames({
  series: [
    { name: 'at', kind: 'time', values: days },
    { name: 'up', parts: ['up'], values: [50, 75, 100] },
    { name: 'late', parts: ['late'], values: [null, 20, 15] },
    { name: 'from nothing', parts: ['from nothing'], values: [0, 4, 8] },
    { name: 'below', parts: ['below'], values: [-10, -20, 5] },
    { name: 'empty', parts: ['empty'], values: [null, null, null] },
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
const baseForm: ChartForm = {
  viz_type: 'compare',
  x_axis: 'at',
  time_grain_sqla: 'P1D',
  metrics: ['n'],
  groupby: ['k'],
  sort_series_type: 'name',
  sort_series_ascending: true,
}
const drawn = (more: ChartForm = {}, answer = frames) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(chart.spec(answer, form, buildSpecContext(form)), answer, around, families)
}
const drawLines = (more: ChartForm = {}) => Object.fromEntries(drawn(more).axes!.plots.map(({ name, y }) => [name, y]))

it('measures each series relative to its first nonzero value', () => {
  expect(drawLines()).toEqual({
    up: [0, 0.5, 1],
    below: [0, -1, 1.5],
    'late, since Mon, Mar 2, 2026': [null, 0, -0.25],
    'from nothing, since Mon, Mar 2, 2026': [-1, 0, 1],
  })
})

it('measures changes from the configured day', () => {
  expect(drawLines({ change_since: '2026-03-03' })).toMatchObject({
    up: [-0.5, -0.25, 0],
    late: [null, (20 - 15) / 15, 0],
  })
  expect(drawLines({ change_since: 'one day' })).toEqual(drawLines())
  expect(drawn({ change_since: '2026-03-03' }).option.yAxis).toMatchObject({ name: 'Change since Tue, Mar 3, 2026' })
})

it('shows signed percentages, or numbers in the configured format', () => {
  expect(drawn().markText({ series: 3, at: 1 })).toBe('Mon, Mar 2, 2026, up: +50%')
  expect(drawn({ y_axis_format: '.2f' }).markText({ series: 3, at: 1 })).toBe('Mon, Mar 2, 2026, up: 0.50')
  expect(drawn({ y_axis_title: 'Growth' }).option.yAxis).toMatchObject({ name: 'Growth' })
})

it('queries the values themselves', () => {
  const { series } = chart.queries(applyDefaults(chart.form, baseForm), {})
  expect(series?.post_processing?.map((step) => step?.operation)).toEqual(['pivot', 'rename', 'flatten'])
})

it('opens stored forms; new settings override legacy ones', async () => {
  const form = async (more: ChartForm) =>
    (await loadStoredForm({ ...baseForm, show_brush: 'yes', x_axis_label: 'Day', ...more }))?.form
  expect(await form({})).toMatchObject({ viz_type: 'compare', zoomable: true, x_axis_title: 'Day' })
  expect(await form({ zoomable: false, x_axis_title: 'Tag' })).toMatchObject({ zoomable: false, x_axis_title: 'Tag' })
})

it.each(Object.entries(buildHostileFrames('at', 'n')))('draws %s', async (_, { rows }) => {
  if (rows.rows > 1000) return
  const { svg } = await drawChart('compare', { series: rows }, { ...baseForm, groupby: [] })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
