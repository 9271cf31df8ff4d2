import type { Dialect } from '../sql/dialect.ts'
import { keysOf, valuesOf } from './level.ts'
import type { Shareable } from './shareable.ts'
import { isAggregate, isLinear } from './take-apart.ts'
import { mayFloat, noTypes, type TypesOfLevel } from './types-of-level.ts'

/** Whether a level gives a question the same answer as alone, whatever the types of its keys and values are. */
export function hasFittingTypes(question: Shareable, dialect: Dialect, types: TypesOfLevel = noTypes): boolean {
  const rules = dialect.level.types
  if (!rules) return true
  const typeOf = ({ id }: { id: string }) => types.get(id) ?? ''
  return (
    keysOf([question], dialect).every((key) => rules.isKey(typeOf(key))) &&
    valuesOf([question], dialect).every((each) => each.name === 'COUNT' || rules.isValue(each.name, typeOf(each))) &&
    question.measures.every(
      ({ parts }) =>
        isLinear(parts, dialect) || !parts.some((part) => isAggregate(part) && mayFloat(part, types, dialect)),
    )
  )
}
