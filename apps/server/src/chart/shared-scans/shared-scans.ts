import { hash } from 'node:crypto'
import { AppError, type ErrorCode, type Plan, refusalCodes, type SharedScanPlan, type Source } from '@parquetry/model'
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
import type { QueueOptions, Runners } from '../../runners/runners.ts'
import { toCacheOptions, type ResolvedQuery } from '../resolved-query.ts'
import type { PlannedQuery } from '../run-query.ts'
import { ensureRollupState, knowledgeTtlMs } from './rollup-state.ts'
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

/** Cached rollups do not know about changes of the data, so requests for current data bypass them. */
const readsTable = ({ context, notBefore }: ResolvedQuery): boolean => context.force === true || notBefore !== undefined

/** Checks if the engine can answer several queries from one rollup. */
export const supportsSharedScans = ({ database }: ResolvedQuery): boolean =>
  engineFor(database).dialect.supports.rollups

const canShare = ({ plan, shareable }: PlannedQuery): boolean =>
  shareable !== null && !isMetadataOnly(shareable, engineFor({ backend: plan.source.engine }).dialect)

/** Maximum number of cached rollups over the same rows; the latest are retained. */
const maxCachedRollups = 20

/** Maximum time to wait for a sample of a server's table. */
const sampleTimeoutMs = 3000

/** Errors that do not indicate a problem with the statement. */
const transientErrorCodes: ReadonlySet<ErrorCode> = new Set([
  'query_stopped',
  'runner_lost',
  'restarting',
  'connection_failed',
  ...refusalCodes,
])

/**
 * Runs the queries of one stream: those over the same rows from one rollup where that is faster, the others alone, with limited
 * concurrency. Queries that are cached or already in flight are not run either way.
 */
export class SharedScans {
  readonly #runners: Runners
  readonly #semaphore: Semaphore
  readonly #scans = new Map<string, Promise<SharedScan | null>>()
  /** Filtered queries that no cached rollup answers, with deferred filters, by `rowsKey`. */
  readonly #uncovered = new Map<string, ScanGroup>()
  readonly #planned = Promise.withResolvers<void>()
  readonly #signal: AbortSignal
  readonly #queueOptions: (source: Source) => QueueOptions

  /** @param queueOptions  scheduling options of the statements of a source */
  constructor(
    runners: Runners,
    semaphore: Semaphore,
    signal: AbortSignal,
    queueOptions: (source: Source) => QueueOptions = () => ({}),
  ) {
    this.#runners = runners
    this.#semaphore = semaphore
    this.#signal = signal
    this.#queueOptions = queueOptions
  }

  /**
   * Assigns the queries of the stream to shared scans once the promise has resolved to all of them. Until then, only queries that
   * a rollup may answer have to wait.
   */
  async addQueries(
    pendingQueries: Promise<readonly { resolvedQuery: ResolvedQuery; planned: PlannedQuery }[]>,
  ): Promise<void> {
    try {
      for (const group of await this.#groupQueries(await pendingQueries)) {
        const pendingScans = this.#planGroup({
          ...group,
          members: new Map([...group.members].slice(0, maxQueriesPerScan)),
        })
        for (const key of group.members.keys())
          this.#scans.set(
            key,
            pendingScans.then((found) => found.get(key) ?? null),
          )
      }
    } finally {
      this.#planned.resolve()
    }
  }

  /** Runner for `runCached`. @param planned  the query to run */
  createExecutor(planned: Promise<PlannedQuery>): PlanExecutor {
    return async (plan, signal, key) => {
      if (canShare(await planned)) await this.#planned.promise
      const scan = await this.#scans.get(key)
      const result = await scan?.waitFor(key, signal)
      return (
        result ?? this.#semaphore.run(() => this.#runners.run(plan, signal, undefined, this.#queueOptions(plan.source)))
      )
    }
  }

  async #groupQueries(
    queries: readonly { resolvedQuery: ResolvedQuery; planned: PlannedQuery }[],
  ): Promise<Iterable<ScanGroup>> {
    const groups = new Map<string, ScanGroup>()
    for (const { resolvedQuery, planned } of queries) {
      const { plan, shareable } = planned
      if (!shareable || !canShare(planned)) continue
      const key = cacheKey(plan, toCacheOptions(resolvedQuery))
      if (await hasCachedResult(key, resolvedQuery.deps, toCacheOptions(resolvedQuery))) continue
      const id = JSON.stringify([plan.source, resolvedQuery.database.version, shareable.rows])
      const { dialect } = engineFor(resolvedQuery.database)
      const state = sourceStateKey(plan.source, resolvedQuery)
      const group = groups.get(id) ?? { source: plan.source, state, dialect, members: new Map() }
      groups.set(id, group)
      group.members.set(key, { key, plan, shareable, force: readsTable(resolvedQuery) })
    }
    return groups.values()
  }

  /** Builds and caches rollups that answer these queries for other filter values. Runs in the background and never fails. */
  async cacheRollups(): Promise<void> {
    for (const [id, group] of this.#uncovered) {
      const { source, state, dialect, members } = group
      const { cached, attempted, failed } = ensureRollupState(this.#runners, source)
      const scanMembers = [...members.values()]
      const shareables = scanMembers.map(({ shareable }) => shareable)
      const all = rollupKey(state, planScan(shareables, [...shareables.keys()], dialect).rollup)
      if (attempted.has(all)) continue
      attempted.set(all, true)
      const { signal } = new AbortController()
      const sizes = await this.#estimateSizes(group, scanMembers, signal).catch(() => null)
      for (const cachedRollup of sizes ? planCachedRollups(shareables, sizes, dialect) : []) {
        const rollupCacheKey = rollupKey(state, cachedRollup.rollup)
        if (failed.has(rollupCacheKey)) continue
        const plan = buildSharedPlan(group, planScanFrom(cachedRollup, [], dialect), [])
        try {
          for await (const result of this.#runners.runShared({ ...plan, cacheKey: rollupCacheKey }, signal)) void result
          cached.set(id, [...(cached.get(id) ?? []), cachedRollup].slice(-maxCachedRollups))
        } catch {
          // Its queries run as before.
          failed.set(rollupCacheKey, true)
        }
      }
    }
  }

  /** Never fails: without rollups each query runs alone. */
  async #planGroup(group: ScanGroup): Promise<Map<string, SharedScan>> {
    const found = new Map<string, SharedScan>()
    if (ensureRollupState(this.#runners, group.source).unsupported.has(group.state)) return found
    try {
      const remaining = this.#useCachedRollups(group, found)
      if (remaining.length === 0) return found
      const sizes = await this.#estimateSizes(group, remaining, this.#signal)
      if (this.#signal.aborted) return found
      const scanPlans = planScans(
        remaining.map(({ shareable }) => shareable),
        sizes,
        group.dialect,
      )
      for (const scanPlan of scanPlans) this.#addScan(found, group, scanPlan, remaining)
    } catch {
      // Queries found so far use their rollup.
    }
    return found
  }

  /** @returns the queries that no cached rollup answers */
  #useCachedRollups(group: ScanGroup, found: Map<string, SharedScan>): ScanMember[] {
    const { source, state, dialect, members } = group
    // A user's own file may change without a new version.
    const ownsTables = source.kind === 'embedded' && source.tables.every(({ format }) => format === 'duckdb')
    if (!ownsTables || !dialect.supports.cachedRollups) return [...members.values()]
    const { cached, failed } = ensureRollupState(this.#runners, source)
    const byRollup = new Map<CachedRollup, ScanMember[]>()
    const remaining: ScanMember[] = []
    for (const member of members.values()) {
      const shareable = deferFilters(member.shareable, dialect)
      const cachedRollup = cached
        .get(rowsKey(state, shareable))
        ?.find((each) => !failed.has(rollupKey(state, each.rollup)) && isCoveredBy(shareable, each, dialect))
      if (cachedRollup && !member.force)
        byRollup.set(cachedRollup, [...(byRollup.get(cachedRollup) ?? []), { ...member, shareable }])
      else remaining.push(member)
      if (!cachedRollup && shareable.filters.length > 0) {
        const id = rowsKey(state, shareable)
        const uncovered = this.#uncovered.get(id) ?? { source, state, dialect, members: new Map() }
        this.#uncovered.set(id, uncovered)
        if (uncovered.members.size < maxQueriesPerScan) uncovered.members.set(member.key, { ...member, shareable })
      }
    }
    for (const [rollup, queries] of byRollup) {
      const shareables = queries.map(({ shareable }) => shareable)
      this.#addScan(found, group, planScanFrom(rollup, shareables, dialect), queries, rollupKey(state, rollup.rollup))
    }
    return remaining
  }

  #addScan(
    found: Map<string, SharedScan>,
    group: ScanGroup,
    scanPlan: ScanPlan,
    members: readonly ScanMember[],
    rollupCacheKey?: string,
  ): void {
    const covered = scanPlan.queries.map(({ index }) => members[index] as ScanMember)
    const { failed, unsupported } = ensureRollupState(this.#runners, group.source)
    const id = rollupKey(group.state, scanPlan.rollup)
    if (failed.has(id)) return
    const plan = buildSharedPlan(group, scanPlan, covered)
    const onFailure = (error: unknown) => {
      const code = error instanceof AppError ? error.code : null
      if (code === 'unsupported') unsupported.set(group.state, true)
      else if (code === null || !refusalCodes.has(code)) failed.set(id, true)
    }
    const scan = new SharedScan(
      rollupCacheKey === undefined ? plan : { ...plan, cacheKey: rollupCacheKey },
      covered.map(({ key }) => key),
      { runners: this.#runners, semaphore: this.#semaphore, onFailure, queueOptions: this.#queueOptions(group.source) },
    )
    for (const { key } of covered) found.set(key, scan)
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
    const { sizes } = ensureRollupState(this.#runners, source)
    const id = JSON.stringify([state, statement])
    const cached = sizes.get(id)
    if (cached) return cached
    const { limits } = members[0]!.plan
    const isEmbedded = source.kind === 'embedded'
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
        timeoutMs: isEmbedded ? limits.timeoutMs : Math.min(limits.timeoutMs, sampleTimeoutMs),
      },
      guard: 'user-sql',
    }
    const estimate = this.#runners.run(plan, signal, undefined, this.#queueOptions(source)).then(({ body }) => {
      const [row = {}] = JSON.parse(body.toString()) as SizeEstimateRow[]
      return read(row)
    })
    sizes.set(id, estimate, isEmbedded ? {} : { ttl: knowledgeTtlMs })
    estimate.catch((error: unknown) => {
      // Other errors stay cached, for example that a view cannot be sampled.
      if (isEmbedded || !(error instanceof AppError) || transientErrorCodes.has(error.code)) sizes.delete(id)
    })
    return estimate
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

const rollupKey = (state: string, rollup: SharedScanPlan['rollup']): string =>
  hash('sha256', JSON.stringify([state, rollup]))

function buildSharedPlan(
  { source, members }: ScanGroup,
  scanPlan: ScanPlan,
  queries: readonly ScanMember[],
): SharedScanPlan {
  const [{ plan }] = [...members.values()] as [ScanMember]
  return {
    source,
    rollup: scanPlan.rollup,
    types: scanPlan.types,
    table: rollupTable,
    maxGroups: scanPlan.maxGroups,
    queries: scanPlan.queries.map(({ statement, inexact, exact }, index) => {
      const { source: _, ...rest } = (queries[index] as ScanMember).plan
      return { plan: { ...rest, statements: [statement] }, inexact, exact }
    }),
    limits: { ...plan.limits, timeoutMs: Math.min(plan.limits.timeoutMs, maxScanMs) },
  }
}
