import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { AppError, type Plan, type SharedPlan, type Source } from '@parquetry/model'
import {
  askSizes,
  isAnsweredBy,
  isKnownBeforehand,
  levelsToKeep,
  levelTable,
  passFrom,
  passOf,
  sharePasses,
  widened,
  type Dialect,
  type KeptLevel,
  type Shareable,
  type SharedPass,
  type Sizes,
  type SizesRow,
} from '@parquetry/query'
import { cacheKey, isKept, type Run } from '../../cache/run-cached.ts'
import { engineFor } from '../../connection/source.ts'
import type { Runners } from '../../runners/runners.ts'
import { askedOf, type Question } from '../question.ts'
import type { PlannedQuery } from '../run-query.ts'
import { SharedRun } from './shared-run.ts'
import type { Turns } from './turns.ts'

interface Member {
  key: string
  plan: Plan
  shareable: Shareable
  /** Read the table, whatever is kept. */
  force: boolean
}

/** Questions that read the same rows of one source by the same rights. */
interface Group {
  source: Source
  /** Of the source: what its tables were made of, as far as we know. */
  state: string
  dialect: Dialect
  members: Map<string, Member>
}

/** So many questions over the same rows are looked at together, what is in view first: more than a dashboard has. */
const mostTogether = 200

/** The longest that a level is waited for; then its questions are asked alone. */
const mostMs = 30_000

/** Whether the engine of a question can answer several from one level. */
export const hasLevels = ({ database }: Question): boolean => engineFor(database).dialect.supports.levels

const mayShare = ({ plan, shareable }: PlannedQuery): boolean =>
  shareable !== null && !isKnownBeforehand(shareable, engineFor({ backend: plan.source.engine }).dialect)

/** For so long a level that failed is not tried again: it may have been the machine. */
const failedMs = 600_000

/** The same of a database that lets us make none, and of what is known of tables that change without a word. */
const knownMs = failedMs

/** So many levels over the same rows are kept, the latest. */
const mostKept = 20

/** Then levels that are kept are chosen anew. */
const keptMs = 3_600_000

/** The longest that a sample of a server's table is waited for. */
const sampleMs = 3000

/** What says nothing of the statement that it befell. */
const passing = ['query_stopped', 'runner_lost', 'restarting', 'connection_failed']

/** What a server knows of levels: how large they would be, and which could not be made. By text, values and state of the source. */
interface Known {
  sizes: LRUCache<string, Promise<Sizes>>
  failed: LRUCache<string, true>
  /** States of sources whose database lets us make none. */
  unable: LRUCache<string, true>
  /** Levels that runners keep, by the rows that they hold: `rowsId`. */
  kept: LRUCache<string, readonly KeptLevel[]>
  /** What levels were looked for to be kept: the one that would answer all, as text. */
  looked: LRUCache<string, true>
}

const knownBy = new WeakMap<Runners, Known>()

function knownOf(runners: Runners): Known {
  const known = knownBy.get(runners) ?? {
    sizes: new LRUCache({ max: 500 }),
    failed: new LRUCache({ max: 500, ttl: failedMs }),
    unable: new LRUCache({ max: 500, ttl: knownMs }),
    kept: new LRUCache({ max: 200, ttl: keptMs }),
    looked: new LRUCache({ max: 500, ttl: keptMs }),
  }
  knownBy.set(runners, known)
  return known
}

/**
 * Answers the questions of one stream: those over the same rows from one level where that is faster, the others alone, as many at a
 * time as there are turns. What is kept, and what others ask at the moment, is asked for neither way.
 */
export class Together {
  readonly #runners: Runners
  readonly #turns: Turns
  readonly #levels = new Map<string, Promise<SharedRun | null>>()
  /** Filtered questions that no kept level answers, widened, by the rows of such a level. */
  readonly #uncovered = new Map<string, Group>()
  readonly #looked = Promise.withResolvers<void>()
  readonly #left: AbortSignal

  constructor(runners: Runners, turns: Turns, left: AbortSignal) {
    this.#runners = runners
    this.#turns = turns
    this.#left = left
  }

  /**
   * Looks for levels among what will be asked, as soon as all of it is planned. Until then questions wait that a level may answer, and no
   * others.
   */
  async look(asking: Promise<readonly { question: Question; planned: PlannedQuery }[]>): Promise<void> {
    try {
      for (const group of await this.#groupsOf(await asking)) {
        const levels = this.#levelsOf({ ...group, members: new Map([...group.members].slice(0, mostTogether)) })
        for (const key of group.members.keys())
          this.#levels.set(
            key,
            levels.then((found) => found.get(key) ?? null),
          )
      }
    } finally {
      this.#looked.resolve()
    }
  }

  /** For `runCached`. @param asked  whose answer is made */
  runOf(asked: Promise<PlannedQuery>): Run {
    return async (plan, signal, key) => {
      if (mayShare(await asked)) await this.#looked.promise
      const level = await this.#levels.get(key)
      const answer = await level?.answer(key, signal)
      return answer ?? this.#turns.take(() => this.#runners.run(plan, signal))
    }
  }

  async #groupsOf(asked: readonly { question: Question; planned: PlannedQuery }[]): Promise<Iterable<Group>> {
    const groups = new Map<string, Group>()
    for (const { question, planned } of asked) {
      const { plan, shareable } = planned
      if (!shareable || !mayShare(planned)) continue
      const key = cacheKey(plan, askedOf(question))
      if (await isKept(key, question.deps, askedOf(question))) continue
      const id = JSON.stringify([plan.source, question.database.version, shareable.rows])
      const { dialect } = engineFor(question.database)
      const state = stateOf(plan.source, question)
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
  async keepLevels(): Promise<void> {
    const { kept, looked, failed } = knownOf(this.#runners)
    for (const [id, group] of this.#uncovered) {
      const { state, dialect, members } = group
      const wide = [...members.values()]
      const questions = wide.map(({ shareable }) => shareable)
      const all = levelId(state, passOf(questions, [...questions.keys()], dialect).level)
      if (looked.has(all)) continue
      looked.set(all, true)
      const { signal } = new AbortController()
      const sizes = await this.#sizes(group, wide, signal).catch(() => null)
      for (const level of sizes ? levelsToKeep(questions, sizes, dialect) : []) {
        const keep = levelId(state, level.level)
        if (failed.has(keep)) continue
        const plan = planOf(group, passFrom(level, [], dialect), [])
        try {
          for await (const answer of this.#runners.runShared({ ...plan, keep }, signal)) void answer
          kept.set(id, [...(kept.get(id) ?? []), level].slice(-mostKept))
        } catch {
          // Its questions are answered as before.
          failed.set(keep, true)
        }
      }
    }
  }

  /** Never fails: without levels each question is asked alone. */
  async #levelsOf(group: Group): Promise<Map<string, SharedRun>> {
    const found = new Map<string, SharedRun>()
    if (knownOf(this.#runners).unable.has(group.state)) return found
    try {
      const left = this.#fromKept(group, found)
      if (left.length === 0) return found
      const sizes = await this.#sizes(group, left, this.#left)
      if (this.#left.aborted) return found
      const passes = sharePasses(
        left.map(({ shareable }) => shareable),
        sizes,
        group.dialect,
      )
      for (const pass of passes) this.#add(found, group, pass, left)
    } catch {
      // What was found is asked of its level.
    }
    return found
  }

  /** @returns the questions that no kept level answers */
  #fromKept(group: Group, found: Map<string, SharedRun>): Member[] {
    const { source, state, dialect, members } = group
    // A file of a person's own may change without a new version.
    const isOurs = source.kind === 'embedded' && source.tables.every(({ format }) => format === 'duckdb')
    if (!isOurs || !dialect.supports.keptLevels) return [...members.values()]
    const { kept, failed } = knownOf(this.#runners)
    const byLevel = new Map<KeptLevel, Member[]>()
    const left: Member[] = []
    for (const member of members.values()) {
      const shareable = widened(member.shareable, dialect)
      const level = kept
        .get(rowsId(state, shareable))
        ?.find((each) => !failed.has(levelId(state, each.level)) && isAnsweredBy(shareable, each, dialect))
      if (level && !member.force) byLevel.set(level, [...(byLevel.get(level) ?? []), { ...member, shareable }])
      else left.push(member)
      if (!level && shareable.filters.length > 0) {
        const id = rowsId(state, shareable)
        const others = this.#uncovered.get(id) ?? { source, state, dialect, members: new Map() }
        this.#uncovered.set(id, others)
        if (others.members.size < mostTogether) others.members.set(member.key, { ...member, shareable })
      }
    }
    for (const [level, asked] of byLevel) {
      const questions = asked.map(({ shareable }) => shareable)
      this.#add(found, group, passFrom(level, questions, dialect), asked, levelId(state, level.level))
    }
    return left
  }

  #add(found: Map<string, SharedRun>, group: Group, pass: SharedPass, members: readonly Member[], keep?: string): void {
    const asked = pass.answers.map(({ of }) => members[of] as Member)
    const { failed, unable } = knownOf(this.#runners)
    const id = levelId(group.state, pass.level)
    if (failed.has(id)) return
    const plan = planOf(group, pass, asked)
    const onFailure = (error: unknown) =>
      error instanceof AppError && error.code === 'unsupported' ? unable.set(group.state, true) : failed.set(id, true)
    const run = new SharedRun(
      keep === undefined ? plan : { ...plan, keep },
      asked.map(({ key }) => key),
      { runners: this.#runners, turns: this.#turns, onFailure },
    )
    for (const { key } of asked) found.set(key, run)
  }

  #sizes({ source, state, dialect }: Group, members: readonly Member[], signal: AbortSignal): Promise<Sizes> {
    const { statement, read } = askSizes(
      members.map(({ shareable }) => shareable),
      dialect,
    )
    const { sizes } = knownOf(this.#runners)
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
      limits: { ...limits, rows: 1, timeoutMs: isOurs ? limits.timeoutMs : Math.min(limits.timeoutMs, sampleMs) },
      guard: 'user-sql',
    }
    const asked = this.#runners.run(plan, signal).then(({ body }) => {
      const [row = {}] = JSON.parse(body.toString()) as SizesRow[]
      return read(row)
    })
    sizes.set(id, asked, isOurs ? {} : { ttl: knownMs })
    asked.catch((error: unknown) => {
      // A view, say, has no sample.
      if (isOurs || !(error instanceof AppError) || passing.includes(error.code)) sizes.delete(id)
    })
    return asked
  }
}

/** Tables of ours change with their versions alone; of a server's nobody says when. */
const stateOf = (source: Source, { database }: Question): string =>
  JSON.stringify(
    source.kind === 'embedded'
      ? [source.id, source.tables.map(({ name, version }) => [name, version])]
      : [source.id, database.version, source.catalog ?? null, source.schema, source.user ?? null],
  )

/** Which rows a level holds. */
const rowsId = (state: string, { rows }: Shareable): string => JSON.stringify([state, rows])

const levelId = (state: string, level: SharedPlan['level']): string => hash('sha256', JSON.stringify([state, level]))

function planOf({ source, members }: Group, pass: SharedPass, asked: readonly Member[]): SharedPlan {
  const [{ plan }] = [...members.values()] as [Member]
  return {
    source,
    level: pass.level,
    types: pass.types,
    table: levelTable,
    mostGroups: pass.mostGroups,
    answers: pass.answers.map(({ statement, inexact, exact }, at) => {
      const { source: _, ...rest } = (asked[at] as Member).plan
      return { plan: { ...rest, statements: [statement] }, inexact, exact }
    }),
    limits: { ...plan.limits, timeoutMs: Math.min(plan.limits.timeoutMs, mostMs) },
  }
}
