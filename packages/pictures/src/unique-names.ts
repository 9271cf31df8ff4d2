/**
 * Returns names that are unique also for programs that ignore case: a later one gets a number.
 * @param maxLength  of a name with its number, in characters
 */
export function createNamer(maxLength: number, taken = new Set<string>()): (name: string) => string {
  return (plain) => {
    for (let n = 1; ; n++) {
      const end = n === 1 ? '' : ` (${n})`
      const name = plain.slice(0, maxLength - end.length) + end
      if (taken.has(name.toLowerCase())) continue
      taken.add(name.toLowerCase())
      return name
    }
  }
}
