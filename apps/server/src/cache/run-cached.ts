import { hash } from 'node:crypto'
import { AppError, type Plan } from '@parquetry/model'
import type { Runners } from '../runners/runners.ts'
import type { Cache, CacheEntry } from './cache.ts'

export interface CachedRun extends CacheEntry {
  key: string
  isCached: boolean
}

export interface CachingDeps {
  cache: Cache
  runners: Runners
  now(): Date
}

export interface Connection {
  /** Raised at every change of how to connect. */
  connectionVersion: number
}

/** 32 hex characters that stand for all that decides the bytes of an answer; secrets of the connection are not among it. */
export function cacheKey(plan: Plan, { connectionVersion }: Connection): string {
  const { source, statements, joins, steps, layout, columns, encode, limits } = plan
  const identity =
    source.kind === 'embedded'
      ? [source.id, source.tables.map(({ name, version }) => [name, version])]
      : [source.id, source.catalog ?? null, source.schema, connectionVersion, source.user ?? null]
  const decides = [identity, statements, joins, steps, layout ?? null, columns, encode, limits.rows, limits.cells]
  return hash('sha256', JSON.stringify(decides)).slice(0, 32)
}

/**
 * The answer to a plan: from the cache, from an equal question in flight, or from a runner.
 * @param timeoutSeconds  how long the answer may be kept; 0 or less: neither read nor kept
 * @param force           do not read what is kept, but renew it
 * @param onlyCached      ask no runner
 * @throws AppError `not_cached`
 */
export async function runCached(
  plan: Plan,
  { cache, runners, now }: CachingDeps,
  asked: Connection & { timeoutSeconds: number; force: boolean; onlyCached?: boolean; signal: AbortSignal },
): Promise<CachedRun> {
  const key = cacheKey(plan, asked)
  const kept = asked.force || asked.timeoutSeconds <= 0 ? undefined : await cache.get(key)
  if (kept) return { ...kept, key, isCached: true }
  if (asked.onlyCached) throw new AppError('not_cached')
  const entry = await cache.once(`${key} ${asked.force}`, asked.signal, async (signal) => {
    const { header, body } = await runners.run(plan, signal)
    const made: CacheEntry = { header, body, cachedAt: now().toISOString().slice(0, 19) }
    if (header.stepError === null) await cache.set(key, made, asked.timeoutSeconds)
    return made
  })
  return { ...entry, key, isCached: false }
}
