import { defaultLimits, type QueryObject, type ResultType, type Source } from '@parquetry/model'
import { plan, restrict, type Dialect, type QueryPlan, type RowLevelSecurityRule } from '@parquetry/query'
import { sampleDataset } from './datasets.ts'
import { toEngineSetup, type SampleName } from './dataset-setups.ts'
import { quoteForDialect } from './quote-for-dialect.ts'

/** A query that every engine compiles and that returns the same rows on each. */
export interface QueryCase {
  /** Name of the case and of its golden file. */
  name: string
  dataset: SampleName
  query: QueryObject
  resultType?: ResultType
  rlsRules?: RowLevelSecurityRule[]
}

const count = { orderby: [['count', false]], metrics: ['count'] } satisfies QueryObject
const countByOrigin = { columns: ['Origin'], metrics: ['count'], orderby: [['Origin', true]] } satisfies QueryObject
const simple = (aggregate: string, column_name: string, label = `${aggregate}(${column_name})`) => ({
  expressionType: 'SIMPLE' as const,
  aggregate,
  column: { column_name },
  label,
})
const axis = (sqlExpression: string, timeGrain: string) => ({
  sqlExpression,
  timeGrain,
  label: sqlExpression,
  columnType: 'BASE_AXIS' as const,
  expressionType: 'SQL' as const,
})
const byTime = (timeGrain: string): Omit<QueryCase, 'name'> => ({
  dataset: 'seattle_weather',
  query: {
    columns: [axis('date', timeGrain)],
    metrics: [simple('MAX', 'temp_max')],
    orderby: [['date', true]],
    row_limit: 60,
  },
})
const filtered = (...filters: NonNullable<QueryObject['filters']>): Omit<QueryCase, 'name'> => ({
  dataset: 'cars',
  query: { ...countByOrigin, filters },
})

const cases: Record<string, Omit<QueryCase, 'name'>> = {
  'rows-as-they-are': {
    dataset: 'cars',
    query: {
      columns: ['Name', 'Horsepower', 'Year'],
      orderby: [
        ['Horsepower', false],
        ['Name', true],
      ],
      row_limit: 5,
    },
  },
  'page-of-rows': {
    dataset: 'stocks',
    query: {
      columns: ['symbol', 'date'],
      orderby: [
        ['symbol', true],
        ['date', true],
      ],
      row_limit: 3,
      row_offset: 4,
    },
  },
  'page-of-rows-behind': {
    dataset: 'stocks',
    query: { metrics: ['count'], row_limit: 3, row_offset: 4 },
    resultType: 'drill_detail',
  },
  'distinct-values': {
    dataset: 'cars',
    query: { columns: ['Cylinders'], metrics: [], orderby: [['Cylinders', true]] },
  },
  'one-number': { dataset: 'stocks', query: { columns: [], metrics: ['count'] } },
  'every-aggregate': {
    dataset: 'cars',
    query: {
      columns: ['Origin'],
      metrics: ['AVG', 'COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN', 'SUM'].map((one) => simple(one, 'Horsepower')),
      orderby: [['Origin', true]],
    },
  },
  'metrics-between-bounds': {
    dataset: 'cars',
    query: {
      columns: [],
      metrics: [
        { ...simple('COUNT', 'Horsepower'), between: [null, 92.5], label: 'low' },
        { ...simple('COUNT', 'Horsepower'), between: [92.5, 138], label: 'middle' },
        { ...simple('COUNT', 'Horsepower'), between: [138, null], label: 'high' },
        { ...simple('MAX', 'Horsepower'), between: [92.5, 138], label: 'most of the middle' },
      ],
    },
  },
  'saved-and-sql-metrics': {
    dataset: 'cars',
    query: {
      columns: ['Origin'],
      metrics: ['avg_hp', { expressionType: 'SQL', sqlExpression: 'MAX("Year") -- newest', label: 'newest "car"' }],
      orderby: [['Origin', true]],
    },
  },
  'calculated-column': { dataset: 'cars', query: { columns: ['hp_class'], ...count, orderby: [['hp_class', false]] } },
  'adhoc-column': {
    dataset: 'cars',
    query: { columns: [{ sqlExpression: 'UPPER("Origin")', label: 'loud', expressionType: 'SQL' }], ...count },
  },
  'by-second': byTime('PT1S'),
  'by-minute': byTime('PT1M'),
  'by-hour': byTime('PT1H'),
  'by-day': byTime('P1D'),
  'by-week': byTime('P1W'),
  'by-month': byTime('P1M'),
  'by-quarter': byTime('P3M'),
  'by-year': byTime('P1Y'),
  'time-series': {
    dataset: 'stocks',
    query: {
      is_timeseries: true,
      granularity: 'date',
      time_range: '2005-01-01 : 2008-01-01',
      extras: { time_grain_sqla: 'P1Y' },
      columns: ['symbol'],
      metrics: [simple('MAX', 'price')],
      orderby: [
        ['symbol', true],
        ['MAX(price)', true],
      ],
    },
  },
  'range-of-days': {
    dataset: 'seattle_weather',
    query: {
      columns: ['weather'],
      metrics: ['count'],
      orderby: [['weather', true]],
      filters: [{ col: 'date', op: 'TEMPORAL_RANGE', val: '2013-02-01 : DATEADD(DATETIME("2013-02-01"), 1, month)' }],
    },
  },
  'epoch-seconds': {
    dataset: 'v_dates',
    query: {
      columns: [axis('ts_s', 'P1Y')],
      metrics: ['count'],
      filters: [{ col: 'ts_s', op: 'TEMPORAL_RANGE', val: '2001 : 2004' }],
      orderby: [['ts_s', true]],
    },
  },
  'epoch-milliseconds': {
    dataset: 'v_dates',
    query: { columns: [axis('ts_ms', 'P1Y')], metrics: ['count'], orderby: [['ts_ms', true]] },
  },
  'filter-text': filtered({ col: 'Name', op: 'ILIKE', val: '%FORD%' }, { col: 'Origin', op: '!=', val: "O'Hara; --" }),
  'filter-numbers': filtered(
    { col: 'Cylinders', op: 'IN', val: ['4', 6, '8'] },
    { col: 'Acceleration', op: '>=', val: 15.5 },
    { col: 'Weight_in_lbs', op: 'LIKE', val: '3%' },
  ),
  'filter-patterns': filtered(
    { col: 'Name', op: 'NOT LIKE', val: '%ford%' },
    { col: 'Name', op: 'ILIKE', val: '%Ca%' },
  ),
  'filter-nulls': filtered(
    { col: 'Horsepower', op: 'IN', val: [null, 150] },
    { col: 'Origin', op: '!=', val: '<NULL>' },
  ),
  'filter-not-in': filtered({ col: 'Horsepower', op: 'NOT IN', val: ['<NULL>', '150'] }),
  'filter-truth': filtered({ col: 'is_usa', op: '==', val: 'true' }, { col: 'is_usa', op: 'IS TRUE' }),
  'filter-times': filtered({ col: 'Year', op: '>=', val: 315532800000 }, { col: 'Year', op: '<', val: '1982-01-01' }),
  'where-and-having': {
    dataset: 'cars',
    query: {
      columns: ['Origin', 'Cylinders'],
      metrics: ['count'],
      orderby: [
        ['Origin', true],
        ['Cylinders', true],
      ],
      extras: { where: '"Horsepower" > 100 -- strong', having: 'COUNT(*) > 10' },
    },
  },
  'order-by-another-metric': {
    dataset: 'cars',
    query: { columns: ['Origin'], metrics: ['count'], orderby: [[simple('MAX', 'Acceleration'), true]] },
  },
  'nulls-last-and-first': {
    dataset: 'cars',
    query: {
      columns: ['Horsepower', 'Name'],
      orderby: [
        ['Horsepower', false],
        ['Name', true],
      ],
      row_limit: 8,
    },
  },
  'series-limit': {
    dataset: 'cars',
    query: {
      columns: [axis('Year', 'P1Y'), 'Origin'],
      series_columns: ['Origin'],
      series_limit: 2,
      series_limit_metric: 'avg_hp',
      metrics: ['count'],
      filters: [{ col: 'Cylinders', op: '>', val: 3 }],
      orderby: [
        ['Year', true],
        ['Origin', true],
      ],
    },
  },
  'series-limit-with-others': {
    dataset: 'cars',
    query: {
      columns: ['Origin', 'Horsepower'],
      series_columns: ['Horsepower'],
      series_limit: 2,
      group_others_when_limit_reached: true,
      metrics: ['count'],
      orderby: [
        ['Origin', true],
        ['Horsepower', true],
      ],
    },
  },
  'row-count': { dataset: 'cars', query: { columns: ['Origin', 'Cylinders'], metrics: ['count'], is_rowcount: true } },
  'virtual-dataset': {
    dataset: 'v_cars_eu',
    query: { columns: ['origin'], metrics: [simple('MAX', 'hp')], orderby: [['origin', true]] },
  },
  'virtual-dataset-with': {
    dataset: 'v_cars_cte',
    query: { columns: ['origin'], metrics: ['count'], orderby: [['origin', true]] },
  },
  'row-rules': {
    dataset: 'cars',
    query: { ...countByOrigin, extras: { where: '1 = 1 OR 2 = 2' } },
    rlsRules: [
      { group_key: 'region', clause: '"Origin" = \'Japan\'' },
      { group_key: 'region', clause: '"Origin" = \'Europe\' -- both' },
      { group_key: null, clause: '"Cylinders" = 4 OR "Cylinders" = 6' },
    ],
  },
  'fetch-values-predicate': {
    dataset: 'seattle_weather',
    query: { columns: ['weather'], metrics: [], orderby: [['weather', true]], apply_fetch_values_predicate: true },
  },
  'year-before': {
    dataset: 'stocks',
    query: {
      columns: [axis('date', 'P1Y'), 'symbol'],
      metrics: [simple('MAX', 'price')],
      filters: [{ col: 'date', op: 'TEMPORAL_RANGE', val: '2008-01-01 : 2010-01-01' }],
      orderby: [
        ['date', true],
        ['symbol', true],
      ],
      time_offsets: ['1 year ago'],
    },
  },
  samples: {
    dataset: 'stocks',
    query: { metrics: ['count'], filters: [{ col: 'price', op: '>', val: 600 }] },
    resultType: 'samples',
  },
  'long-label': {
    dataset: 'stocks',
    query: {
      columns: [],
      metrics: [simple('MIN', 'price', 'the lowest price that any of these shares has had in all of these years')],
    },
  },
}

/** All cases. An engine must compile each as in its golden file and return the same rows as all other engines. */
export const queryCases: readonly QueryCase[] = Object.entries(cases).map(([name, one]) => ({ name, ...one }))

/** Creates the plan of a case. The clock is fixed at noon of 1 May 2024. */
export function planCase(
  one: QueryCase,
  { dialect, source, schema = null }: { dialect: Dialect; source: Source; schema?: string | null },
): QueryPlan {
  const { dataset, query, resultType = 'full', rlsRules = [] } = quoteForDialect(one, dialect)
  const described = sampleDataset(quoteForDialect(toEngineSetup(dataset, dialect.name), dialect), dialect.name, schema)
  return plan(restrict(query, described, { rlsRules }), described, {
    now: '2024-05-01T12:00:00',
    source,
    encode: { as: 'rows', times: 'ms' },
    limits: defaultLimits,
    dialect,
    settings: { ROW_LIMIT: 50_000, SQL_MAX_ROW: 100_000, SAMPLES_ROW_LIMIT: 1000, ALLOW_ADHOC_SUBQUERY: false },
    resultType,
  })
}
