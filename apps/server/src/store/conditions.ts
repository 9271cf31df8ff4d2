import { type Expression, sql, type SqlBool } from 'kysely'

/** An SQL condition for `where`. */
export type Condition = Expression<SqlBool>

export const alwaysFalse: Condition = sql<SqlBool>`1 = 0`

export const and = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
export const or = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? alwaysFalse : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
