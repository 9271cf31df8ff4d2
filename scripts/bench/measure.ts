export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The 95th percentile. */
export const percentile95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * 0.95))]!

type Milliseconds = () => Promise<number>

/**
 * Medians of several arms, run in turns so that other load on the machine affects all of them.
 * @param arms    each runs its work once and returns its milliseconds
 * @param warmUp  turns that do not count
 */
export async function medians<Name extends string>(
  arms: Record<Name, Milliseconds>,
  runs: number,
  warmUp = 1,
): Promise<Record<Name, number>> {
  const names = Object.keys(arms) as Name[]
  const values = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let turn = -warmUp; turn < runs; turn += 1) {
    for (const name of names) {
      const ms = await arms[name]()
      if (turn >= 0) values.get(name)!.push(ms)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(values.get(name)!)])) as Record<Name, number>
}
