import { LRUCache } from 'lru-cache'
import type { Source } from '@parquetry/model'
import type { CachedRollup, SizeEstimates } from '@parquetry/query'
import type { Runners } from '../../runners/runners.ts'

/** Time before a failed rollup is tried again, since the failure may have been the machine's. */
const failureTtlMs = 600_000

/** Time until a database that did not allow rollups is tried again, and size estimates of tables that change unnoticed expire. */
export const knowledgeTtlMs = failureTtlMs

/** Time after which cached rollups are chosen again. */
const cachedRollupTtlMs = 3_600_000

const maxSources = 200

/**
 * Knowledge of a server about rollups of one source: their sizes, and which could not be built. Keyed by SQL, values and state of
 * the source.
 */
export interface RollupState {
  sizes: LRUCache<string, Promise<SizeEstimates>>
  failed: LRUCache<string, true>
  /** States of sources whose database does not allow rollups. */
  unsupported: LRUCache<string, true>
  /** Rollups cached by runners, by the rows that they contain: `rowsKey`. */
  cached: LRUCache<string, readonly CachedRollup[]>
  /** Groups of queries, by the rollup that would answer all of them, for which the rollups to cache were already chosen. */
  attempted: LRUCache<string, true>
}

const statesByRunners = new WeakMap<Runners, LRUCache<string, RollupState>>()

export function ensureRollupState(runners: Runners, { id }: Pick<Source, 'id'>): RollupState {
  const states = statesByRunners.get(runners) ?? new LRUCache({ max: maxSources })
  statesByRunners.set(runners, states)
  const state = states.get(id) ?? {
    sizes: new LRUCache({ max: 500 }),
    failed: new LRUCache({ max: 500, ttl: failureTtlMs }),
    unsupported: new LRUCache({ max: 500, ttl: knowledgeTtlMs }),
    cached: new LRUCache({ max: 200, ttl: cachedRollupTtlMs }),
    attempted: new LRUCache({ max: 500, ttl: cachedRollupTtlMs }),
  }
  states.set(id, state)
  return state
}

/** Removes what is known about rollups of a source, so that the next stream uses none that a runner cached before. */
export function forgetRollups(runners: Runners, { id }: Pick<Source, 'id'>): void {
  statesByRunners.get(runners)?.delete(id)
}
