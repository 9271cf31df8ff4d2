import type { Dialect } from '../sql/dialect.ts'
import { sql } from '../sql/sql.ts'
import { textOf } from './text-of.ts'
import type { Aggregate } from './take-apart.ts'

/** Key or value of a level, by its id -> type. Empty where nothing hangs on types. */
export type TypesOfLevel = ReadonlyMap<string, string>

export const noTypes: TypesOfLevel = new Map()

/** Whether it is a sum, or made of one, that may differ in the last digit when it is added up in another order. */
export function mayFloat({ name, argument }: Aggregate, types: TypesOfLevel, dialect: Dialect): boolean {
  if (!argument || (name !== 'SUM' && name !== 'AVG')) return false
  const type = types.get(textOf(sql`SUM(${argument})`, dialect))
  return type === undefined || !dialect.level.types?.isExact(type)
}
