import type { DescribeRequest, DescribeResult } from '@parquetry/model'
import { LRUCache } from 'lru-cache'
import type { AccessContext } from '../access/access.ts'
import type { ConnectionDeps } from './deps.ts'
import { readExtra } from './extra.ts'
import { type DatabaseRow, resolveSource } from './source.ts'

export type DescribedAs<W extends DescribeResult['what']> = Extract<DescribeResult, { what: W }>

/** What the catalogue calls need besides the database. */
export interface ConnectionContext extends AccessContext {
  deps: ConnectionDeps
  signal: AbortSignal
}

/** Of a question: which catalog it is about, and whether a kept answer will do. */
export interface DescribeOptions {
  catalog?: string | null
  schema?: string | null
  force?: boolean
}

/** Names of a catalogue are a few dozen bytes each. */
const maxCachedNames = 500_000
const defaultCacheSeconds = 60

type DescriptionCache = LRUCache<string, DescribeResult>

/** Databases that were changed through us, by uuid: what was kept before is not asked for any more. */
const changeCounts = new Map<string, number>()

/** To be called when a statement that may write has ended: its tables are there for everybody at once. */
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

/** How long an answer is good: the database's own `metadata_cache_timeout` where it says so; 0 is not at all. */
function resolveCacheSeconds(what: DescribeRequest['what'], database: DatabaseRow): number {
  const { metadata_cache_timeout: own } = readExtra(database) as {
    metadata_cache_timeout?: { schema_cache_timeout?: unknown; table_cache_timeout?: unknown }
  }
  const told = what === 'schemas' || what === 'catalogs' ? own?.schema_cache_timeout : own?.table_cache_timeout
  return typeof told === 'number' && told >= 0 ? told : defaultCacheSeconds
}

/**
 * Asks a database's catalogue, as everybody sees it: what the principal may read is for the caller to decide. Answers are kept
 * for a minute; a changed connection, a changed set of embedded tables and `force` ask anew.
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

/** Lists in the order in which the API has them: once, not at each question. */
function sortNames(answer: DescribeResult): DescribeResult {
  if (answer.what === 'tables') return { ...answer, tables: answer.tables.toSorted(byName) }
  if (answer.what === 'schemas') return { ...answer, schemas: answer.schemas.toSorted() }
  if (answer.what === 'catalogs') return { ...answer, catalogs: answer.catalogs.toSorted() }
  return answer
}
