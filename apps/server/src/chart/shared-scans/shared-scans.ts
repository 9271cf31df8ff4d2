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
  /** Read the table, whatever is kept. */
  force: boolean
}

/** Questions that read the same rows of one source by the same rights. */
interface ScanGroup {
  source: Source
  /** Of the source: what its tables were made of, as far as we know. */
  state: string
  dialect: Dialect
  members: Map<string, ScanMember>
}

/** So many questions over the same rows are looked at together, what is in view first: more than a dashboard has. */
const maxQueriesPerScan = 200

/** The longest that a level is waited for; then its questions are asked alone. */
const maxScanMs = 30_000

/** Whether the engine of a question can answer several from one level. */
export const supportsSharedScans = ({ database }: ResolvedQuery): boolean =>
  engineFor(database).dialect.supports.rollups

const canShare = ({ plan, shareable }: PlannedQuery): boolean =>
  shareable !== null && !isMetadataOnly(shareable, engineFor({ backend: plan.source.engine }).dialect)

/** For so long a level that failed is not tried again: it may have been the machine. */
const failureTtlMs = 600_000

/** The same of a database that lets us make none, and of what is known of tables that change without a word. */
const knowledgeTtlMs = failureTtlMs

/** So many levels over the same rows are kept, the latest. */
const maxCachedRollups = 20

/** Then levels that are kept are chosen anew. */
const cachedRollupTtlMs = 3_600_000

/** The longest that a sample of a server's table is waited for. */
const sampleTimeoutMs = 3000

/** What says nothing of the statement that it befell. */
const transientErrorCodes = ['query_stopped', 'runner_lost', 'restarting', 'connection_failed']

/** What a server knows of levels: how large they would be, and which could not be made. By text, values and state of the source. */
interface RollupState {
  sizes: LRUCache<string, Promise<SizeEstimates>>
  failed: LRUCache<string, true>
  /** States of sources whose database lets us make none. */
  unsupported: LRUCache<string, true>
  /** Levels that runners keep, by the rows that they hold: `rowsId`. */
  cached: LRUCache<string, readonly CachedRollup[]>
  /** What levels were looked for to be kept: the one that would answer all, as text. */
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
 * Answers the questions of one stream: those over the same rows from one level where that is faster, the others alone, as many at a
 * time as there are turns. What is kept, and what others ask at the moment, is asked for neither way.
 */
export class SharedScans {
  readonly #runners: Runners
  readonly #semaphore: Semaphore
  readonly #scans = new Map<string, Promise<SharedScan | null>>()
  /** Filtered questions that no kept level answers, widened, by the rows of such a level. */
  readonly #uncovered = new Map<string, ScanGroup>()
  readonly #planned = Promise.withResolvers<void>()
  readonly #signal: AbortSignal

  constructor(runners: Runners, turns: Semaphore, left: AbortSignal) {
    this.#runners = runners
    this.#semaphore = turns
    this.#signal = left
  }

  /**
   * Looks for levels among what will be asked, as soon as all of it is planned. Until then questions wait that a level may answer, and no
   * others.
   */
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

  /** For `runCached`. @param asked  whose answer is made */
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

  /**
   * Makes levels that answer what was asked here with other values of its filters, and has them kept. Nobody waits for it, and nothing of
   * it fails.
   */
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
          // Its questions are answered as before.
          failed.set(keep, true)
        }
      }
    }
  }

  /** Never fails: without levels each question is asked alone. */
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
      // What was found is asked of its level.
    }
    return found
  }

  /** @returns the questions that no kept level answers */
  #useCachedRollups(group: ScanGroup, found: Map<string, SharedScan>): ScanMember[] {
    const { source, state, dialect, members } = group
    // A file of a person's own may change without a new version.
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
      // A view, say, has no sample.
      if (isOurs || !(error instanceof AppError) || transientErrorCodes.includes(error.code)) sizes.delete(id)
    })
    return asked
  }
}

/** Tables of ours change with their versions alone; of a server's nobody says when. */
const sourceStateKey = (source: Source, { database }: ResolvedQuery): string =>
  JSON.stringify(
    source.kind === 'embedded'
      ? [source.id, source.tables.map(({ name, version }) => [name, version])]
      : [source.id, database.version, source.catalog ?? null, source.schema, source.user ?? null],
  )

/** Which rows a level holds. */
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
