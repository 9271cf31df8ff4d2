/** Aggregates that the API does not have; they travel as SQL metrics. `PERCENTILE` takes the percent. */
export type Statistic = 'MEDIAN' | 'PERCENTILE' | 'STDDEV' | 'VARIANCE'

/** A statistic of a column. */
export interface ColumnStatistic {
  statistic: Statistic
  /** Between 0 and 100; 50 for a median. */
  percent: number
}

interface Engine {
  /** Missing where the engine has no percentiles as aggregates of groups. */
  percentile?: (value: string, fraction: string) => string
  median?: (value: string) => string
  deviation: (value: string) => string
  variance: (value: string) => string
  isApproximate?: true
}

const standard = {
  deviation: (value: string) => `STDDEV_SAMP(${value})`,
  variance: (value: string) => `VAR_SAMP(${value})`,
}

/** By the API's `backend`. SQLite has none of them, and MySQL and MariaDB no percentiles of groups. */
const engines = new Map<string, Engine>([
  [
    'duckdb',
    {
      ...standard,
      // Between two decimals DuckDB cuts the value to their number of places.
      percentile: (value, fraction) => `QUANTILE_CONT(CAST(${value} AS DOUBLE), ${fraction})`,
      median: (value) => `MEDIAN(CAST(${value} AS DOUBLE))`,
    },
  ],
  [
    'postgresql',
    { ...standard, percentile: (value, fraction) => `PERCENTILE_CONT(${fraction}) WITHIN GROUP (ORDER BY ${value})` },
  ],
  ['mysql', standard],
  [
    'clickhouse',
    {
      percentile: (value, fraction) => `quantileExactInclusive(${fraction})(toFloat64(${value}))`,
      deviation: (value) => `stddevSamp(${value})`,
      variance: (value) => `varSamp(${value})`,
    },
  ],
  [
    'trino',
    { ...standard, percentile: (value, fraction) => `APPROX_PERCENTILE(${value}, ${fraction})`, isApproximate: true },
  ],
])

/** Statistics that an engine computes, in the order in which they are offered. */
export function listStatistics(backend: string | null | undefined): readonly Statistic[] {
  const engine = engines.get(backend ?? '')
  if (!engine) return []
  return engine.percentile ? ['MEDIAN', 'PERCENTILE', 'STDDEV', 'VARIANCE'] : ['STDDEV', 'VARIANCE']
}

/** True if the percentiles of the engine are estimates. */
export const hasApproximatePercentiles = (backend: string | null | undefined): boolean =>
  engines.get(backend ?? '')?.isApproximate === true

/** Fraction of a percent without rounding noise: 99.9 -> 0.999. */
const toFraction = (percent: number): string => String(Number((percent / 100).toPrecision(12)))

/** SQL of a statistic of a value; null where the engine does not compute it. @param value  SQL of a column */
export function statisticSql(
  backend: string | null | undefined,
  value: string,
  { statistic, percent }: ColumnStatistic,
): string | null {
  const engine = engines.get(backend ?? '')
  if (statistic === 'STDDEV') return engine?.deviation(value) ?? null
  if (statistic === 'VARIANCE') return engine?.variance(value) ?? null
  if (statistic === 'MEDIAN' && engine?.median) return engine.median(value)
  return engine?.percentile?.(value, toFraction(statistic === 'MEDIAN' ? 50 : percent)) ?? null
}

const fraction = /^(?:0?\.\d+|0|1)$/

/** Reads SQL that `statisticSql` made of a value; null for other SQL. */
export function readStatisticSql(
  backend: string | null | undefined,
  value: string,
  sql: string,
): ColumnStatistic | null {
  for (const statistic of ['MEDIAN', 'STDDEV', 'VARIANCE'] as const)
    if (statisticSql(backend, value, { statistic, percent: 50 }) === sql) return { statistic, percent: 50 }
  const mark = '\0'
  const [before, after] =
    engines
      .get(backend ?? '')
      ?.percentile?.(value, mark)
      .split(mark) ?? []
  if (before === undefined || after === undefined || !sql.startsWith(before) || !sql.endsWith(after)) return null
  const middle = sql.slice(before.length, sql.length - after.length)
  return fraction.test(middle)
    ? { statistic: 'PERCENTILE', percent: Number((Number(middle) * 100).toPrecision(12)) }
    : null
}

/** Default label of a statistic of a column: `MEDIAN(price)`, `P99.9(price)`. */
export const labelOfStatistic = ({ statistic, percent }: ColumnStatistic, column: string): string =>
  `${statistic === 'PERCENTILE' ? `P${percent}` : statistic}(${column})`
