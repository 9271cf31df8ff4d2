import type { Dialect } from '../sql/dialect.ts'
import { sql } from '../sql/sql.ts'
import { toSqlKey } from './sql-key.ts'
import type { Aggregate } from './decompose-metric.ts'

/** Types of the keys and values of a rollup, by ID. Empty on engines where types do not matter. */
export type RollupTypes = ReadonlyMap<string, string>

export const noTypes: RollupTypes = new Map()

/**
 * Returns whether the aggregate is, or is computed from, a sum that may differ in the last digit when it is added up in another
 * order.
 */
export function canBeInexact({ name, argument }: Aggregate, types: RollupTypes, dialect: Dialect): boolean {
  if (!argument || (name !== 'SUM' && name !== 'AVG')) return false
  const type = types.get(toSqlKey(sql`SUM(${argument})`, dialect))
  return type === undefined || !dialect.rollup.types?.isExact(type)
}
