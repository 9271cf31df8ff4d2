import { LRUCache } from 'lru-cache'
import type { Plan, SharedPlan } from '@parquetry/model'
import {
  askSizes,
  isKnownBeforehand,
  levelTable,
  sharePasses,
  type Dialect,
  type Shareable,
  type Sizes,
} from '@parquetry/query'
import { cacheKey, isKept, type Run } from '../../cache/run-cached.ts'
import { engineFor } from '../../connection/source.ts'
import type { Runners } from '../../runners/runners.ts'
import { askedOf, type Question } from '../question.ts'
import type { PlannedQuery } from '../run-query.ts'
import { SharedRun } from './shared-run.ts'
import type { Turns } from './turns.ts'

type Embedded = SharedPlan['source']

interface Member {
  key: string
  plan: Plan
  shareable: Shareable
}

/** Questions that read the same rows of one source by the same rights. */
interface Group {
  source: Embedded
  dialect: Dialect
  members: Map<string, Member>
}

/** The longest that a level is waited for; then its questions are asked alone. */
const mostMs = 30_000

/** Whether the engine of a question can answer several from one level. */
export const hasLevels = ({ database }: Question): boolean => engineFor(database).dialect.supports.levels

const mayShare = (shareable: Shareable | null): shareable is Shareable =>
  shareable !== null && !isKnownBeforehand(shareable)

/** For so long a level that failed is not tried again: it may have been the machine. */
const failedMs = 600_000

/** What a server knows of levels: how large they would be, and which could not be made. By text, values and versions of tables. */
interface Known {
  sizes: LRUCache<string, Promise<Sizes>>
  failed: LRUCache<string, true>
}

const knownBy = new WeakMap<Runners, Known>()

function knownOf(runners: Runners): Known {
  const known = knownBy.get(runners) ?? {
    sizes: new LRUCache({ max: 500 }),
    failed: new LRUCache({ max: 500, ttl: failedMs }),
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
        const levels = this.#levelsOf(group)
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
      const { shareable } = await asked
      if (mayShare(shareable)) await this.#looked.promise
      const level = await this.#levels.get(key)
      const answer = await level?.answer(key, signal)
      return answer ?? this.#turns.take(() => this.#runners.run(plan, signal))
    }
  }

  async #groupsOf(asked: readonly { question: Question; planned: PlannedQuery }[]): Promise<Iterable<Group>> {
    const groups = new Map<string, Group>()
    for (const { question, planned } of asked) {
      const { plan, shareable } = planned
      if (!mayShare(shareable) || plan.source.kind !== 'embedded') continue
      const key = cacheKey(plan, askedOf(question))
      if (await isKept(key, question.deps, askedOf(question))) continue
      const id = JSON.stringify([plan.source, question.database.version, shareable.rows])
      const { dialect } = engineFor(question.database)
      const group = groups.get(id) ?? { source: plan.source, dialect, members: new Map() }
      groups.set(id, group)
      group.members.set(key, { key, plan, shareable })
    }
    return groups.values()
  }

  /** Never fails: without levels each question is asked alone. */
  async #levelsOf(group: Group): Promise<Map<string, SharedRun>> {
    const found = new Map<string, SharedRun>()
    const members = [...group.members.values()]
    try {
      const questions = members.map(({ shareable }) => shareable)
      const sizes = await this.#sizes(group, members)
      for (const pass of sharePasses(questions, sizes, group.dialect)) {
        const asked = pass.answers.map(({ of }) => members[of] as Member)
        const { failed } = knownOf(this.#runners)
        const id = JSON.stringify([versionOf(group.source), pass.level])
        if (failed.has(id)) continue
        const { limits } = asked[0]!.plan
        const plan: SharedPlan = {
          source: group.source,
          level: pass.level,
          table: levelTable,
          mostGroups: pass.mostGroups,
          answers: pass.answers.map(({ statement, inexact, exact }, at) => {
            const { source: _, ...rest } = (asked[at] as Member).plan
            return { plan: { ...rest, statements: [statement] }, inexact, exact }
          }),
          limits: { ...limits, timeoutMs: Math.min(limits.timeoutMs, mostMs) },
        }
        const run = new SharedRun(
          plan,
          asked.map(({ key }) => key),
          { runners: this.#runners, turns: this.#turns, onFailure: () => failed.set(id, true) },
        )
        for (const { key } of asked) found.set(key, run)
      }
    } catch {
      return new Map()
    }
    return found
  }

  #sizes({ source, dialect }: Group, members: readonly Member[]): Promise<Sizes> {
    const { statement, read } = askSizes(
      members.map(({ shareable }) => shareable),
      dialect,
    )
    const { sizes } = knownOf(this.#runners)
    const id = JSON.stringify([versionOf(source), statement])
    const known = sizes.get(id)
    if (known) return known
    const { limits } = members[0]!.plan
    const plan: Plan = {
      source,
      statements: [statement],
      joins: [],
      steps: [],
      columns: [],
      encode: { as: 'rows', times: 'ms' },
      limits: { ...limits, rows: 1 },
      guard: 'user-sql',
    }
    const asked = this.#runners.run(plan, this.#left).then(({ body }) => {
      const [row = {}] = JSON.parse(body.toString()) as Record<string, number | null>[]
      return read(row)
    })
    sizes.set(id, asked)
    asked.catch(() => sizes.delete(id))
    return asked
  }
}

const versionOf = ({ id, tables }: Embedded) => [id, tables.map(({ name, version }) => [name, version])]
