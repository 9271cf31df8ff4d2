/** Scale of an axis: its limits and its labeled values. */
export interface AxisScale {
  min: number
  max: number
  ticks: number[]
}

/**
 * Returns limits and ticks around the values, in steps of 1, 2 or 5 times a power of ten.
 * @param count approximate number of steps
 */
export function buildAxisScale(values: readonly number[], count: number): AxisScale {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity)
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity)
  if (low > high) return { min: 0, max: 1, ticks: [] }
  if (low === high) return scaleAround(low)
  const step = niceStep((high - low) / count)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  // too far apart or too close together to count steps
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || first === last)
    return { min: low, max: high, ticks: [low, high] }
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => round((first + index) * step))
  return { min: ticks[0] ?? low, max: ticks.at(-1) ?? high, ticks }
}

/** Centers a single number. */
function scaleAround(value: number): AxisScale {
  const reach = Math.abs(value) / 2 || 1
  return { min: value - reach, max: value + reach, ticks: [value] }
}

function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const digit = [1, 2, 5].find((each) => each * power >= least) ?? 10
  return digit * power
}

/** Removes floating-point residue from decimal steps. */
const round = (value: number): number => Number(value.toPrecision(12))
