const storageKey = (tableKey: string): string => `parquetry.originalTimes.${tableKey}`

/** Time columns that the user wants unformatted, stored in this browser per dataset (CONST-030). */
export function readOriginalTimes(tableKey: string | undefined, storage: Storage = localStorage): ReadonlySet<string> {
  if (tableKey === undefined) return new Set()
  try {
    const stored: unknown = JSON.parse(storage.getItem(storageKey(tableKey)) ?? '[]')
    return new Set(Array.isArray(stored) ? stored.filter((name): name is string => typeof name === 'string') : [])
  } catch {
    return new Set()
  }
}

/** Returns the choice with one column changed, and stores it if the data has a key. */
export function storeOriginalTime(
  tableKey: string | undefined,
  now: ReadonlySet<string>,
  column: string,
  on: boolean,
  storage: Storage = localStorage,
): ReadonlySet<string> {
  const next = new Set(now)
  if (on) next.add(column)
  else next.delete(column)
  if (tableKey !== undefined) {
    try {
      if (next.size > 0) storage.setItem(storageKey(tableKey), JSON.stringify([...next]))
      else storage.removeItem(storageKey(tableKey))
    } catch {
      // With full storage, the choice lasts until the page is closed.
    }
  }
  return next
}
