import { AppError, message } from '@parquetry/model'
import { buildAlias } from '../sql/alias.ts'
import { selectSql } from '../sql/select.ts'
import { sql, type Sql } from '../sql/sql.ts'
import { planDimensions } from './dimensions.ts'
import { timestampLabel, type Scope } from './scope.ts'
import { havingConditions, planFromWhere } from './where.ts'

const joined = 'having_groups'

/** How HAVING is applied: to the groups of the statement itself, or by a join with the groups that pass. */
export interface AppliedHaving {
  conditions: Sql[]
  /** Complete JOIN clause; null when the statement's own groups are tested. */
  join: Sql | null
  /** Values of the statement's rows on which they are joined. */
  keys: Sql[]
}

/**
 * Applies `extras.having`. With `having_columns` it is tested on groups by these columns, over the same rows, and only the rows of
 * groups that pass remain: a total must not test the whole, nor include rows of groups that the list above it leaves out.
 * @throws AppError `unsupported` when the engine has no joins, `invalid_query`, `adhoc_subquery`
 */
export function applyHaving(scope: Scope): AppliedHaving {
  const { query, dialect } = scope
  const conditions = havingConditions(scope)
  const columns = query.having_columns ?? []
  if (columns.length === 0 || conditions.length === 0) return { conditions, join: null, keys: [] }
  if (!dialect.supports.joins)
    throw new AppError('unsupported', {
      message: message('errors.query.havingTotals', '{engine} does not support totals with a HAVING filter.', {
        engine: dialect.name,
      }),
    })
  const groups = planDimensions(
    { ...scope, query: { ...query, columns }, isTimeseries: columns.includes(timestampLabel) },
    true,
  ).map(({ label, group }) => ({ group, alias: buildAlias(`${label}__`, dialect) }))
  const keys = groups.map(({ group }) => group)
  const { from, where } = planFromWhere(scope, scope.range, conditions)
  const inner = selectSql(
    {
      columns: groups.map(({ group, alias }) => ({ value: group, alias })),
      from,
      where,
      join: null,
      groupBy: keys,
      having: conditions,
      orderBy: [],
      limit: null,
    },
    dialect,
  )
  const same = groups.map(({ group, alias }) => dialect.isSame(group, sql.id(joined, alias)))
  const join = sql`INNER JOIN (${inner}) AS ${sql.id(joined)} ON ${sql.join(same, ' AND ')}`
  return { conditions: [], join, keys }
}
