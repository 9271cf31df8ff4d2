/**
 * Makes names unique without taking a name that another column has: the second `a` becomes `a__1`, or `a__2` if there is an
 * `a__1`.
 * @param fold  two names are the same if their folded texts are equal
 */
export function makeNamesUnique(names: readonly string[], fold: (name: string) => string = (name) => name): string[] {
  const given = new Set(names.map(fold))
  const used = new Set<string>()
  /** Number to try next for a name: smaller ones are taken. */
  const next = new Map<string, number>()
  return names.map((name) => {
    let at = next.get(fold(name)) ?? 0
    let unique = name
    for (; ; at++) {
      if (at > 0) unique = `${name}__${at}`
      if (!used.has(fold(unique)) && (at === 0 || !given.has(fold(unique)))) break
    }
    next.set(fold(name), at + 1)
    used.add(fold(unique))
    return unique
  })
}
