import { describe, expect, it } from 'vitest'
import type { PostProcessing } from '@parquetry/model/query-context'
import { AppError } from '@parquetry/model/errors'
import { buildTimeColumn } from '../columns.ts'
import type { Column, Frame } from '../frame.ts'
import { Budget, cellAt, buildFrame, postProcess, toRows, textAt } from '../index.ts'
import { compareTexts } from './keys.ts'
import { parseFrequency } from './frequency.ts'
import { kurtosis, quantile, round, skewness } from './statistics.ts'
import { formatTime } from '../calendar.ts'

const step = (operation: string, options?: Record<string, unknown>): PostProcessing => ({ operation, options })
const run = (frame: Frame, ...steps: PostProcessing[]): Frame => {
  const { frame: result, stepError } = postProcess(frame, steps)
  expect(stepError).toBe(null)
  return result
}
const table = (frame: Frame) => [
  frame.columns.map(({ name }) => name),
  ...Array.from({ length: frame.rows }, (_, row) => frame.columns.map((column) => cellAt(column, row))),
]
const pivotBy = (columns: string[], over: Record<string, unknown> = {}) =>
  step('pivot', { index: ['d'], columns, aggregates: { m: { operator: 'mean' } }, ...over })
const flatten = step('flatten')

describe('postProcess', () => {
  it('returns the parts of flattened labels, in the map and on the columns', () => {
    const frame = buildFrame({ d: [1, 1], s: ['Korea, Rep.', 'a\\b'], m: [3, 4] })
    const { frame: flat, labelMap } = postProcess(frame, [pivotBy(['s']), flatten])
    expect(table(flat)).toEqual([
      ['d', 'm, Korea, Rep.', 'm, a\\b'],
      [1, 3, 4],
    ])
    expect(labelMap).toEqual({ d: ['d'], 'm, Korea, Rep.': ['m', 'Korea, Rep.'], 'm, a\\b': ['m', 'a\\b'] })
    expect(flat.columns.map(({ parts }) => parts)).toEqual([undefined, ['m', 'Korea, Rep.'], ['m', 'a\\b']])
  })
  it('regression: keeps a series name with a comma as one part when the metric before it is left out', () => {
    const frame = buildFrame({ d: [1, 1], s: ['Zoë, Ltd', 'Oslo'], m: [3, 4] })
    const { frame: flat } = postProcess(frame, [
      pivotBy(['s']),
      step('rename', { columns: { m: null }, level: 0 }),
      flatten,
    ])
    expect(flat.columns.map(({ name, parts }) => [name, parts])).toEqual([
      ['d', undefined],
      ['Oslo', undefined],
      ['Zoë, Ltd', ['Zoë, Ltd']],
    ])
  })
  it('regression: series are tuples of values: those with equal names stay apart', () => {
    const frame = buildFrame({ d: [1, 1], s: ['a, b', 'a'], t: ['c', 'b, c'], m: [3, 4] })
    const { frame: flat } = postProcess(frame, [pivotBy(['s', 't']), flatten])
    expect(table(flat)).toEqual([
      ['d', 'm, a, b, c', 'm, a, b, c__1'],
      [1, 4, 3],
    ])
    expect(flat.columns.map(({ parts }) => parts)).toEqual([undefined, ['m', 'a', 'b, c'], ['m', 'a, b', 'c']])
  })
  it('regression: null and the text that names it are two series, and long decimals are not rounded into one', () => {
    const texts = buildFrame({ d: [1, 1], s: [null, '<NULL>'], m: [3, 4] })
    expect(
      table(run(texts, pivotBy(['s']), flatten)).map((row) => row.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))),
    ).toEqual([
      ['d', 'm, "<NULL>"', 'm, <NULL>'],
      [1, 3, 4],
    ])
    const digits = '1234567890123456789012345678.'
    const decimals = buildFrame({ d: [1, 1], s: [`${digits}1`, `${digits}2`], m: [3, 4] })
    const columns = decimals.columns.map((column) => (column.name === 's' ? { ...column, numeric: true } : column))
    expect(run({ ...decimals, columns: columns as Column[] }, pivotBy(['s']), flatten).columns).toHaveLength(3)
  })
  it('maps a name that is __proto__ like any other', () => {
    const frame = buildFrame({ d: [1], s: ['__proto__'], m: [3] })
    const { labelMap } = postProcess(frame, [
      pivotBy(['s']),
      step('rename', { columns: { m: null }, level: 0 }),
      flatten,
    ])
    expect(Object.keys(labelMap)).toEqual(['d', '__proto__'])
    expect(Object.getPrototypeOf(labelMap)).toBe(Object.prototype)
  })
  it('returns the message of a step’s own check and no data', () => {
    const refused = postProcess(buildFrame({ a: [1] }), [step('sort', { by: 'zz' })])
    expect(refused).toEqual({
      frame: { rows: 0, columns: [] },
      labelMap: {},
      indexNames: null,
      stepError: 'The table has no column `zz`.',
    })
  })
  it('rejects an invalid step with an AppError that names it', () => {
    const frame = buildFrame({ a: [1], t: ['x'] })
    const wrong: [PostProcessing, RegExp][] = [
      [step('PIVOT'), /Unknown post-processing operation `PIVOT`/],
      [step('constructor'), /Unknown post-processing operation/],
      [step('sort', { columns: {} }), /`sort` has no option `columns`/],
      [step('aggregate'), /`aggregate` needs the option `groupby`/],
      [step('select', { columns: 'a' }), /`columns` of `select` must be a list of names/],
      [step('cum', { operator: 'sum', columns: { t: 't' } }), /`cum` needs numbers, but column `t` is not numeric/],
      [step('rolling', { columns: { a: 'a' }, rolling_type: 'cov', window: 2 }), /not supported/],
      [
        pivotBy(['t'], { index: ['a'], aggregates: { a: { operator: 'sum' } } }),
        /must be followed by the step `flatten`/,
      ],
    ]
    for (const [one, message] of wrong) {
      expect(() => postProcess(frame, [one]), one.operation).toThrow(message)
      expect(() => postProcess(frame, [one]), one.operation).toThrow(AppError)
    }
  })
  it('passes a result without rows through, whatever the steps', () => {
    const empty = buildFrame({ a: [] })
    expect(postProcess(empty, [step('sort', { by: 'zz' })])).toMatchObject({ frame: { rows: 0 }, stepError: null })
  })
  it('keeps the original row numbers of sorted rows, and the values of an index', () => {
    const frame = buildFrame({ k: ['b', 'c', 'a'], m: [1, 2, 3] })
    expect(postProcess(frame, [step('sort', { by: 'k' })]).indexNames).toEqual([2, 0, 1])
    expect(postProcess(frame, [step('select', { columns: ['m'] })]).indexNames).toBe(null)
    const pivoted = postProcess(frame, [step('pivot', { index: ['k'], aggregates: { m: { operator: 'sum' } } })])
    expect([pivoted.indexNames, table(pivoted.frame)]).toEqual([
      ['a', 'b', 'c'],
      [['m'], [3], [1], [2]],
    ])
  })
  it('keeps big integers, decimals and dates exact through steps that only move them', () => {
    const decimal: Column = {
      name: 'd',
      type: 'DECIMAL',
      kind: 'decimal',
      scale: 3,
      validity: null,
      data: BigInt64Array.of(1n, 123_456_789_012_345_678n),
    }
    const frame: Frame = {
      rows: 2,
      columns: [
        ...buildFrame({ b: [1n, 9_007_199_254_740_993n] }).columns,
        decimal,
        buildTimeColumn('t', Float64Array.of(0, 0.001), 'datetime'),
      ],
    }
    const moved = run(frame, step('sort', { by: 'd', ascending: false }), step('rename', { columns: { b: 'big' } }))
    expect(moved.columns.map((column) => textAt(column, 0))).toEqual([
      '9007199254740993',
      '123456789012345.678',
      '1970-01-01T00:00:00.000001',
    ])
    const greatest = run(
      frame,
      step('aggregate', { groupby: [], aggregates: { b: { operator: 'max' }, d: { operator: 'max' } } }),
    )
    expect(greatest.columns.map((column) => textAt(column, 0))).toEqual(['9007199254740993', '123456789012345.678'])
  })
  it('rejects tables over the cell limit before building them', () => {
    const many = buildFrame({
      d: Array.from({ length: 300 }, (_, row) => row),
      s: Array.from({ length: 300 }, (_, row) => `s${row}`),
      m: Array.from({ length: 300 }, () => 1),
    })
    expect(() => postProcess(many, [pivotBy(['s']), flatten], new Budget({ cells: 10_000 }))).toThrow(
      'larger than the limit',
    )
    const ends: Frame = {
      rows: 2,
      columns: [buildTimeColumn('d', Float64Array.of(0, 1e12), 'datetime'), ...buildFrame({ m: [1, 2] }).columns],
    }
    expect(() => postProcess(ends, [pivotBy([]), step('resample', { rule: '1S', method: 'sum' })])).toThrow(
      'longer period',
    )
  })
})

describe('pivot', () => {
  const frame = buildFrame({
    d: [2, 1, 1, 2, null],
    s: ['b', 'a', 'b', null, 'a'],
    m: [5, 1, null, 7, 9],
    n: [50, 10, 20, 70, 90],
  })
  it('regression: keeps rows with a null index when nothing is dropped', () => {
    const frame = buildFrame({ k: ['b', null, 'a', null], m: [1, 2, 3, 4] })
    const sum = { index: ['k'], aggregates: { m: { operator: 'sum' } }, drop_missing_columns: false }
    expect(table(run(frame, step('pivot', sum), flatten))).toEqual([
      ['k', 'm'],
      ['a', 3],
      ['b', 1],
      [null, 6],
    ])
  })

  it('puts the metric after the series when requested, with nulls for missing metrics', () => {
    const both = { aggregates: { n: { operator: 'sum' }, m: { operator: 'sum' } } }
    expect(table(run(frame, pivotBy(['s'], { ...both, combine_value_with_metric: true }), flatten))).toEqual([
      ['d', '<NULL>, m', '<NULL>, n', 'a, m', 'a, n', 'b, m', 'b, n'],
      [1, null, null, 1, 10, 0, 20],
      [2, 7, 70, null, null, 5, 50],
    ])
  })
  it('keeps every combination of several index columns when nothing may be dropped', () => {
    const keep = { index: ['d', 's'], drop_missing_columns: false }
    expect(table(run(frame, pivotBy([], keep), flatten))).toEqual([
      ['d', 's', 'm'],
      [1, 'a', 1],
      [1, 'b', null],
      [2, 'a', null],
      [2, 'b', 5],
    ])
  })
  it('fills missing metrics, also beside totals over several levels', () => {
    const margins = {
      marginal_distributions: true,
      marginal_distribution_name: 'All',
      metric_fill_value: 0,
      index: ['s'],
      columns: ['d', 'n'],
    }
    expect(table(run(frame, pivotBy([], margins), flatten))).toEqual([
      ['s', 'm, 1.0, 10', 'm, 2.0, 50', 'm, <NULL>, 90', 'm, All, '].map((name) => name.replace('.0', '')),
      ['a', 1, 0, 9, 5],
      ['b', 0, 5, 0, 5],
      ['All', 1, 5, 9, 5],
    ])
  })
  it('names series by integers, floats, booleans and times as Python prints them', () => {
    const values = buildFrame({ d: [1, 1], i: [3, 4], f: [0.5, 2], b: [true, false], m: [1, 2] })
    const mixed = {
      ...values,
      columns: [
        ...values.columns,
        buildTimeColumn('t', Float64Array.of(0, 86_400_000), 'datetime'),
        buildTimeColumn('u', Float64Array.of(0, 1e9), 'date'),
      ],
    }
    const names = (column: string) =>
      run(mixed, pivotBy([column]), flatten)
        .columns.slice(1)
        .map(({ name }) => name)
    expect(['i', 'f', 'b', 't', 'u'].map(names)).toEqual([
      ['m, 3', 'm, 4'],
      ['m, 0.5', 'm, 2.0'],
      ['m, False', 'm, True'],
      ['m, 1970-01-01 00:00:00', 'm, 1970-01-02 00:00:00'],
      ['m, 1970-01-01', 'm, 1970-01-12'],
    ])
  })
  it('sorts by code points', () => {
    const texts = ['\u{1f600}', '\uffee', 'ä', 'z', 'Z', '']
    expect([...texts].sort(compareTexts)).toEqual(['', 'Z', 'z', 'ä', '\uffee', '\u{1f600}'])
  })
})

describe('histogram', () => {
  it('counts into bins of equal width, the last one closed', () => {
    const frame = buildFrame({ v: [0, 1, 4, 5, 10, null], g: ['x', 'x', 'x', 'y', 'y', 'y'] })
    expect(table(run(frame, step('histogram', { column: 'v', groupby: [], bins: 2 })))).toEqual([
      ['0 - 5', '5 - 10'],
      [3, 2],
    ])
    expect(table(run(frame, step('histogram', { column: 'v', groupby: ['g'], bins: 5, cumulative: true })))).toEqual([
      ['g', '0 - 2', '2 - 4', '4 - 6', '6 - 8', '8 - 10'],
      ['x', 2, 2, 3, 3, 3],
      ['y', 0, 0, 1, 1, 2],
    ])
    expect(table(run(frame, step('histogram', { column: 'v', bins: 2, normalize: true })))).toEqual([
      ['0 - 5', '5 - 10'],
      [0.6, 0.4],
    ])
  })
  it('regression: cumulative shares add up to the whole', () => {
    const frame = buildFrame({ v: [0, 1, 4, 5, 10, null], g: ['x', 'x', 'x', 'y', 'y', 'y'] })
    const options = { column: 'v', bins: 2, cumulative: true, normalize: true }
    expect(table(run(frame, step('histogram', options)))[1]).toEqual([0.6, 1])
    expect(table(run(frame, step('histogram', { ...options, groupby: ['g'] }))).slice(1)).toEqual([
      ['x', 0.6, 0.6],
      ['y', 0, 0.4],
    ])
  })
  it('returns the exact bin edges beside the names, which are truncated to whole numbers', () => {
    const { frame, labelMap } = postProcess(buildFrame({ v: [0, 7] }), [step('histogram', { column: 'v', bins: 5 })])
    expect(frame.columns[1]).toMatchObject({ name: '1 - 2', parts: ['1.4', '2.8'] })
    expect(labelMap['1 - 2']).toEqual(['1.4', '2.8'])
  })
  it('distinguishes narrow bins, and creates one for a single value', () => {
    expect(table(run(buildFrame({ v: [0, 1] }), step('histogram', { column: 'v', bins: 4 })))[0]).toEqual([
      '0 - 0.25',
      '0.25 - 0.5',
      '0.5 - 0.75',
      '0.75 - 1',
    ])
    expect(table(run(buildFrame({ v: [7] }), step('histogram', { column: 'v', bins: 1 })))).toEqual([['6 - 7'], [1]])
  })
})

describe('regression: rows with a null key form their own group', () => {
  const frame = buildFrame({ g: ['a', null, 'a', null], m: [1, 2, 3, 4] })
  const names = (steps: PostProcessing) =>
    table(run(frame, steps))
      .slice(1)
      .map(([name]) => name)

  it('in box plots and histograms', () => {
    expect(names(step('boxplot', { groupby: ['g'], metrics: ['m'], whisker_type: 'tukey' }))).toEqual(['a', null])
    expect(names(step('histogram', { column: 'm', groupby: ['g'], bins: 2 }))).toEqual(['a', null])
  })
  it('in ranks', () => {
    const ranks = toRows(run(frame, step('rank', { metric: 'm', group_by: 'g' }))).map((row) => row['rank'])
    expect(ranks).toEqual([0.5, 0.5, 1, 1])
  })
})

it('rank gives equal values the mean of their ranks', () => {
  const frame = buildFrame({ g: ['a', 'a', 'a', 'a', 'b'], m: [10, 20, 20, null, 5] })
  expect(toRows(run(frame, step('rank', { metric: 'm', group_by: 'g' }))).map((row) => row['rank'])).toEqual([
    1 / 3,
    2.5 / 3,
    2.5 / 3,
    null,
    1,
  ])
  expect(toRows(run(frame, step('rank', { metric: 'm' }))).map((row) => row['rank'])).toEqual([
    0.5,
    0.875,
    0.875,
    null,
    0.25,
  ])
})

describe('contribution', () => {
  it('treats each time shift as its own row', () => {
    const frame = buildFrame({ a: [1], b: [3], 'a__1 year ago': [2], 'b__1 year ago': [2] })
    const shares = run(frame, step('contribution', { orientation: 'row', time_shifts: ['1 year ago'] }))
    expect(table(shares)[1]).toEqual([0.25, 0.75, 0.5, 0.5])
  })
  it('divides by the given totals', () => {
    const shares = run(
      buildFrame({ a: [1, 2] }),
      step('contribution', { columns: ['a'], contribution_totals: { a: 10 } }),
    )
    expect(table(shares)).toEqual([['a'], [0.1], [0.2]])
  })
})

describe('resample', () => {
  const labels = (rule: string, first: string, last: string) =>
    [...parseFrequency(rule).labels(Date.parse(`${first}Z`), Date.parse(`${last}Z`))].map((ms) =>
      formatTime(ms, 'datetime').replace('T00:00:00', ''),
    )
  it('labels periods as pandas does', () => {
    expect(labels('2M', '2020-01-15T00:00', '2020-04-01T00:00')).toEqual(['2020-01-31', '2020-03-31', '2020-05-31'])
    expect(labels('M', '2020-01-31T00:00', '2020-02-29T12:00')).toEqual(['2020-01-31', '2020-02-29'])
    expect(labels('Q', '2020-02-10T00:00', '2020-10-01T00:00')).toEqual([
      '2020-03-31',
      '2020-06-30',
      '2020-09-30',
      '2020-12-31',
    ])
    expect(labels('Q-NOV', '2020-12-10T00:00', '2020-12-31T00:00')).toEqual(['2021-02-28'])
    expect(labels('QS', '2020-02-10T00:00', '2020-07-01T00:00')).toEqual(['2020-01-01', '2020-04-01', '2020-07-01'])
    expect(labels('1A', '2019-06-01T00:00', '2021-01-01T00:00')).toEqual(['2019-12-31', '2020-12-31', '2021-12-31'])
    expect(labels('AS-JUL', '2019-06-01T00:00', '2020-07-01T00:00')).toEqual(['2018-07-01', '2019-07-01', '2020-07-01'])
    expect(labels('2W-SUN', '2020-01-01T00:00', '2020-01-25T00:00')).toEqual(['2020-01-05', '2020-01-19', '2020-02-02'])
    expect(labels('7H', '2020-01-01T15:00', '2020-01-02T01:00')).toEqual(['2020-01-01T14:00:00', '2020-01-01T21:00:00'])
    expect(labels('90min', '2020-01-01T01:31', '2020-01-01T04:00')).toEqual([
      '2020-01-01T01:30:00',
      '2020-01-01T03:00:00',
    ])
  })
  it('rejects unknown rules', () => {
    for (const rule of ['', 'zz', '0D', '-1D', 'M-JAN', 'W-FOO', 'constructor', '1B'])
      expect(() => parseFrequency(rule), rule).toThrow(AppError)
  })
  it('forward-fills rows between the known ones', () => {
    const day = 86_400_000
    const frame: Frame = {
      rows: 2,
      columns: [
        buildTimeColumn('d', Float64Array.of(0, 3 * day), 'date'),
        ...buildFrame({ m: [1, null], k: ['x', 'y'] }).columns,
      ],
    }
    const pivoted = step('pivot', {
      index: ['d'],
      aggregates: { m: { operator: 'max' }, k: { operator: 'max' } },
      drop_missing_columns: false,
    })
    expect(table(run(frame, pivoted, step('resample', { rule: '1D', method: 'ffill' }), flatten))).toEqual([
      ['d', 'k', 'm'],
      [0, 'x', 1],
      [day, 'x', 1],
      [2 * day, 'x', 1],
      [3 * day, 'y', 1],
    ])
  })
  it.each([
    [{ method: 'asfreq', fill_value: 0 }, [1, 0, 0, 3], [0, 5, 0, 6]],
    [{ method: 'asfreq' }, [1, null, null, 3], [null, 5, null, 6]],
    [{ method: 'ffill' }, [1, 1, 1, 3], [null, 5, 5, 6]],
    [{ method: 'bfill' }, [1, 3, 3, 3], [5, 5, 6, 6]],
    [{ method: 'linear' }, [1, 1 + 2 / 3, 1 + 4 / 3, 3], [null, 5, 5.5, 6]],
  ])('C040: after a pivot, %s fills a hole in one series like a missing time', (options, a, b) => {
    const [first, second, fourth] = [Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 2), Date.UTC(2024, 0, 4)]
    const frame: Frame = {
      rows: 4,
      columns: [
        buildTimeColumn('d', Float64Array.of(first, second, fourth, fourth), 'datetime'),
        ...buildFrame({ k: ['a', 'b', 'a', 'b'], m: [1, 5, 3, 6] }).columns,
      ],
    }
    const pivoted = step('pivot', { index: ['d'], columns: ['k'], aggregates: { m: { operator: 'mean' } } })
    const [head, ...rows] = table(run(frame, pivoted, step('resample', { rule: '1D', ...options }), flatten))
    expect(head).toEqual(['d', 'm, a', 'm, b'])
    expect([rows.map((row) => row[1]), rows.map((row) => row[2])]).toEqual([a, b])
  })
})

it.each([
  ['sum', [1, 1, 3], [10, 30, 30], [0, 0, 7]],
  ['max', [1, 1, 2], [10, 20, 20], [null, null, 7]],
  ['prod', [1, 1, 2], [10, 200, 200], [null, null, 7]],
])('C038: after a pivot, a cumulative %s goes on over holes', (operator, a, b, c) => {
  const frame = buildFrame({
    month: ['01', '01', '02', '03', '03'],
    k: ['a', 'b', 'b', 'a', 'c'],
    m: [1, 10, 20, 2, 7],
  })
  const pivoted = step('pivot', { index: ['month'], columns: ['k'], aggregates: { m: { operator: 'mean' } } })
  const [, ...rows] = table(run(frame, pivoted, step('cum', { operator, columns: { m: 'm' } }), flatten))
  expect([1, 2, 3].map((index) => rows.map((row) => row[index]))).toEqual([a, b, c])
})

describe('rolling with drop_incomplete', () => {
  const rolled = (values: (number | null)[], options: object) =>
    table(
      run(
        buildFrame({ a: values, b: values.map(() => null) }),
        step('rolling', { columns: { a: 'a' }, drop_incomplete: true, ...options }),
      ),
    )
      .slice(1)
      .map(([a]) => a)
  it('C039: begins with the first window that has enough values', () => {
    const mean = { rolling_type: 'mean', window: 5, min_periods: 5 }
    expect(rolled([1, 2, 3, 4, 5, 6], mean)).toEqual([3, 4])
    expect(rolled([1, 2], mean)).toEqual([])
    expect(rolled([1, null, 3, 4, null, null, null], { rolling_type: 'sum', window: 3, min_periods: 2 })).toEqual([
      4,
      7,
      7,
      null,
      null,
    ])
    expect(rolled([1, 2, 3], { rolling_type: 'sum', window: 2, min_periods: 0 })).toEqual([1, 3, 5])
  })
})

describe('rolling', () => {
  const frame = buildFrame({ a: [1, 2, 4, 7, 7, 3] })
  const rolled = (rolling_type: string, over: Record<string, unknown> = {}) =>
    toRows(run(frame, step('rolling', { columns: { a: 'r' }, rolling_type, window: 4, ...over }))).map(
      (row) => row['r'],
    )
  it('gives the same result for a sorted window as for one sorted again at each row', () => {
    const at = (end: number) => [1, 2, 4, 7, 7, 3].slice(Math.max(0, end - 3), end + 1)
    const expected = [0, 1, 2, 3, 4, 5].map((end) => quantile(Float64Array.from(at(end)).sort(), 0.3))
    expect(rolled('quantile', { min_periods: 0, rolling_type_options: { quantile: 0.3 } })).toEqual(expected)
    expect(rolled('max', { min_periods: 0 })).toEqual([1, 2, 4, 7, 7, 7])
  })
  it('corrects skewness and kurtosis for samples', () => {
    // pandas: Series([1, 2, 4, 7]).skew() and .kurt()
    expect(skewness(Float64Array.of(1, 2, 4, 7))).toBeCloseTo(0.863919, 6)
    expect(kurtosis(Float64Array.of(1, 2, 4, 7))).toBeCloseTo(-0.285714, 6)
    expect(rolled('skew')[3]).toBeCloseTo(0.863919, 6)
  })
})

it('rounds halves to the even neighbor', () => {
  expect([0.5, 1.5, -0.5, 2.5].map((value) => round(value, 0))).toEqual([0, 2, 0, 2])
  expect([round(0.125, 2), round(-2.666666, 2), round(Infinity, 2)]).toEqual([0.12, -2.67, Infinity])
})
