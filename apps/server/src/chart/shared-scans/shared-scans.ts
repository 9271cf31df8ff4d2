import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { AppError, type Plan, type SharedScanPlan, type Source } from '@parquetry/model'
import {
  planSizeEstimate,
  isCoveredBy,
  isMetadataOnly,
  planCachedRollups,
  rollupTable,
  planScanFrom,
  planScan,
  planScans,
  deferFilters,
  type Dialect,
  type CachedRollup,
  type ShareableQuery,
  type ScanPlan,
  type SizeEstimates,
  type SizeEstimateRow,
} from '@parquetry/query'
import { cacheKey, hasCachedResult, type PlanExecutor } from '../../cache/run-cached.ts'
import { engineFor } from '../../connection/source.ts'
import type { Runners } from '../../runners/runners.ts'
import { toCacheOptions, type ResolvedQuery } from '../resolved-query.ts'
import type { PlannedQuery } from '../run-query.ts'
import { SharedScan } from './shared-scan.ts'
import type { Semaphore } from './semaphore.ts'

interface ScanMember {
  key: string
  plan: Plan
  shareable: ShareableQuery
  /** Read the table, regardless of cached rollups. */
  force: boolean
}

/** Queries that read the same rows of one source with the same permissions. */
interface ScanGroup {
  source: Source
  /** Known state of the source, from which its tables were created. */
  state: string
  dialect: Dialect
  members: Map<string, ScanMember>
}

/** Maximum number of queries over the same rows that are planned together, visible ones first; more than a dashboard has. */
const maxQueriesPerScan = 200

/** Maximum time to wait for a rollup; then its queries run alone. */
const maxScanMs = 30_000

/** Checks if the engine can answer several queries from one rollup. */
export const supportsSharedScans = ({ database }: ResolvedQuery): boolean =>
  engineFor(database).dialect.supports.rollups

const canShare = ({ plan, shareable }: PlannedQuery): boolean =>
  shareable !== null && !isMetadataOnly(shareable, engineFor({ backend: plan.source.engine }).dialect)

/** Time before a failed rollup is tried again, since the failure may have been the machine's. */
const failureTtlMs = 600_000

/** The same for a database that does not allow rollups, and for knowledge of tables that change unnoticed. */
const knowledgeTtlMs = failureTtlMs

/** Maximum number of cached rollups over the same rows; the latest are retained. */
const maxCachedRollups = 20

/** Time after which cached rollups are chosen again. */
const cachedRollupTtlMs = 3_600_000

/** Maximum time to wait for a sample of a server's table. */
const sampleTimeoutMs = 3000

/** Errors that do not indicate a problem with the statement. */
const transientErrorCodes = ['query_stopped', 'runner_lost', 'restarting', 'connection_failed']

/**
 * Knowledge of a server about rollups: their sizes, and which could not be built. Keyed by SQL, values and state of the source.
 */
interface RollupState {
  sizes: LRUCache<string, Promise<SizeEstimates>>
  failed: LRUCache<string, true>
  /** States of sources whose database does not allow rollups. */
  unsupported: LRUCache<string, true>
  /** Rollups cached by runners, by the rows that they contain: `rowsKey`. */
  cached: LRUCache<string, readonly CachedRollup[]>
  /** Rollups that would answer a whole group of queries, for which cached ones were already chosen. */
  attempted: LRUCache<string, true>
}

const stateByRunners = new WeakMap<Runners, RollupState>()

function rollupStateOf(runners: Runners): RollupState {
  const known = stateByRunners.get(runners) ?? {
    sizes: new LRUCache({ max: 500 }),
    failed: new LRUCache({ max: 500, ttl: failureTtlMs }),
    unsupported: new LRUCache({ max: 500, ttl: knowledgeTtlMs }),
    cached: new LRUCache({ max: 200, ttl: cachedRollupTtlMs }),
    attempted: new LRUCache({ max: 500, ttl: cachedRollupTtlMs }),
  }
  stateByRunners.set(runners, known)
  return known
}

/**
 * Runs the queries of one stream: those over the same rows from one rollup where that is faster, the others alone, with limited
 * concurrency. Queries that are cached or already in flight are not run either way.
 */
export class SharedScans {
  readonly #runners: Runners
  readonly #semaphore: Semaphore
  readonly #scans = new Map<string, Promise<SharedScan | null>>()
  /** Filtered queries without a cached rollup, widened, by the rows of such a rollup. */
  readonly #uncovered = new Map<string, ScanGroup>()
  readonly #planned = Promise.withResolvers<void>()
  readonly #signal: AbortSignal

  constructor(runners: Runners, turns: Semaphore, left: AbortSignal) {
    this.#runners = runners
    this.#semaphore = turns
    this.#signal = left
  }

  /** Plans rollups as soon as all queries are planned. Until then, only queries that a rollup may answer have to wait. */
  async planScans(asking: Promise<readonly { question: ResolvedQuery; planned: PlannedQuery }[]>): Promise<void> {
    try {
      for (const group of await this.#groupQueries(await asking)) {
        const levels = this.#planGroup({ ...group, members: new Map([...group.members].slice(0, maxQueriesPerScan)) })
        for (const key of group.members.keys())
          this.#scans.set(
            key,
            levels.then((found) => found.get(key) ?? null),
          )
      }
    } finally {
      this.#planned.resolve()
    }
  }

  /** Runner for `runCached`. @param asked  the query to run */
  createExecutor(asked: Promise<PlannedQuery>): PlanExecutor {
    return async (plan, signal, key) => {
      if (canShare(await asked)) await this.#planned.promise
      const level = await this.#scans.get(key)
      const answer = await level?.waitFor(key, signal)
      return answer ?? this.#semaphore.run(() => this.#runners.run(plan, signal))
    }
  }

  async #groupQueries(
    asked: readonly { question: ResolvedQuery; planned: PlannedQuery }[],
  ): Promise<Iterable<ScanGroup>> {
    const groups = new Map<string, ScanGroup>()
    for (const { question, planned } of asked) {
      const { plan, shareable } = planned
      if (!shareable || !canShare(planned)) continue
      const key = cacheKey(plan, toCacheOptions(question))
      if (await hasCachedResult(key, question.deps, toCacheOptions(question))) continue
      const id = JSON.stringify([plan.source, question.database.version, shareable.rows])
      const { dialect } = engineFor(question.database)
      const state = sourceStateKey(plan.source, question)
      const group = groups.get(id) ?? { source: plan.source, state, dialect, members: new Map() }
      groups.set(id, group)
      group.members.set(key, { key, plan, shareable, force: question.context.force === true })
    }
    return groups.values()
  }

  /** Builds and caches rollups that answer these queries for other filter values. Runs in the background and never fails. */
  async cacheRollups(): Promise<void> {
    const { cached, attempted, failed } = rollupStateOf(this.#runners)
    for (const [id, group] of this.#uncovered) {
      const { state, dialect, members } = group
      const wide = [...members.values()]
      const questions = wide.map(({ shareable }) => shareable)
      const all = rollupKey(state, planScan(questions, [...questions.keys()], dialect).rollup)
      if (attempted.has(all)) continue
      attempted.set(all, true)
      const { signal } = new AbortController()
      const sizes = await this.#estimateSizes(group, wide, signal).catch(() => null)
      for (const level of sizes ? planCachedRollups(questions, sizes, dialect) : []) {
        const keep = rollupKey(state, level.rollup)
        if (failed.has(keep)) continue
        const plan = buildSharedPlan(group, planScanFrom(level, [], dialect), [])
        try {
          for await (const answer of this.#runners.runShared({ ...plan, keep }, signal)) void answer
          cached.set(id, [...(cached.get(id) ?? []), level].slice(-maxCachedRollups))
        } catch {
          // Its queries run as before.
          failed.set(keep, true)
        }
      }
    }
  }

  /** Never fails: without rollups each query runs alone. */
  async #planGroup(group: ScanGroup): Promise<Map<string, SharedScan>> {
    const found = new Map<string, SharedScan>()
    if (rollupStateOf(this.#runners).unsupported.has(group.state)) return found
    try {
      const left = this.#useCachedRollups(group, found)
      if (left.length === 0) return found
      const sizes = await this.#estimateSizes(group, left, this.#signal)
      if (this.#signal.aborted) return found
      const passes = planScans(
        left.map(({ shareable }) => shareable),
        sizes,
        group.dialect,
      )
      for (const pass of passes) this.#addScan(found, group, pass, left)
    } catch {
      // Queries found so far use their rollup.
    }
    return found
  }

  /** @returns the queries that no cached rollup answers */
  #useCachedRollups(group: ScanGroup, found: Map<string, SharedScan>): ScanMember[] {
    const { source, state, dialect, members } = group
    // A user's own file may change without a new version.
    const isOurs = source.kind === 'embedded' && source.tables.every(({ format }) => format === 'duckdb')
    if (!isOurs || !dialect.supports.cachedRollups) return [...members.values()]
    const { cached, failed } = rollupStateOf(this.#runners)
    const byLevel = new Map<CachedRollup, ScanMember[]>()
    const left: ScanMember[] = []
    for (const member of members.values()) {
      const shareable = deferFilters(member.shareable, dialect)
      const level = cached
        .get(rowsKey(state, shareable))
        ?.find((each) => !failed.has(rollupKey(state, each.rollup)) && isCoveredBy(shareable, each, dialect))
      if (level && !member.force) byLevel.set(level, [...(byLevel.get(level) ?? []), { ...member, shareable }])
      else left.push(member)
      if (!level && shareable.filters.length > 0) {
        const id = rowsKey(state, shareable)
        const others = this.#uncovered.get(id) ?? { source, state, dialect, members: new Map() }
        this.#uncovered.set(id, others)
        if (others.members.size < maxQueriesPerScan) others.members.set(member.key, { ...member, shareable })
      }
    }
    for (const [level, asked] of byLevel) {
      const questions = asked.map(({ shareable }) => shareable)
      this.#addScan(found, group, planScanFrom(level, questions, dialect), asked, rollupKey(state, level.rollup))
    }
    return left
  }

  #addScan(
    found: Map<string, SharedScan>,
    group: ScanGroup,
    pass: ScanPlan,
    members: readonly ScanMember[],
    keep?: string,
  ): void {
    const asked = pass.answers.map(({ of }) => members[of] as ScanMember)
    const { failed, unsupported } = rollupStateOf(this.#runners)
    const id = rollupKey(group.state, pass.rollup)
    if (failed.has(id)) return
    const plan = buildSharedPlan(group, pass, asked)
    const onFailure = (error: unknown) =>
      error instanceof AppError && error.code === 'unsupported'
        ? unsupported.set(group.state, true)
        : failed.set(id, true)
    const run = new SharedScan(
      keep === undefined ? plan : { ...plan, keep },
      asked.map(({ key }) => key),
      { runners: this.#runners, semaphore: this.#semaphore, onFailure },
    )
    for (const { key } of asked) found.set(key, run)
  }

  #estimateSizes(
    { source, state, dialect }: ScanGroup,
    members: readonly ScanMember[],
    signal: AbortSignal,
  ): Promise<SizeEstimates> {
    const { statement, read } = planSizeEstimate(
      members.map(({ shareable }) => shareable),
      dialect,
    )
    const { sizes } = rollupStateOf(this.#runners)
    const id = JSON.stringify([state, statement])
    const known = sizes.get(id)
    if (known) return known
    const { limits } = members[0]!.plan
    const isOurs = source.kind === 'embedded'
    const plan: Plan = {
      source,
      statements: [statement],
      joins: [],
      steps: [],
      columns: [],
      encode: { as: 'rows', times: 'ms' },
      limits: {
        ...limits,
        rows: 1,
        timeoutMs: isOurs ? limits.timeoutMs : Math.min(limits.timeoutMs, sampleTimeoutMs),
      },
      guard: 'user-sql',
    }
    const asked = this.#runners.run(plan, signal).then(({ body }) => {
      const [row = {}] = JSON.parse(body.toString()) as SizeEstimateRow[]
      return read(row)
    })
    sizes.set(id, asked, isOurs ? {} : { ttl: knowledgeTtlMs })
    asked.catch((error: unknown) => {
      // Other errors stay cached, for example that a view cannot be sampled.
      if (isOurs || !(error instanceof AppError) || transientErrorCodes.includes(error.code)) sizes.delete(id)
    })
    return asked
  }
}

/** Our own tables change only with their versions; those of a server change unnoticed. */
const sourceStateKey = (source: Source, { database }: ResolvedQuery): string =>
  JSON.stringify(
    source.kind === 'embedded'
      ? [source.id, source.tables.map(({ name, version }) => [name, version])]
      : [source.id, database.version, source.catalog ?? null, source.schema, source.user ?? null],
  )

/** Identifies the rows that a rollup contains. */
const rowsKey = (state: string, { rows }: ShareableQuery): string => JSON.stringify([state, rows])

const rollupKey = (state: string, level: SharedScanPlan['level']): string =>
  hash('sha256', JSON.stringify([state, level]))

function buildSharedPlan({ source, members }: ScanGroup, pass: ScanPlan, asked: readonly ScanMember[]): SharedScanPlan {
  const [{ plan }] = [...members.values()] as [ScanMember]
  return {
    source,
    level: pass.rollup,
    types: pass.types,
    table: rollupTable,
    mostGroups: pass.maxGroups,
    answers: pass.answers.map(({ statement, inexact, exact }, at) => {
      const { source: _, ...rest } = (asked[at] as ScanMember).plan
      return { plan: { ...rest, statements: [statement] }, inexact, exact }
    }),
    limits: { ...plan.limits, timeoutMs: Math.min(plan.limits.timeoutMs, maxScanMs) },
  }
}
