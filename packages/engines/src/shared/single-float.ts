const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]

/**
 * Shortest decimal that is the given value of a 32-bit float, as the database prints it: 0.1 instead of 0.10000000149011612.
 * @param value  a number that a 32-bit float can hold
 */
export function shortestSingleFloat(value: number): number {
  for (const power of powers) {
    const decimal = Math.round(value * power) / power
    if (Math.fround(decimal) === value && Math.abs(decimal) < 1e8) return decimal
  }
  if (!Number.isFinite(value)) return value
  for (let digits = 6; digits < 9; digits += 1) {
    const decimal = Number(value.toPrecision(digits))
    if (Math.fround(decimal) === value) return decimal
  }
  return Number(value.toPrecision(9))
}
