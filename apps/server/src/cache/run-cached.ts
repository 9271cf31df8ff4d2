import { hash } from 'node:crypto'
import { AppError, type Plan, refusalCodes, type RunHeader } from '@parquetry/model'
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

export interface ConnectionVersion {
  /** Incremented whenever the connection settings change. */
  connectionVersion: number
}

/** Runs a plan whose result is not cached. */
export type PlanExecutor = (
  plan: Plan,
  signal: AbortSignal,
  key: string,
) => Promise<{ header: RunHeader; body: Buffer }>

export interface CacheOptions extends ConnectionVersion {
  /** Cache timeout of the result; 0 or less disables reading and storing. */
  timeoutSeconds: number
  /** Skips reading the cache and replaces the entry. */
  force: boolean
  /**
   * Accepts only results whose run started at this time (in milliseconds) or later, and replaces older ones. Code that
   * serves stored results in another way must compare `startedAt` too.
   */
  notBefore?: number
  /** Throws `not_cached` instead of running the plan. */
  onlyCached?: boolean
  /** The result is refused when the database is too busy, instead of waiting. */
  isInteractive?: boolean
  /** Dataset by which its results can be invalidated. */
  dataset?: number
}

/** Returns 32 hex characters that cover everything that determines the bytes of a result, without secrets of the connection. */
export function cacheKey(plan: Plan, { connectionVersion }: ConnectionVersion): string {
  const { source, statements, joins, steps, layout, columns, encode, limits } = plan
  const identity =
    source.kind === 'embedded'
      ? [source.id, source.tables.map(({ name, version }) => [name, version])]
      : [source.id, source.catalog ?? null, source.schema, connectionVersion, source.user ?? null]
  const decides = [identity, statements, joins, steps, layout ?? null, columns, encode, limits.rows, limits.cells]
  return hash('sha256', JSON.stringify(decides)).slice(0, 32)
}

/** Checks if the result would come from the cache. */
export const hasCachedResult = async (
  key: string,
  { cache }: Pick<CachingDeps, 'cache'>,
  options: CacheOptions,
): Promise<boolean> => !options.force && options.timeoutSeconds > 0 && (await cache.has(key, options.notBefore))

/** Returns the key of a result that is neither cached nor being computed; null for others. */
export async function needsRun(
  plan: Plan,
  deps: Pick<CachingDeps, 'cache'>,
  options: CacheOptions,
): Promise<string | null> {
  const key = cacheKey(plan, options)
  if (deps.cache.isInFlight(flightKey(key, options, deps.cache.invalidations()))) return null
  return (await hasCachedResult(key, deps, options)) ? null : key
}

const flightKey = (key: string, { force, notBefore = 0 }: CacheOptions, invalidations: number): string =>
  `${key} ${force} ${notBefore} ${invalidations}`

/**
 * Returns the result of a plan: from the cache, from an equal query in flight, or from a runner.
 * @throws AppError `not_cached`
 */
export async function runCached(
  plan: Plan,
  { cache, runners, now }: CachingDeps,
  options: CacheOptions & { signal: AbortSignal },
  run: PlanExecutor = options.isInteractive
    ? (each, signal) => runInteractive(runners, each, signal)
    : (each, signal) => runners.run(each, signal),
): Promise<CachedRun> {
  const key = cacheKey(plan, options)
  const datasetField = options.dataset === undefined ? {} : { dataset: options.dataset }
  const { force, notBefore } = options
  const cached = force || options.timeoutSeconds <= 0 ? undefined : await cache.get(key)
  if (cached && cached.startedAt >= (notBefore ?? 0)) return { ...cached, key, isCached: true }
  if (options.onlyCached) throw new AppError('not_cached')
  const invalidations = cache.invalidations()
  const runAndStore = async (signal: AbortSignal): Promise<CacheEntry> => {
    const startedAt = now().getTime()
    const { header, body } = await run(plan, signal, key)
    const cachedAt = now().toISOString().slice(0, 19)
    const newEntry: CacheEntry = { header, body, cachedAt, startedAt, ...datasetField }
    // A query that started later may have stored a newer result.
    const isOutdated = cache.invalidations() !== invalidations || (!force && (await cache.has(key, startedAt)))
    if (header.stepError === null && !isOutdated) await cache.set(key, newEntry, options.timeoutSeconds)
    return newEntry
  }
  const startOrJoin = async (canRepeat: boolean): Promise<CacheEntry> => {
    let isOwn = false
    try {
      return await cache.singleFlight(flightKey(key, options, invalidations), options.signal, (signal) => {
        isOwn = true
        return runAndStore(signal)
      })
    } catch (error) {
      // The caller who started the query was refused, which may not apply to this one.
      const isRefused = error instanceof AppError && refusalCodes.has(error.code)
      if (isOwn || !isRefused || !canRepeat) throw error
      return startOrJoin(false)
    }
  }
  return { ...(await startOrJoin(true)), key, isCached: false }
}

/** Runs a plan for a user who waits for a chart. @throws AppError `source_busy`, `queries_waiting` */
async function runInteractive(
  runners: Runners,
  plan: Plan,
  signal: AbortSignal,
): Promise<{ header: RunHeader; body: Buffer }> {
  const admission = runners.admit(plan.source, 1)
  try {
    return await admission.run(() => runners.run(plan, signal, undefined, { admission }))
  } finally {
    admission.close()
  }
}
