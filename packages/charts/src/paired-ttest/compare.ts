import { twoSidedP } from './student-t.ts'

type Values = readonly (number | null)[]

/** Comparison of a group with the control group over the periods in which both have a value. */
export interface Comparison {
  pairs: number
  /** Null with fewer than two pairs, or when no pair differs. */
  p: number | null
  /** Relative difference of the group's sum to the control's sum; null when the control's sum is zero. */
  lift: number | null
}

/**
 * Two-sided paired Student's t-test.
 * @see https://www.itl.nist.gov/div898/software/dataplot/refman1/auxillar/ttest.htm
 */
export function compareToControl(values: Values, control: Values): Comparison {
  const pairs = values.flatMap((value, index) => {
    const other = control[index] ?? null
    return value === null || other === null ? [] : [{ value, other, difference: value - other }]
  })
  const sum = pairs.reduce((all, { value }) => all + value, 0)
  const controlSum = pairs.reduce((all, { other }) => all + other, 0)
  const count = pairs.length
  const lift = pairs.length > 0 && controlSum !== 0 ? (sum - controlSum) / controlSum : null
  if (count < 2) return { pairs: count, p: null, lift: finite(lift) }
  const mean = pairs.reduce((all, { difference }) => all + difference, 0) / count
  const squares = pairs.reduce((all, { difference }) => all + (difference - mean) ** 2, 0)
  const error = Math.sqrt(squares / (count - 1) / count)
  const p = mean === 0 && error === 0 ? null : twoSidedP(mean / error, count - 1)
  return { pairs: count, p: finite(p), lift: finite(lift) }
}

const finite = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null)
