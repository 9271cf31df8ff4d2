import type { Dialect } from '../sql/dialect.ts'
import { sql } from '../sql/sql.ts'
import { toSqlKey } from './sql-key.ts'
import type { Aggregate } from './decompose-metric.ts'

/** Key or value of a level, by its id -> type. Empty where nothing hangs on types. */
export type RollupTypes = ReadonlyMap<string, string>

export const noTypes: RollupTypes = new Map()

/** Whether it is a sum, or made of one, that may differ in the last digit when it is added up in another order. */
export function canBeInexact({ name, argument }: Aggregate, types: RollupTypes, dialect: Dialect): boolean {
  if (!argument || (name !== 'SUM' && name !== 'AVG')) return false
  const type = types.get(toSqlKey(sql`SUM(${argument})`, dialect))
  return type === undefined || !dialect.rollup.types?.isExact(type)
}
