import { LRUCache } from 'lru-cache'
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { type TableChanges, tableChanges } from './table-changes.ts'

/** Views, as what they select from. None contains a column whose updates are not counted. */
const views = new Set(['subject', 'permission_name', 'permission_view'])

const selects = /^\s*select\b/i
/** The name after each `from` and `join`, or the parenthesis of a subquery. */
const sources = /\b(?:from|join)\s+(?:"(\w+)"|(\w+)|(\())/gi
const listsTables = /\bfrom\s+(?:"\w+"|\w+)(?:\s+(?:as\s+)?(?:"\w+"|\w+))?\s*,/i
const variesOrLocks =
  /;|\bfor\s+(?:update|no\s+key\s+update|share|key\s+share)\b|\b(?:now|random|clock_timestamp|nextval|currval|setval|\w*pg_\w+)\s*\(|\bcurrent_(?:time|date|timestamp|user)\b|\blocaltime/i
const selectsAll = /(?:^|[\s.,])\*/

/** True if every change of a result is counted. */
function isCounted(text: string): boolean {
  if (!selects.test(text) || variesOrLocks.test(text) || listsTables.test(text)) return false
  const names = [...text.matchAll(sources)].flatMap(([, quoted, bare, opens]) => (opens ? [] : [quoted ?? bare ?? '']))
  return names.length > 0 && names.every((name) => views.has(name) || isTableCounted(name, text))
}

function isTableCounted(name: string, text: string): boolean {
  const rule: TableChanges | undefined = Object.hasOwn(tableChanges, name)
    ? tableChanges[name as keyof typeof tableChanges]
    : undefined
  if (!rule || rule.ignoresInserts || !rule.kinds.some((kind) => kind !== 'sessions')) return false
  const ignored = rule.ignoredColumns ?? []
  return ignored.length === 0 || !(selectsAll.test(text) || ignored.some((column) => text.includes(column)))
}

const maxTexts = 1000
const maxTextLength = 8192
const countedTexts = new Map<string, boolean>()

/** True if the result of a statement stays the same until a change is counted (`table-changes.ts`). */
export function isCountedRead(text: string): boolean {
  if (text.length > maxTextLength) return false
  const known = countedTexts.get(text)
  if (known !== undefined) return known
  const isKnown = isCounted(text)
  if (countedTexts.size >= maxTexts) countedTexts.clear()
  countedTexts.set(text, isKnown)
  return isKnown
}

type Result = PostgresQueryResult<unknown>

const maxBytes = 16 << 20
const maxResultBytes = 1 << 20

/** Results by statement and values, all read since the last change. */
export class KnownResults<T extends { rows: unknown[] }> {
  readonly #results = new LRUCache<string, T>({ maxSize: maxBytes, sizeCalculation: estimateBytes })
  #changes = -1

  /** Drops what was read before the last change. */
  update(changes: number): void {
    if (changes === this.#changes) return
    this.#results.clear()
    this.#changes = changes
  }

  /** @returns a copy, whose rows the caller may change */
  find(key: string): T | undefined {
    const known = this.#results.get(key)
    return known && copy(known)
  }

  add(key: string, result: T): void {
    if (estimateBytes(result) <= maxResultBytes) this.#results.set(key, result)
  }
}

export const resultKey = (text: string, values: readonly unknown[]): string => `${text}\n${JSON.stringify(values)}`

/** Results of statements on PostgreSQL. Equal statements at the same time run once. */
class ResultCache {
  readonly #known = new KnownResults<Result>()
  readonly #running = new Map<string, Promise<Result>>()
  #changes = -1

  async read(changes: number, key: string, run: () => Promise<Result>): Promise<Result> {
    if (changes !== this.#changes) this.#running.clear()
    this.#changes = changes
    this.#known.update(changes)
    const known = this.#known.find(key)
    if (known) return known
    const running = this.#running.get(key)
    // Another call may have less time left than this one.
    if (running) return running.then(copy, run)
    const result = run()
    this.#running.set(key, result)
    try {
      const found = await result
      if (this.#running.get(key) === result) this.#known.add(key, found)
      return copy(found)
    } finally {
      if (this.#running.get(key) === result) this.#running.delete(key)
    }
  }
}

/** Callers may change the rows that they receive. */
const copy = <T extends { rows: unknown[] }>(result: T): T => ({
  ...result,
  rows: result.rows.map((row) => ({ ...(row as object) })),
})

function estimateBytes({ rows }: { rows: unknown[] }): number {
  let bytes = 200
  for (const row of rows as object[])
    for (const value of Object.values(row) as unknown[])
      bytes += typeof value === 'string' ? 32 + value.length * 2 : value instanceof Uint8Array ? value.length : 32
  return bytes
}

/**
 * Answers statements whose results have not changed from memory, without a connection. Not in transactions.
 * @param countChanges  the change count of the store; undefined when the statement must be run
 */
export function withMemoryReads(pool: PostgresPool, countChanges: () => number | undefined): PostgresPool {
  const cache = new ResultCache()
  const connect = async (): Promise<PostgresPoolClient> => {
    let client: Promise<PostgresPoolClient> | undefined
    let isInTransaction = false
    const run = async (text: string, values: readonly unknown[]): Promise<Result> => {
      client ??= pool.connect()
      return (await client).query(text, values)
    }
    const query = (text: string, values: readonly unknown[] = []): Promise<Result> => {
      if (/^\s*(?:begin|start)\b/i.test(text)) isInTransaction = true
      const changes = isInTransaction || !isCountedRead(text) ? undefined : countChanges()
      if (changes === undefined) return run(text, values)
      return cache.read(changes, resultKey(text, values), () => run(text, values))
    }
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: (isDiscarded) => {
        void client?.then(
          (connected) => connected.release(isDiscarded),
          () => undefined,
        )
      },
    }
  }
  return { ...pool, connect, end: () => pool.end() }
}
