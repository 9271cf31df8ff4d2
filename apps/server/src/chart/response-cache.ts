import { hash } from 'node:crypto'
import { framesType } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../access/principal.ts'
import type { CachedRun } from '../cache/run-cached.ts'
import { compressBytes, selectEncoding, isWorthCompressing } from '../http/compress.ts'
import { changeCountOf } from '../store/changes.ts'
import type { ChartDeps } from './deps.ts'
import { prepareQuery } from './prepare-query.ts'
import type { ResolvedQuery } from './resolved-query.ts'
import { holdsTemplates } from './render-query.ts'
import type { PlannedQuery } from './run-query.ts'

/** Response to a call as sent, compressed where worthwhile. */
export interface EncodedResponse {
  type: string
  encoding: string | null
  body: Buffer
}

interface CachedResponse extends EncodedResponse {
  /** Hash of its inputs, see `computeFingerprint`. */
  fingerprint: string
  /**
   * Results of its plans: the response is valid only while the same results are cached. The cache decides when to evict their
   * bytes.
   */
  runs: readonly Pick<CachedRun, 'key' | 'header'>[]
  /** Time from which the response would differ. */
  until: number
}

/** Identity of a request: its bytes, and the requested format and encoding. */
export interface DataRequest {
  key: string
  frames: boolean
  encoding: string | null
  /** Change counter of the store when the request arrived. */
  changes: number | undefined
}

const maxQueryBytes = 64 << 10
const maxVariants = 16
const maxPerPrincipal = 500

/**
 * Matches SQL that reads the clock or yields another value each time; such results are found only through their plan. A false
 * match costs only time.
 */
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
 * Caches chart responses as sent: a request with the same bytes is answered without planning, querying or compressing again.
 * Permissions are checked as if nothing were cached, once per loaded principal and change of the store; until then, an equal
 * request of the same principal has the same response and is not even parsed.
 *
 * Not cached: responses that depend on templates or annotation layers, SQL that reads the clock, and results that are not in the
 * cache.
 */
export class ResponseCache {
  #deps: ChartDeps
  #responses: LRUCache<string, readonly CachedResponse[]>
  /** Hash of inputs by request, for each principal while it is not reloaded and the store is unchanged. */
  #fingerprints = new WeakMap<Principal, { changes: number; decidedBy: Map<string, string> }>()

  constructor(deps: ChartDeps, maxBytes = 32 << 20) {
    this.#deps = deps
    this.#responses = new LRUCache<string, readonly CachedResponse[]>({
      maxSize: maxBytes,
      sizeCalculation: (variants) => variants.reduce((all, { body }) => all + body.byteLength + 1024, 256),
    })
  }

  /** @returns null for a request that is too long to be cached */
  toRequest({ headers }: Pick<FastifyRequest, 'headers'>, text: string): DataRequest | null {
    if (text.length > maxQueryBytes) return null
    const frames = headers.accept === framesType
    const encoding = selectEncoding(headers['accept-encoding'])
    const key = `${frames ? 'frames' : 'json'} ${encoding} ${hash('sha256', text, 'base64')}`
    return { key, frames, encoding, changes: changeCountOf(this.#deps.db) }
  }

  /** Returns the previous response to the principal, if nothing can have changed since. */
  async findRepeated(principal: Principal, { key, changes }: DataRequest): Promise<EncodedResponse | undefined> {
    const entry = this.#fingerprints.get(principal)
    if (entry === undefined || entry.changes !== changes) return undefined
    const fingerprint = entry.decidedBy.get(key)
    return fingerprint === undefined ? undefined : this.#find(key, fingerprint)
  }

  /**
   * Returns the finished response if it is cached, otherwise creates it.
   * @param build  computes the response and records `recordedRuns`
   */
  async getOrBuild(
    resolved: ResolvedQuery,
    request: DataRequest,
    signal: AbortSignal,
    build: (resolved: ResolvedQuery) => Promise<Buffer>,
  ): Promise<EncodedResponse & { isHit: boolean }> {
    const found = await this.#findAuthorized(resolved, request, signal)
    if (found) return { ...found, isHit: true }
    const recording = { ...resolved, recordedRuns: [] }
    return { ...(await this.#encodeAndStore(recording, request, await build(recording))), isHit: false }
  }

  /**
   * Returns the response to an equal request with the same permissions, rules and data. All checks run before the look-up.
   * @throws AppError as `prepareQuery`
   */
  async #findAuthorized(
    resolved: ResolvedQuery,
    request: DataRequest,
    signal: AbortSignal,
  ): Promise<EncodedResponse | undefined> {
    if (resolved.context.force === true || !this.#responses.has(request.key) || !isCacheable(resolved)) return undefined
    const prepared = await Promise.all(resolved.context.queries.map((query) => prepareQuery(resolved, query, signal)))
    const fingerprint = computeFingerprint(
      resolved,
      prepared.map((each) => each.resolved),
    )
    const found = await this.#find(request.key, fingerprint)
    if (found) this.#remember(resolved.principal, request, fingerprint)
    return found
  }

  /**
   * Returns the response as sent, and caches it if allowed.
   * @param resolved  with `recordedRuns`, which lists the results used
   */
  async #encodeAndStore(resolved: ResolvedQuery, request: DataRequest, body: Buffer): Promise<EncodedResponse> {
    const encoding = isWorthCompressing(body) ? request.encoding : null
    const type = request.frames ? framesType : 'application/json; charset=utf-8'
    const response = { type, encoding, body: await compressBytes(body, encoding) }
    const parts = resolved.recordedRuns ?? []
    const now = this.#deps.now().getTime()
    const until =
      parts.length === resolved.context.queries.length && isCacheable(resolved) ? computeExpiry(parts, now) : now
    if (until <= now) return response
    const fingerprint = computeFingerprint(
      resolved,
      parts.map(({ planned }) => planned.prepared),
    )
    const runs = parts.map(({ run: { key, header } }) => ({ key, header }))
    const others = (this.#responses.peek(request.key) ?? []).filter(
      (other) => other.fingerprint !== fingerprint && other.until > now,
    )
    this.#responses.set(request.key, [
      { ...response, fingerprint: fingerprint, runs, until },
      ...others.slice(0, maxVariants - 1),
    ])
    this.#remember(resolved.principal, request, fingerprint)
    return response
  }

  async #find(key: string, fingerprint: string): Promise<EncodedResponse | undefined> {
    const found = this.#responses.get(key)?.find((each) => each.fingerprint === fingerprint)
    if (!found || found.until <= this.#deps.now().getTime()) return undefined
    for (const { key: run, header } of found.runs)
      if (!(await this.#deps.cache.holdsEntry(run, header))) return undefined
    return found
  }

  #remember(principal: Principal, { key, changes }: DataRequest, fingerprint: string): void {
    if (changes === undefined) return
    let entry = this.#fingerprints.get(principal)
    if (entry?.changes !== changes || entry.decidedBy.size >= maxPerPrincipal) {
      entry = { changes, decidedBy: new Map() }
      this.#fingerprints.set(principal, entry)
    }
    entry.decidedBy.set(key, fingerprint)
  }
}

/** Templates may depend on the requester, and annotation layers contain other data. */
const isCacheable = (resolved: ResolvedQuery): boolean =>
  resolved.context.queries.every(
    (query) => (query.annotation_layers?.length ?? 0) === 0 && !holdsTemplates(resolved, query),
  )

/**
 * Hashes everything that determines a response besides the request and the clock: the data and its version, the connection, the
 * permitted parts of the dataset, and the row-level security rules.
 */
function computeFingerprint(
  { source, database, cacheTimeout }: ResolvedQuery,
  prepared: readonly Pick<ResolvedQuery, 'dataset' | 'rlsRules'>[],
): string {
  // `requester` identifies the user for fair queueing and does not affect the response.
  const { requester: _, ...sourceSettings } = source
  const datasets = prepared.map(({ dataset, rlsRules }) => JSON.stringify([hashDataset(dataset), rlsRules])).toSorted()
  const databaseKey = [database.uuid, database.version, database.backend, sourceSettings]
  return hash('sha256', JSON.stringify([databaseKey, cacheTimeout, datasets]), 'base64')
}

/** Sends a response that is already compressed where worthwhile. */
export function sendEncoded(reply: FastifyReply, { type, encoding, body }: EncodedResponse): FastifyReply {
  if (encoding !== null) reply.header('Vary', 'Accept-Encoding').header('Content-Encoding', encoding)
  return reply.type(type).send(body)
}

const texts = new WeakMap<object, string>()

/** Many queries share the same dataset object. */
function hashDataset(dataset: object): string {
  const cached = texts.get(dataset)
  if (cached !== undefined) return cached
  const text = hash('sha256', JSON.stringify(dataset), 'base64')
  texts.set(dataset, text)
  return text
}

/** Periods in ms that are checked; they end at round times in every time zone. */
const expirySteps = [900_000, 60_000, 1000]

/**
 * Returns how long the plans stay the same: to the end of the longest period at whose end they are unchanged. Ranges only move
 * forward with the clock, so they do not change in between.
 */
function computeExpiry(parts: readonly { planned: PlannedQuery; run: CachedRun }[], now: number): number {
  const isStable = parts.every(
    ({ planned, run }) => run.isCached && !planned.plan.statements.some(({ text }) => readsClock.test(text)),
  )
  if (!isStable) return now
  const candidates = expirySteps.map((ms) => (Math.floor(now / ms) + 1) * ms)
  return candidates.find((end) => parts.every(({ planned }) => isSameAt(planned, new Date(end - 1)))) ?? now
}

function isSameAt(planned: PlannedQuery, time: Date): boolean {
  const { plan, applied_filters, rejected_filters, from_dttm, to_dttm, ends_at, queryText } = planned
  const other = planned.planAt(time)
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
