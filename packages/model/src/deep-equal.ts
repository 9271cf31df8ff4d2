/** Returns true if two JSON values are equal, ignoring the order of keys. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [inA, inB] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = Object.keys(inA)
  return (
    keys.length === Object.keys(inB).length &&
    keys.every((key) => Object.hasOwn(inB, key) && isDeepEqual(inA[key], inB[key]))
  )
}
