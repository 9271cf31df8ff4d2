/**
 * Two-sided p-value of Student's t: the probability of a value at least as far from zero when there is no difference. It is the
 * regularized incomplete beta function I(ν / (ν + t²); ν/2, 1/2).
 * @param freedom degrees of freedom ν, 1 or more
 * @see https://dlmf.nist.gov/8.17 (8.17.22 is the continued fraction), Abramowitz and Stegun 26.7.1
 */
export function twoSidedP(t: number, freedom: number): number {
  if (!Number.isFinite(t)) return 0
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5)
}

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b))
  // The fraction converges fast on this side; the other side follows from the symmetry relation.
  return x < (a + 1) / (a + b + 2) ? (front / a) * fraction(x, a, b) : 1 - (front / b) * fraction(1 - x, b, a)
}

/** The continued fraction of 8.17.22, by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300
  const avoidZero = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / avoidZero(1 - ((a + b) * x) / (a + 1))
  let sum = d
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / avoidZero(1 + even * d)
    c = avoidZero(1 + even / c)
    sum *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / avoidZero(1 + odd * d)
    c = avoidZero(1 + odd / c)
    const step = d * c
    sum *= step
    if (Math.abs(step - 1) < 1e-15) break
  }
  return sum
}

const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b)

/** Stirling's series, after shifting the argument to where the series is accurate. @see https://dlmf.nist.gov/5.11.1 */
function logGamma(x: number): number {
  let moved = 0
  let z = x
  for (; z < 15; z++) moved += Math.log(z)
  const square = 1 / (z * z)
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / z
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - moved
}
