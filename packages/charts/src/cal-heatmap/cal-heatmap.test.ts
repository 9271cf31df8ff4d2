import { describe, expect, it } from 'vitest'
import { buildSpecContext } from '../spec-context.ts'
import { namedQueries } from '../query/build-query-context.ts'
import { applyDefaults } from '../read-form.ts'
import { resolveBlockGrid, listCells, toPeriod, locateCell, periodStart } from '../resolve/families/calendar/units.ts'
import { loadFamilies } from '../resolve/families/load.ts'
import { resolveSpec } from '../resolve/resolve-spec.ts'
import { themes } from '../resolve/theme.ts'
import { englishTranslator } from '../resolve/text.ts'
import { chartSuite } from '../testing/chart-suite.ts'
import { renderShapes } from '../testing/rendered-shapes.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import chart from './chart.ts'

chartSuite(chart, 'cal-heatmap')

const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 400,
}
const families = await loadFamilies(['calendar'])
const baseForm = { viz_type: 'cal_heatmap', x_axis: 'date', metrics: ['n', 'price'] }
const utc = (text: string) => Date.parse(`${text}Z`)
const days = ['2024-02-01', '2024-02-03', '2024-02-29', '2024-03-01'].map((day) => utc(`${day}T00:00`))
const answer = (times: (number | null)[], n: (number | null)[], price = n) =>
  toFrames({
    cells: [
      { name: 'date', kind: 'time', values: times },
      { name: 'n', values: n },
      { name: 'price', values: price },
    ],
  })
/** In the order of the database: newest first. */
const frames = answer(days.toReversed(), [40, 30, null, 0], [4, 4, 4, 4])

const drawn = (more: object = {}, looks: object = {}, given = frames, until: number | null = null) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return resolveSpec(
    chart.spec(given, form, buildSpecContext(form, { until })),
    given,
    { ...around, ...looks },
    families,
  )
}
/** Shapes of each mark; the last entry has the shapes outside the marks. */
const shapes = (...given: Parameters<typeof drawn>) => renderShapes(drawn(...given), { ...around, ...given[1] })
const texts = (...given: Parameters<typeof drawn>) =>
  (shapes(...given).at(-1) ?? []).flatMap(({ style }) => style.text ?? [])

describe('the query', () => {
  it('uses the grain of a cell, whatever grain the form or its dashboard has', () => {
    const extra_form_data = { time_grain_sqla: 'P1Y' }
    const { cells } = namedQueries(chart, {
      ...baseForm,
      subdomain_granularity: 'hour',
      time_grain_sqla: 'P1M',
      extra_form_data,
    })
    expect(cells).toMatchObject({
      columns: [{ label: 'date', columnType: 'BASE_AXIS', timeGrain: 'PT1H' }],
      extras: { time_grain_sqla: 'PT1H' },
      orderby: [['date', false]],
      metrics: ['n', 'price'],
    })
  })

  it('uses the time column and range of a legacy form', () => {
    const old = {
      metrics: 'n',
      granularity_sqla: 'day',
      since: '2024-01-01',
      until: '2025-01-01',
      subdomain_granularity: 'week',
    }
    expect(namedQueries(chart, old).cells).toMatchObject({
      columns: [],
      is_timeseries: true,
      granularity: 'day',
      time_range: '2024-01-01 : 2025-01-01',
      extras: { time_grain_sqla: 'P1W' },
      orderby: [['__timestamp', false]],
    })
  })
})

describe('a calendar', () => {
  it('places days below their weekday, and weeks side by side', () => {
    const months = resolveBlockGrid('month', 'day')
    // a Thursday, and the last day of that February
    expect(locateCell(months, utc('2024-02-01T00:00'))).toEqual({ row: 3, column: 0 })
    expect(locateCell(months, utc('2024-02-29T00:00'))).toEqual({ row: 3, column: 4 })
    expect(locateCell(months, utc('1969-12-31T00:00'))).toEqual({ row: 2, column: 4 })
    expect(locateCell(resolveBlockGrid('year', 'day'), utc('2012-12-31T00:00'))).toEqual({ row: 0, column: 53 })
    expect(locateCell(resolveBlockGrid('week', 'day'), utc('2024-02-04T00:00'))).toEqual({ row: 6, column: 0 })
  })

  it.each([
    ['hour', 'min', '2024-02-01T05:37', { row: 7, column: 3 }],
    ['day', 'min', '2024-02-01T05:37', { row: 37, column: 5 }],
    ['day', 'hour', '2024-02-01T13:00', { row: 1, column: 2 }],
    ['week', 'hour', '2024-02-01T13:00', { row: 13, column: 3 }],
    ['month', 'hour', '2024-02-02T13:00', { row: 13, column: 1 }],
    ['year', 'month', '2024-03-01T00:00', { row: 0, column: 2 }],
  ] as const)('in a block of one %s, places cells of one %s side by side: %s', (block, cell, at, place) => {
    expect(locateCell(resolveBlockGrid(block, cell), utc(at))).toEqual(place)
  })

  it('each week has its own cell, whichever day it begins on', () => {
    const weeks = resolveBlockGrid('month', 'week')
    for (const first of ['2023-01-01', '2023-01-02'])
      for (let week = 0; week < 200; week++) {
        const at = utc(`${first}T00:00`) + week * 7 * 86_400_000
        const next = at + 7 * 86_400_000
        const isSame = toPeriod('month', at) === toPeriod('month', next)
        if (isSame) expect(locateCell(weeks, next).column).toBe(locateCell(weeks, at).column + 1)
      }
  })

  it('a block contains exactly the cells of its period', () => {
    const count = (
      block: 'month' | 'year' | 'week' | 'day' | 'hour',
      cell: 'day' | 'week' | 'min' | 'hour',
      at: string,
    ) => {
      const blocks = resolveBlockGrid(block, cell)
      return listCells(blocks, toPeriod(blocks.block, utc(at))).length
    }
    expect(count('month', 'day', '2024-02-10T00:00')).toBe(29)
    expect(count('year', 'day', '2023-02-10T00:00')).toBe(365)
    expect(count('year', 'week', '2023-02-10T00:00')).toBe(53)
    expect(count('day', 'min', '2023-02-10T00:00')).toBe(1440)
    expect(new Date(periodStart('week', toPeriod('week', utc('2024-02-04T23:59')))).toISOString()).toBe(
      '2024-01-29T00:00:00.000Z',
    )
  })

  it('uses the next larger unit for a block that is not larger than its cells', () => {
    expect(resolveBlockGrid('hour', 'day').block).toBe('week')
    expect(resolveBlockGrid('week', 'week').block).toBe('month')
    expect(resolveBlockGrid('month', 'month').block).toBe('year')
  })
})

it('colors cells in equal steps between the lowest and the highest value of their metric', () => {
  const fill = (more: object) =>
    shapes({ ...more, metrics: ['n'] })
      .slice(0, 4)
      .map(([cell]) => cell?.style.fill)
  const [low, none, third, high] = fill({ steps: 4 })
  expect(none).toBe(themes.light.surface)
  expect(third).toBe(high)
  expect(low).not.toBe(high)
  expect(fill({ steps: 10 })[2]).not.toBe(high)
  expect(fill({ steps: 4, linear_color_scheme: 'dawn' })[3]).not.toBe(high)
  expect(texts().filter((text) => ['0', '40', '4'].includes(text))).toEqual(['0', '40', '4', '4'])
  expect(
    new Set(
      shapes({ steps: 4 })
        .slice(4, 8)
        .map(([cell]) => cell?.style.fill),
    ),
  ).toEqual(new Set([high]))
})

it('a period without a row is an empty cell, distinct from the lowest value and from null', () => {
  const [, none] = shapes({ metrics: ['n'] })
  expect(none?.[0]?.style.stroke).toBe(themes.light.axis)
  const outlines = (shapes({ metrics: ['n'] }).at(-1) ?? []).find(({ type }) => type === 'path')?.shape.pathData
  expect(outlines?.split('M').length).toBe(1 + 29 + 31 - 3)
})

it('draws block names, metric names, legend and values as configured', () => {
  expect(texts()).toEqual(['n', 'Feb 2024', 'Mar', '0', '40', 'price', 'Feb 2024', 'Mar', '4', '4'])
  expect(texts({ show_legend: false, show_metric_name: false })).toEqual(['Feb 2024', 'Mar', 'Feb 2024', 'Mar'])
  const inCells = (cell_size: number) =>
    shapes({ metrics: ['n'], show_values: true, cell_size })
      .slice(0, 4)
      .map((each) => each[1]?.style.text)
  expect(inCells(24)).toEqual(['0', '∅', '30', '40'])
  expect(inCells(10)).toEqual([undefined, undefined, undefined, undefined])
})

it('cells have the configured size, padding and corner radius if all fit, else they shrink', () => {
  const rects = (more: object, looks = {}) =>
    shapes({ metrics: ['n'], ...more }, looks)
      .slice(0, 4)
      .flatMap(([cell]) => cell?.shape ?? [])
  const [first, second] = rects({ cell_size: 20, cell_padding: 4, cell_radius: 5 })
  expect(first).toMatchObject({ width: 20, r: 5 })
  expect((second?.y ?? 0) - (first?.y ?? 0)).toBe(2 * 24)
  expect(rects({ cell_size: 20 }, { width: 160 })[0]?.width).toBeLessThan(20)
})

it('draws the last blocks of a range that does not fit, and counts the omitted values', () => {
  const times = Array.from({ length: 3650 }, (_, day) => day * 86_400_000)
  const long = answer(
    times,
    times.map((_, index) => index),
  )
  const all = shapes({ metrics: ['n'] }, { width: 320, height: 260 }, long)
  const isDrawn = all.slice(0, -1).map((each) => each.length > 0)
  const first = isDrawn.indexOf(true)
  expect(first).toBeGreaterThan(0)
  expect(isDrawn.slice(first).every(Boolean)).toBe(true)
  expect(all.at(-1)?.at(-1)?.style.text).toBe(`${first.toLocaleString('en')} values don’t fit`)
  const ages = answer([utc('-009000-01-01T00:00'), utc('+009000-01-01T00:00')], [1, 2])
  expect(texts({ metrics: ['n'], domain_granularity: 'hour', subdomain_granularity: 'min' }, {}, ages).at(-1)).toBe(
    '1 value doesn’t fit',
  )
})

it('navigates by keyboard in time and between metrics, and marks incomplete periods', () => {
  const resolved = drawn({}, {}, frames, utc('2024-03-01T06:00'))
  let place = resolved.navigate(null, 'next')
  const markTexts = (['next', 'down', 'last', 'up', 'up', 'first'] as const).map((move) => {
    place = resolved.navigate(place, move) ?? place
    return place && resolved.markText(place)
  })
  expect(markTexts).toEqual([
    'Sat, Feb 3, 2024, n: ∅',
    'Sat, Feb 3, 2024, price: 4',
    'Fri, Mar 1, 2024 (incomplete), price: 4',
    'Fri, Mar 1, 2024 (incomplete), n: 40',
    'Fri, Mar 1, 2024 (incomplete), n: 40',
    'Thu, Feb 1, 2024, n: 0',
  ])
  expect(drawn({ x_axis_time_format: '%d.%m.%Y' }).markText({ series: 0, at: 0 })).toBe('01.02.2024, n: 0')
})

it.each(Object.entries(buildHostileFrames('kind', 'n')))('draws %s', (name, { rows }) => {
  const times = Array.from({ length: rows.rows }, (_, index) => index * 86_400_000)
  const [, n] = rows.columns
  const given = answer(times, times).cells!
  const cells = { rows: rows.rows, columns: [given.columns[0]!, n!] }
  const isNothing = ['no rows', 'only nulls', 'NaN and infinities'].includes(name)
  const resolved = drawn({ metrics: ['n'], show_values: true, cell_size: 30 }, {}, { cells })
  expect(resolved.isEmpty).toBe(isNothing)
  const all = renderShapes(resolved, around)
  expect(
    JSON.stringify(all, (_, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? 'NaN' : value)),
  ).not.toContain('NaN')
})
