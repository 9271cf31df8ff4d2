const storageKey = (of: string): string => `parquetry.originalTimes.${of}`

/** Columns of times that the user wants to see as they came, kept in this browser for each dataset (CONST-030). */
export function readOriginalTimes(of: string | undefined, storage: Storage = localStorage): ReadonlySet<string> {
  if (of === undefined) return new Set()
  try {
    const kept: unknown = JSON.parse(storage.getItem(storageKey(of)) ?? '[]')
    return new Set(Array.isArray(kept) ? kept.filter((name): name is string => typeof name === 'string') : [])
  } catch {
    return new Set()
  }
}

/** The choice with one column changed; kept where there is a name to keep it under. */
export function storeOriginalTime(
  of: string | undefined,
  now: ReadonlySet<string>,
  column: string,
  on: boolean,
  storage: Storage = localStorage,
): ReadonlySet<string> {
  const next = new Set(now)
  if (on) next.add(column)
  else next.delete(column)
  if (of !== undefined) {
    try {
      if (next.size > 0) storage.setItem(storageKey(of), JSON.stringify([...next]))
      else storage.removeItem(storageKey(of))
    } catch {
      // A browser without room keeps the choice until the page is left.
    }
  }
  return next
}
