import { hash } from 'node:crypto'
import { framesType } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../access/principal.ts'
import type { CachedRun } from '../cache/run-cached.ts'
import { encoded, encodingFor, isWorthIt } from '../http/compress.ts'
import { changesOf } from '../store/kept-reads.ts'
import type { ChartDeps } from './deps.ts'
import { prepareQuestion } from './prepare-question.ts'
import type { Question } from './question.ts'
import { holdsTemplates } from './render-question.ts'
import type { PlannedQuery } from './run-query.ts'

/** The answer to a call as it goes out, compressed where it is. */
export interface FinishedAnswer {
  type: string
  encoding: string | null
  body: Buffer
}

interface Kept extends FinishedAnswer {
  /** What decided it, see `decidedBy`. */
  decidedBy: string
  /** The answers to its plans: it is kept as long as they are, and they are the same. Their bytes are the cache's to let go. */
  runs: readonly Pick<CachedRun, 'key' | 'header'>[]
  /** Instant from which on it would be another one. */
  until: number
}

/** One way to ask for an answer: the bytes of the question, and how the answer is wanted. */
export interface Asking {
  key: string
  frames: boolean
  encoding: string | null
  /** Of the store, as the call came. */
  changes: number | undefined
}

const longestQuestion = 64 << 10
const mostVariants = 16
const mostOfPrincipal = 500

/** SQL that reads the clock, or has another value each time: what holds it is found by its plan. A name too many costs only time. */
const readsClock = new RegExp(
  [
    String.raw`\b(now|today|yesterday|tomorrow|now64|nowinblock|timeofday|sysdate|systimestamp|curdate|curtime)\b`,
    String.raw`\b(sys(utc)?datetime(offset)?|get(utc)?date|unix_timestamp|utc_(date|time|timestamp))\b`,
    String.raw`\b(current|local|clock|statement|transaction)_?(local)?(date|time|timestamp|datetime)\b`,
    String.raw`\bget_current_\w+`,
    String.raw`\b(age|rand|random|rand32|rand64|randomblob|newid|uuid\w*|gen_random_uuid|generateuuid\w*|nextval)\s*\(`,
    String.raw`\b(date|time|datetime|julianday|unixepoch|unix_timestamp|strftime)\s*\(\s*\)`,
  ].join('|'),
  'i',
)

/**
 * Answers of charts that are kept as they went out: a call for the same bytes is answered without planning, asking or compressing
 * again. Rights are checked as if nothing was kept, once for each principal that was read and each change of the store: within that
 * the same question of the same principal has the same answer, so that it is not even read.
 *
 * Not kept: what templates or layers of annotations decide, what reads the clock in SQL, and whatever no cache holds.
 */
export class FinishedAnswers {
  #deps: ChartDeps
  #answers: LRUCache<string, readonly Kept[]>
  /** Which answer a principal got to what he asked, as long as he is the same and nothing was written. */
  #known = new WeakMap<Principal, { changes: number; decidedBy: Map<string, string> }>()

  constructor(deps: ChartDeps, maxBytes = 32 << 20) {
    this.#deps = deps
    this.#answers = new LRUCache<string, readonly Kept[]>({
      maxSize: maxBytes,
      sizeCalculation: (variants) => variants.reduce((all, { body }) => all + body.byteLength + 1024, 256),
    })
  }

  /** @returns null for a question that is too long to be looked for */
  asking({ headers }: Pick<FastifyRequest, 'headers'>, text: string): Asking | null {
    if (text.length > longestQuestion) return null
    const frames = headers.accept === framesType
    const encoding = encodingFor(headers['accept-encoding'])
    const key = `${frames ? 'frames' : 'json'} ${encoding} ${hash('sha256', text, 'base64')}`
    return { key, frames, encoding, changes: changesOf(this.#deps.db) }
  }

  /** What the principal was answered a moment ago, where nothing can have changed since. */
  async again(principal: Principal, { key, changes }: Asking): Promise<FinishedAnswer | undefined> {
    const known = this.#known.get(principal)
    if (known === undefined || known.changes !== changes) return undefined
    const decidedBy = known.decidedBy.get(key)
    return decidedBy === undefined ? undefined : this.#find(key, decidedBy)
  }

  /**
   * As it was finished before, or made and finished now.
   * @param make  the answer to the question, which tells `answeredBy`
   */
  async answer(
    question: Question,
    asking: Asking,
    signal: AbortSignal,
    make: (question: Question) => Promise<Buffer>,
  ): Promise<FinishedAnswer & { isFound: boolean }> {
    const found = await this.#foundFor(question, asking, signal)
    if (found) return { ...found, isFound: true }
    const watched = { ...question, answeredBy: [] }
    return { ...(await this.#finish(watched, asking, await make(watched))), isFound: false }
  }

  /**
   * What was answered to whoever asked the same with the same rights, rules and data. Everything is judged before it is looked for.
   * @throws AppError as `prepareQuestion`
   */
  async #foundFor(question: Question, asking: Asking, signal: AbortSignal): Promise<FinishedAnswer | undefined> {
    if (question.context.force === true || !this.#answers.has(asking.key) || !isPlain(question)) return undefined
    const prepared = await Promise.all(
      question.context.queries.map((query) => prepareQuestion(question, query, signal)),
    )
    const decidedBy = decidedByOf(
      question,
      prepared.map((each) => each.question),
    )
    const found = await this.#find(asking.key, decidedBy)
    if (found) this.#know(question.principal, asking, decidedBy)
    return found
  }

  /**
   * The answer as it goes out; kept, if it may be.
   * @param question  whose `answeredBy` says what it was made of
   */
  async #finish(question: Question, asking: Asking, body: Buffer): Promise<FinishedAnswer> {
    const encoding = isWorthIt(body) ? asking.encoding : null
    const type = asking.frames ? framesType : 'application/json; charset=utf-8'
    const finished = { type, encoding, body: await encoded(body, encoding) }
    const parts = question.answeredBy ?? []
    const now = this.#deps.now().getTime()
    const until = parts.length === question.context.queries.length && isPlain(question) ? untilOf(parts, now) : now
    if (until <= now) return finished
    const decidedBy = decidedByOf(
      question,
      parts.map(({ planned }) => planned.prepared),
    )
    const runs = parts.map(({ run: { key, header } }) => ({ key, header }))
    const others = (this.#answers.peek(asking.key) ?? []).filter(
      (other) => other.decidedBy !== decidedBy && other.until > now,
    )
    this.#answers.set(asking.key, [{ ...finished, decidedBy, runs, until }, ...others.slice(0, mostVariants - 1)])
    this.#know(question.principal, asking, decidedBy)
    return finished
  }

  async #find(key: string, decidedBy: string): Promise<FinishedAnswer | undefined> {
    const found = this.#answers.get(key)?.find((each) => each.decidedBy === decidedBy)
    if (!found || found.until <= this.#deps.now().getTime()) return undefined
    for (const { key: run, header } of found.runs) if (!(await this.#deps.cache.holds(run, header))) return undefined
    return found
  }

  #know(principal: Principal, { key, changes }: Asking, decidedBy: string): void {
    if (changes === undefined) return
    let known = this.#known.get(principal)
    if (known?.changes !== changes || known.decidedBy.size >= mostOfPrincipal) {
      known = { changes, decidedBy: new Map() }
      this.#known.set(principal, known)
    }
    known.decidedBy.set(key, decidedBy)
  }
}

/** What templates decide may hang on whoever asks, and what layers show is the data of others. */
const isPlain = (question: Question): boolean =>
  question.context.queries.every(
    (query) => (query.annotation_layers?.length ?? 0) === 0 && !holdsTemplates(question, query),
  )

/**
 * All that decides an answer beside the bytes of its question and the clock: the data and its version, the connection, the dataset
 * with what of it may be asked, the row rules.
 */
function decidedByOf(
  { source, database, cacheTimeout }: Question,
  prepared: readonly Pick<Question, 'dataset' | 'rowRules'>[],
): string {
  // It says whose turn it is, and decides nothing of an answer.
  const { asker: _, ...asked } = source
  const datasets = prepared.map(({ dataset, rowRules }) => JSON.stringify([textOf(dataset), rowRules])).toSorted()
  const place = [database.uuid, database.version, database.backend, asked]
  return hash('sha256', JSON.stringify([place, cacheTimeout, datasets]), 'base64')
}

/** Puts an answer on its way; whole bodies that are not compressed yet are so on it. */
export function sendFinished(reply: FastifyReply, { type, encoding, body }: FinishedAnswer): FastifyReply {
  if (encoding !== null) reply.header('Vary', 'Accept-Encoding').header('Content-Encoding', encoding)
  return reply.type(type).send(body)
}

const texts = new WeakMap<object, string>()

/** A dataset is the same object for many questions. */
function textOf(dataset: object): string {
  const known = texts.get(dataset)
  if (known !== undefined) return known
  const text = hash('sha256', JSON.stringify(dataset), 'base64')
  texts.set(dataset, text)
  return text
}

/** Ends of these times are looked at: whole ones on every clock of the world. */
const stretches = [900_000, 60_000, 1000]

/**
 * How long its plans stay the same: to the end of the longest stretch of time at whose end they still are. Ranges only move on with the
 * clock, so they do not move between.
 */
function untilOf(parts: readonly { planned: PlannedQuery; run: CachedRun }[], now: number): number {
  const isKept = parts.every(
    ({ planned, run }) => run.isCached && !planned.plan.statements.some(({ text }) => readsClock.test(text)),
  )
  if (!isKept) return now
  const ends = stretches.map((ms) => (Math.floor(now / ms) + 1) * ms)
  return ends.find((end) => parts.every(({ planned }) => isSameAt(planned, new Date(end - 1)))) ?? now
}

function isSameAt(planned: PlannedQuery, then: Date): boolean {
  const { plan, applied_filters, rejected_filters, from_dttm, to_dttm, ends_at, queryText } = planned
  const other = planned.plannedAt(then)
  return (
    queryText === other.queryText &&
    JSON.stringify([plan.statements, plan.steps, plan.joins, from_dttm, to_dttm, ends_at]) ===
      JSON.stringify([
        other.plan.statements,
        other.plan.steps,
        other.plan.joins,
        other.from_dttm,
        other.to_dttm,
        other.ends_at,
      ]) &&
    JSON.stringify([applied_filters, rejected_filters]) ===
      JSON.stringify([other.applied_filters, other.rejected_filters])
  )
}
