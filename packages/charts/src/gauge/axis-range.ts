export interface GaugeAxisRange {
  min: number
  max: number
}

/**
 * Bounds of the axis: as configured, else zero and about twice the largest value, so that a single pointer is in the middle.
 * Negative values extend it below zero.
 */
export function computeGaugeRange(
  values: readonly (number | null)[],
  given: { min?: number | null | undefined; max?: number | null | undefined },
): GaugeAxisRange {
  const low = values.reduce<number>((least, value) => Math.min(least, value ?? 0), 0)
  const high = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
  const min = given.min ?? 0 - round(-2 * low)
  const max = given.max ?? round(2 * high)
  if (max > min) return { min, max }
  // the bounds are out of order: the one that is not configured is adjusted
  return given.max === null || given.max === undefined ? { min, max: min + 1 } : { min: max - 1, max }
}

const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
const largest = Number.MAX_VALUE / 4

/** Rounds up to the next number that divides well. */
function round(value: number): number {
  if (value <= 0) return 0
  const size = Math.min(value, largest)
  const power = 10 ** Math.floor(Math.log10(size))
  const step = steps.find((each) => each * power >= size) ?? 10
  const rounded = Number((step * power).toPrecision(3))
  return rounded > 0 && rounded < largest ? rounded : size
}
