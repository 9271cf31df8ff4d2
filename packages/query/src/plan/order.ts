import {
  GenericType,
  labelOfMetric,
  message,
  type AdhocMetric,
  type AppError,
  type PlannerColumn,
  type QueryMetric,
} from '@parquetry/model'
import { pythonText } from '../read/python-text.ts'
import { buildAlias } from '../sql/alias.ts'
import { sql, type Sql } from '../sql/sql.ts'
import type { Dimension } from './dimensions.ts'
import { adhocSql, columnSql } from './expression.ts'
import { planMeasure, type Measure } from './metrics.ts'
import { invalidQuery, type Scope } from './scope.ts'

type Entry = [asked: string | AdhocMetric, ascending: boolean]

/** Pairs of `orderby`, whose form `readQueryContext` has validated. */
const orderEntriesOf = ({ query }: Scope): Entry[] => (query.orderby ?? []) as Entry[]

/** Returns whether the query is ordered by a metric, so that columns are grouped even when no metric is selected. */
export const ordersByMetric = (scope: Scope): boolean =>
  orderEntriesOf(scope).some(([target]) =>
    typeof target === 'string'
      ? !scope.columns.has(target) && scope.metrics.has(target)
      : target.expressionType === 'SIMPLE',
  )

const unknownOrder = (column: string): AppError =>
  invalidQuery(message('errors.query.orderColumn', 'Error: Unknown column used in orderby: {column}', { column }))

/** An entry that equals a selected label orders by its alias. @throws AppError `invalid_query`, `adhoc_subquery` */
export function planOrder(dimensions: Dimension[], measures: Measure[], scope: Scope) {
  const byAlias = (label: string): Sql => {
    const measure = scope.dialect.ordersByAliasOfMetric ? undefined : measures.find((one) => one.label === label)
    return measure?.value ?? sql.id(buildAlias(label, scope.dialect))
  }
  const valueOf = (target: string | AdhocMetric): Sql => {
    if (typeof target !== 'string') return objectOrder(target)
    if (dimensions.some(({ label, column }) => label === target && column)) return byAlias(target)
    const column = scope.columns.get(target)
    if (column) return columnSql(column)
    if (measures.some(({ label }) => label === target)) return byAlias(target)
    if (scope.metrics.has(target)) return planMeasure(target, scope).value
    throw unknownOrder(target)
  }
  const objectOrder = (metric: AdhocMetric): Sql => {
    const label = labelOfMetric(metric as QueryMetric)
    if ([...dimensions, ...measures].some((selected) => selected.label === label)) return byAlias(label)
    if (metric.expressionType === undefined) throw unknownOrder(pythonText(metric))
    const isSql = metric.expressionType !== 'SIMPLE' && metric.sqlExpression
    return isSql ? adhocSql(isSql, scope) : planMeasure(metric, scope).value
  }
  return orderEntriesOf(scope).map(([target, ascending]) => ({ value: valueOf(target), ascending }))
}

/**
 * Tie-breakers after the requested order, which keep pages disjoint: rows that compare equal always have the same order. Groups
 * are ordered by their columns; rows are ordered by newest first, then by up to `maxKeys` of the dataset's own columns. Empty
 * when no page is requested (`row_offset`, 0 for the first one).
 */
export function planPageOrder(dimensions: Dimension[], isGrouped: boolean, scope: Scope) {
  const { query, dataset, dialect, context } = scope
  if (context.isUnordered || typeof query.row_offset !== 'number' || query.is_rowcount) return []
  const explicit = new Set(orderEntriesOf(scope).flatMap(([entry]) => (typeof entry === 'string' ? entry : [])))
  if (isGrouped)
    return dimensions
      .filter(({ label }) => !explicit.has(label))
      .map(({ label }) => ({ value: sql.id(buildAlias(label, dialect)), ascending: true }))
  const time = dataset.columns.find(({ column_name }) => column_name === dataset.main_dttm_col)
  const keys = dataset.columns.filter((column) => column !== time && isKey(column)).slice(0, maxKeys)
  return [...(time ? [time] : []), ...keys]
    .filter(({ column_name }) => !explicit.has(column_name))
    .map((column) => ({ value: columnSql(column), ascending: column !== time }))
}
const maxKeys = 12

/** Returns whether every engine can sort by the column, which must be one of the table itself. */
function isKey({ expression, type, type_generic }: PlannerColumn): boolean {
  if (expression) return false
  return type_generic === GenericType.STRING ? textTypes.test(type ?? '') : type_generic !== null
}
const textTypes =
  /^((NULLABLE|LOWCARDINALITY)\()*((N|VAR|NVAR|BP)?CHAR|(TINY|MEDIUM|LONG)?TEXT|(FIXED)?STRING|UUID|ENUM)/i
