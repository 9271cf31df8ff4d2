import { engineOf } from '@parquetry/engines'
import { defaultLimits, type QueryMetric, type QueryObject } from '@parquetry/model'
import { datasetSetups, compareWithGolden, sampleDataset } from '@parquetry/testing'
import { describe, expect, it } from 'vitest'
import { plan } from '../plan/plan.ts'
import type { PlanContext } from '../plan/scope.ts'
import { restrict, type RowLevelSecurityRule } from '../row-level-security.ts'
import { userSql } from '../sql/sql.ts'
import {
  planSizeEstimate,
  isCoveredBy,
  planCachedRollups,
  planScanFrom,
  planScan,
  planScans,
  type CachedRollup,
} from './plan-scans.ts'
import { isMetadataOnly, deferFilters, type ShareableQuery } from './shareable-query.ts'
import { isAggregate, isLinear, decomposeMetric } from './decompose-metric.ts'

const { dialect } = engineOf('duckdb')!
const { dialect: postgres } = engineOf('postgresql')!
const context: PlanContext = {
  now: '2024-05-01T12:00:00',
  source: { kind: 'embedded', engine: 'duckdb', id: 'x', folder: '', tables: [] },
  encode: { as: 'frames' },
  limits: defaultLimits,
  dialect,
  settings: { ROW_LIMIT: 50, SQL_MAX_ROW: 10_000, SAMPLES_ROW_LIMIT: 10, ALLOW_ADHOC_SUBQUERY: false },
  resultType: 'full',
}
const dataset = sampleDataset(datasetSetups.cars, 'duckdb', null)

const sharing = (
  query: QueryObject,
  rlsRules: RowLevelSecurityRule[] = [],
  own: Partial<PlanContext> = {},
): ShareableQuery | null => plan(restrict(query, dataset, { rlsRules }), dataset, { ...context, ...own }).shareable

const shared = (...args: Parameters<typeof sharing>): ShareableQuery => {
  const found = sharing(...args)
  if (!found) throw new Error('cannot be shared')
  return found
}

const metric = (sqlExpression: string): QueryMetric => ({ expressionType: 'SQL', sqlExpression, label: 'm' })
const year = (timeGrain: string) => ({
  sqlExpression: 'Year',
  label: 'Year',
  columnType: 'BASE_AXIS' as const,
  timeGrain,
})
const mean = {
  expressionType: 'SIMPLE',
  aggregate: 'AVG',
  column: { column_name: 'Horsepower' },
  label: 'mean',
} as QueryMetric
const byOrigin: QueryObject = { columns: ['Origin'], metrics: ['count', mean], orderby: [[mean, false]], row_limit: 5 }
const byWeek: QueryObject = { columns: [year('P1W'), 'Origin'], metrics: [metric('SUM("Cylinders") / COUNT(*)')] }
const byMonth: QueryObject = { columns: [year('P1M')], metrics: ['count'] }
const filtered = { filters: [{ col: 'Origin', op: 'IN' as const, val: ['Japan', 'USA'] }] }

describe('a rollup', () => {
  it('groups by the keys that its queries need, and serves each of them', () => {
    const questions = [byOrigin, byWeek, byMonth].map((query) => shared({ ...query, ...filtered }))
    const { rollup, queries } = planScan(questions, [0, 1, 2], dialect)
    const text = [rollup, ...queries.map(({ statement }) => statement)]
      .map((each) => `${each.text}\n-- ${JSON.stringify(each.values)}\n`)
      .join('\n')
    expect(text).toBe(compareWithGolden(new URL('./golden/rollup.sql', import.meta.url), text))
  })

  it('is estimated from a sample with the same conditions', () => {
    const { statement } = planSizeEstimate(
      [byOrigin, byWeek].map((query) => shared({ ...query, ...filtered })),
      dialect,
    )
    expect(`${statement.text}\n`).toBe(
      compareWithGolden(new URL('./golden/sizes.sql', import.meta.url), `${statement.text}\n`),
    )
  })

  it('requests one more row when a floating-point sum determines which rows are returned', () => {
    const { queries } = planScan(
      [shared(byOrigin), shared({ ...byOrigin, orderby: [['count', false]] })],
      [0, 1],
      dialect,
    )
    expect(queries.map(({ inexact }) => inexact)).toEqual([[2], []])
    expect(queries.map(({ statement }) => /LIMIT (\d+)$/.exec(statement.text)?.[1])).toEqual(['6', '5'])
  })
})

describe('the choice of rollups', () => {
  const sizes = (rows: number, each: number, read = rows) => ({ read, rows, of: () => each })
  const questions = [byOrigin, byWeek, byMonth].map((query) => shared({ ...query, row_limit: 1000 }))

  it('creates one rollup for queries that save time with it', () => {
    expect(planScans(questions, sizes(3_000_000, 20), dialect).flatMap(({ queries }) => queries)).toHaveLength(3)
  })
  it('creates none that is nearly as long as the table', () => {
    expect(planScans(questions, sizes(3_000_000, 2_000_000), dialect)).toEqual([])
    expect(planScans(questions, sizes(500_000, 60_000), dialect)).toEqual([])
  })
  it('creates none for a small table', () => {
    expect(planScans(questions, sizes(50_000, 20), dialect)).toEqual([])
  })
  it('creates none that would take longer than the maximum wait', () => {
    const on = questions.map(() => shared({ ...byOrigin, row_limit: 1000 }))
    expect(planScans(on, sizes(1e8, 20), dialect)).toHaveLength(1)
    expect(planScans(on, sizes(1e10, 20), dialect)).toEqual([])
  })
  it('creates one for few matching rows of a large table, which each query would have to search', () => {
    expect(planScans(questions, sizes(80_000, 20, 3_000_000), dialect).flatMap(({ queries }) => queries)).toHaveLength(
      3,
    )
  })
  it('leaves out a query whose limit cuts by a floating-point sum', () => {
    const cut = [shared(byOrigin), shared({ ...byOrigin, orderby: [['count', false]] }), ...questions]
    const taken = planScans(cut, sizes(3_000_000, 20), dialect).flatMap(({ queries }) =>
      queries.map(({ index }) => index),
    )
    expect(taken.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4])
  })
  it('regression: examines each of hundreds of different groupings only once', () => {
    const names = ['Origin', 'Name', 'Cylinders', 'Horsepower', 'Displacement', 'Weight_in_lbs', 'Acceleration']
    const kinds = Array.from({ length: 127 }, (_, index) => names.filter((_name, bit) => ((index + 1) >> bit) & 1))
    const asked = kinds.map((columns) => shared({ columns, metrics: ['count'] }))
    let looks = 0
    const of = () => (looks += 1) && 2
    const [pass, more] = planScans(asked, { read: 3_000_000, rows: 3_000_000, of }, dialect)
    expect([pass?.queries.length, more]).toEqual([60, undefined])
    // Each key of each compared kind, but not of each pair.
    expect(looks).toBeLessThanOrEqual(60 * names.length)
  })
})

describe('a cached rollup', () => {
  const wide = (...asked: Parameters<typeof sharing>) => deferFilters(shared(...asked), dialect)
  const sizes = { read: 3_000_000, rows: 3_000_000, of: () => 20 }
  const since = { granularity: 'Year', time_range: '1971-01-01 : 1974-05-06' }
  const keptFor = (questions: ShareableQuery[]): CachedRollup => {
    const [rollup, more] = planCachedRollups(questions, sizes, dialect)
    expect([rollup?.queries.length, more]).toEqual([questions.length, undefined])
    return rollup!
  }

  it('contains the columns of filters and ranges, and is queried by them', () => {
    const kept = keptFor([byOrigin, byWeek].map((query) => wide({ ...query, ...filtered, ...since, row_limit: 1000 })))
    const later = wide({ ...byMonth, granularity: 'Year', time_range: '1972-02-03 : ', filters: [] })
    const { rollup, queries } = planScanFrom(kept, [...kept.queries, later], dialect)
    const text = [rollup, ...queries.map(({ statement }) => statement)]
      .map((each) => `${each.text}\n-- ${JSON.stringify(each.values)}\n`)
      .join('\n')
    expect(text).toBe(compareWithGolden(new URL('./golden/cached.sql', import.meta.url), text))
  })

  it('serves queries with other filter values, and queries for less', () => {
    const kept = keptFor([byOrigin, byMonth].map((query) => wide({ ...query, ...filtered, row_limit: 1000 })))
    const one = (query: QueryObject) => isCoveredBy(wide({ row_limit: 1000, ...query }), kept, dialect)
    expect(one({ ...byOrigin, row_limit: 1000, filters: [{ col: 'Origin', op: '!=', val: 'USA' }] })).toBe(true)
    expect(one({ ...byMonth, filters: [{ col: 'Origin', op: 'LIKE', val: 'J%' }] })).toBe(true)
    expect(one({ ...byMonth, columns: [year('P1Y')] })).toBe(true)
    expect(one({ ...byMonth, columns: [year('P1D')] })).toBe(false)
    expect(one({ ...byMonth, filters: [{ col: 'Cylinders', op: '==', val: 4 }] })).toBe(false)
    expect(one({ ...byMonth, metrics: [metric('SUM("Cylinders")')] })).toBe(false)
    // A floating-point mean determines which rows are returned.
    expect(one({ ...byOrigin, row_limit: 5 })).toBe(false)
  })

  it.each<[string, QueryObject, string]>([
    ['of a filter', { ...byOrigin, ...filtered }, ''],
    ['of days', { ...byOrigin, ...since }, ''],
    [
      'of hours',
      { ...byOrigin, granularity: 'Year', time_range: '1971-01-01T05:00:00 : 1972-01-01' },
      `"Year" >= CAST($1 AS TIMESTAMP) ["1971-01-01 05:00:00"]`,
    ],
    ['of SQL', { ...byOrigin, extras: { where: `"Origin" = 'USA'` } }, `("Origin" = 'USA')`],
    [
      'of numbers as text',
      { ...byOrigin, filters: [{ col: 'Horsepower', op: 'LIKE', val: '1%' }] },
      `CAST("Horsepower" AS VARCHAR) LIKE $1 ["1%"]`,
    ],
  ])('moves the condition %s to the groups only when they decide it equally', (_, query, where) => {
    expect(wide(query).rows).toBe(`"cars" WHERE ${where}`)
  })

  it('always applies row-level security rules when reading rows', () => {
    const rules = [{ group_key: null, clause: `"Origin" = 'Japan'` }]
    const asked = { ...byOrigin, ...filtered }
    expect(wide(asked, rules).rows).toContain(`"Origin" = 'Japan'`)
    expect(wide(asked, rules).rows).not.toBe(wide(asked).rows)
    expect(wide(asked, rules).filters).toHaveLength(1)
  })
})

describe('the rows that are read', () => {
  const rows = (...asked: Parameters<typeof sharing>) => shared(...asked).rows
  it('are the same only for the same conditions', () => {
    expect(rows({ ...byOrigin, ...filtered })).toBe(rows({ ...byMonth, ...filtered }))
    expect(rows({ ...byOrigin, ...filtered })).not.toBe(rows(byMonth))
    const other = [{ col: 'Origin', op: 'IN' as const, val: ['Japan', 'Europe'] }]
    expect(rows({ ...byOrigin, ...filtered })).not.toBe(rows({ ...byOrigin, filters: other }))
  })
  it('differ between row-level security rules', () => {
    const rule = (clause: string) => [{ group_key: null, clause }]
    expect(rows(byOrigin, rule(`"Origin" = 'Japan'`))).not.toBe(rows(byOrigin, rule(`"Origin" = 'USA'`)))
    expect(rows(byOrigin, rule(`"Origin" = 'Japan'`))).not.toBe(rows(byOrigin))
  })
  it('differ between instants', () => {
    const recent = { ...byOrigin, granularity: 'Year', time_range: 'Last week' }
    expect(rows(recent)).toBe(rows({ ...byMonth, granularity: 'Year', time_range: 'Last week' }))
    expect(rows(recent)).not.toBe(rows(recent, [], { now: '2024-05-02T00:00:00' }))
  })
})

describe('a query runs alone', () => {
  it.each<[string, QueryObject]>([
    ['without groups', { columns: ['Origin'] }],
    ['with HAVING', { ...byOrigin, extras: { having: 'COUNT(*) > 5' } }],
    ['with a series limit', { ...byOrigin, series_columns: ['Origin'], series_limit: 2 }],
    ['with a page of rows', { ...byOrigin, row_offset: 5 }],
    ['of a count of rows', { ...byOrigin, is_rowcount: true }],
    ['with time offsets', { ...byMonth, granularity: 'Year', time_range: '1970 : 1971', time_offsets: ['1 year ago'] }],
    ['whose order is not among its columns', { ...byOrigin, orderby: [['Year', true]] }],
    ['that reads the clock', { ...byOrigin, extras: { where: '"Year" < now()' } }],
    ['that reads the clock without a call', { ...byOrigin, extras: { where: '"Year" < current_date' } }],
    ['that reads the clock by a text', { ...byOrigin, extras: { where: `"Year" < CAST('today' AS DATE)` } }],
    ['that throws dice', { ...byOrigin, metrics: [metric('SUM(random())')], orderby: [] }],
    ['that calls by a quoted name', { ...byOrigin, metrics: [metric('SUM("random"())')], orderby: [] }],
  ])('%s', (_, query) => {
    expect(sharing(query)).toBeNull()
  })
  it('on an engine without rollups', () => {
    const other = engineOf('mysql')!.dialect
    expect(sharing(byOrigin, [], { dialect: other })).toBeNull()
  })
})

describe('a query that an engine can answer without reading rows', () => {
  it.each<[string, boolean, QueryObject, RowLevelSecurityRule[]]>([
    ['the rows of a table', true, { metrics: ['count'] }, []],
    ['those of a condition', false, { metrics: ['count'], ...filtered }, []],
    ['those of a rule', false, { metrics: ['count'] }, [{ group_key: null, clause: '1 = 1' }]],
    ['groups', false, { columns: ['Origin'], metrics: ['count'] }, []],
    ['a mean', false, { metrics: [mean] }, []],
  ])('%s: %s', (_, isKnown, query, rules) => {
    expect(isMetadataOnly(shared(query, rules), dialect)).toBe(isKnown)
  })
  it('does not exist on PostgreSQL', () => {
    expect(isMetadataOnly(shared({ metrics: ['count'] }), postgres)).toBe(false)
  })
})

describe('a rollup on PostgreSQL', () => {
  const onPostgres = (query: QueryObject) => sharing(query, [], { dialect: postgres })
  const typed = (own: Record<string, string>) => ({
    read: 3_000_000,
    rows: 3_000_000,
    of: () => 20,
    types: new Map(
      Object.entries({
        '"Origin"': 'text',
        'period of "Year"': 'timestamp without time zone',
        'SUM("Cylinders")': 'bigint',
        'SUM("Horsepower")': 'bigint',
        ...own,
      }),
    ),
  })
  const questions = [
    { ...byOrigin, row_limit: 1000 },
    byWeek,
    byMonth,
    { metrics: [{ ...(mean as object), aggregate: 'MIN', label: 'least' } as QueryMetric, 'count'] },
  ].map((query) => onPostgres({ ...query, ...filtered })!)
  const chosen = (sizes: ReturnType<typeof typed>) =>
    planScans(questions, sizes, postgres).flatMap(({ queries }) => queries.map(({ index }) => index))

  it('queries the types of its columns, and writes sums of the same type', () => {
    const { statement } = planSizeEstimate(questions, postgres)
    const [pass] = planScans(questions, typed({ 'MIN("Horsepower")': 'numeric' }), postgres)
    const text = [statement, pass!.rollup, ...pass!.queries.map((query) => query.statement)]
      .map((each) => `${each.text}\n-- ${JSON.stringify(each.values)}\n`)
      .join('\n')
    expect(text).toBe(compareWithGolden(new URL('./golden/postgresql.sql', import.meta.url), text))
    expect(pass!.types).toEqual({
      '~k0': 'text',
      '~t1': 'timestamp without time zone',
      '~a1': 'bigint',
      '~a3': 'bigint',
      '~a4': 'numeric',
    })
  })

  it.each<[string, Record<string, string>, number[]]>([
    ['a sum that rounds at each step', { 'SUM("Horsepower")': 'real' }, [0]],
    ['a sum of intervals', { 'SUM("Cylinders")': 'interval' }, [1]],
    ['a key whose equal values look different', { '"Origin"': 'citext' }, [0, 1]],
    ['an end of such values', { 'MIN("Horsepower")': 'interval' }, [3]],
    ['an unknown type', { 'period of "Year"': '' }, [1, 2]],
  ])('leaves out %s', (_, types, out) => {
    const all = chosen(typed({ 'MIN("Horsepower")': 'integer' }))
    expect(all).toEqual([0, 1, 2, 3])
    const taken = chosen(typed({ 'MIN("Horsepower")': 'integer', ...types }))
    expect(taken.length).toBeGreaterThan(0)
    expect(taken.filter((index) => out.includes(index))).toEqual([])
  })

  it('serves queries cut by an exact sum, and leaves out those cut by a floating-point sum', () => {
    const cut = [onPostgres({ ...byOrigin, ...filtered })!, ...questions]
    const taken = (type: string) =>
      planScans(cut, typed({ 'SUM("Horsepower")': type, 'MIN("Horsepower")': 'integer' }), postgres).flatMap(
        ({ queries }) => queries.map(({ index, inexact }) => [index, inexact]),
      )
    expect(taken('numeric')).toContainEqual([0, []])
    expect(taken('double precision').map(([of]) => of)).not.toContain(0)
  })

  it('leaves out queries that divide by a floating-point sum', () => {
    const ratio = [
      ...questions,
      onPostgres({ ...byMonth, ...filtered, metrics: [metric('COUNT(*) / SUM("Horsepower")')] })!,
    ]
    const taken = (type: string) =>
      planScans(ratio, typed({ 'SUM("Horsepower")': type, 'MIN("Horsepower")': 'integer' }), postgres).flatMap(
        ({ queries }) => queries.map(({ index, exact }) => [index, exact]),
      )
    expect(taken('numeric')).toContainEqual([4, []])
    expect(taken('double precision').map(([of]) => of)).not.toContain(4)
  })

  it('is not built from a table with its own name', () => {
    const named = { ...dataset, table_name: 'Parquetry_Rollup' }
    const of = plan(restrict(byOrigin, named, { rlsRules: [] }), named, { ...context, dialect: postgres })
    expect(of.shareable).toBeNull()
  })

  it('is built only from tables, because nothing else can be sampled', () => {
    const virtual = { ...dataset, sql: 'SELECT * FROM cars' }
    expect(onPostgres(byOrigin)).not.toBeNull()
    expect(
      plan(restrict(byOrigin, virtual, { rlsRules: [] }), virtual, { ...context, dialect: postgres }).shareable,
    ).toBeNull()
  })
})

describe('SQL of a metric', () => {
  const taken = (text: string) =>
    decomposeMetric(userSql(text), dialect)
      ?.filter(isAggregate)
      .map(({ name }) => name) ?? null
  it.each<[string, string[]]>([
    ['COUNT(*)', ['COUNT']],
    ['sum(a + b)', ['SUM']],
    ['AVG(CASE WHEN a > 15 THEN 1.0 ELSE 0 END)', ['AVG']],
    ['100.0 * SUM(a) / NULLIF(COUNT(*), 0)', ['SUM', 'COUNT']],
    ['COALESCE(SUM(a), 0) - MIN(b)', ['SUM', 'MIN']],
    ['MAX(EXTRACT(hour FROM t))', ['MAX']],
  ])('is decomposed: %s', (text, names) => {
    expect(taken(text)).toEqual(names)
  })
  it.each([
    'COUNT(DISTINCT a)',
    'SUM(ALL a)',
    'SUM(a) FILTER (WHERE b > 1)',
    'SUM(a) OVER ()',
    'SUM(SUM(a)) OVER ()',
    'ROUND(AVG(a), 1)',
    'CAST(SUM(a) AS INTEGER)',
    'SUM(a)::INTEGER',
    'SUM(a) // 2',
    'SUM(a) % 2',
    'SUM(a) > 5',
    'CASE WHEN SUM(a) > 0 THEN 1 END',
    'NULLIF(SUM(a), 0)',
    'MEDIAN(a)',
    'QUANTILE_CONT(a, 0.9)',
    'SUM(a ORDER BY b)',
    'MAX(a, 3)',
    'SUM(a) + b',
    'SUM((SELECT 1))',
    'SUM(a) -- all',
    '5',
  ])('is not decomposed: %s', (text) => {
    expect(taken(text)).toBeNull()
  })
  it.each<[string, boolean]>([
    ['SUM(a)', true],
    ['AVG(a) * 2 - SUM(b) / 3', true],
    ['100.0 * (SUM(a) + COALESCE(-SUM(b), 0)) / NULLIF(COUNT(*), 0)', true],
    ['COUNT(a) * MAX(b) / COUNT(*)', true],
    ['SUM(a) / SUM(b)', false],
    ['1 / AVG(a)', false],
    ['COUNT(*) / (SUM(a) - SUM(b))', false],
    ['SUM(a) * 2 * SUM(b)', false],
    ['SUM(a) / 2 * SUM(b)', false],
    ['SUM(a) * COALESCE(SUM(b), 1)', false],
  ])('%s has an error bounded by that of its sums: %s', (text, isBounded) => {
    expect(isLinear(decomposeMetric(userSql(text), dialect)!, dialect)).toBe(isBounded)
  })
  it('requires exact sums when its error is not bounded by theirs', () => {
    const ratio = shared({ ...byMonth, metrics: [metric('SUM("Cylinders") / SUM("Horsepower")'), mean] })
    const { rollup, queries } = planScan([ratio, shared(byMonth)], [0, 1], dialect)
    expect(queries.map(({ exact }) => exact)).toEqual([['~a0', '~a1'], []])
    expect(rollup.text).toContain('SUM("Cylinders") AS "~a0",\n       SUM("Horsepower") AS "~a1"')
  })
  it("regression: does not divide by means that differ from the engine's own in the last digit", () => {
    const ratio = { ...byMonth, metrics: [metric('1 / (AVG("Cylinders") - AVG("Horsepower"))')] }
    expect(sharing(ratio)).toBeNull()
    expect(sharing({ ...byMonth, metrics: [metric('AVG("Cylinders") - AVG("Horsepower")')] })).not.toBeNull()
    expect(sharing(ratio, [], { dialect: postgres })).not.toBeNull()
  })
})
