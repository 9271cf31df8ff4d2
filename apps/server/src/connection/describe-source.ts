import type { DescribeRequest, DescribeResult } from '@parquetry/model'
import { LRUCache } from 'lru-cache'
import type { AccessContext } from '../access/access.ts'
import type { ConnectionDeps } from './deps.ts'
import { readExtra } from './extra.ts'
import { type DatabaseRow, resolveSource } from './source.ts'

export type DescribedAs<W extends DescribeResult['what']> = Extract<DescribeResult, { what: W }>

/** Context of catalog calls besides the database. */
export interface ConnectionContext extends AccessContext {
  deps: ConnectionDeps
  signal: AbortSignal
}

/** Options of a query: its catalog and schema; `force` bypasses the cache. */
export interface DescribeOptions {
  catalog?: string | null
  schema?: string | null
  force?: boolean
}

/** Maximum number of cached names, each of a few dozen bytes. */
const maxCachedNames = 500_000
const defaultCacheSeconds = 60

type DescriptionCache = LRUCache<string, DescribeResult>

/** Number of changes made through this server, by database UUID; a change invalidates cached entries. */
const changeCounts = new Map<string, number>()

/** Must be called when a statement that may write has ended, so that all users see its tables immediately. */
export function invalidateDescriptions({ uuid }: Pick<DatabaseRow, 'uuid'>): void {
  changeCounts.set(uuid, (changeCounts.get(uuid) ?? 0) + 1)
}

const cacheByRunners = new WeakMap<ConnectionDeps['runners'], DescriptionCache>()

function getCache({ runners }: ConnectionDeps): DescriptionCache {
  const cached = cacheByRunners.get(runners)
  if (cached) return cached
  const created: DescriptionCache = new LRUCache({ maxSize: maxCachedNames, sizeCalculation: countNames })
  cacheByRunners.set(runners, created)
  return created
}

function countNames(result: DescribeResult): number {
  if (result.what === 'tables') return 1 + result.tables.length
  if (result.what === 'table') return 1 + result.columns.length
  if (result.what === 'functions') return 1 + result.names.length
  return result.what === 'schemas' ? 1 + result.schemas.length : 1
}

/** Cache timeout of a result: the database's own `metadata_cache_timeout` if set; 0 disables caching. */
function resolveCacheSeconds(what: DescribeRequest['what'], database: DatabaseRow): number {
  const { metadata_cache_timeout: timeouts } = readExtra(database) as {
    metadata_cache_timeout?: { schema_cache_timeout?: unknown; table_cache_timeout?: unknown }
  }
  const configured =
    what === 'schemas' || what === 'catalogs' ? timeouts?.schema_cache_timeout : timeouts?.table_cache_timeout
  return typeof configured === 'number' && configured >= 0 ? configured : defaultCacheSeconds
}

/**
 * Queries the catalog of a database without regard to the principal's permissions, which the caller checks. Results are cached
 * for a minute; a changed connection, changed embedded tables and `force` bypass the cache.
 */
export async function describeSource<W extends Exclude<DescribeRequest['what'], 'ping'>>(
  { deps, signal, principal }: Pick<ConnectionContext, 'deps' | 'signal' | 'principal'>,
  database: DatabaseRow,
  what: DescribeRequest & { what: W },
  { catalog = null, schema = null, force = false }: DescribeOptions = {},
): Promise<DescribedAs<W & DescribeResult['what']>> {
  const source = await resolveSource(deps, database, principal, schema)
  const catalogSource = source.kind === 'network' ? { ...source, catalog } : source
  const cache = getCache(deps)
  const key = JSON.stringify([
    database.uuid,
    database.version,
    changeCounts.get(database.uuid),
    source.kind === 'embedded'
      ? source.tables.map(({ name, version }) => [name, version])
      : [catalog, schema, source.user ?? null],
    what,
  ])
  const cached = force ? undefined : cache.get(key)
  const found = cached ?? sortNames(await deps.runners.describe(catalogSource, what, signal))
  const seconds = resolveCacheSeconds(what.what, database)
  if (!cached && seconds > 0) cache.set(key, found, { ttl: seconds * 1000 })
  return found as DescribedAs<W & DescribeResult['what']>
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)

/** Sorts lists as in the API: once before caching, not for each request. */
function sortNames(result: DescribeResult): DescribeResult {
  if (result.what === 'tables') return { ...result, tables: result.tables.toSorted(byName) }
  if (result.what === 'schemas') return { ...result, schemas: result.schemas.toSorted() }
  if (result.what === 'catalogs') return { ...result, catalogs: result.catalogs.toSorted() }
  return result
}
