import { engineOf } from '@parquetry/engines'
import { AppError, defaultLimits, type PlannerDataset, type QueryObject } from '@parquetry/model'
import { datasetSetups, sampleDataset, type SampleName } from '@parquetry/testing'
import { describe, expect, it } from 'vitest'
import { restrict, type RowLevelSecurityRule } from '../row-level-security.ts'
import { ansi } from '../sql/dialect.ts'
import { plan } from './plan.ts'
import { planProbes } from './probes.ts'
import type { PlanContext } from './scope.ts'

const context: PlanContext = {
  now: '2024-05-01T12:00:00',
  source: { kind: 'network', engine: 'postgresql', id: 'x', settings: {}, schema: null },
  encode: { as: 'rows', times: 'ms' },
  limits: defaultLimits,
  dialect: engineOf('postgresql')?.dialect ?? ansi,
  settings: { ROW_LIMIT: 50, SQL_MAX_ROW: 100, SAMPLES_ROW_LIMIT: 10, ALLOW_ADHOC_SUBQUERY: false },
  resultType: 'full',
}
interface Ruled {
  change?: Partial<PlannerDataset>
  rlsRules?: RowLevelSecurityRule[]
}
const ask = (
  name: SampleName,
  query: QueryObject,
  { change = {}, rlsRules = [], ...given }: Partial<PlanContext> & Ruled = {},
) => {
  const dataset = { ...sampleDataset(datasetSetups[name], 'postgresql', null), ...change }
  return plan(restrict(query, dataset, { rlsRules }), dataset, { ...context, ...given })
}
const planText = (...args: Parameters<typeof ask>) => ask(...args).plan.statements[0]?.text ?? ''
const count = { metrics: ['count'] }
const yearAxis = { sqlExpression: 'Year', label: 'Year', columnType: 'BASE_AXIS' as const, timeGrain: 'P1Y' }

describe('values', () => {
  it('regression: never become SQL text, whatever they hold', () => {
    const { plan: made, queryText } = ask('cars', {
      ...count,
      filters: [{ col: 'Name', op: '==', val: "'; DROP TABLE cars; --" }],
    })
    expect(made.statements[0]?.text).not.toContain('DROP')
    expect(made.statements[0]?.values).toEqual(["'; DROP TABLE cars; --"])
    expect(queryText).toContain("'''; DROP TABLE cars; --'")
  })
  it('regression: processes a very long value in a single pass', () => {
    const blanks = `x${'\t'.repeat(500_000)}x`
    const { plan: made } = ask('cars', { ...count, filters: [{ col: 'Name', op: '==', val: `\n${blanks}\t` }] })
    expect(made.statements[0]?.values).toEqual([blanks])
    const digits = `${'1'.repeat(500_000)}x`
    const numbers = ask('cars', { ...count, filters: [{ col: 'Horsepower', op: '==', val: digits }] })
    expect(numbers.plan.statements).toHaveLength(1)
  })
  it('regression: reads repeated % as one, and refuses patterns with too many wildcards', () => {
    const pattern = (val: string) =>
      ask('cars', { ...count, filters: [{ col: 'Name', op: 'ILIKE', val }] }).plan.statements[0]?.values
    expect(pattern('%%a%%%')).toEqual(['%a%'])
    expect(pattern('%'.repeat(9000))).toEqual(['%'])
    expect(pattern('a%_%_%b_%')).toEqual(['a__%b_%'])
    expect(pattern(String.raw`\%%a\%`)).toEqual([String.raw`\%%a\%`])
    const tooMany = /at most 10,000 characters and 50 wildcards/
    expect(() => pattern('%a'.repeat(51))).toThrow(tooMany)
    expect(() => pattern('_'.repeat(51))).toThrow(tooMany)
    expect(() => pattern('a'.repeat(10_001))).toThrow(tooMany)
    expect(pattern(`%${String.raw`\_`.repeat(100)}%`)).toHaveLength(1)
  })
  it('keeps whole numbers beyond 2^53', () => {
    const { plan: made } = ask('cars', {
      ...count,
      filters: [{ col: 'Horsepower', op: '==', val: '9007199254740993' }],
    })
    expect(made.statements[0]?.text).toContain('"Horsepower" = 9007199254740993')
    expect(made.statements[0]?.values).toEqual([])
  })
})

describe('end of a query along its time axis', () => {
  const ends = (query: QueryObject) => ask('cars', { ...count, columns: [yearAxis], ...query }).ends_at
  const ranged = (val: string) => [{ col: 'Year', op: 'TEMPORAL_RANGE', val }]
  it('is the end of the range on its column', () => {
    expect(ends({ filters: ranged('1975 : 1976-05-01') })).toBe(Date.UTC(1976, 4, 1))
    expect(ends({ filters: ranged('Last year') })).toBe(Date.UTC(2024, 4, 1))
    expect(ends({ filters: ranged('No filter'), time_range: '1975 : 1976' })).toBe(Date.UTC(1976, 0, 1))
    expect(ends({ granularity: 'Year', time_range: '1975 : 1977' })).toBe(Date.UTC(1977, 0, 1))
  })
  it('is null without a range, and when the axis is not a time', () => {
    expect(ends({ filters: ranged('No filter') })).toBe(null)
    expect(ends({ filters: ranged('1975 : ') })).toBe(null)
    expect(ends({})).toBe(null)
    expect(ends({ columns: ['Origin'], filters: ranged('1975 : 1976') })).toBe(null)
  })
})

describe('reported time filters of a dashboard', () => {
  const filtered = { ...count, time_range: '1975 : 1976', applied_time_extras: { __time_range: '1975 : 1976' } }
  const reportedFilters = (query: QueryObject) => {
    const { applied_filters, rejected_filters } = ask('cars', query)
    return { applied: applied_filters.map(({ column }) => column), rejected: rejected_filters }
  }
  it('regression: does not report a time range as applied when it affects no column of the query', () => {
    expect(reportedFilters(filtered)).toEqual({
      applied: [],
      rejected: [{ reason: 'no_time_filter', column: '__time_range' }],
    })
  })
  it('reports the time range as applied when it replaces the range of a temporal filter or granularity names the column', () => {
    const filters = [{ col: 'Year', op: 'TEMPORAL_RANGE', val: 'No filter' }]
    expect(reportedFilters({ ...filtered, filters })).toEqual({ applied: ['Year', '__time_range'], rejected: [] })
    expect(reportedFilters({ ...filtered, granularity: 'Year' })).toEqual({ applied: ['__time_range'], rejected: [] })
  })
  it('regression: does not apply a range to a temporal filter on a column that the dataset lacks', () => {
    const filters = [{ col: 'Shipped', op: 'TEMPORAL_RANGE', val: 'No filter' }]
    expect(reportedFilters({ ...filtered, filters })).toEqual({
      applied: [],
      rejected: [
        { reason: 'not_in_datasource', column: 'Shipped' },
        { reason: 'no_time_filter', column: '__time_range' },
      ],
    })
  })
  it('regression: does not report a grain as applied without a time axis', () => {
    const grained = { ...count, applied_time_extras: { __time_grain: 'P1M' } }
    expect(reportedFilters(grained).rejected).toEqual([{ reason: 'no_time_axis', column: '__time_grain' }])
    expect(reportedFilters({ ...grained, columns: [yearAxis] }).applied).toEqual(['__time_grain'])
  })
})

describe('conflicting time settings', () => {
  it('lets time_range replace the range of a temporal filter', () => {
    const filters = [{ col: 'Year', op: 'TEMPORAL_RANGE', val: '1970 : 1971' }]
    const { plan: made } = ask('cars', { ...count, filters, time_range: '1975-01-01 : 1976-01-01' })
    expect(made.statements[0]?.values).toEqual(['1975-01-01 00:00:00', '1976-01-01 00:00:00'])
  })
  it('keeps the range of the filter that granularity replaces', () => {
    const filters = [{ col: 'Year', op: 'TEMPORAL_RANGE', val: '1970-01-01 : 1971-01-01' }]
    const { plan: made } = ask('cars', { ...count, filters, granularity: 'Year' })
    expect(made.statements[0]?.values).toEqual(['1970-01-01 00:00:00', '1971-01-01 00:00:00'])
  })
  it('compares whole periods where a filter has a grain', () => {
    const filters = [{ col: 'ts_s', op: 'TEMPORAL_RANGE', val: '2001-01-01 : ', grain: 'P1Y' }]
    expect(planText('v_dates', { ...count, filters })).toMatch(
      /WHERE DATE_TRUNC\('year', .*\) >= CAST\(\$1 AS TIMESTAMP\)/,
    )
  })
  it("replaces the form's x-axis with granularity, in the pivot too", () => {
    const asked = {
      ...count,
      columns: [yearAxis],
      granularity: 'year_plus',
      time_range: 'No filter',
      filters: [{ col: 'Year', op: 'TEMPORAL_RANGE', val: '1970 : 1971' }],
      post_processing: [
        { operation: 'pivot', options: { index: ['Year'], aggregates: {} } },
        { operation: 'prophet', options: { index: 'Year' } },
      ],
    }
    const cars = sampleDataset(datasetSetups.cars, 'postgresql', null)
    const other = {
      ...(cars.columns.find(({ column_name }) => column_name === 'Year') ?? cars.columns[0]),
      column_name: 'year_plus',
    }
    const change = { columns: [...cars.columns, other as (typeof cars.columns)[0]] }
    const { plan: made } = ask('cars', asked, { change, form: { x_axis: 'Year' } })
    expect(made.statements[0]?.text).toContain(`DATE_TRUNC('year', "year_plus") AS "year_plus"`)
    expect(made.statements[0]?.text).not.toContain('WHERE')
    expect(made.steps.map(({ options }) => options?.['index'])).toEqual([['year_plus'], 'year_plus'])
    const named = ask('cars', { ...asked, columns: ['Year'] }, { change, form: { x_axis: 'Year' } })
    expect(named.plan.statements[0]?.text).toContain('"year_plus" AS "year_plus"')
    for (const form of [null, {}, { x_axis: 'Name' }, { x_axis: { label: 'Year' } }]) {
      const unnamed = ask('cars', asked, { change, form }).plan
      expect(unnamed.statements[0]?.text).toContain(`DATE_TRUNC('year', "Year") AS "Year"`)
      expect(unnamed.steps[0]?.options?.['index']).toEqual(['Year'])
    }
  })
})

it.each([
  ['P1W', 'week'],
  ['1969-12-28T00:00:00Z/P1W', 'week'],
  ['P1W/1970-01-03T00:00:00Z', 'week'],
  ['P1M', 'month'],
  ['P1D', null],
])('joins a time offset with the grain %s on the period %s', (timeGrain, period) => {
  const filters = [{ col: 'Year', op: 'TEMPORAL_RANGE', val: '1975 : 1976' }]
  const columns = [{ ...yearAxis, timeGrain, expressionType: 'SQL' as const }]
  const query = { ...count, columns, filters, time_offsets: ['1 year ago'] }
  expect(ask('cars', query, { dialect: engineOf('duckdb')!.dialect }).plan.joins).toMatchObject([{ period }])
})

describe('times stored as text or numbers', () => {
  const stored = (format: string, type: string, type_generic: number): Partial<PlannerDataset> => {
    const { columns } = sampleDataset(datasetSetups.cars, 'postgresql', null)
    const [first, ...others] = columns
    const time = {
      ...first!,
      column_name: 'at',
      expression: null,
      type,
      type_generic,
      is_dttm: true,
      python_date_format: format,
    }
    return { columns: [time as PlannerDataset['columns'][number], ...others] }
  }
  const where = (change: Partial<PlannerDataset>, val: string) => {
    const { statements } = ask(
      'cars',
      { ...count, filters: [{ col: 'at', op: 'TEMPORAL_RANGE', val }] },
      { change },
    ).plan
    return [/WHERE (.*?)(?: LIMIT|$)/s.exec(statements[0]!.text)?.[1]?.trim(), statements[0]!.values]
  }
  it('regression: a bound between two stored values is the next one', () => {
    const years = stored('%Y', 'INTEGER', 0)
    expect(where(years, '1960-01-01 : 1970-01-01')[1]).toEqual([1960, 1970])
    expect(where(years, '1960-05-01 : 1970-05-01')[1]).toEqual([1961, 1971])
    expect(where(stored('%Y-%m-%d', 'TEXT', 1), '1960-05-01T00:00:01 : 1970-05-01')[1]).toEqual([
      '1960-05-02',
      '1970-05-01',
    ])
    expect(where(stored('epoch_s', 'BIGINT', 0), '1970-01-01T00:00:01.5 : 1970-01-01T00:00:03')[1]).toEqual([2, 3])
  })
  it('a time of the engine stays one, whatever format it declares', () => {
    const native = stored('%Y', 'TIMESTAMP', 2)
    expect(where(native, '1960-05-01 : 1970-05-01')[1]).toEqual(['1960-05-01 00:00:00', '1970-05-01 00:00:00'])
    const axis = { ...yearAxis, sqlExpression: 'at', label: 'at', timeGrain: 'P1M' }
    expect(planText('cars', { ...count, columns: [{ ...axis, expressionType: 'SQL' }] }, { change: native })).toContain(
      `DATE_TRUNC('month', "at")`,
    )
  })
  it('regression: refuses to compare values that do not sort as their times do', () => {
    expect(() => where(stored('%d/%m/%Y', 'TEXT', 1), '2024-01-01 : 2025-01-01')).toThrow('%d/%m/%Y')
  })
  it('compares with a time, and with milliseconds, in the format of the column', () => {
    const equal = (change: Partial<PlannerDataset>, val: unknown) =>
      ask('cars', { ...count, filters: [{ col: 'at', op: '==', val }] }, { change }).plan.statements[0]!.values
    const [days, years] = [stored('%Y%m%d', 'BIGINT', 0), stored('%Y', 'INTEGER', 0)]
    expect(equal(days, '2024-01-31 00:00:00')).toEqual([20_240_131])
    expect(equal(days, Date.UTC(2024, 0, 31))).toEqual([20_240_131])
    expect(equal(days, 20_240_131)).toEqual([20_240_131])
    expect(equal(years, 1960)).toEqual([1960])
    expect(equal(stored('%Y-%m-%d', 'TEXT', 1), '2024-01-31 00:00:00')).toEqual(['2024-01-31'])
  })
  it('reads numbers as times in every role, and groups them by a grain', () => {
    const change = stored('%Y%m%d', 'BIGINT', 0)
    expect(ask('cars', { columns: ['at'] }, { change }).plan.columns).toMatchObject([
      { kind: 'time', dateFormat: '%Y%m%d' },
    ])
    const axis = { ...yearAxis, sqlExpression: 'at', label: 'at', timeGrain: 'P1M' }
    expect(planText('cars', { ...count, columns: [{ ...axis, expressionType: 'SQL' }] }, { change })).toContain(
      `DATE_TRUNC('month', CAST(SUBSTR(CAST("at" AS TEXT), 1, 4) || '-' || SUBSTR(CAST("at" AS TEXT), 5, 2)`,
    )
  })
})

describe('column descriptions for the runner', () => {
  it("adds the dataset's hour offset and reverses a time shift", () => {
    const asked = { ...count, columns: [yearAxis], time_shift: '1 day ago' }
    expect(ask('cars', asked, { change: { offset: 3 } }).plan.columns[0]).toEqual({
      name: 'Year',
      kind: 'time',
      hourOffset: -21,
    })
  })
  it('marks numbers and strings of the time axis to be parsed as times, and leaves others unchanged', () => {
    const columns = [{ ...yearAxis, sqlExpression: 'ts_s', label: 'ts_s', timeGrain: null }, 'd_text']
    const made = ask('v_dates', { columns, granularity: 'ts_s', time_range: 'No filter' }).plan
    expect(made.columns).toEqual([
      { name: 'ts_s', kind: 'time', dateFormat: 'epoch_s' },
      { name: 'd_text', kind: null },
    ])
  })
  it('marks plans that contain user SQL', () => {
    expect(ask('stocks', count).plan.guard).toBe('ours')
    expect(ask('stocks', { ...count, extras: { where: 'price > 1' } }).plan.guard).toBe('user-sql')
    expect(ask('v_cars_eu', count).plan.guard).toBe('user-sql')
  })
})

describe('time offsets', () => {
  const asked = {
    columns: [{ ...yearAxis, sqlExpression: 'date', label: 'day', timeGrain: 'P1M' }, 'symbol'],
    metrics: [{ expressionType: 'SIMPLE' as const, aggregate: 'MAX', column: { column_name: 'price' }, label: 'top' }],
    filters: [{ col: 'date', op: 'TEMPORAL_RANGE', val: '2008-01-01 : 2008-03-01' }],
    row_limit: 5,
    row_offset: 2,
  }
  it('run over the shifted range with the default limit and match by period', () => {
    const { plan: made, queryText } = ask('stocks', { ...asked, time_offsets: ['1 year ago', 'inherit'] })
    expect(made.statements.map(({ values }) => values[0])).toEqual([
      '2008-01-01 00:00:00',
      '2007-01-01 00:00:00',
      '2007-11-02 00:00:00',
    ])
    expect(made.statements[1]?.text).toMatch(/LIMIT 50$/)
    expect(made.joins[0]).toEqual({
      offset: '1 year ago',
      on: ['day', 'symbol'],
      time: 'day',
      shift: { years: 1 },
      period: 'month',
      metrics: ['top'],
    })
    expect(queryText.split(';\n\n')).toHaveLength(3)
  })
  it('rank the series over the range of the main query', () => {
    const limited = { ...asked, series_columns: ['symbol'], series_limit: 1, time_offsets: ['1 year ago'] }
    const [, shifted] = ask('stocks', limited).plan.statements
    expect(shifted?.values).toEqual([
      '2008-01-01 00:00:00',
      '2008-03-01 00:00:00',
      '2007-01-01 00:00:00',
      '2007-03-01 00:00:00',
    ])
  })
  it.each([
    ['of one number', []],
    ['by dimensions', ['symbol']],
  ])('compare whole ranges %s', (_, columns) => {
    const { plan: made } = ask('stocks', { ...asked, columns, time_offsets: ['2007-01-01'] })
    expect(made.statements.map(({ values }) => values.slice(0, 2))).toEqual([
      ['2008-01-01 00:00:00', '2008-03-01 00:00:00'],
      ['2007-01-01 00:00:00', '2007-03-02 00:00:00'],
    ])
    expect(made.joins[0]).toMatchObject({ on: columns, time: null, period: null, metrics: ['top'] })
  })
  it('reject an offset with an ambiguous direction', () => {
    expect(() => ask('stocks', { ...asked, time_offsets: ['1 year'] })).toThrow('[1 year ago] or [1 year later]')
  })
})

describe('result types', () => {
  it('samples select all columns without range, metrics and order', () => {
    const asked = {
      ...count,
      columns: ['symbol'],
      granularity: 'date',
      time_range: '2008 : 2009',
      orderby: [['count', true]],
    }
    const { plan: made, from_dttm, to_dttm } = ask('stocks', asked, { resultType: 'samples' })
    expect(made.statements[0]?.text).toBe(
      'SELECT "symbol" AS "symbol",\n       "date" AS "date",\n       "price" AS "price"\nFROM "stocks"\nLIMIT 10',
    )
    expect([from_dttm, to_dttm]).toEqual([null, null])
  })
  it('drill to detail keeps the range', () => {
    const asked = { ...count, granularity: 'date', time_range: '2008-01-01 : 2009-01-01' }
    expect(planText('stocks', asked, { resultType: 'drill_detail' })).toContain('WHERE "date" >= CAST($1 AS TIMESTAMP)')
  })
  it('API-060: pages of rows are disjoint: ordered by newest first, then by columns of the table, never by calculated ones', () => {
    const page = { row_limit: 5, row_offset: 5 }
    const order = (
      dataset: 'cars' | 'stocks',
      query: QueryObject,
      resultType: 'drill_detail' | 'full' = 'drill_detail',
    ) =>
      planText(dataset, query, { resultType })
        .match(/ORDER BY ([\s\S]*)\nLIMIT/)?.[1]
        ?.split(/,\s*/)
    const rows = ['"date" DESC', '"symbol" ASC', '"price" ASC']
    expect(order('stocks', { ...count, ...page })).toEqual(rows)
    expect(order('stocks', { ...count, ...page, row_offset: 0 })).toEqual(rows)
    expect(order('stocks', { columns: ['price'], ...page }, 'full')).toEqual(rows)
    expect(order('stocks', { columns: ['price'], orderby: [['price', false]], ...page }, 'full')).toEqual([
      '"price" DESC',
      ...rows.slice(0, 2),
    ])
    expect(order('cars', { ...count, ...page })).not.toContain('is_usa')
    expect(order('stocks', count)).toBeUndefined()
  })
  it('API-060: groups that compare equal are ordered by their columns across pages', () => {
    const asked = { ...count, columns: ['symbol'], orderby: [['count', false]], row_offset: 0 } as QueryObject
    expect(planText('stocks', asked)).toContain('"symbol" ASC\nLIMIT')
    expect(planText('stocks', { ...asked, row_offset: null })).toMatch(/ORDER BY "count" DESC\n/)
  })
  it('never requests more than SQL_MAX_ROW', () => {
    expect(ask('stocks', { columns: ['symbol'], row_limit: 1_000_000 }).plan.limits.rows).toBe(100)
  })
})

describe('regression: rejects names that do not exist', () => {
  const initial = { sqlExpression: 'substring(Name, 1, 1)', label: 'initial' }
  const refused = (query: QueryObject, given: Partial<PlanContext> = {}) =>
    expect(() => ask('cars', { ...count, ...query }, given)).toThrow(expect.objectContaining({ code: 'invalid_query' }))

  it('unknown metrics, in every result type', () => {
    for (const resultType of ['full', 'results', 'query', 'samples', 'drill_detail', 'post_processed'] as const)
      expect(() => ask('cars', { columns: ['Origin'], metrics: ['nope'] }, { resultType })).toThrow(
        `Error: Metric 'nope' does not exist`,
      )
  })
  it('series columns that are not among the columns, matching expressions by themselves, not by label', () => {
    const columns = ['Origin', initial]
    for (const series of ['Origin', initial])
      expect(planText('cars', { ...count, columns, series_columns: [series], series_limit: 1 })).toContain('INNER JOIN')
    for (const series of ['initial', 'Cylinders', { ...initial, sqlExpression: 'Name' }])
      refused({ columns, series_columns: [series] })
  })
  it('regression: rejects metric bounds that are not two numbers', () => {
    const metric = { expressionType: 'SIMPLE', aggregate: 'COUNT', column: { column_name: 'Horsepower' }, label: 'n' }
    for (const between of ['x', [1], [1, 2, 3], ['1 OR 1=1', 2], [1, Number.NaN], [Infinity, null], { from: 1 }, true])
      expect(() => ask('cars', { metrics: [{ ...metric, between } as never] }), String(between)).toThrow(/two numbers/)
  })

  it('orders that are not a column, a metric or an expression', () => {
    const columns = ['Origin', initial]
    expect(planText('cars', { ...count, columns, orderby: [[{ ...initial, expressionType: 'SQL' }, true]] })).toContain(
      'ORDER BY "initial"',
    )
    for (const asked of ['initial', '__timestamp', {}, { label: 'x' }, { sqlExpression: 'Name', label: 'x' }])
      refused({ columns, orderby: [[asked, true]] })
  })
})

describe('ad-hoc expressions', () => {
  const shout = { sqlExpression: 'UPPER(symbol)', label: 'loud', columnType: 'BASE_AXIS' as const, timeGrain: 'P1Y' }
  it('are probed in the database when a grain or a filter depends on them', () => {
    const asked = {
      columns: [shout, 'date'],
      filters: [
        { col: shout, op: '==', val: 'IBM' },
        { col: 'price', op: '>', val: 1 },
      ],
    }
    const [probe, ...others] = planProbes(asked, sampleDataset(datasetSetups.stocks, 'postgresql', null), context)
    expect(others).toEqual([])
    expect(probe?.plan.statements[0]?.text).toBe('SELECT UPPER(symbol) AS "probe"\nFROM "stocks"\nLIMIT 0')
  })
  it('accept a grain only when they are times', () => {
    const expressions = new Map([['UPPER(symbol)', 'other' as const]])
    expect(planText('stocks', { ...count, columns: [shout] }, { expressions })).toContain('UPPER(symbol) AS "loud"')
    expect(planText('stocks', { ...count, columns: [shout] })).toContain(`DATE_TRUNC('year', UPPER(symbol))`)
  })
  it('contain sub-queries only when the setting allows them', () => {
    const asked = { ...count, extras: { where: 'price > (SELECT AVG(price) FROM stocks)' } }
    expect(() => ask('stocks', asked)).toThrow(AppError)
    const settings = { ...context.settings, ALLOW_ADHOC_SUBQUERY: true }
    expect(planText('stocks', asked, { settings })).toContain('SELECT AVG(price) FROM stocks')
  })
})

describe('row-level security rules beside user SQL', () => {
  const rlsRules = [{ group_key: null, clause: `Origin = 'Japan'` }]
  const own = { filters: [{ col: 'Cylinders', op: '==', val: 4 }] }
  const fenced = `FROM (SELECT * FROM "cars" WHERE "Cylinders" = $1::bigint AND (Origin = 'Japan') OFFSET 0) AS "cars"`

  it('are applied inside a fence with generated conditions, and user SQL to the resulting rows', () => {
    const text = planText('cars', { ...count, ...own, extras: { where: '1 / x > 0' } }, { rlsRules })
    expect(text).toContain(`${fenced}\nWHERE (1 / x > 0)`)
    expect(planText('cars', { ...count, ...own, extras: { having: '1 / x > 0' } }, { rlsRules })).toContain(
      `${fenced}\nHAVING (1 / x > 0)`,
    )
  })
  it('are applied inside a fence when user SQL is a join key', () => {
    const column = { sqlExpression: '1 / x', label: 'a' }
    const series = { columns: [column], series_columns: [column], series_limit: 3 }
    expect(planText('cars', { ...count, ...own, ...series }, { rlsRules })).toContain(`${fenced}\nINNER JOIN`)
  })
  it('are ordinary conditions without user SQL, or with user SQL only in selected columns', () => {
    const plain = `FROM "cars"\nWHERE "Cylinders" = $1::bigint\n  AND (Origin = 'Japan')`
    expect(planText('cars', { ...count, ...own }, { rlsRules })).toContain(plain)
    const shown = { columns: [{ sqlExpression: '1 / x', label: 'a' }] }
    expect(planText('cars', { ...count, ...own, ...shown }, { rlsRules })).toContain(plain)
  })
  it('leave a query without rules unchanged', () => {
    expect(planText('cars', { ...count, ...own, extras: { where: '1 / x > 0' } })).toContain(
      'FROM "cars"\nWHERE "Cylinders" = $1::bigint\n  AND (1 / x > 0)',
    )
  })
})

describe('HAVING of a total', () => {
  const asked = { ...count, columns: [], having_columns: ['Origin', 'Year'], extras: { having: 'COUNT(*) > 2' } }
  const groups = (from = '"cars"') =>
    `INNER JOIN (SELECT "Origin" AS "Origin__",\n       "Year" AS "Year__"\nFROM ${from}`
  it('selects groups of the rows above the total, not the total', () => {
    const text = planText('cars', { ...asked, filters: [{ col: 'Cylinders', op: '==', val: 4 }] })
    expect(text).toContain(`SELECT COUNT(*) AS "count"\nFROM "cars"\n${groups()}\nWHERE "Cylinders" = $1::bigint`)
    expect(text.match(/HAVING/g)).toHaveLength(1)
    expect(text).toMatch(
      /HAVING \(COUNT\(\*\) > 2\)\) AS "having_groups" ON ARRAY\["Origin"\] = .*\nWHERE "Cylinders" = \$2::bigint/,
    )
  })
  it('reads only rows that the rules of row-level security let pass', () => {
    const rule = `(Origin = 'Japan')`
    const text = planText('cars', asked, { rlsRules: [{ group_key: null, clause: `Origin = 'Japan'` }] })
    expect(text.split(rule)).toHaveLength(3)
    expect(text).toContain(groups(`(SELECT * FROM "cars" WHERE ${rule} OFFSET 0) AS "cars"`))
  })
  it('is an ordinary one without columns, or without a condition', () => {
    expect(planText('cars', { ...asked, having_columns: [] })).not.toContain('JOIN')
    expect(planText('cars', { ...asked, extras: {} })).not.toContain('JOIN')
  })
  it('rejects a column that the dataset lacks', () => {
    expect(() => ask('cars', { ...asked, having_columns: ['Shipped'] })).toThrow('Columns missing in dataset')
  })
})

describe('shares of all records', () => {
  const step = {
    operation: 'contribution',
    options: { columns: ['count'], rename_columns: ['%count'], whole: 'all_records' },
  }
  const asked = { ...count, columns: ['Origin'], row_limit: 2, post_processing: [step] }
  it('are of a sum that is computed before the row limit, and its column is named for the step', () => {
    const { plan: made, shareable } = ask('cars', asked)
    expect(made.statements[0]?.text).toContain('SUM(COUNT(*)) OVER () AS "__whole__count"')
    expect(made.columns.map(({ name }) => name)).toEqual(['Origin', 'count', '__whole__count'])
    expect(made.steps).toEqual([
      {
        operation: 'contribution',
        options: { columns: ['count'], rename_columns: ['%count'], wholes: { count: '__whole__count' } },
      },
    ])
    expect(shareable).toBeNull()
  })
  it('need no sum without a metric, and a row count has none', () => {
    expect(
      planText('cars', { ...asked, post_processing: [{ ...step, options: { ...step.options, columns: ['Origin'] } }] }),
    ).not.toContain('OVER')
    expect(planText('cars', { ...asked, is_rowcount: true })).not.toContain('OVER')
  })
})

describe('displayed query', () => {
  const dialect = engineOf('duckdb')!.dialect
  it('regression: groups by the values shown, though the engine groups faster by others', () => {
    const month = { ...yearAxis, timeGrain: 'P1M' }
    const { queryText, plan: made } = ask('cars', { ...count, columns: [month] }, { dialect })
    expect(queryText).toContain(`GROUP BY date_trunc('month', "Year")`)
    expect(queryText).toContain(`SELECT date_trunc('month', "Year") AS "Year"`)
    expect(made.statements[0]?.text).not.toContain('date_trunc')
  })
})

describe('result type post_processed', () => {
  const form = { viz_type: 'pivot_table_v2', groupbyRows: ['Origin'] }
  it('requests the layout of charts that have one, with verbose names', () => {
    const { plan: made } = ask('cars', count, { resultType: 'post_processed', form })
    expect(made.layout).toEqual({ form, headings: { count: 'COUNT(*)', avg_hp: 'Average horsepower' } })
  })
  it('requests none for other charts, for other result types or without form data', () => {
    const layoutOf = (given: Partial<PlanContext>) => ask('cars', count, given).plan.layout
    expect(layoutOf({ resultType: 'post_processed', form: { viz_type: 'pie' } })).toBeUndefined()
    expect(layoutOf({ resultType: 'post_processed' })).toBeUndefined()
    expect(layoutOf({ resultType: 'full', form })).toBeUndefined()
  })
})
