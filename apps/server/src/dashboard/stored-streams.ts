import { hash } from 'node:crypto'
import { collectExtraFormData, type DashboardDataRequest, framesType } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Principal } from '../access/principal.ts'
import type { RepeatableRequest, ResponsePlace, StoredResponse } from '../cache/response-store.ts'
import type { ChartDeps } from '../chart/deps.ts'
import { computeExpiry, isStorable } from '../chart/response-validity.ts'
import type { ResolvedQuery } from '../chart/resolved-query.ts'
import { compressBytes, encodings, isWorthCompressing, selectEncoding } from '../http/compress.ts'
import { changeCountOf } from '../store/changes.ts'
import type { DashboardSignature, OpenDashboard } from './open-dashboard.ts'
import type { RefreshInterval } from './refresh-intervals.ts'

/** A request for the data of a dashboard whose answer may be stored. */
export interface StreamRequest extends RepeatableRequest {
  changes: number
  encoding: string | null
}

/** The request for a dashboard's data, with everything that its answer depends on besides results and the clock. */
export interface StreamQuestion {
  dashboard: OpenDashboard
  signature: DashboardSignature
  body: DashboardDataRequest
  /** The principal may change the dashboard. Only for a body with `form_data`, which others may not send. */
  canEdit: boolean
  /** Interval of a timed refresh; the answer is valid until it ends. */
  interval?: RefreshInterval | undefined
}

export type FoundStream = StoredResponse & { dashboardId: number }

const maxRequestBytes = 64 << 10
/** Longer answers are not stored. */
const maxStreamBytes = 4 << 20
/** Answers that are valid for a shorter time are not stored. */
const minValidMs = 1000
/** Time until an answer that could not be stored is tried again, since finding that out means planning its queries again. */
const retryMs = 60_000

/**
 * Stores the answers of dashboards as sent, for all principals with the same signature: a dashboard whose results are all cached is
 * sent without planning its queries. Not stored: answers to guests, and answers that contain an error or a result that is not
 * cached, or depend on templates, annotation layers or SQL that reads the clock.
 */
export class StoredStreams {
  readonly #deps: ChartDeps
  /** Keys of places whose answer is being stored. */
  readonly #pending = new Set<string>()
  /** Keys of places whose answers cannot be stored. */
  readonly #unstorable = new LRUCache<string, true>({ max: 1000, ttl: retryMs })

  constructor(deps: ChartDeps) {
    this.#deps = deps
  }

  /** @returns null when the answer to this request is never stored */
  toRequest(
    { headers }: Pick<FastifyRequest, 'headers'>,
    principal: Principal,
    idOrSlug: string,
    text: string,
  ): StreamRequest | null {
    const changes = changeCountOf(this.#deps.db)
    if (principal.kind === 'guest' || changes === undefined || text.length > maxRequestBytes) return null
    const encoding = selectEncoding(headers['accept-encoding'])
    return { key: `${idOrSlug} ${encoding} ${hash('sha256', text, 'base64')}`, encoding, changes }
  }

  /** Returns the answer that the principal got to the same request, if nothing can have changed since. */
  async findRepeated(principal: Principal, request: StreamRequest): Promise<FoundStream | undefined> {
    const place = this.#deps.responses.findPlace(principal, request)
    return place && this.#find(place)
  }

  /** Returns the answer to an equal request of a principal with the same signature. */
  async find(principal: Principal, request: StreamRequest, question: StreamQuestion): Promise<FoundStream | undefined> {
    if (!mayBeStored(question)) return undefined
    const place = createPlace(question, request.encoding)
    const found = await this.#find(place)
    if (found) this.#deps.responses.remember(principal, request, place)
    return found
  }

  /** Tests if the answer to a request is stored in any encoding. */
  async has(question: StreamQuestion): Promise<boolean> {
    if (!mayBeStored(question)) return false
    for (const encoding of [...encodings, null])
      if (await this.#deps.responses.holds(createPlace(question, encoding))) return true
    return false
  }

  /** Records an answer while it is sent, and stores it afterwards. */
  record(request: StreamRequest, question: StreamQuestion): StreamRecorder | undefined {
    const place = createPlace(question, request.encoding)
    if (!mayBeStored(question) || this.#pending.has(place.key) || this.#unstorable.has(place.key)) return undefined
    const startedAt = this.#deps.now().getTime()
    return new StreamRecorder((answer, charts) => {
      if (this.#pending.has(place.key)) return
      this.#pending.add(place.key)
      this.#store(place, request, { answer, charts, startedAt, end: question.interval?.end })
        .catch((error: unknown) => this.#deps.log.error({ err: error }, 'could not store the answer of a dashboard'))
        .finally(() => this.#pending.delete(place.key))
    })
  }

  async #find(place: ResponsePlace): Promise<FoundStream | undefined> {
    const found = await this.#deps.responses.find(place)
    return found && { ...found, dashboardId: place.dashboardId ?? 0 }
  }

  async #store(
    place: ResponsePlace,
    request: StreamRequest,
    {
      answer,
      charts,
      startedAt,
      end,
    }: { answer: Buffer; charts: readonly ResolvedQuery[]; startedAt: number; end: number | undefined },
  ): Promise<void> {
    const parts = charts.flatMap(({ recordedRuns }) => recordedRuns ?? [])
    const areStorable = (await Promise.all(charts.map(isStorable))).every(Boolean)
    const until = areStorable ? (end ?? (await computeExpiry(parts, startedAt))) : startedAt
    if (!areStorable || until - startedAt <= minValidMs) {
      this.#unstorable.set(place.key, true)
      return
    }
    const encoding = isWorthCompressing(answer) ? request.encoding : null
    const body = await compressBytes(answer, encoding)
    // The signature and the answer are of the same state only if there was no other meanwhile.
    if (changeCountOf(this.#deps.db) !== request.changes) return
    const runs = [...new Map(parts.map(({ run: { key, header } }) => [key, { key, header }])).values()]
    this.#deps.responses.set(place, { type: framesType, encoding, body, runs, until })
  }
}

/** Collects an answer as long as it may be stored. */
export class StreamRecorder {
  #parts: Uint8Array[] | null = []
  #bytes = 0
  readonly #charts: ResolvedQuery[] = []
  readonly #store: (answer: Buffer, charts: readonly ResolvedQuery[]) => void

  constructor(store: (answer: Buffer, charts: readonly ResolvedQuery[]) => void) {
    this.#store = store
  }

  add(part: Uint8Array): void {
    this.#bytes += part.byteLength
    if (this.#bytes > maxStreamBytes) this.stop()
    this.#parts?.push(part)
  }

  /** @param chart  with `recordedRuns` */
  addChart(chart: ResolvedQuery): void {
    const { context, recordedRuns = [] } = chart
    const isCached = recordedRuns.length === context.queries.length && recordedRuns.every(({ run }) => run.isCached)
    if (isCached) this.#charts.push(chart)
    else this.stop()
  }

  /** The answer is not stored. */
  stop(): void {
    this.#parts = null
  }

  /** The answer is complete. */
  finish(): void {
    const parts = this.#parts
    if (parts) setImmediate(() => this.#store(Buffer.concat(parts), this.#charts))
  }
}

const mayBeStored = ({ signature: { signedCharts }, body: { charts, force } }: StreamQuestion): boolean =>
  force !== true && charts.every(({ id }) => signedCharts.has(id))

/**
 * Requests that differ only in the order of their charts, or in parts of the data mask that reach none of them, have the same
 * answer.
 */
function createPlace(
  {
    dashboard: { dashboard, filtered },
    signature,
    body: { charts, data_mask = {} },
    canEdit,
    interval,
  }: StreamQuestion,
  encoding: string | null,
): ResponsePlace {
  const asked = charts
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, form_data = null, state = null }) => [
      id,
      form_data,
      state,
      collectExtraFormData(filtered, data_mask, id),
    ])
  const key = hash(
    'sha256',
    JSON.stringify([signature.text, asked, canEdit, interval?.notBefore ?? null, interval?.end ?? null]),
    'base64',
  )
  return { key: `dashboard ${encoding} ${key}`, fingerprint: signature.text, dashboardId: dashboard.id }
}
