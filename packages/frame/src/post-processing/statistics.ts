/** Statistics of numbers without NaN. The result is NaN when there are too few numbers. */

export function sum(values: Float64Array): number {
  let total = 0
  for (let index = 0; index < values.length; index++) total += values[index]!
  return total
}

export const mean = (values: Float64Array): number => (values.length ? sum(values) / values.length : NaN)

/** Central moment: mean of the powers of the distances to the mean. */
function moment(values: Float64Array, power: number): number {
  const middle = mean(values)
  let total = 0
  for (let index = 0; index < values.length; index++) total += (values[index]! - middle) ** power
  return total / values.length
}

/** @param ddof  subtracted from the count in the divisor: 0 for a population, 1 for a sample */
export const variance = (values: Float64Array, ddof: number): number =>
  values.length > ddof ? (moment(values, 2) * values.length) / (values.length - ddof) : NaN

/** Skewness of a sample, corrected as in pandas; requires three values. */
export function skewness(values: Float64Array): number {
  const count = values.length
  if (count < 3) return NaN
  const spread = moment(values, 2)
  if (spread <= 1e-14) return 0
  return (Math.sqrt(count * (count - 1)) / (count - 2)) * (moment(values, 3) / spread ** 1.5)
}

/** Excess kurtosis of a sample, corrected as in pandas; requires four values. */
export function kurtosis(values: Float64Array): number {
  const count = values.length
  if (count < 4) return NaN
  const spread = moment(values, 2)
  if (spread <= 1e-14) return 0
  const plain = moment(values, 4) / spread ** 2
  return ((count - 1) / ((count - 2) * (count - 3))) * ((count + 1) * plain - 3 * (count - 1))
}

export const interpolations = ['linear', 'lower', 'higher', 'midpoint', 'nearest'] as const
export type Interpolation = (typeof interpolations)[number]

/** Quantile of the sorted values at `share` (0 to 1). */
export function quantile(sorted: Float64Array, share: number, how: Interpolation = 'linear'): number {
  if (sorted.length === 0) return NaN
  const position = share * (sorted.length - 1)
  const low = sorted[Math.floor(position)]!
  const high = sorted[Math.ceil(position)]!
  const part = position - Math.floor(position)
  switch (how) {
    case 'linear':
      return low + (high - low) * part
    case 'lower':
      return low
    case 'higher':
      return high
    case 'midpoint':
      return part === 0 ? low : (low + high) / 2
    case 'nearest':
      return part > 0.5 || (part === 0.5 && Math.floor(position) % 2 === 1) ? high : low
  }
}

export const median = (sorted: Float64Array): number => quantile(sorted, 0.5)

/** Rounds halves to the even neighbor, as IEEE 754 does. */
export function round(value: number, decimals: number): number {
  const power = 10 ** decimals
  const scaled = value * power
  if (!Number.isFinite(scaled)) return value
  const floor = Math.floor(scaled)
  const rest = scaled - floor
  const rounded = rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1
  return rounded / power
}

/** Quantile of the standard normal distribution. @param share from 0.5, below 1 */
export function normalQuantile(share: number): number {
  let at = 0
  for (let round = 0; round < 100; round++) {
    const density = Math.exp((-at * at) / 2) / Math.sqrt(2 * Math.PI)
    const step = (share - 0.5 - density * sumOfPowers(at)) / density
    at += step
    if (Math.abs(step) < 1e-12) break
  }
  return at
}

/**
 * `x + x³/3 + x⁵/(3·5) + …`: multiplied by the density it is the probability between 0 and x (Marsaglia 2004, Journal of
 * Statistical Software 11).
 */
function sumOfPowers(x: number): number {
  let [sum, term] = [x, x]
  for (let divisor = 3; term > sum * Number.EPSILON; divisor += 2) {
    term *= (x * x) / divisor
    sum += term
  }
  return sum
}
