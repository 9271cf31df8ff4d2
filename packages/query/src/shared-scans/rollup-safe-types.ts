import type { Dialect } from '../sql/dialect.ts'
import { listRollupKeys, listRollupValues } from './rollup.ts'
import type { ShareableQuery } from './shareable-query.ts'
import { isAggregate, isLinear } from './decompose-metric.ts'
import { canBeInexact, noTypes, type RollupTypes } from './rollup-types.ts'

/** Returns whether a rollup gives a query the same result as running alone, given the types of its keys and values. */
export function hasRollupSafeTypes(query: ShareableQuery, dialect: Dialect, types: RollupTypes = noTypes): boolean {
  const rules = dialect.rollup.types
  if (!rules) return true
  const typeOf = ({ id }: { id: string }) => types.get(id) ?? ''
  return (
    listRollupKeys([query], dialect).every((key) => rules.isKey(typeOf(key))) &&
    listRollupValues([query], dialect).every(
      (each) => each.name === 'COUNT' || rules.isValue(each.name, typeOf(each)),
    ) &&
    query.measures.every(
      ({ parts }) =>
        isLinear(parts, dialect) || !parts.some((part) => isAggregate(part) && canBeInexact(part, types, dialect)),
    )
  )
}
