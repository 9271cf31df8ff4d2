import type BetterSqlite3 from 'better-sqlite3'
import { isCountedRead, KnownResults, resultKey } from './memory-reads.ts'
import type { CachingConnection } from './statement-cache.ts'

/** SQLite answers faster statements in about the time that finding and copying a known result takes. */
const costlyMs = 0.1

/**
 * Answers statements that took long, such as the count of a list with its rights, from memory until a change is counted.
 * @param countChanges  the change count of the store; undefined when the statement must be run
 */
export function withCostlyReads(
  connection: CachingConnection,
  countChanges: () => number | undefined,
): CachingConnection {
  const known = new KnownResults<{ rows: unknown[] }>()
  const read = (statement: BetterSqlite3.Statement, text: string, values: unknown[]): unknown[] => {
    const changes = countChanges()
    if (changes === undefined) return statement.all(values)
    known.update(changes)
    const key = resultKey(text, values)
    const found = known.find(key)
    if (found) return found.rows
    const start = performance.now()
    const rows = statement.all(values)
    if (performance.now() - start < costlyMs) return rows
    known.add(key, { rows })
    return rows.map((row) => ({ ...(row as object) }))
  }
  const prepare = (text: string) => {
    const statement = connection.prepare(text)
    if (!isCountedRead(text)) return statement
    return {
      reader: true,
      all: (values: unknown[]) => read(statement, text, values),
      iterate: (values: unknown[]) => statement.iterate(values),
    }
  }
  return { ...connection, prepare: prepare as CachingConnection['prepare'] }
}
