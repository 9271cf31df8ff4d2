import type { Describe, Described } from '@parquetry/model'
import { LRUCache } from 'lru-cache'
import type { AccessContext } from '../access/access.ts'
import type { ConnectionDeps } from './deps.ts'
import { readExtra } from './extra.ts'
import { type DatabaseRow, sourceOf } from './source.ts'

export type DescribedAs<W extends Described['what']> = Extract<Described, { what: W }>

/** What the catalogue calls need besides the database. */
export interface CatalogueContext extends AccessContext {
  deps: ConnectionDeps
  signal: AbortSignal
}

/** Of a question: which catalog it is about, and whether a kept answer will do. */
export interface Asking {
  catalog?: string | null
  schema?: string | null
  force?: boolean
}

/** Names of a catalogue are a few dozen bytes each. */
const keptNames = 500_000
const keptSeconds = 60

type Answers = LRUCache<string, Described>

/** Databases that were changed through us, by uuid: what was kept before is not asked for any more. */
const changes = new Map<string, number>()

/** To be called when a statement that may write has ended: its tables are there for everybody at once. */
export function forgetCatalogue({ uuid }: Pick<DatabaseRow, 'uuid'>): void {
  changes.set(uuid, (changes.get(uuid) ?? 0) + 1)
}

const answersOf = new WeakMap<ConnectionDeps['runners'], Answers>()

function answers({ runners }: ConnectionDeps): Answers {
  const known = answersOf.get(runners)
  if (known) return known
  const made: Answers = new LRUCache({ maxSize: keptNames, sizeCalculation: sizeOf })
  answersOf.set(runners, made)
  return made
}

function sizeOf(answer: Described): number {
  if (answer.what === 'tables') return 1 + answer.tables.length
  if (answer.what === 'table') return 1 + answer.columns.length
  if (answer.what === 'functions') return 1 + answer.names.length
  return answer.what === 'schemas' ? 1 + answer.schemas.length : 1
}

/** How long an answer is good: the database's own `metadata_cache_timeout` where it says so; 0 is not at all. */
function secondsFor(what: Describe['what'], database: DatabaseRow): number {
  const { metadata_cache_timeout: own } = readExtra(database) as {
    metadata_cache_timeout?: { schema_cache_timeout?: unknown; table_cache_timeout?: unknown }
  }
  const told = what === 'schemas' || what === 'catalogs' ? own?.schema_cache_timeout : own?.table_cache_timeout
  return typeof told === 'number' && told >= 0 ? told : keptSeconds
}

/**
 * Asks a database's catalogue, as everybody sees it: what the principal may read is for the caller to decide. Answers are kept
 * for a minute; a changed connection, a changed set of embedded tables and `force` ask anew.
 */
export async function askCatalogue<W extends Exclude<Describe['what'], 'ping'>>(
  { deps, signal, principal }: Pick<CatalogueContext, 'deps' | 'signal' | 'principal'>,
  database: DatabaseRow,
  what: Describe & { what: W },
  { catalog = null, schema = null, force = false }: Asking = {},
): Promise<DescribedAs<W & Described['what']>> {
  const source = await sourceOf(deps, database, principal, schema)
  const asked = source.kind === 'network' ? { ...source, catalog } : source
  const kept = answers(deps)
  const key = JSON.stringify([
    database.uuid,
    database.version,
    changes.get(database.uuid),
    source.kind === 'embedded'
      ? source.tables.map(({ name, version }) => [name, version])
      : [catalog, schema, source.user ?? null],
    what,
  ])
  const known = force ? undefined : kept.get(key)
  const found = known ?? sorted(await deps.runners.describe(asked, what, signal))
  const seconds = secondsFor(what.what, database)
  if (!known && seconds > 0) kept.set(key, found, { ttl: seconds * 1000 })
  return found as DescribedAs<W & Described['what']>
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1)

/** Lists in the order in which the API has them: once, not at each question. */
function sorted(answer: Described): Described {
  if (answer.what === 'tables') return { ...answer, tables: answer.tables.toSorted(byName) }
  if (answer.what === 'schemas') return { ...answer, schemas: answer.schemas.toSorted() }
  if (answer.what === 'catalogs') return { ...answer, catalogs: answer.catalogs.toSorted() }
  return answer
}
