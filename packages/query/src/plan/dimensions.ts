import { GenericType, labelOfColumn, type AdhocColumn, type PlannerColumn, type QueryColumn } from '@parquetry/model'
import { sql, type Sql } from '../sql/sql.ts'
import { adhocSql, columnSql } from './expression.ts'
import { resolveColumnKind } from './column-kind.ts'
import { missingColumns } from './missing-columns.ts'
import { timestampLabel, type Scope } from './scope.ts'
import { storedFormatOf, truncateToGrain, timeSql } from './time-column.ts'

/** Column of the result that is not a metric. */
export interface Dimension {
  label: string
  value: Sql
  group: Sql
  /** The chart's time: the x-axis, `__timestamp`, or the column that the time range filters. */
  isTimeAxis: boolean
  /** Set when a grain is applied. */
  grain: string | null
  /** With a grain: the time that it truncates. */
  time: Sql | null
  column: PlannerColumn | null
  /** Format in which the values are still to be parsed as times: `epoch_s`, `epoch_ms` or a strptime pattern. */
  dateFormat: string | null
}

export const isBaseAxis = (column: QueryColumn): column is AdhocColumn =>
  typeof column !== 'string' && column.columnType === 'BASE_AXIS'

/** Columns of the result in order, `__timestamp` first. @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery` */
export function planDimensions(scope: Scope, isGrouped: boolean): Dimension[] {
  const isOwnColumn = !scope.isTimeseries && scope.columns.has(timestampLabel)
  const requested = (scope.query.columns ?? []).filter((column) => column !== timestampLabel || isOwnColumn)
  const columns = requested.map((column) =>
    typeof column === 'string' ? namedDimension(column, scope, isGrouped) : adhocDimension(column, scope),
  )
  return scope.isTimeseries && scope.granularity ? [timestampDimension(scope.granularity, scope), ...columns] : columns
}

function timestampDimension(granularity: PlannerColumn, scope: Scope): Dimension {
  return timeDimension(timestampLabel, granularity, scope.query.extras?.time_grain_sqla ?? null, scope)
}

function timeDimension(label: string, column: PlannerColumn, grain: string | null, { dialect }: Scope): Dimension {
  const format = storedFormatOf(column)
  if (!grain && format && !format.startsWith('epoch_')) return plainDimension(label, column, true)
  const time = timeSql(column, dialect)
  const { value, group } = grain ? truncateToGrain(time, grain, dialect) : { value: time, group: time }
  return { label, value, group, isTimeAxis: true, grain, time: grain ? time : null, column, dateFormat: null }
}

/**
 * Unmodified column. Numbers of a time format are read as times afterwards, texts only if the column is the chart's time: as a
 * value, a text stays what it is.
 */
function plainDimension(label: string, column: PlannerColumn, isTimeAxis: boolean): Dimension {
  const value = columnSql(column)
  const isNumber = column.is_dttm && resolveColumnKind(column) === GenericType.NUMERIC
  const dateFormat = isTimeAxis || isNumber ? storedFormatOf(column) : null
  return { label, value, group: value, isTimeAxis, grain: null, time: null, column, dateFormat }
}

function expressionDimension(label: string, value: Sql): Dimension {
  return { label, value, group: value, isTimeAxis: false, grain: null, time: null, column: null, dateFormat: null }
}

function namedDimension(name: string, scope: Scope, isGrouped: boolean): Dimension {
  const column = scope.columns.get(name)
  if (!column) return unknownDimension(name, scope)
  const isTimeAxis = column === scope.granularity
  const grain = scope.query.extras?.time_grain_sqla
  if (isTimeAxis && isGrouped && grain) return timeDimension(name, column, grain, scope)
  return plainDimension(name, column, isTimeAxis)
}

/** Only the reported text of a query that does not run may contain a name that the dataset lacks. */
function unknownDimension(name: string, scope: Scope): Dimension {
  if (scope.context.resultType !== 'query') throw missingColumns([name])
  return expressionDimension(name, sql`(${adhocSql(name, scope)})`)
}

function adhocDimension(adhoc: AdhocColumn, scope: Scope): Dimension {
  if (typeof adhoc.sqlExpression !== 'string') throw missingColumns([adhoc])
  const label = labelOfColumn(adhoc)
  const column = scope.columns.get(adhoc.sqlExpression)
  const grain = isBaseAxis(adhoc) ? adhoc.timeGrain || null : null
  if (column) {
    if (grain && column.is_dttm) return timeDimension(label, column, grain, scope)
    return plainDimension(label, column, isBaseAxis(adhoc) && column.is_dttm)
  }
  if (adhoc.isColumnReference) throw missingColumns([adhoc.sqlExpression])
  const kind = scope.context.expressions?.get(adhoc.sqlExpression)
  const isTimeAxis = isBaseAxis(adhoc) && (kind === 'time' || (kind === undefined && grain !== null))
  const plain = { ...expressionDimension(label, adhocSql(adhoc.sqlExpression, scope)), isTimeAxis }
  return grain && isTimeAxis
    ? { ...plain, ...truncateToGrain(plain.value, grain, scope.dialect), grain, time: plain.value }
    : plain
}
