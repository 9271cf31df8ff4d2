/**
 * Makes names unique without taking a name that another column has: the second `a` becomes `a__1`, or `a__2` if there is an
 * `a__1`.
 * @param fold  two names are the same if their folded texts are equal
 */
export function makeNamesUnique(names: readonly string[], fold: (name: string) => string = (name) => name): string[] {
  const given = new Set(names.map(fold))
  const used = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let at = 1; used.has(fold(unique)) || (unique !== name && given.has(fold(unique))); at++)
      unique = `${name}__${at}`
    used.add(fold(unique))
    return unique
  })
}
