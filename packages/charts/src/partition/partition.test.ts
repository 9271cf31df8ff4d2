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
import { chartSuite } from '../testing/chart-suite.ts'
import { toFrames } from '../testing/frames.ts'
import { buildHostileFrames } from '../testing/hostile-frames.ts'
import { renderMarkShapes } from '../testing/mark-shapes.ts'
import chart from './chart.ts'

chartSuite(chart, 'partition')

const frames = toFrames({
  parts: [
    { name: 'area', values: ['north', 'south', 'north', 'south'] },
    { name: 'city', values: ['Kiel', 'Ulm', 'Bremen', null] },
    { name: 'n', values: [30, 25, 20, 25] },
  ],
})
const year = (index: number) => Date.UTC(index, 0)
const timed = toFrames({
  parts: [
    { name: '__timestamp', kind: 'time', values: [2001, 2000, 2002, 2000, 2002, 2002].map(year) },
    { name: 'area', values: ['north', 'north', 'north', 'south', 'south', 'east'] },
    { name: 'n', values: [50, 10, 30, 8, 4, 6] },
  ],
})
const around = {
  theme: themes.light,
  locale: 'en',
  timeZone: 'UTC',
  translate: englishTranslator,
  width: 600,
  height: 300,
}
const families = await loadFamilies(['partition'])
const baseForm = { viz_type: 'partition', groupby: ['area', 'city'], metrics: ['n'] }
const overTime = { groupby: ['area'], time_grain_sqla: 'P1Y' }

interface Part {
  name: string
  value: number | null
  size: number
  change?: number | null
  color?: string
  children?: Part[]
}
const buildSpec = (more: object = {}, answer = frames) => {
  const form = applyDefaults(chart.form, { ...baseForm, ...more })
  return chart.spec(answer, form, buildSpecContext(form))
}
const buildParts = (...given: Parameters<typeof buildSpec>) =>
  (buildSpec(...given).series as { data: Part[] }[])[0]!.data
const within = (...given: Parameters<typeof buildSpec>) => buildParts(...given)[0]?.children ?? []
const drawn = (more: object = {}, answer = frames, looks: object = {}) =>
  resolveSpec(buildSpec(more, answer), answer, { ...around, ...looks }, families)
interface Shape {
  type: string
  shape: { x: number; y: number; width: number; height: number }
  style: { text?: string }
}
const shapes = (...given: Parameters<typeof drawn>) => renderMarkShapes<Shape>(drawn(...given).option, around)
const texts = (...given: Parameters<typeof drawn>) =>
  shapes(...given).flatMap((each) => each.flatMap(({ style: { text } }) => text ?? []))
const note = (...given: Parameters<typeof drawn>) => (drawn(...given).option.title as { text: string }).text

it('has one column for the metric and one per dimension, with heights proportional to the values', () => {
  const boxes = shapes({ partition_threshold: 0 })
    .slice(0, -1)
    .map(([rect]) => rect!.shape)
  const column = (index: number) => boxes.filter(({ x }) => x === index * 200).map(({ y, height }) => [y, height])
  expect(column(0)).toEqual([[0, 300]])
  expect(column(1)).toEqual([
    [0, 150],
    [150, 150],
  ])
  expect(column(2)).toEqual([
    [0, 90],
    [90, 60],
    [150, 75],
    [225, 75],
  ])
  expect(texts()).toEqual([
    'n',
    '100',
    'north',
    '50',
    'Kiel',
    '30',
    'Bremen',
    '20',
    'south',
    '50',
    'Ulm',
    '25',
    '∅',
    '25',
  ])
})

it('draws one partition per metric', () => {
  const answer = toFrames({
    parts: [
      { name: 'area', values: ['a', 'b'] },
      { name: 'n', values: [1, 2] },
      { name: 'm', values: [30, 10] },
    ],
  })
  const roots = buildParts({ groupby: ['area'], metrics: ['n', 'm'] }, answer)
  expect(roots.map(({ name, value, size }) => [name, value, size])).toEqual([
    ['n', 3, 1],
    ['m', 40, 1],
  ])
  expect(roots[1]?.children?.map(({ name }) => name)).toEqual(['a', 'b'])
})

describe('small parts', () => {
  const many = toFrames({
    parts: [
      { name: 'area', values: ['a', 'b', 'c', 'd', 'e'] },
      { name: 'n', values: [3, 50, 5, 40, 2] },
    ],
  })
  const names = (more: object, answer = many) =>
    within({ groupby: ['area'], ...more }, answer).map(({ name, value }) => `${name} ${value}`)

  it('beyond the limit or below the threshold are grouped without losing their values', () => {
    expect(names({ partition_limit: 3, partition_threshold: 0 })).toEqual(['b 50', 'd 40', 'c 5', '2 others 5'])
    expect(names({ partition_limit: 0, partition_threshold: 0.05 })).toEqual(['b 50', 'd 40', 'c 5', '2 others 5'])
    expect(names({ partition_limit: 4, partition_threshold: 0 })).toEqual(['b 50', 'd 40', 'c 5', 'a 3', 'e 2'])
  })

  it('are shown when all parts are small', () => {
    const equal = toFrames({
      parts: [
        { name: 'area', values: Array.from({ length: 40 }, (_, index) => `area ${index}`) },
        { name: 'n', values: Array.from({ length: 40 }, () => 1) },
      ],
    })
    expect(names({}, equal)).toHaveLength(6)
    expect(names({}, equal).at(-1)).toBe('35 others 35')
  })

  it('have no entry in the color legend when grouped, and cannot be opened', () => {
    const parts = within({ groupby: ['area'], partition_limit: 1 }, many)
    expect(parts.map(({ color }) => color !== undefined)).toEqual([true, false])
    expect(drawn({ groupby: ['area'], partition_limit: 1 }, many).opening({ series: 0, at: 2 })).toBeUndefined()
  })
})

describe('time', () => {
  const of = (time_series_option: string, more: object = {}) => ({ ...overTime, time_series_option, ...more })
  const values = (more: object) =>
    within({ ...more, partition_threshold: 0 }, timed).map(({ name, value }) => [name, value])

  it('is queried when an option needs it', () => {
    const question = (more: object) => namedQueries(chart, { ...baseForm, ...more }).parts
    expect(question({ x_axis: 'ds' })).toMatchObject({
      columns: ['area', 'city'],
      metrics: ['n'],
      orderby: [['n', false]],
    })
    expect(question({ x_axis: 'ds' })).not.toHaveProperty('is_timeseries')
    expect(question({ time_series_option: 'agg_sum' })).toMatchObject({
      columns: ['area', 'city'],
      is_timeseries: true,
    })
    expect(question({ time_series_option: 'time_series', x_axis: 'ds', time_grain_sqla: 'P1Y' })?.columns).toEqual([
      expect.objectContaining({ label: 'ds', columnType: 'BASE_AXIS', timeGrain: 'P1Y' }),
      'area',
      'city',
    ])
    const rolling = question({ time_series_option: 'adv_anal', rolling_type: 'cumsum' })
    expect(rolling?.post_processing?.map((step) => step?.operation)).toEqual(['pivot', 'cum', 'rename', 'flatten'])
  })

  it('is aggregated by sum, or by the mean over the periods that a part has', () => {
    expect(values(of('agg_sum'))).toEqual([
      ['north', 90],
      ['south', 12],
      ['east', 6],
    ])
    expect(values(of('agg_mean'))).toEqual([
      ['north', 30],
      ['south', 6],
      ['east', 6],
    ])
    expect(buildParts(of('agg_mean'), timed)[0]?.value).toBe(42)
  })

  it('is the first level, in chronological order, with equal heights for all periods', () => {
    const periods = within(of('time_series'), timed)
    expect(periods.map(({ name, value, size }) => [name, value, size])).toEqual([
      ['2000', 18, 1],
      ['2001', 50, 1],
      ['2002', 40, 1],
    ])
    expect(within(of('time_series', { equal_date_size: false }), timed).map(({ size }) => size)).toEqual([18, 50, 40])
    expect(buildParts(of('time_series'), timed)[0]?.value).toBe(null)
    expect(drawn(of('time_series'), timed).markText({ series: 0, at: 2 })).toBe('north: 10, 55.6%')
    expect(within(of('time_series', { date_time_format: '%y' }), timed)[0]?.name).toBe('00')
  })

  it('shows the change from the first to the last period on parts sized by the last period', () => {
    const changes = (option: string) =>
      within(of(option, { partition_threshold: 0 }), timed).map(({ name, value, change }) => [name, value, change])
    expect(changes('point_diff')).toEqual([
      ['north', 30, 20],
      ['east', 6, 6],
      ['south', 4, -4],
    ])
    expect(changes('point_factor').map(([, , change]) => change)).toEqual([3, null, 0.5])
    expect(changes('point_percent').map(([, , change]) => change)).toEqual([2, null, -0.5])
    expect(buildParts(of('point_diff'), timed)[0]).toMatchObject({ value: 40, change: 22 })
    expect(texts(of('point_percent'), timed).slice(0, 4)).toEqual(['n', '+122.2%', 'north', '+200%'])
    expect(texts(of('point_factor'), timed).slice(1, 2)).toEqual(['× 2.22'])
    expect(note(of('point_diff'), timed)).toBe('Sizes show 2002. Labels show the change since 2000.')
  })

  it('marks an incomplete last period', () => {
    const form = applyDefaults(chart.form, { ...baseForm, ...of('time_series') })
    const context = buildSpecContext(form, { until: Date.UTC(2002, 5) })
    const specIn = (more: object) =>
      chart.spec(timed, { ...form, ...more }, context).series as { data: Part[]; change: object }[]
    expect(specIn({})[0]?.data[0]?.children?.map(({ name }) => name)).toEqual(['2000', '2001', '2002 (incomplete)'])
    expect(specIn({ time_series_option: 'point_diff' })[0]?.change).toMatchObject({
      since: '2000',
      until: '2002 (incomplete)',
    })
  })

  it('shows a loss of 100% for a part that is missing in the last period', () => {
    const gone = toFrames({
      parts: [
        { name: '__timestamp', kind: 'time', values: [year(2000), year(2000), year(2001)] },
        { name: 'area', values: ['a', 'b', 'a'] },
        { name: 'n', values: [4, 6, 5] },
      ],
    })
    expect(within(of('point_percent'), gone).map(({ change }) => change)).toEqual([0.25, -1])
  })

  it('is read from one column per series with advanced analytics', () => {
    const answer = toFrames({
      parts: [
        { name: '__timestamp', kind: 'time', values: [year(2000), year(2001)] },
        { name: 'north', values: [10, 60] },
        { name: '<NULL>', values: [8, null] },
      ],
    })
    const [first, second] = within(of('adv_anal', { rolling_type: 'cumsum' }), answer)
    expect(first?.children?.map(({ name, value }) => [name, value])).toEqual([
      ['north', 10],
      ['∅', 8],
    ])
    expect(second).toMatchObject({ name: '2001', value: 60 })
  })
})

it('describes the meaning of heights, and counts values without a height', () => {
  const answer = toFrames({
    parts: [
      { name: 'area', values: ['a', 'b', 'c'] },
      { name: 'n', values: [999, -3, 9] },
    ],
  })
  const more = { groupby: ['area'], partition_threshold: 0 }
  expect(within({ ...more, log_scale: true }, answer).map(({ size }) => size)).toEqual([3, 1, 0])
  expect(note({ ...more, log_scale: true }, answer)).toBe(
    'Heights use a logarithmic scale. 1 negative value cannot be shown as an area.',
  )
  expect(note(more)).toBe('')
})

it('shows the tooltip of a part with or without the enclosing parts', () => {
  const tip = (more: object) =>
    (drawn(more).option.tooltip as { formatter: (params: object) => string })
      .formatter({ seriesIndex: 0, dataIndex: 2 })
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
  expect(tip({})).toBe(' n 100 north 50 50% Kiel 30 30% ')
  expect(tip({ rich_tooltip: false })).toBe(' n / north Kiel 30 30% ')
  expect(drawn().describe('Partition Chart')).toBe(
    'Partition Chart of n with 4 parts. Largest: n / north / Kiel, 30. Smallest: n / north / Bremen, 20.',
  )
})

it('opens a part on click, and its enclosing part on a second click', () => {
  const whole = drawn()
  const north = whole.opening({ series: 0, at: 1 })
  expect(north).toEqual(expect.any(String))
  const opened = { opened: north }
  expect(texts({}, frames, opened)).toEqual(['n / north', '50', 'Kiel', '30', 'Bremen', '20'])
  const [first, kiel] = shapes({}, frames, opened).map(([shape]) => shape)
  expect([first?.shape, kiel?.shape]).toMatchObject([
    { x: 0, y: 0, width: 300, height: 300 },
    { x: 300, y: 0, height: 180 },
  ])
  const zoomed = drawn({}, frames, opened)
  const top = zoomed.opening({ series: 0, at: 0 })
  expect(texts({}, frames, { opened: top })).toEqual(texts())
  expect(drawn({}, frames, { opened: top }).opening({ series: 0, at: 0 })).toBe(null)
  expect(zoomed.markText({ series: 0, at: 1 })).toBe('n, Kiel: 30, 60%')
  expect(texts({}, frames, { opened: 'what is gone' })).toEqual(texts())
})

it('arrow keys move up and down a column, and right into a part', () => {
  const resolved = drawn()
  const walked = ['next', 'next', 'next', 'down', 'previous'] as const
  let place: ReturnType<typeof resolved.navigate> = null
  const names = walked.map((move) => {
    place = resolved.navigate(place, move)
    return place && resolved.markText(place).split(':')[0]
  })
  expect(names).toEqual(['n', 'north', 'Kiel', 'Bremen', 'north'])
})

it('opens forms stored by other releases', async () => {
  const old = await loadStoredForm({
    viz_type: 'partition',
    granularity_sqla: 'ds',
    groupby: ['area'],
    metrics: ['n'],
    limit: 7,
    partition_limit: '3',
    time_series_option: 'never heard of',
  })
  expect(namedQueries(chart, old!.form).parts).toMatchObject({ columns: ['area'], series_limit: 7, granularity: 'ds' })
  expect(applyDefaults(chart.form, old!.form)).toMatchObject({ partition_limit: 3, time_series_option: 'not_time' })
})

it.each(Object.entries(buildHostileFrames('area', 'n')))('draws %s', async (_, { rows, isEmpty }) => {
  const form = { ...baseForm, groupby: ['area'], partition_limit: 0, partition_threshold: 0 }
  expect(drawn(form, { parts: rows }).isEmpty).toBe(isEmpty)
  const { svg } = await drawChart('partition', { parts: rows }, form, { title: 'x' })
  expect(svg).not.toMatch(/NaN|Infinity|<script/)
})
