/** Allowed imports: a package or folder, and the names that it may import. */
export type Arrows = Readonly<Record<string, readonly string[]>>

const names = '[a-z/-]+(?: [a-z/-]+)*'
const arrow = new RegExp(`(${names}) +-> (${names})`, 'g')
const shorthand = new RegExp(`(${names}) += (${names})`, 'g')

/** Parses the arrows of a text: `a -> b c`, or `a b -> c` for both. `base = b c` defines an alias to use after an arrow. */
export function parseArrows(text: string): Arrows {
  const words = new Map([...text.matchAll(shorthand)].map(([, word = '', meant = '']) => [word, meant.split(' ')]))
  const found: Record<string, string[]> = {}
  for (const [, from = '', to = ''] of text.matchAll(arrow))
    for (const name of from.split(' '))
      (found[name] ??= []).push(...to.split(' ').flatMap((known) => words.get(known) ?? known))
  return found
}

/** Finds a cycle such as `['a', 'b', 'a']`; undefined if there is none. */
export function findCycle(arrows: Arrows): string[] | undefined {
  const done = new Set<string>()
  const follow = (name: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const next of arrows[name] ?? []) {
      const circle = follow(next, [...way, name])
      if (circle) return circle
    }
    done.add(name)
    return undefined
  }
  for (const name of Object.keys(arrows)) {
    const circle = follow(name, [])
    if (circle) return circle
  }
  return undefined
}
