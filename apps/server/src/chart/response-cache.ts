import { hash } from 'node:crypto'
import { framesType } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../access/principal.ts'
import type { CachedRun } from '../cache/run-cached.ts'
import { compressBytes, selectEncoding, isWorthCompressing } from '../http/compress.ts'
import { changeCountOf } from '../store/read-cache.ts'
import type { ChartDeps } from './deps.ts'
import { prepareQuery } from './prepare-query.ts'
import type { ResolvedQuery } from './resolved-query.ts'
import { holdsTemplates } from './render-query.ts'
import type { PlannedQuery } from './run-query.ts'

/** The answer to a call as it goes out, compressed where it is. */
export interface EncodedResponse {
  type: string
  encoding: string | null
  body: Buffer
}

interface CachedResponse extends EncodedResponse {
  /** What decided it, see `decidedBy`. */
  fingerprint: string
  /** The answers to its plans: it is kept as long as they are, and they are the same. Their bytes are the cache's to let go. */
  runs: readonly Pick<CachedRun, 'key' | 'header'>[]
  /** Instant from which on it would be another one. */
  until: number
}

/** One way to ask for an answer: the bytes of the question, and how the answer is wanted. */
export interface DataRequest {
  key: string
  frames: boolean
  encoding: string | null
  /** Of the store, as the call came. */
  changes: number | undefined
}

const maxQueryBytes = 64 << 10
const maxVariants = 16
const maxPerPrincipal = 500

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
export class ResponseCache {
  #deps: ChartDeps
  #responses: LRUCache<string, readonly CachedResponse[]>
  /** Which answer a principal got to what he asked, as long as he is the same and nothing was written. */
  #known = new WeakMap<Principal, { changes: number; decidedBy: Map<string, string> }>()

  constructor(deps: ChartDeps, maxBytes = 32 << 20) {
    this.#deps = deps
    this.#responses = new LRUCache<string, readonly CachedResponse[]>({
      maxSize: maxBytes,
      sizeCalculation: (variants) => variants.reduce((all, { body }) => all + body.byteLength + 1024, 256),
    })
  }

  /** @returns null for a question that is too long to be looked for */
  toRequest({ headers }: Pick<FastifyRequest, 'headers'>, text: string): DataRequest | null {
    if (text.length > maxQueryBytes) return null
    const frames = headers.accept === framesType
    const encoding = selectEncoding(headers['accept-encoding'])
    const key = `${frames ? 'frames' : 'json'} ${encoding} ${hash('sha256', text, 'base64')}`
    return { key, frames, encoding, changes: changeCountOf(this.#deps.db) }
  }

  /** What the principal was answered a moment ago, where nothing can have changed since. */
  async findRepeated(principal: Principal, { key, changes }: DataRequest): Promise<EncodedResponse | undefined> {
    const known = this.#known.get(principal)
    if (known === undefined || known.changes !== changes) return undefined
    const decidedBy = known.decidedBy.get(key)
    return decidedBy === undefined ? undefined : this.#find(key, decidedBy)
  }

  /**
   * As it was finished before, or made and finished now.
   * @param make  the answer to the question, which tells `answeredBy`
   */
  async getOrBuild(
    question: ResolvedQuery,
    asking: DataRequest,
    signal: AbortSignal,
    make: (question: ResolvedQuery) => Promise<Buffer>,
  ): Promise<EncodedResponse & { isHit: boolean }> {
    const found = await this.#findAuthorized(question, asking, signal)
    if (found) return { ...found, isHit: true }
    const watched = { ...question, recordedRuns: [] }
    return { ...(await this.#encodeAndStore(watched, asking, await make(watched))), isHit: false }
  }

  /**
   * What was answered to whoever asked the same with the same rights, rules and data. Everything is judged before it is looked for.
   * @throws AppError as `prepareQuestion`
   */
  async #findAuthorized(
    question: ResolvedQuery,
    asking: DataRequest,
    signal: AbortSignal,
  ): Promise<EncodedResponse | undefined> {
    if (question.context.force === true || !this.#responses.has(asking.key) || !isCacheable(question)) return undefined
    const prepared = await Promise.all(question.context.queries.map((query) => prepareQuery(question, query, signal)))
    const decidedBy = computeFingerprint(
      question,
      prepared.map((each) => each.question),
    )
    const found = await this.#find(asking.key, decidedBy)
    if (found) this.#remember(question.principal, asking, decidedBy)
    return found
  }

  /**
   * The answer as it goes out; kept, if it may be.
   * @param question  whose `answeredBy` says what it was made of
   */
  async #encodeAndStore(question: ResolvedQuery, asking: DataRequest, body: Buffer): Promise<EncodedResponse> {
    const encoding = isWorthCompressing(body) ? asking.encoding : null
    const type = asking.frames ? framesType : 'application/json; charset=utf-8'
    const finished = { type, encoding, body: await compressBytes(body, encoding) }
    const parts = question.recordedRuns ?? []
    const now = this.#deps.now().getTime()
    const until =
      parts.length === question.context.queries.length && isCacheable(question) ? computeExpiry(parts, now) : now
    if (until <= now) return finished
    const decidedBy = computeFingerprint(
      question,
      parts.map(({ planned }) => planned.prepared),
    )
    const runs = parts.map(({ run: { key, header } }) => ({ key, header }))
    const others = (this.#responses.peek(asking.key) ?? []).filter(
      (other) => other.fingerprint !== decidedBy && other.until > now,
    )
    this.#responses.set(asking.key, [
      { ...finished, fingerprint: decidedBy, runs, until },
      ...others.slice(0, maxVariants - 1),
    ])
    this.#remember(question.principal, asking, decidedBy)
    return finished
  }

  async #find(key: string, decidedBy: string): Promise<EncodedResponse | undefined> {
    const found = this.#responses.get(key)?.find((each) => each.fingerprint === decidedBy)
    if (!found || found.until <= this.#deps.now().getTime()) return undefined
    for (const { key: run, header } of found.runs)
      if (!(await this.#deps.cache.holdsEntry(run, header))) return undefined
    return found
  }

  #remember(principal: Principal, { key, changes }: DataRequest, decidedBy: string): void {
    if (changes === undefined) return
    let known = this.#known.get(principal)
    if (known?.changes !== changes || known.decidedBy.size >= maxPerPrincipal) {
      known = { changes, decidedBy: new Map() }
      this.#known.set(principal, known)
    }
    known.decidedBy.set(key, decidedBy)
  }
}

/** What templates decide may hang on whoever asks, and what layers show is the data of others. */
const isCacheable = (question: ResolvedQuery): boolean =>
  question.context.queries.every(
    (query) => (query.annotation_layers?.length ?? 0) === 0 && !holdsTemplates(question, query),
  )

/**
 * All that decides an answer beside the bytes of its question and the clock: the data and its version, the connection, the dataset
 * with what of it may be asked, the row rules.
 */
function computeFingerprint(
  { source, database, cacheTimeout }: ResolvedQuery,
  prepared: readonly Pick<ResolvedQuery, 'dataset' | 'rlsRules'>[],
): string {
  // It says whose turn it is, and decides nothing of an answer.
  const { asker: _, ...asked } = source
  const datasets = prepared.map(({ dataset, rlsRules }) => JSON.stringify([hashDataset(dataset), rlsRules])).toSorted()
  const place = [database.uuid, database.version, database.backend, asked]
  return hash('sha256', JSON.stringify([place, cacheTimeout, datasets]), 'base64')
}

/** Puts an answer on its way; whole bodies that are not compressed yet are so on it. */
export function sendEncoded(reply: FastifyReply, { type, encoding, body }: EncodedResponse): FastifyReply {
  if (encoding !== null) reply.header('Vary', 'Accept-Encoding').header('Content-Encoding', encoding)
  return reply.type(type).send(body)
}

const texts = new WeakMap<object, string>()

/** A dataset is the same object for many questions. */
function hashDataset(dataset: object): string {
  const known = texts.get(dataset)
  if (known !== undefined) return known
  const text = hash('sha256', JSON.stringify(dataset), 'base64')
  texts.set(dataset, text)
  return text
}

/** Ends of these times are looked at: whole ones on every clock of the world. */
const expirySteps = [900_000, 60_000, 1000]

/**
 * How long its plans stay the same: to the end of the longest stretch of time at whose end they still are. Ranges only move on with the
 * clock, so they do not move between.
 */
function computeExpiry(parts: readonly { planned: PlannedQuery; run: CachedRun }[], now: number): number {
  const isKept = parts.every(
    ({ planned, run }) => run.isCached && !planned.plan.statements.some(({ text }) => readsClock.test(text)),
  )
  if (!isKept) return now
  const ends = expirySteps.map((ms) => (Math.floor(now / ms) + 1) * ms)
  return ends.find((end) => parts.every(({ planned }) => isSameAt(planned, new Date(end - 1)))) ?? now
}

function isSameAt(planned: PlannedQuery, then: Date): boolean {
  const { plan, applied_filters, rejected_filters, from_dttm, to_dttm, ends_at, queryText } = planned
  const other = planned.planAt(then)
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
