import { buildAlias } from '../sql/alias.ts'
import { selectSql, type Select } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { planDimensions, type Dimension } from './dimensions.ts'
import { applyHaving } from './having-groups.ts'
import { planMeasure, type Measure } from './metrics.ts'
import { planOrder, ordersByMetric, planPageOrder } from './order.ts'
import type { Scope } from './scope.ts'
import { limitSeries } from './series-limit.ts'
import { planFromWhere } from './where.ts'
import { sumOfAllRows } from './wholes.ts'

export interface BuiltStatement {
  piece: Sql
  /** Null when rows are not grouped. */
  grouped: Select | null
  /** Conditions of the statement that come from filters and time ranges. */
  filters: readonly Sql[]
  dimensions: Dimension[]
  measures: Measure[]
  /** Sums of measures over all rows that the statement returns without its limit; they follow the measures. */
  wholes: Measure[]
}

/**
 * Builds the SELECT of one query object. Columns are grouped when it has metrics, even an empty list of them; otherwise rows are
 * returned unchanged.
 * @param summed  labels of the measures whose sum over all rows is selected as well
 * @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery`
 */
export function buildStatement(
  scope: Scope,
  limit: { rows: number; offset: number },
  summed: readonly string[] = [],
): BuiltStatement {
  const { query, dialect } = scope
  const isGrouped = (query.metrics !== null && query.metrics !== undefined) || ordersByMetric(scope)
  const measures = (query.metrics ?? []).map((metric) => planMeasure(metric, scope))
  const requested = planDimensions(scope, isGrouped)
  const { join, dimensions } = isGrouped
    ? limitSeries(requested, measures, scope)
    : { join: null, dimensions: requested }
  const having = applyHaving(scope)
  const early = [...having.conditions, ...having.keys, ...(join ? requested.map(({ value }) => value) : [])]
  const { filters, ...rows } = planFromWhere(scope, scope.range, early)
  const wholes = measures.filter(({ label }) => summed.includes(label)).map(sumOfAllRows)
  const select: Select = {
    columns: [...dimensions, ...measures, ...wholes].map(({ label, value }) => ({
      value,
      alias: buildAlias(label, dialect),
    })),
    ...rows,
    join: joinBoth(join, having.join),
    groupBy: isGrouped ? dimensions.map(({ group }) => group) : [],
    having: having.conditions,
    orderBy: [...planOrder(dimensions, measures, scope), ...planPageOrder(dimensions, isGrouped, scope)],
    limit,
  }
  return {
    piece: selectSql(select, dialect),
    grouped: isGrouped ? select : null,
    filters,
    dimensions,
    measures,
    wholes,
  }
}

const joinBoth = (one: Sql | null, other: Sql | null): Sql | null =>
  one && other ? sql`${one}\n${other}` : (one ?? other)

/** Counts the rows of a statement. */
export const countRowsSql = (query: Sql): Sql =>
  sql`SELECT COUNT(*) AS ${sql.id('rowcount')}\nFROM (${query}) AS ${sql.id('rowcount_qry')}`
