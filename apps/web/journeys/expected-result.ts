import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/** Times are ISO text without the parts that are zero: `2001-03-01`, `2001-03-01T06:00:00`. */
export type Value = string | number | boolean | null
export type RunSql = (sql: string) => Promise<Value[][]>

/** Opens the tables of a home directly in the engine, bypassing the product; `files` are CSV files as additional tables. */
export async function openTables(home: string, files: Record<string, string> = {}): Promise<RunSql> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const ask: RunSql = async (sql) => {
    const reader = await connection.runAndReadAll(sql)
    return reader.getRowsJS().map((row) => row.map(toValue))
  }
  const data = join(home, 'data')
  for (const path of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    const table = /([^/]+)\.\d+\.duckdb$/.exec(path)?.[1]
    if (table === undefined) continue
    await ask(`ATTACH '${join(data, path)}' AS "file of ${table}" (READ_ONLY)`)
    await ask(`CREATE VIEW ${quoted(table)} AS FROM "file of ${table}".data`)
  }
  for (const [table, path] of Object.entries(files))
    await ask(`CREATE VIEW ${quoted(table)} AS FROM read_csv('${path}')`)
  return ask
}

function toValue(cell: unknown): Value {
  if (cell instanceof Date) return trimTime(cell.toISOString())
  return typeof cell === 'bigint' ? Number(cell) : (cell as Value)
}

/** Removes the parts without information: the zone, fractions and midnight. */
export const trimTime = (iso: string): string => iso.replace(/(\.0+)?Z?$/, '').replace(/T00:00:00$/, '')

export interface Dataset {
  table_name: string
  sql: string | null
  main_dttm_col: string | null
  columns: { column_name: string; expression: string | null }[]
  metrics: { metric_name: string; expression: string }[]
}

type Metric =
  | string
  | { expressionType: 'SIMPLE'; label: string; aggregate: string; column: { column_name: string } }
  | { expressionType: 'SQL'; label: string; sqlExpression: string }

/** The part of a stored chart that decides its numbers. */
export interface StoredForm {
  viz_type: string
  adhoc_filters?: { subject: string; operator: string; comparator: unknown }[]
  x_axis?: string
  time_grain_sqla?: string
  groupby?: string | string[]
  all_columns?: string[]
  query_mode?: string
  order_by_cols?: string[]
  metric?: Metric
  metrics?: Metric[]
  limit?: number
  timeseries_limit_metric?: Metric
  row_limit?: number
  rolling_type?: string
  rolling_periods?: number
  min_periods?: number
}

/** Filters of a dashboard: a time range that excludes its end, and values of columns. */
export interface ActiveFilters {
  time?: readonly [from: string, to: string]
  values?: Record<string, readonly string[]>
}

/** Result of the engine for a chart: dimensions first, then metrics. */
export interface ExpectedResult {
  dimensions: string[]
  metrics: string[]
  rows: Value[][]
  /** Index of the column that the rows are ordered by. */
  ordered: number | null
  /** Maximum number of rows that a chart may show. */
  most: number
}

/**
 * Runs the query of a chart under filters in independently written SQL. A time range applies to the main time column of the
 * dataset.
 */
export async function queryExpectedResult(
  ask: RunSql,
  form: StoredForm,
  dataset: Dataset,
  inForce: ActiveFilters,
): Promise<ExpectedResult> {
  const from = `FROM ${dataset.sql ? `(${dataset.sql})` : quoted(dataset.table_name)} WHERE ${conditions(form, dataset, inForce)}`
  const most = form.row_limit ?? 10_000
  if (form.query_mode === 'raw') {
    const columns = form.all_columns ?? []
    const [order] = (form.order_by_cols ?? []).map((each) => JSON.parse(each) as [column: string, ascending: boolean])
    const by = order ? `ORDER BY ${columnSql(dataset, order[0])} ${order[1] ? 'ASC' : 'DESC'}` : ''
    const rows = await ask(`SELECT ${columns.map((name) => columnSql(dataset, name)).join(', ')} ${from} ${by}`)
    return { dimensions: columns, metrics: [], rows, ordered: order ? columns.indexOf(order[0]) : null, most }
  }
  const isOverAxis = !['pie', 'table', 'big_number_total'].includes(form.viz_type)
  const groupby = [form.groupby ?? []].flat()
  const dimensions = [...(form.x_axis && isOverAxis ? [form.x_axis] : []), ...groupby]
  const hasOne = ['pie', 'big_number', 'big_number_total', 'heatmap_v2'].includes(form.viz_type)
  const requestedMetrics = hasOne ? (form.metric ? [form.metric] : []) : (form.metrics ?? [])
  const grouped = dimensions.map((name) =>
    columnSql(dataset, name, name === form.x_axis ? form.time_grain_sqla : undefined),
  )
  const parts = groupby.map((name) => columnSql(dataset, name)).join(', ')
  const largest =
    form.limit && parts
      ? ` AND (${parts}) IN (SELECT ${parts} ${from} GROUP BY ALL ORDER BY ${metricSql(dataset, form.timeseries_limit_metric ?? requestedMetrics[0]!)} DESC LIMIT ${form.limit})`
      : ''
  const rows = await ask(
    `SELECT ${[...grouped, ...requestedMetrics.map((metric) => metricSql(dataset, metric))].join(', ')} ${from}${largest}
     ${grouped.length > 0 ? `GROUP BY ${grouped.map((_, index) => index + 1).join(', ')}` : ''}
     ORDER BY ${grouped.length + 1} DESC NULLS LAST LIMIT ${most}`,
  )
  return {
    dimensions,
    metrics: requestedMetrics.map(labelOf),
    rows: rolled(form, rows),
    ordered: dimensions.length,
    most,
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const literal = (value: unknown): string =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

const units: Record<string, string> = {
  PT1H: 'hour',
  P1D: 'day',
  P1W: 'week',
  P1M: 'month',
  P3M: 'quarter',
  P1Y: 'year',
}

function columnSql({ columns }: Dataset, name: string, grain?: string): string {
  const sql = columns.find(({ column_name }) => column_name === name)?.expression || quoted(name)
  if (grain === undefined || !sql.startsWith('"')) return sql
  if (!(grain in units)) throw new Error(`nobody asks by hand for the grain ${grain}`)
  return `date_trunc('${units[grain]}', ${sql})`
}

const labelOf = (metric: Metric): string => (typeof metric === 'string' ? metric : metric.label)

function metricSql({ metrics }: Dataset, metric: Metric): string {
  if (typeof metric !== 'string')
    return metric.expressionType === 'SQL'
      ? metric.sqlExpression
      : `${metric.aggregate}(${quoted(metric.column.column_name)})`
  const saved = metrics.find(({ metric_name }) => metric_name === metric)
  if (!saved) throw new Error(`the dataset has no metric ${metric}`)
  return saved.expression
}

function conditions(form: StoredForm, dataset: Dataset, { time, values = {} }: ActiveFilters): string {
  const { main_dttm_col, columns } = dataset
  const isOurs = time !== undefined && main_dttm_col !== null
  const own = (form.adhoc_filters ?? []).flatMap(({ subject, operator, comparator }) => {
    const column = columnSql(dataset, subject)
    if (operator === 'IS NOT NULL') return [`${column} IS NOT NULL`]
    if (operator === '>') return [`${column} > ${literal(comparator)}`]
    if (operator !== 'TEMPORAL_RANGE') throw new Error(`nobody asks by hand for the operator ${operator}`)
    if (isOurs || comparator === 'No filter') return []
    return within(column, String(comparator).split(' : ') as [string, string])
  })
  const chosen = Object.entries(values)
    .filter(([name]) => columns.some(({ column_name }) => column_name === name))
    .map(([name, list]) => `${columnSql(dataset, name)} IN (${list.map(literal).join(', ')})`)
  return [...own, ...(isOurs ? within(quoted(main_dttm_col), time) : []), ...chosen, 'true'].join(' AND ')
}

const within = (column: string, [from, to]: readonly [string, string]): string[] => [
  `${column} >= ${literal(from)}`,
  `${column} < ${literal(to)}`,
]

/** Rolling means over `rolling_periods` rows in the order of the x axis, from the first window that has `min_periods` of them. */
function rolled({ rolling_type, rolling_periods = 1, min_periods = 0 }: StoredForm, rows: Value[][]): Value[][] {
  if (rolling_type !== 'mean') return rows
  const inOrder = rows.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  const first = Math.max(0, min_periods - 1)
  return inOrder.slice(first).map(([x], index) => {
    const end = first + index + 1
    const window = inOrder.slice(Math.max(0, end - rolling_periods), end).map(([, value]) => Number(value))
    return [x!, window.reduce((sum, value) => sum + value, 0) / window.length]
  })
}
