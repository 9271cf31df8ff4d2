import {
  labelOfMetric,
  message,
  type AdhocMetric,
  type AppError,
  type PlannerDataset,
  type PlannerMetric,
  type QueryMetric,
  type QueryObject,
} from '@parquetry/model'
import { sql, type Sql } from '../sql/sql.ts'
import { adhocSql, columnSql, datasetSql } from './expression.ts'
import { missingColumns } from './missing-columns.ts'
import { invalidQuery, type Scope } from './scope.ts'

export interface Measure {
  label: string
  value: Sql
  /** The saved metric; null for an ad-hoc one. */
  metric: PlannerMetric | null
}

const functions: Record<string, (column: Sql) => Sql> = {
  AVG: (column) => sql`AVG(${column})`,
  COUNT: (column) => sql`COUNT(${column})`,
  COUNT_DISTINCT: (column) => sql`COUNT(DISTINCT ${column})`,
  MAX: (column) => sql`MAX(${column})`,
  MIN: (column) => sql`MIN(${column})`,
  SUM: (column) => sql`SUM(${column})`,
}

const unknownMetric = (name: string): AppError =>
  invalidQuery(message('errors.query.unknownMetric', "Error: Metric '{name}' does not exist", { name }))

/** Rejects saved metrics that the dataset lacks, even if the result type leaves metrics out. @throws AppError `invalid_query` */
export function checkMetricsExist({ metrics }: QueryObject, dataset: Pick<PlannerDataset, 'metrics'>): void {
  const known = new Set(dataset.metrics.map(({ metric_name }) => metric_name))
  const missing = metrics?.find((metric) => typeof metric === 'string' && !known.has(metric))
  if (typeof missing === 'string') throw unknownMetric(missing)
}

/** A metric by its saved name, its aggregate, or its expression. @throws AppError `invalid_query`, `adhoc_subquery` */
export function planMeasure(queryMetric: QueryMetric, scope: Scope): Measure {
  const label = labelOfMetric(queryMetric)
  if (typeof queryMetric !== 'string') return { label, value: adhocMetricSql(queryMetric, scope), metric: null }
  const metric = scope.metrics.get(queryMetric)
  if (!metric) throw unknownMetric(queryMetric)
  return { label, value: savedMetricSql(metric), metric }
}

/** The default metric of every dataset is generated and is not checked as user SQL. */
export const savedMetricSql = ({ expression }: PlannerMetric): Sql =>
  /^\s*count\(\*\)\s*$/i.test(expression) ? sql`COUNT(*)` : datasetSql(expression)

function adhocMetricSql(metric: AdhocMetric, scope: Scope): Sql {
  if (metric.expressionType === 'SQL') return adhocSql(metric.sqlExpression ?? '', scope)
  if (metric.expressionType !== 'SIMPLE')
    throw invalidQuery(message('errors.query.metricType', 'Error: Adhoc metric expressionType is invalid'))
  const name = metric.column?.column_name ?? ''
  const column = scope.columns.get(name)
  if (!column) throw missingColumns([name])
  const aggregate = metric.aggregate ?? ''
  const call = Object.hasOwn(functions, aggregate) ? functions[aggregate] : undefined
  if (!call)
    throw invalidQuery(message('errors.query.aggregate', 'Error: Unknown aggregate: {aggregate}', { aggregate }))
  const value = columnSql(column)
  return call(metric.between ? between(value, metric.between) : value)
}

const isBounds = (bounds: unknown): bounds is NonNullable<AdhocMetric['between']> =>
  Array.isArray(bounds) && bounds.length === 2 && bounds.every((bound) => bound === null || Number.isFinite(bound))

/**
 * The value if it is between two bounds (the upper one exclusive), otherwise null, which aggregates ignore.
 * @throws AppError `invalid_query` when a form or caller passes anything but two bounds
 */
function between(value: Sql, bounds: NonNullable<AdhocMetric['between']>): Sql {
  if (!isBounds(bounds))
    throw invalidQuery(
      message(
        'errors.query.metricBounds',
        'Error: `between` of a metric must be a list of two numbers. Use null for an open end.',
      ),
    )
  const [from, below] = bounds
  const conditions = [
    ...(from === null ? [] : [sql`${value} >= ${sql.number(from)}`]),
    ...(below === null ? [] : [sql`${value} < ${sql.number(below)}`]),
  ]
  return conditions.length === 0 ? value : sql`CASE WHEN ${sql.join(conditions, ' AND ')} THEN ${value} END`
}
