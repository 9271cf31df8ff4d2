import { groupRlsClauses } from '../row-level-security.ts'
import { sql, type Sql } from '../sql/sql.ts'
import type { TimeRange } from '../time-range/resolve-time-range.ts'
import { adhocSql, columnSql, datasetSql } from './expression.ts'
import { filterSql } from './filters.ts'
import type { Scope } from './scope.ts'
import { sourceAliasOf, tableSql } from './table.ts'
import { rangeSql } from './time-column.ts'

/**
 * FROM and WHERE of a statement: time range, filters, row-level security rules, `extras.where`, the predicate of the dataset. If
 * the engine could evaluate user SQL, or a comparison that may fail, before the rules, then the rules and all conditions that
 * cannot fail move into a fenced sub-query, and the others are applied to the rows that it returns.
 * @returns also which conditions of WHERE are filters and time ranges
 * @param early  other expressions that an engine may evaluate before WHERE: join keys, HAVING
 * @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery`
 */
export function planFromWhere(
  scope: Scope,
  range: TimeRange,
  early: readonly Sql[],
): { from: Sql; where: Sql[]; filters: readonly Sql[] } {
  const { query, dataset, dialect } = scope
  const where = query.extras?.where
  const predicate = query.apply_fetch_values_predicate ? dataset.fetch_values_predicate : null
  const before = [
    ...timeConditions(scope, range),
    ...(query.filters ?? []).flatMap((filter) => filterSql(filter, scope)),
  ]
  const rules = groupRlsClauses(query).map(joinWithOr)
  const behind = [
    ...(where ? [sql`(${adhocSql(where, scope)})`] : []),
    ...(predicate ? [sql`(${datasetSql(predicate)})`] : []),
  ]
  const from = tableSql(dataset)
  const conditions = [...before, ...behind]
  const outside = conditions.filter((condition) => condition.isByUser || dialect.comparesByCast)
  if (rules.length === 0 || (outside.length === 0 && !early.some((condition) => condition.isByUser)))
    return { from, where: [...before, ...rules, ...behind], filters: before }
  const inside = sql.join([...conditions.filter((condition) => !outside.includes(condition)), ...rules], ' AND ')
  return {
    from: sql`(SELECT * FROM ${from} WHERE ${inside} ${dialect.fence}) AS ${sql.id(sourceAliasOf(dataset))}`,
    where: outside,
    filters: before.filter((condition) => outside.includes(condition)),
  }
}

export function havingConditions(scope: Scope): Sql[] {
  const having = scope.query.extras?.having
  return having ? [sql`(${adhocSql(having, scope)})`] : []
}

function timeConditions({ granularity, dataset, columns, dialect }: Scope, range: TimeRange): Sql[] {
  if (!granularity) return []
  const main = dataset.always_filter_main_dttm ? columns.get(dataset.main_dttm_col ?? '') : undefined
  const filtered = main && main !== granularity ? [main, granularity] : [granularity]
  return filtered.flatMap((column) => rangeSql(columnSql(column), column, range, dialect))
}

const joinWithOr = (clauses: string[]): Sql => {
  const each = clauses.map((clause) => sql`(${datasetSql(clause)})`)
  return each.length === 1 ? (each[0] as Sql) : sql`(${sql.join(each, ' OR ')})`
}
