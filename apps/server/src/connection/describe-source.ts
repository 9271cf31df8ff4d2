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
  const known = cacheByRunners.get(runners)
  if (known) return known
  const made: DescriptionCache = new LRUCache({ maxSize: maxCachedNames, sizeCalculation: countNames })
  cacheByRunners.set(runners, made)
  return made
}

function countNames(answer: DescribeResult): number {
  if (answer.what === 'tables') return 1 + answer.tables.length
  if (answer.what === 'table') return 1 + answer.columns.length
  if (answer.what === 'functions') return 1 + answer.names.length
  return answer.what === 'schemas' ? 1 + answer.schemas.length : 1
}

/** Cache timeout of a result: the database's own `metadata_cache_timeout` if set; 0 disables caching. */
function resolveCacheSeconds(what: DescribeRequest['what'], database: DatabaseRow): number {
  const { metadata_cache_timeout: own } = readExtra(database) as {
    metadata_cache_timeout?: { schema_cache_timeout?: unknown; table_cache_timeout?: unknown }
  }
  const told = what === 'schemas' || what === 'catalogs' ? own?.schema_cache_timeout : own?.table_cache_timeout
  return typeof told === 'number' && told >= 0 ? told : defaultCacheSeconds
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
  const asked = source.kind === 'network' ? { ...source, catalog } : source
  const kept = getCache(deps)
  const key = JSON.stringify([
    database.uuid,
    database.version,
    changeCounts.get(database.uuid),
    source.kind === 'embedded'
      ? source.tables.map(({ name, version }) => [name, version])
      : [catalog, schema, source.user ?? null],
    what,
  ])
  const known = force ? undefined : kept.get(key)
  const found = known ?? sortNames(await deps.runners.describe(asked, what, signal))
  const seconds = resolveCacheSeconds(what.what, database)
  if (!known && seconds > 0) kept.set(key, found, { ttl: seconds * 1000 })
  return found as DescribedAs<W & DescribeResult['what']>
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)

/** Sorts lists as in the API: once before caching, not for each request. */
function sortNames(answer: DescribeResult): DescribeResult {
  if (answer.what === 'tables') return { ...answer, tables: answer.tables.toSorted(byName) }
  if (answer.what === 'schemas') return { ...answer, schemas: answer.schemas.toSorted() }
  if (answer.what === 'catalogs') return { ...answer, catalogs: answer.catalogs.toSorted() }
  return answer
}
