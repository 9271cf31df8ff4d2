import { buildAlias } from '../sql/alias.ts'
import { selectSql, type Select } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { planDimensions, type Dimension } from './dimensions.ts'
import { planMeasure, type Measure } from './metrics.ts'
import { planOrder, ordersByMetric, planPageOrder } from './order.ts'
import type { Scope } from './scope.ts'
import { limitSeries } from './series-limit.ts'
import { havingConditions, planFromWhere } from './where.ts'

export interface BuiltStatement {
  piece: Sql
  /** Null when rows are not grouped. */
  grouped: Select | null
  /** Conditions of the statement that come from filters and time ranges. */
  filters: readonly Sql[]
  dimensions: Dimension[]
  measures: Measure[]
}

/**
 * Builds the SELECT of one query object. Columns are grouped when it has metrics, even an empty list of them; otherwise rows are
 * returned unchanged.
 * @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery`
 */
export function buildStatement(scope: Scope, limit: { rows: number; offset: number }): BuiltStatement {
  const { query, dialect } = scope
  const isGrouped = (query.metrics !== null && query.metrics !== undefined) || ordersByMetric(scope)
  const measures = (query.metrics ?? []).map((metric) => planMeasure(metric, scope))
  const requested = planDimensions(scope, isGrouped)
  const { join, dimensions } = isGrouped
    ? limitSeries(requested, measures, scope)
    : { join: null, dimensions: requested }
  const having = havingConditions(scope)
  const early = [...having, ...(join ? requested.map(({ value }) => value) : [])]
  const { filters, ...rows } = planFromWhere(scope, scope.range, early)
  const select: Select = {
    columns: [...dimensions, ...measures].map(({ label, value }) => ({ value, alias: buildAlias(label, dialect) })),
    ...rows,
    join,
    groupBy: isGrouped ? dimensions.map(({ group }) => group) : [],
    having,
    orderBy: [...planOrder(dimensions, measures, scope), ...planPageOrder(dimensions, isGrouped, scope)],
    limit,
  }
  return { piece: selectSql(select, dialect), grouped: isGrouped ? select : null, filters, dimensions, measures }
}

/** Counts the rows of a statement. */
export const countRowsSql = (query: Sql): Sql =>
  sql`SELECT COUNT(*) AS ${sql.id('rowcount')}\nFROM (${query}) AS ${sql.id('rowcount_qry')}`
