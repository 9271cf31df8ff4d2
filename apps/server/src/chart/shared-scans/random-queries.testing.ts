import { createRandom } from '@parquetry/model/testing/random'
import {
  GenericType,
  type EmbeddedTable,
  type PlannerDataset,
  type QueryMetric,
  type QueryObject,
} from '@parquetry/model'

/**
 * Selects flights: integers, decimals, floating-point numbers of both signs, dates, texts, booleans, and nulls in most columns.
 */
export const flightsSelect = (from: string): string => `SELECT date, CAST(date AS DATE) AS day,
  CASE WHEN delay % 17 = 3 THEN NULL ELSE delay END AS delay, CAST(distance AS INTEGER) AS distance,
  CASE WHEN distance % 31 = 0 THEN NULL ELSE origin END AS origin, destination,
  CASE WHEN delay = 7 THEN NULL ELSE CAST(distance * 0.17 + 20 AS DECIMAL(9, 2)) END AS fare,
  CASE WHEN delay = 5 THEN NULL ELSE delay * 0.1 + distance / 7.0 - 100 END AS score,
  CAST(delay * 0.3 AS FLOAT) AS weight, delay > 15 AS is_late
FROM ${from}`

export const flightsTable: EmbeddedTable = {
  name: 'flights',
  file: 'flights.1.duckdb',
  version: 1,
  format: 'duckdb',
  table: 'data',
}

const column = (column_name: string, type: string, type_generic: GenericType, expression: string | null = null) => ({
  column_name,
  verbose_name: null,
  type,
  type_generic,
  is_dttm: type.startsWith('TIMESTAMP') || type === 'DATE',
  expression,
  python_date_format: null,
})

const band = column(
  'band',
  'VARCHAR',
  1,
  "CASE WHEN distance < 500 THEN 'near' WHEN distance < 1000 THEN 'middle' ELSE 'far' END",
)
const hour = column('hour', 'BIGINT', 0, 'EXTRACT(hour FROM date)')

const createFlightsDataset = (engine: string, columns: ReturnType<typeof column>[]): PlannerDataset => ({
  id: 1,
  uuid: '',
  engine,
  table_name: 'flights',
  schema: null,
  catalog: null,
  sql: null,
  main_dttm_col: 'date',
  columns: [...columns, band, hour] as PlannerDataset['columns'],
  metrics: [{ metric_name: 'count', expression: 'COUNT(*)', verbose_name: null }] as PlannerDataset['metrics'],
  fetch_values_predicate: null,
  offset: 0,
  always_filter_main_dttm: false,
})

export interface RandomMetric {
  metric: QueryMetric
  /** Sum of absolute values behind its floating-point sum; other metrics are exact, or made of exact sums. */
  scale?: string
}

const simple = (aggregate: string, name: string, scale?: string): RandomMetric => ({
  metric: {
    expressionType: 'SIMPLE',
    aggregate,
    column: { column_name: name },
    label: `${aggregate} ${name}`,
  } as never,
  ...(scale && { scale }),
})
const customMetric = (sqlExpression: string, scale?: string): RandomMetric => ({
  metric: { expressionType: 'SQL', sqlExpression, label: sqlExpression.slice(0, 40) },
  ...(scale && { scale }),
})

const all = ['COUNT', 'SUM', 'MIN', 'MAX', 'AVG']
const ends = ['COUNT', 'MIN', 'MAX']
const each = (aggregates: readonly string[], names: readonly string[]): RandomMetric[] =>
  names.flatMap((name) => aggregates.map((of) => simple(of, name)))
const floating = (names: readonly string[]): RandomMetric[] =>
  names.flatMap((name) => [
    ...each(ends, [name]),
    simple('SUM', name, `SUM(ABS(${name}))`),
    simple('AVG', name, `AVG(ABS(${name}))`),
  ])

const commonMetrics: readonly RandomMetric[] = [
  simple('COUNT_DISTINCT', 'origin'),
  customMetric('AVG(CASE WHEN delay > 15 THEN 1.0 ELSE 0.0 END)'),
  customMetric('SUM(fare) / COUNT(*)'),
  customMetric('100.0 * SUM(CASE WHEN delay > 15 THEN 1 ELSE 0 END) / NULLIF(COUNT(*), 0)'),
  customMetric('COALESCE(SUM(delay), 0) + MAX(distance)'),
  customMetric('SUM(score) * 2 - AVG(score)', 'SUM(ABS(score)) * 2 + AVG(ABS(score))'),
  customMetric('SUM(fare) / NULLIF(COUNT(fare), 0) - 2 * SUM(delay)'),
  customMetric('SUM(fare) / AVG(distance)'),
  // Sums that nearly cancel out.
  customMetric('SUM(score) / (SUM(weight) - 0.3 * SUM(delay))'),
  customMetric('SUM(score) FILTER (WHERE delay > 10)', 'SUM(ABS(score))'),
  customMetric('ROUND(AVG(distance), 1)'),
]

/** Elements of queries about flights on an engine. */
export interface FlightsFixture {
  dataset: PlannerDataset
  metrics: readonly RandomMetric[]
  times: readonly string[]
  names: readonly string[]
}

export const duckdbFlights: FlightsFixture = {
  dataset: createFlightsDataset('duckdb', [
    column('date', 'TIMESTAMP', 2),
    column('day', 'DATE', 2),
    column('delay', 'BIGINT', 0),
    column('distance', 'INTEGER', 0),
    column('origin', 'VARCHAR', 1),
    column('destination', 'VARCHAR', 1),
    column('fare', 'DECIMAL(9,2)', 0),
    column('score', 'DOUBLE', 0),
    column('weight', 'FLOAT', 0),
    column('is_late', 'BOOLEAN', 3),
  ]),
  metrics: [
    { metric: 'count' },
    ...each(all, ['delay', 'distance', 'fare']),
    ...floating(['score', 'weight']),
    ...each(ends, ['date', 'day', 'origin', 'is_late']),
    ...commonMetrics,
    customMetric('MEDIAN(delay)'),
  ],
  times: ['date', 'date', 'day'],
  names: ['origin', 'destination', 'band', 'hour', 'is_late', 'day'],
}

/**
 * Creates flights on PostgreSQL with `rows` rows: all its number and time types, equal decimals with different scales (`price`),
 * decimals that are NaN (`odd`), and infinite times (`until`).
 */
export const postgresFlightsSql = (rows: number): string => `CREATE TABLE flights AS SELECT
  TIMESTAMP '2001-01-01' + n * INTERVAL '193 seconds' AS date, DATE '2001-01-01' + n / 447 AS day,
  TIMESTAMPTZ '2001-01-01' + n * INTERVAL '167 seconds' AS at,
  CASE WHEN n % 97 = 0 THEN 'infinity' ELSE TIMESTAMPTZ '2001-02-01' + n * INTERVAL '91 seconds' END AS until,
  CASE WHEN d % 17 = 3 THEN NULL ELSE d::bigint END AS delay, m AS distance, (d % 13)::smallint AS stops,
  CASE WHEN m % 31 = 0 THEN NULL ELSE (ARRAY['ATL', 'SEA', 'JFK', 'ORD', 'LAX', 'SFO', 'DEN', 'BOS'])[1 + m % 8] END AS origin,
  (ARRAY['Zürich', 'zurich', 'Ålborg', 'aarhus', 'Oslo', 'Ærø'])[1 + (m / 8) % 6]::varchar(20) AS destination,
  (ARRAY['a', 'bc', 'd'])[1 + d % 3]::char(2) AS code,
  CASE WHEN d = 7 THEN NULL ELSE (m * 0.17 + 20)::numeric(9, 2) END AS fare,
  CASE WHEN n % 2 = 0 THEN (d % 5)::numeric(9, 1)::numeric ELSE (d % 7)::numeric(9, 2)::numeric END AS price,
  CASE WHEN n % 4999 = 0 THEN 'NaN' ELSE (d * 0.1)::numeric(9, 2) END AS odd,
  CASE WHEN d = 5 THEN NULL ELSE d * 0.1::float8 + m / 7.0::float8 - 100 END AS score,
  (d * 0.3)::real AS weight, d > 15 AS is_late
FROM (SELECT n, (n::bigint * 7919 % 1013 % 181 - 30)::integer AS d, (n::bigint * 104729 % 2903 + 60)::integer AS m
  FROM generate_series(0, ${rows - 1}) AS n) AS flights`

export const postgresFlights: FlightsFixture = {
  dataset: createFlightsDataset('postgresql', [
    column('date', 'TIMESTAMP', 2),
    column('day', 'DATE', 2),
    column('at', 'TIMESTAMP WITH TIME ZONE', 2),
    column('until', 'TIMESTAMP WITH TIME ZONE', 2),
    column('delay', 'BIGINT', 0),
    column('distance', 'INTEGER', 0),
    column('stops', 'SMALLINT', 0),
    column('origin', 'TEXT', 1),
    column('destination', 'VARCHAR(20)', 1),
    column('code', 'CHAR(2)', 1),
    column('fare', 'NUMERIC(9, 2)', 0),
    column('price', 'NUMERIC', 0),
    column('odd', 'NUMERIC(9, 2)', 0),
    column('score', 'DOUBLE PRECISION', 0),
    column('weight', 'REAL', 0),
    column('is_late', 'BOOLEAN', 3),
  ]),
  metrics: [
    { metric: 'count' },
    ...each(all, ['delay', 'distance', 'stops', 'fare', 'price', 'odd']),
    ...floating(['score', 'weight']),
    ...each(ends, ['date', 'day', 'at', 'until', 'origin', 'destination', 'code']),
    simple('COUNT', 'is_late'),
    ...commonMetrics,
    // Integer division yields integers, and sums of large integers are decimals.
    customMetric('SUM(distance) / COUNT(*)'),
    customMetric('SUM(delay) / COUNT(*)'),
    customMetric('SUM(stops) / 7 * 7 + MAX(stops) / 2'),
    customMetric('SUM(distance) / SUM(stops)'),
    customMetric('1 / AVG(distance)'),
    customMetric('PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY delay)'),
  ],
  times: ['date', 'date', 'day', 'at', 'until'],
  names: ['origin', 'origin', 'destination', 'destination', 'band', 'hour', 'is_late', 'day', 'code', 'stops', 'price'],
}

const grains = ['PT1H', 'P1D', 'P1W', 'P1M', 'P3M', 'P1Y']

/** Conditions shared by several charts of a dashboard. */
const conditions: readonly Partial<QueryObject>[] = [
  {},
  { filters: [{ col: 'origin', op: 'IN', val: ['SEA', 'JFK', 'ORD', 'LAX'] }] },
  { filters: [{ col: 'delay', op: '>', val: 20 }], time_range: '2001-02-01 : 2001-04-15', granularity: 'date' },
  { extras: { where: 'distance > 800 AND "is_late"' } },
  { filters: [{ col: 'origin', op: '==', val: 'nowhere' }] },
]

export interface RandomQuery {
  query: QueryObject
  metrics: RandomMetric[]
}

/** Queries of a dashboard: some conditions, and eight queries over them. */
export function createRandomQueries(seed: number, { metrics, times, names }: FlightsFixture): RandomQuery[] {
  const random = createRandom(seed)
  const one = random.pick
  const chance = (probability: number): boolean => random() < probability
  const some = <T>(of: readonly T[], most: number): T[] => [
    ...new Set(Array.from({ length: random.int(most + 1) }, () => one(of))),
  ]
  const rows = [one(conditions), one(conditions)]
  return Array.from({ length: 8 }, () => {
    const asked = some(metrics, 3)
    const columns = [
      ...(chance(0.4)
        ? [
            {
              sqlExpression: one(times),
              label: 'time',
              columnType: 'BASE_AXIS',
              timeGrain: one(grains),
            },
          ]
        : []),
      ...some(names, 2),
    ] as NonNullable<QueryObject['columns']>
    if (asked.length === 0) asked.push(one(metrics))
    const byMetric = one(asked).metric
    const orderby = one([[], [[byMetric, chance(0.5)]], columns.length > 0 ? [[columns.at(-1), chance(0.5)]] : []])
    const query = {
      ...one(rows),
      columns,
      metrics: asked.map(({ metric }) => metric),
      orderby: orderby.filter(([by]) => typeof by === 'string' || (by as { aggregate?: unknown })?.aggregate),
      row_limit: one([1, 5, 20, 1000, 50_000]),
      ...(chance(0.1) && columns.includes('origin' as never) && { series_limit: 3, series_columns: ['origin'] }),
      ...(chance(0.1) && { extras: { ...one(rows).extras, having: 'COUNT(*) > 10' } }),
    } as QueryObject
    return { query, metrics: asked }
  })
}
