import { readLikePattern, toLikePattern, type PatternShape } from '@parquetry/model'
import type { Translate } from '@parquetry/ui'

export interface Operator {
  /** As in the API. */
  operator: string
  operatorId: string
  /** English text; the catalog id is `explore.operator.<operatorId>`. */
  label: string
  valueKind: 'one' | 'many' | 'none' | 'range'
  /**
   * The value is a text that the API knows only as a pattern of LIKE: stored with the wildcards, under the API's operator id, so that
   * other tools read the filter.
   */
  pattern?: { shape: PatternShape; storedId: string }
}

const contains = (storedId: string) => ({ shape: 'contains', storedId }) as const

/** CTRL-077, and those for texts that users of other tools expect. */
export const operators: readonly Operator[] = [
  { operator: '==', operatorId: 'EQUALS', label: 'equals', valueKind: 'one' },
  { operator: '!=', operatorId: 'NOT_EQUALS', label: 'is not', valueKind: 'one' },
  { operator: '<', operatorId: 'LESS_THAN', label: 'is less than', valueKind: 'one' },
  { operator: '<=', operatorId: 'LESS_THAN_OR_EQUAL', label: 'is at most', valueKind: 'one' },
  { operator: '>', operatorId: 'GREATER_THAN', label: 'is greater than', valueKind: 'one' },
  { operator: '>=', operatorId: 'GREATER_THAN_OR_EQUAL', label: 'is at least', valueKind: 'one' },
  { operator: 'IN', operatorId: 'IN', label: 'is one of', valueKind: 'many' },
  { operator: 'NOT IN', operatorId: 'NOT_IN', label: 'is none of', valueKind: 'many' },
  { operator: 'LIKE', operatorId: 'CONTAINS', label: 'contains', valueKind: 'one', pattern: contains('LIKE') },
  {
    operator: 'ILIKE',
    operatorId: 'CONTAINS_ANY_CASE',
    label: 'contains (any case)',
    valueKind: 'one',
    pattern: contains('ILIKE'),
  },
  {
    operator: 'NOT LIKE',
    operatorId: 'NOT_CONTAINS',
    label: 'does not contain',
    valueKind: 'one',
    pattern: contains('NOT_LIKE'),
  },
  {
    operator: 'LIKE',
    operatorId: 'STARTS_WITH',
    label: 'starts with',
    valueKind: 'one',
    pattern: { shape: 'starts', storedId: 'LIKE' },
  },
  {
    operator: 'LIKE',
    operatorId: 'ENDS_WITH',
    label: 'ends with',
    valueKind: 'one',
    pattern: { shape: 'ends', storedId: 'LIKE' },
  },
  { operator: 'LIKE', operatorId: 'LIKE', label: 'is like', valueKind: 'one' },
  { operator: 'ILIKE', operatorId: 'ILIKE', label: 'is like (any case)', valueKind: 'one' },
  { operator: 'NOT LIKE', operatorId: 'NOT_LIKE', label: 'is not like', valueKind: 'one' },
  { operator: 'REGEX', operatorId: 'REGEX', label: 'matches the regular expression', valueKind: 'one' },
  { operator: 'NOT REGEX', operatorId: 'NOT_REGEX', label: 'does not match the regular expression', valueKind: 'one' },
  { operator: 'IS NULL', operatorId: 'IS_NULL', label: 'is null', valueKind: 'none' },
  { operator: 'IS NOT NULL', operatorId: 'IS_NOT_NULL', label: 'is not null', valueKind: 'none' },
  { operator: 'LATEST PARTITION', operatorId: 'LATEST_PARTITION', label: 'is the latest partition', valueKind: 'none' },
  { operator: '==', operatorId: 'IS_TRUE', label: 'is true', valueKind: 'none' },
  { operator: '==', operatorId: 'IS_FALSE', label: 'is false', valueKind: 'none' },
  { operator: 'TEMPORAL_RANGE', operatorId: 'TEMPORAL_RANGE', label: 'is within', valueKind: 'range' },
]

/** Operators that also leave out rows without a value, as comparisons with null do in SQL. */
export const leavesOutNulls = (operator: string | undefined): boolean => /^(!=$|NOT )/.test(operator ?? '')

/** The hint that belongs to such an operator. */
export const nullsLeftOutText = (t: Translate): string =>
  t('shared.nullsLeftOut', 'Rows without a value are left out too.')

/** Operators that only engines with regular expressions have. */
export const isRegexOperator = ({ operator }: Operator): boolean => operator.endsWith('REGEX')

/** The parts of a stored filter that name its operator. */
export interface StoredCondition {
  operator?: string | null
  operatorId?: string | null
  comparator?: unknown
}

/** Returns the operator of a stored filter: of those with a pattern, the one that its value looks like. */
export function findOperator({ operatorId, operator, comparator }: StoredCondition): Operator | undefined {
  const plain = operators.filter(({ pattern }) => pattern === undefined)
  const stored =
    plain.find((each) => each.operatorId === operatorId) ?? plain.find((each) => each.operator === operator)
  const read = stored && readLikePattern(comparator)
  const shaped = operators.find(
    ({ pattern }) => read && pattern?.storedId === stored.operatorId && pattern.shape === read.shape,
  )
  return shaped ?? stored
}

/** Returns the text of a stored value as users type it. */
export const readPatternText = (condition: StoredCondition): unknown =>
  (findOperator(condition)?.pattern && readLikePattern(condition.comparator)?.text) ?? condition.comparator

/** Returns how a condition is stored. */
export function storeOperator({ operator, operatorId, pattern }: Operator, value: unknown): Required<StoredCondition> {
  const isText = typeof value === 'string' || typeof value === 'number'
  const comparator = pattern && isText ? toLikePattern(String(value), pattern.shape) : value
  return { operator, operatorId: pattern?.storedId ?? operatorId, comparator }
}
