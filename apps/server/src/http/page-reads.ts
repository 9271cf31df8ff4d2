import { pickFields } from './columns.ts'
import type { ColumnResolver, ReadContext } from './resource.ts'

const reads = new WeakMap<readonly unknown[], Map<string, Promise<unknown>>>()

/** Reads once what several columns of the same rows need. A failed read is not cached. */
export function readForPage<T>(rows: readonly unknown[], key: string, read: () => Promise<T>): Promise<T> {
  const known = reads.get(rows) ?? new Map<string, Promise<unknown>>()
  reads.set(rows, known)
  const earlier = known.get(key)
  if (earlier) return earlier as Promise<T>
  const value = read()
  known.set(key, value)
  value.catch(() => known.get(key) === value && known.delete(key))
  return value
}

interface RequestedColumn {
  name: string
  /** Null requests the whole value. */
  parts: ReadonlySet<string> | null
  isCached: boolean
}

/**
 * Returns the values of a column for these rows, with the requested parts. Values that a resolver returns as a promise are read
 * once for the rows; others may depend on the time of the call.
 */
export function resolveColumn<Row>(
  rows: readonly Row[],
  { name, parts, isCached }: RequestedColumn,
  resolve: ColumnResolver<Row>,
  context: ReadContext,
): unknown[] | Promise<unknown[]> {
  const key = `column ${[name, ...(parts ?? [])].join(' ')}`
  const earlier = isCached ? reads.get(rows)?.get(key) : undefined
  if (earlier) return earlier as Promise<unknown[]>
  const values = resolve(rows, context)
  const pick = (found: unknown[]) => found.map((value) => pickFields(value, parts))
  if (!(values instanceof Promise)) return pick(values)
  return isCached ? readForPage(rows, key, async () => pick(await values)) : values.then(pick)
}
