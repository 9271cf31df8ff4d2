import { describe, expect, it } from 'vitest'
import { drawChart } from '../draw/index.ts'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { loadStoredForm } from '../registry.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { rampColor } from '../shared/colors/ramps.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames, type FixtureColumn } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'heatmap')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 400,
  height: 300,
}
const families = await loadFamilies(['heatmap'])
const baseForm = { viz_type: 'heatmap_v2', x_axis: 'city', groupby: 'kind', metric: 'n' }
const question = (form: object) => Object.values(namedQueries(chart, { ...baseForm, ...form }))[0]

type Row = [x: string | number | null, y: string | number | null, n: number | null, rank?: number]
const framesFrom = (rows: readonly Row[], kind?: 'time') =>
  toFrames({
    cells: [
      { name: 'city', values: rows.map(([x]) => x), ...(kind && { kind }) },
      { name: 'kind', values: rows.map(([, y]) => y) },
      { name: 'n', values: rows.map(([, , n]) => n) },
      { name: 'rank', values: rows.map(([, , , rank]) => rank ?? null) },
    ] as FixtureColumn[],
  })
/** Bonn has only one kind, and Köln has one without a value. */
const rows: Row[] = [
  ['Köln', 'a', 10, 0.5],
  ['Köln', 'b', null],
  ['Ulm', 'b', 30, 1],
  ['Ulm', 'a', 5, 0.25],
  ['Bonn', 'a', 15, 0.75],
]
type Item =
  | [number, number, number]
  | { value: [number, number, number]; visualMap?: false; label?: { formatter: () => string } }
interface Axis {
  data: string[]
  inverse?: boolean
  axisLabel: {
    interval?: number | ((index: number) => boolean)
    formatter: (text: string, index: number) => string
    width?: number
  }
}
interface Map {
  type: string
  show: boolean
  text?: string[]
  showLabel?: boolean
  pieces?: { label: string; color: string }[]
}
function drawn(
  form: object = {},
  given: readonly Row[] = rows,
  { kind, ...looks }: { kind?: 'time'; width?: number; height?: number } = {},
) {
  const settled = applyDefaults(chart.form, { ...baseForm, ...form })
  const frames = framesFrom(given, kind)
  const resolved = resolveSpec(
    chart.spec(frames, settled, buildSpecContext(settled)),
    frames,
    { ...around, ...looks },
    families,
  )
  const { series, ...option } = resolved.option as unknown as {
    series: { data: Item[]; label: { show: boolean } }[]
    xAxis: Axis
    yAxis: Axis
    grid: { left: number; bottom: number }
    visualMap: Map
  }
  return { resolved, cells: series[0]!.data, label: series[0]!.label, ...option }
}
const valueOf = (item: Item) => (Array.isArray(item) ? item : item.value)
const cellValues = (form: object, given?: readonly Row[]) => drawn(form, given).cells.map((item) => valueOf(item)[2])

describe('the query', () => {
  it('has both columns and one metric, ranked by the server', () => {
    expect(question({ row_limit: 9 })).toMatchObject({ metrics: ['n'], orderby: [], row_limit: 9 })
    expect(question({ x_axis: 'day', time_grain_sqla: 'P1D' })?.columns).toEqual([
      expect.objectContaining({ label: 'day', columnType: 'BASE_AXIS', timeGrain: 'P1D' }),
      'kind',
    ])
    const rank = (normalize_across?: string) => question({ normalize_across })?.post_processing
    expect(rank()).toEqual([{ operation: 'rank', options: { metric: 'n' } }])
    expect(rank('x')).toEqual([{ operation: 'rank', options: { metric: 'n', group_by: 'city' } }])
    expect(rank('y')).toEqual([{ operation: 'rank', options: { metric: 'n', group_by: 'kind' } }])
  })
  it('is sorted by its axes or by the metric', () => {
    expect(question({ sort_x_axis: 'alpha_asc', sort_y_axis: 'value_desc' })?.orderby).toEqual([
      ['city', true],
      ['n', false],
    ])
    expect(question({ sort_x_axis: 'value_asc' })?.orderby).toEqual([['n', true]])
  })
})

describe('the axes', () => {
  const xs = (form: object, given?: readonly Row[], looks?: { kind?: 'time' }) => drawn(form, given, looks).xAxis.data
  it('are sorted by name or by the sum of their cells, with null last', () => {
    expect(xs({})).toEqual(['Bonn', 'Köln', 'Ulm'])
    expect(xs({ sort_x_axis: 'alpha_desc' })).toEqual(['Ulm', 'Köln', 'Bonn'])
    expect(xs({ sort_x_axis: 'value_asc' })).toEqual(['Köln', 'Bonn', 'Ulm'])
    expect(drawn({ sort_y_axis: 'value_desc' }).yAxis.data).toEqual(['a', 'b'])
    expect(
      xs({}, [
        [null, 'a', 1],
        ['x 10', 'a', 1],
        ['x 9', 'a', 1],
      ]),
    ).toEqual(['x 9', 'x 10', '∅'])
    expect(
      xs({}, [
        [10, 'a', 1],
        [9, 'a', 1],
      ]),
    ).toEqual(['9', '10'])
  })
  it('run downward for texts as in a table, and upward for numbers as on other axes', () => {
    expect(drawn().yAxis.inverse).toBe(true)
    expect(
      drawn({}, [
        ['a', 1, 1],
        ['a', 2, 1],
      ]).yAxis.inverse,
    ).toBe(false)
  })
  const day = 86_400_000
  const days: Row[] = [0, 1, 4].map((index) => [index * day, 'a', index])
  it('have a gap for a time without rows', () => {
    const time = { kind: 'time' as const }
    expect(xs({ time_grain_sqla: 'P1D' }, days, time)).toHaveLength(5)
    expect(xs({ time_grain_sqla: 'P1D', sort_x_axis: 'alpha_desc' }, days, time)[0]).toBe('1970-01-05')
    expect(xs({}, days, time)).toHaveLength(3)
    expect(xs({ time_grain_sqla: 'P1M' }, days, time), 'times that are not of the grain').toHaveLength(3)
    expect(xs({ time_grain_sqla: 'PT1S' }, days, time), 'too many gaps').toHaveLength(3)
  })
  it('show only the changing part of times, and as many as fit', () => {
    const many: Row[] = Array.from({ length: 60 }, (_, index) => [index * day, 'a', index])
    const { axisLabel } = drawn({ time_grain_sqla: 'P1D' }, many, { kind: 'time' }).xAxis
    const shown = many.flatMap((_, index) =>
      (axisLabel.interval as (index: number) => boolean)(index) ? [axisLabel.formatter('', index)] : [],
    )
    expect(shown[0]).toBe('Jan 1, 1970')
    expect(shown[1]).toMatch(/^Jan \d+$/)
    expect(shown.length).toBeLessThan(8)
    const own = drawn({ time_grain_sqla: 'P1D', x_axis_time_format: '%d.%m.' }, many, { kind: 'time' }).xAxis.axisLabel
    expect(own.formatter('', 0)).toBe('01.01.')
  })
  it('show every nth label, with the configured margins', () => {
    const axes = drawn({ xscale_interval: 3, yscale_interval: 2, left_margin: 100, bottom_margin: 75 })
    expect([axes.xAxis.axisLabel.interval, axes.yAxis.axisLabel.interval]).toEqual([2, 1])
    expect(axes.grid).toMatchObject({ left: 100, bottom: 75 })
    expect(drawn({}, [['a', 'x'.repeat(500), 1]]).grid.left).toBeLessThan(160)
  })
})

it('regression: a margin that is too small cuts no names', () => {
  const names = ['a rather long name', 'another long name']
  const rows = names.flatMap((x) => names.map((y): Row => [x, y, 1]))
  const auto = drawn({}, rows)
  const small = drawn({ left_margin: 10, bottom_margin: 10 }, rows)
  expect(small.grid.bottom).toBe(auto.grid.bottom)
  expect(Number(small.yAxis.axisLabel.width)).toBeGreaterThanOrEqual(40)
  expect(Number(small.yAxis.axisLabel.width)).toBeLessThan(Number(small.grid.left))
})

describe('the color of a cell', () => {
  it('depends on its value among all cells, between bounds, or on its rank', () => {
    expect(cellValues({})).toEqual([0.2, 0, 1, 0, 0.4])
    expect(cellValues({ value_bounds: [0, 20] })).toEqual([0.5, 0, 1, 0.25, 0.75])
    expect(cellValues({ value_bounds: [null, 45] })[2]).toBe(25 / 40)
    expect(cellValues({ normalized: true, value_bounds: [0, 20] })).toEqual([0.5, 0, 1, 0.25, 0.75])
  })
  it('depends on its value in its column or row; bounds apply only if all cells are compared', () => {
    expect(cellValues({ normalize_across: 'x', value_bounds: [0, 20] })).toEqual([0.5, 0, 1, 0, 0.5])
    expect(cellValues({ normalize_across: 'y' })).toEqual([0.5, 0, 0.5, 0, 1])
  })
  it('has zero in the middle of a diverging ramp', () => {
    const two: Row[] = [
      ['a', 'x', -1],
      ['b', 'x', 4],
    ]
    expect(cellValues({ linear_color_scheme: 'lapis-amber' }, two)).toEqual([0.375, 1])
    expect(cellValues({ linear_color_scheme: 'lapis' }, two)).toEqual([0, 1])
    expect(
      cellValues({ linear_color_scheme: 'lapis-amber' }, [
        ['a', 'x', 2],
        ['b', 'x', 4],
      ]),
    ).toEqual([0, 1])
  })
  it('is not from the ramp if the cell has no value', () => {
    const { cells, resolved } = drawn()
    expect(cells[1]).toMatchObject({ visualMap: false, itemStyle: { color: themes.light.sunken } })
    expect(resolved.markText({ series: 0, at: 1 })).toBe('Köln, b, n: ∅')
  })
  it('is from the default ramp if the scheme is unknown', () => {
    const colors = (linear_color_scheme: string) =>
      (drawn({ linear_color_scheme }).visualMap as unknown as { inRange: { color: string[] } }).inRange.color[0]
    expect(colors('of another tool')).toBe(rampColor('dawn', 0, 'light'))
    expect(colors('superset_seq_1')).toBe('#f4fad4')
    expect(colors('lapis')).toBe(rampColor('lapis', 0, 'light'))
  })
})

describe('the legend', () => {
  it('shows the values at its ends, or a description if each column or row has its own', () => {
    expect(drawn().visualMap).toMatchObject({ type: 'continuous', show: true, text: ['30', '5'], hoverLink: false })
    expect(drawn({ value_bounds: [0, null], y_axis_format: '.1f' }).visualMap.text).toEqual(['30.0', '0.0'])
    expect(drawn({ normalize_across: 'x' }).visualMap.text).toEqual(['Highest', 'Lowest in column'])
    expect(drawn({ normalize_across: 'y' }).visualMap.text).toEqual(['Highest', 'Lowest in row'])
    expect(drawn({ normalized: true }).visualMap.text).toEqual(['Highest', 'Lowest'])
    expect(drawn({ show_legend: false }).visualMap.show).toBe(false)
  })
  it('labels its pieces if all labels fit, and has the colors of the cells', () => {
    const wide = drawn({ legend_type: 'piecewise', show_values: true }, rows, { width: 900 })
    expect(wide.visualMap.pieces?.map(({ label }) => label)).toEqual([
      '5 – 10',
      '10 – 15',
      '15 – 20',
      '20 – 25',
      '25 – 30',
    ])
    expect(wide.visualMap.showLabel).toBe(undefined)
    expect(wide.visualMap.pieces?.[0]?.color).toBe(rampColor('dawn', 0, 'light'))
    expect(drawn({ legend_type: 'piecewise' }, rows, { width: 240 }).visualMap).toMatchObject({
      showLabel: false,
      text: ['30', '5'],
    })
    expect(drawn({ legend_type: 'piecewise', normalize_across: 'x' }, rows, { width: 900 }).visualMap.showLabel).toBe(
      false,
    )
  })
})

it('shows values in the cells only if all of them fit', () => {
  expect(drawn().label.show).toBe(false)
  expect(drawn({ show_values: true }).label.show).toBe(true)
  expect(drawn({ show_values: true }, rows, { width: 60 }).label.show).toBe(false)
  expect(drawn({ show_values: true }, rows, { height: 80 }).label.show).toBe(false)
  expect(drawn({ show_values: true, y_axis_format: '.3f' }, rows, { width: 150 }).label.show).toBe(false)
})

it('the tooltip shows the share of the compared cells', () => {
  const markTextOf = (form: object, index = 0) => drawn(form).resolved.markText({ series: 0, at: index })
  expect(markTextOf({})).toBe('Köln, a, n: 10, 16.7%')
  expect(markTextOf({ normalize_across: 'x' })).toBe('Köln, a, n: 10, 100%')
  expect(markTextOf({ normalize_across: 'y' })).toBe('Köln, a, n: 10, 33.3%')
  expect(markTextOf({ show_percentage: false })).toBe('Köln, a, n: 10')
  const of = (aggregate: string) =>
    markTextOf({ metric: { expressionType: 'SIMPLE', aggregate, column: { column_name: 'v' }, label: 'n' } })
  expect([of('SUM'), of('AVG'), of('COUNT_DISTINCT')], 'averages are no parts of their sum').toEqual([
    'Köln, a, n: 10, 16.7%',
    'Köln, a, n: 10',
    'Köln, a, n: 10',
  ])
  const negative = drawn({}, [
    ['a', 'x', -5],
    ['b', 'x', 10],
  ]).resolved
  expect(negative.markText({ series: 0, at: 1 }), 'what is less than nothing is no part').toBe('b, x, n: 10')
})

it('arrow keys move between the cells of a row and of a column', () => {
  const { resolved } = drawn()
  let place = resolved.navigate(null, 'next')
  const walked = (move: Parameters<typeof resolved.navigate>[1]) => {
    place = resolved.navigate(place, move) ?? place
    return resolved.markText(place!).replace(/, n: .*/, '')
  }
  expect(resolved.markText(place!)).toContain('Bonn, a')
  expect((['next', 'down', 'previous', 'next', 'up', 'last', 'first'] as const).map(walked)).toEqual([
    'Köln, a',
    'Köln, b',
    'Köln, b',
    'Ulm, b',
    'Ulm, a',
    'Ulm, a',
    'Bonn, a',
  ])
})

it('a cell filters by row and column; a time is only for drilling, with its grain', () => {
  expect(drawn().resolved.mark({ series: 0, at: 0 }, baseForm)).toMatchObject({
    filters: [
      { col: 'city', op: '==', val: 'Köln' },
      { col: 'kind', op: '==', val: 'a' },
    ],
    row: { city: 'Köln', kind: 'a', n: 10 },
  })
  const form = { ...baseForm, time_grain_sqla: 'P1D' }
  const mark = drawn(form, [[0, null, 1]], { kind: 'time' }).resolved.mark({ series: 0, at: 0 }, form)
  expect(mark?.filters).toEqual([{ col: 'kind', op: 'IS NULL' }])
  expect(mark?.drill.at(-1)).toEqual({ col: 'city', op: '==', val: 0, grain: 'P1D' })
})

it('describes its size, the highest and the lowest cell', () => {
  expect(drawn().resolved.describe('Heatmap')).toBe(
    'Heatmap of n with 3 columns and 2 rows. Highest: 30 (Ulm, b). Lowest: 5 (Ulm, a).',
  )
})

it('converts the legacy heatmap', async () => {
  const opened = await loadStoredForm({
    viz_type: 'heatmap',
    all_columns_x: 'city',
    all_columns_y: ['kind'],
    metric: 'n',
    y_axis_bounds: [0, 9],
    show_perc: false,
    normalize_across: 'y',
  })
  expect(opened?.chart.viz_type).toBe('heatmap_v2')
  expect(opened?.form).toMatchObject({
    x_axis: 'city',
    groupby: 'kind',
    value_bounds: [0, 9],
    show_percentage: false,
    normalize_across: 'y',
    legend_type: 'continuous',
  })
})

it.each(Object.entries(buildHostileFrames('city', 'n')))('draws %s', async (name, { rows: given }) => {
  const kind = { ...given.columns[0]!, name: 'kind' }
  const cells = { ...given, columns: [...given.columns, kind] }
  const isNothing = ['no rows', 'only nulls', 'NaN and infinities'].includes(name)
  const settled = applyDefaults(chart.form, baseForm)
  const picture = resolveSpec(chart.spec({ cells }, settled, buildSpecContext(settled)), { cells }, around, families)
  expect(picture.isEmpty).toBe(isNothing)
  const { svg } = await drawChart('heatmap_v2', { cells }, { ...baseForm, show_values: true }, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
