import { rowRuleGroups } from '../restrict.ts'
import { sql, type Sql } from '../sql/sql.ts'
import type { TimeRange } from '../time-range/resolve-time-range.ts'
import { adhocSql, columnSql, datasetSql } from './expression.ts'
import { filterSql } from './filters.ts'
import type { Scope } from './scope.ts'
import { rangeSql } from './time-column.ts'

/**
 * All conditions of the WHERE clause: time range, filters, row rules, `extras.where`, the predicate of the dataset.
 * @throws AppError `invalid_query`, `unsupported`, `adhoc_subquery`
 */
export function conditions(scope: Scope, range: TimeRange): Sql[] {
  const { query, dataset } = scope
  const where = query.extras?.where
  const predicate = query.apply_fetch_values_predicate ? dataset.fetch_values_predicate : null
  return [
    ...timeConditions(scope, range),
    ...(query.filters ?? []).flatMap((filter) => filterSql(filter, scope)),
    ...rowRuleGroups(query).map(anyOf),
    ...(where ? [sql`(${adhocSql(where, scope)})`] : []),
    ...(predicate ? [sql`(${datasetSql(predicate)})`] : []),
  ]
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

const anyOf = (clauses: string[]): Sql => {
  const each = clauses.map((clause) => sql`(${datasetSql(clause)})`)
  return each.length === 1 ? (each[0] as Sql) : sql`(${sql.join(each, ' OR ')})`
}
