const reads = new WeakMap<readonly unknown[], Map<string, Promise<unknown>>>()

/** Reads once what several columns of the same rows need. */
export function readForPage<T>(rows: readonly unknown[], key: string, read: () => Promise<T>): Promise<T> {
  const known = reads.get(rows) ?? new Map<string, Promise<unknown>>()
  reads.set(rows, known)
  const value = known.get(key) ?? read()
  known.set(key, value)
  return value as Promise<T>
}
