import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart, { type TimeTableSpec } from './chart.ts'
import { buildRowHref } from './href.ts'
import { buildSparklineShape } from './sparkline.ts'

chartSuite(chart, 'time-table')

const months = [0, 1, 2, 3].map((month) => Date.UTC(2026, month, 1))
const answer = (columns: Record<string, (number | null)[]>) =>
  toFrames({
    series: [
      { name: 'at', kind: 'time', values: months },
      ...Object.entries(columns).map(([name, values]) => ({ name, values })),
    ],
  })
const base = { viz_type: 'time_table', x_axis: 'at', time_grain_sqla: 'P1M', metrics: ['n'], groupby: ['g'] }
const drawn = (
  columns: Record<string, (number | null)[]>,
  column: object,
  more: object = {},
  until: number | null = null,
) => {
  const form = applyDefaults(chart.form, { ...base, column_collection: [column], ...more })
  return chart.spec(answer(columns), form, buildSpecContext(form, { until })) as TimeTableSpec
}
const drawValues = (columns: Record<string, (number | null)[]>, column: object): unknown[] =>
  drawn(columns, column).rows.map(({ cells: [cell] }) => ('value' in cell! ? cell.value : cell!.points))

describe('a column of a time-series table', () => {
  const ab = { a: [10, 20, 40, 30], b: [1, null, 0, 10] }
  it.each([
    [{ colType: 'time', timeLag: 0, comparisonType: 'value' }, [30, 10]],
    [{ colType: 'time', timeLag: '1', comparisonType: 'value' }, [40, 0]],
    [{ colType: 'time', timeLag: 2, comparisonType: 'value' }, [20, null]],
    [{ colType: 'time', timeLag: -1, comparisonType: 'value' }, [10, 1]],
    [{ colType: 'time', timeLag: 4, comparisonType: 'value' }, [null, null]],
    [{ colType: 'time', timeLag: 1, comparisonType: 'diff' }, [-10, 10]],
    [{ colType: 'time', timeLag: 1, comparisonType: 'perc' }, [0.75, null]],
    [{ colType: 'time', timeLag: 1, comparisonType: 'perc_change' }, [-0.25, null]],
    [{ colType: 'time', timeLag: 2, comparisonType: 'diff' }, [10, null]],
    [{ colType: 'contrib' }, [0.75, 0.25]],
    [{ colType: 'avg', timeLag: 2 }, [35, 5]],
    [{ colType: 'avg', timeLag: 3 }, [30, 5]],
    [{ colType: 'avg' }, [25, 11 / 3]],
    [
      { colType: 'spark' },
      [
        [10, 20, 40, 30],
        [1, null, 0, 10],
      ],
    ],
    [
      { colType: 'spark', timeRatio: '1' },
      [
        [2, 2, 0.75],
        [null, null, null],
      ],
    ],
  ])('%j', (column, values) => {
    expect(drawValues(ab, column)).toEqual(values)
  })

  it('explains why there is no value that far back', () => {
    const cell = drawn(ab, { colType: 'time', timeLag: 9, comparisonType: 'value' }).rows[0]!.cells[0]
    expect(cell).toMatchObject({ value: null, reason: 'Only 4 periods are available.' })
  })

  it('is red at the low end of its colors and blue at the high one, reversed when they are swapped', () => {
    const toneAt = (bounds: unknown) => {
      const cell = drawn(ab, { colType: 'time', timeLag: 0, bounds }).rows[0]!.cells[0]!
      return 'tone' in cell ? cell.tone : undefined
    }
    expect([[0, 60], [60, 0], [100, 200], [30, null], [null, 30], [null, null], 'x'].map(toneAt)).toEqual([
      0.5,
      0.5,
      0,
      1,
      0,
      null,
      null,
    ])
    expect(toneAt([0, 40])).toBe(0.75)
    expect(toneAt([40, 0])).toBe(0.25)
  })
})

it('treats invalid fields as not set', () => {
  const { columns } = drawn({ a: [1, 2, 3, 4] }, { colType: 'unheard', timeLag: 'x', height: 'tall', yAxisBounds: 7 })
  expect(columns).toMatchObject([{ label: 'Value: the last period', spark: null }])
  const form = applyDefaults(chart.form, { ...base, column_collection: [null, 'x', 3] })
  expect(chart.spec(answer({ a: [1, 2, 3, 4] }), form, buildSpecContext(form)).columns).toEqual([])
})

it('has one row per value of a dimension, or per metric by its name', () => {
  const names = (more: object, columns: Record<string, number[]>) =>
    drawn(columns, {}, more).rows.map(({ name }) => name)
  expect(names({}, { France: [1], '<NULL>': [1] })).toEqual(['France', '∅'])
  expect(names({ groupby: [], metrics: ['n', 'm'] }, { m: [2], n: [1] })).toEqual(['n', 'm'])
  expect(names({ metrics: ['n', 'm'] }, { 'n, France': [1], 'm, France': [2] })).toEqual(['France, n', 'France, m'])
})

it('shows which period is the last one and that it is incomplete', () => {
  const last = (until: number | null) => drawn({ a: [1, 2, 3, 4] }, {}, {}, until).last
  expect(last(null)).toBe('Last period: April 2026')
  expect(last(Date.UTC(2026, 3, 9))).toBe('Last period: April 2026 (incomplete)')
})

it('names link to the URL of the template, and never to a script', () => {
  const href = (url: string, name = 'a b') => drawn({ [name]: [1, 2, 3, 4] }, {}, { url }).rows[0]!.href
  expect(href('/x/?q={{ metric }}&m={{metric.metric_name}}')).toBe('/x/?q=a%20b&m=n')
  expect(href('https://example.com/{{{metric.label}}}')).toBe('https://example.com/a%20b')
  expect(href('/x/{{ time_grain_sqla }}/{{ nothing }}{{ constructor }}')).toBe('/x/P1M/')
  expect([
    href('javascript:alert(1)'),
    href('{{ metric }}', 'javascript:alert(1)'),
    href('{{metric}}', '//evil'),
    href(''),
  ]).toEqual([null, null, null, null])
  expect(href('{{ metric }}', 'https://example.com/')).toBe('https://example.com/')
})

it('queries the newest periods first, so that a limit leaves no gaps', () => {
  const orderOf = (form: object) => namedQueries(chart, { viz_type: 'time_table', metrics: ['n'], ...form })['series']
  expect(orderOf({ x_axis: 'at' })).toMatchObject({ orderby: [['at', false]] })
  expect(orderOf({ granularity_sqla: 'at', time_grain_sqla: 'P1Y' })).toMatchObject({
    orderby: [['__timestamp', false]],
    is_timeseries: true,
  })
})

it('a sparkline has gaps for missing values, and dots for a value between gaps and the last one', () => {
  const spark = {
    times: [],
    timeFormat: '',
    width: null,
    height: 30,
    line: 'line',
    hasAxis: false,
    axis: [null, null],
  } as const
  const shape = buildSparklineShape(
    { points: [1, 2, null, 3, null, 2, 1], format: '' },
    { ...spark, times: [] },
    66,
    30,
  )
  expect(shape.line.match(/M/g)).toHaveLength(2)
  expect(shape.dots).toHaveLength(2)
  expect(shape.at.map((place) => place?.y ?? null)).toEqual([27, 15, null, 3, null, 15, 27])
})

it.each(Object.entries(buildHostileFrames('at', 'n')))('draws %s without failing', async (_, { rows }) => {
  const form = {
    ...base,
    groupby: [],
    column_collection: [{ colType: 'time' }, { colType: 'spark' }, { colType: 'contrib' }],
  }
  const { svg } = await drawChart('time_table', { series: rows }, form)
  expect(svg).not.toMatch(/NaN|Infinity/)
})

it('regression: draws a table with links when a name contains a lone surrogate', () => {
  expect(buildRowHref('/a?b={{metric}}', { name: 'x\ud800', metric: 'm', form: {} })).toBe('/a?b=x%EF%BF%BD')
})
