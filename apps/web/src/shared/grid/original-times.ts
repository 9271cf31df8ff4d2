const storageKey = (of: string): string => `parquetry.originalTimes.${of}`

/** Time columns that the user wants unformatted, stored in this browser per dataset (CONST-030). */
export function readOriginalTimes(of: string | undefined, storage: Storage = localStorage): ReadonlySet<string> {
  if (of === undefined) return new Set()
  try {
    const kept: unknown = JSON.parse(storage.getItem(storageKey(of)) ?? '[]')
    return new Set(Array.isArray(kept) ? kept.filter((name): name is string => typeof name === 'string') : [])
  } catch {
    return new Set()
  }
}

/** Returns the choice with one column changed, and stores it if the data has a key. */
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
      // With full storage, the choice lasts until the page is closed.
    }
  }
  return next
}
