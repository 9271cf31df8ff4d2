import { expect, it } from 'vitest'
import bigNumber from '../../big-number/chart.ts'
import type { ChartForm, AnyChart } from '../../define.ts'
import line from '../../line/chart.ts'
import { buildSpecContext } from '../../spec-context.ts'
import { namedQueries } from '../../query/build-query-context.ts'
import { applyDefaults } from '../../read-form.ts'
import { othersColor } from '../../resolve/paint.ts'
import { toFrames } from '../../testing/frames.ts'

const [april, may, june] = [Date.UTC(2026, 3, 1), Date.UTC(2026, 4, 1), Date.UTC(2026, 5, 1)]
const columns = [
  { name: 'at', kind: 'time' as const, values: [april, may] },
  { name: 'n', values: [100, 7] },
]
const spec = (chart: AnyChart, more: ChartForm, until: number | null) => {
  const form = applyDefaults(chart.form, { x_axis: 'at', time_grain_sqla: 'P1M', metrics: ['n'], metric: 'n', ...more })
  return chart.spec(toFrames({ series: columns, trend: columns }), form, buildSpecContext(form, { until }))
}

it('regression: marks the last period as incomplete when the response ends within it, unless the form disables it', () => {
  expect(spec(line, {}, may + 1)).toMatchObject({ xAxis: { unfinished: may } })
  for (const [more, until] of [
    [{}, june],
    [{}, null],
    [{ mark_unfinished: false }, may + 1],
    [{ time_grain_sqla: null }, may + 1],
  ] as const)
    expect(spec(line, more, until)['xAxis']).not.toHaveProperty('unfinished')
})

it('regression: an incomplete big number is not shown as a decline', () => {
  expect(spec(bigNumber, {}, may + 1)).toMatchObject({ isUnfinished: true, at: { value: may, format: '%B %Y' } })
  expect(spec(bigNumber, { mark_unfinished: false }, may + 1)).not.toHaveProperty('isUnfinished')
  expect(spec(bigNumber, {}, june)).not.toHaveProperty('isUnfinished')
})

it('regression: a single measure has the first color, and labels have their own, whatever else is drawn', () => {
  const colorsIn = (more: ChartForm) =>
    (spec(line, more, null)['series'] as { color: string }[]).map(({ color }) => color)
  expect(colorsIn({ color_scheme: 'd3Category10' })).toEqual(['#1f77b4'])
  const parts = [
    { name: 'at', kind: 'time' as const, values: [april, may] },
    { name: 'b', parts: ['b'], values: [1, 1] },
    { name: 'a', parts: ['a'], values: [2, 2] },
    { name: '<NULL>', parts: ['<NULL>'], values: [3, 3] },
  ]
  const drawn = (order: typeof parts) => {
    const form = applyDefaults(line.form, { x_axis: 'at', metrics: ['n'], groupby: ['k'], color_scheme: 'parquetry' })
    const { series } = line.spec(toFrames({ series: order }), form, buildSpecContext(form))
    return Object.fromEntries((series as { name: string; color: string }[]).map(({ name, color }) => [name, color]))
  }
  expect(drawn([parts[0]!, parts[2]!, parts[3]!, parts[1]!])).toEqual(drawn(parts))
  expect(Object.keys(drawn(parts)).toSorted()).toEqual(['a', 'b', '∅'])
})

it('regression: with a series limit, other series are grouped in gray and filter nothing; nulls are a separate series', () => {
  const form = applyDefaults(line.form, {
    x_axis: 'at',
    metrics: ['n'],
    groupby: ['k'],
    limit: 1,
    group_others_when_limit_reached: true,
  })
  const answer = [
    { name: 'at', kind: 'time' as const, values: [april, may] },
    { name: 'a', parts: ['a'], values: [5, 5] },
    { name: 'Others', parts: ['Others'], values: [2, 2] },
    { name: '<NULL>', parts: ['<NULL>'], values: [1, 1] },
  ]
  const drawn = (given: ChartForm) =>
    line.spec(toFrames({ series: answer }), applyDefaults(line.form, given), buildSpecContext(form))
  expect(drawn(form)['series']).toMatchObject([
    { name: 'a', key: { k: 'a' } },
    { name: 'Others', color: othersColor },
    { name: '∅', key: { k: null } },
  ])
  expect((drawn(form)['series'] as object[])[1]).not.toHaveProperty('key')
  const own = drawn({ ...form, group_others_when_limit_reached: false })['series'] as object[]
  expect(own[1]).toMatchObject({ key: { k: 'Others' } })
  expect(namedQueries(line, form)['series']).toMatchObject({ series_limit: 1, group_others_when_limit_reached: true })
})
