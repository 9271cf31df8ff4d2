import { hash } from 'node:crypto'
import { releaseBuffer } from '@parquetry/engines/channel'
import { framesType } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Principal } from '../access/principal.ts'
import type { EncodedResponse, RepeatableRequest } from '../cache/response-store.ts'
import { compressBytes, selectEncoding, isWorthCompressing } from '../http/compress.ts'
import { changeCountOf } from '../store/changes.ts'
import { computeFingerprint } from './access-signature.ts'
import type { ChartDeps } from './deps.ts'
import { prepareQuery } from './prepare-query.ts'
import { resultTypeOf, type ResolvedQuery } from './resolved-query.ts'
import { computeExpiry, isStorable } from './response-validity.ts'

/** Identity of a request: its bytes, and the requested format and encoding. */
export interface DataRequest extends RepeatableRequest {
  frames: boolean
  encoding: string | null
}

const maxQueryBytes = 64 << 10

/**
 * Caches chart responses as sent: a request with the same bytes is answered without planning, querying or compressing again.
 * Permissions are checked as if nothing were cached, once per loaded principal and change of the store; until then, an equal
 * request of the same principal has the same response and is not even parsed.
 *
 * Not cached: responses that depend on templates or annotation layers, SQL that reads the clock, and results that are not in the
 * cache.
 */
export class ResponseCache {
  readonly #deps: ChartDeps

  constructor(deps: ChartDeps) {
    this.#deps = deps
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
  async findRepeated(principal: Principal, request: DataRequest): Promise<EncodedResponse | undefined> {
    const place = this.#deps.responses.findPlace(principal, request)
    return place && this.#deps.responses.find(place)
  }

  /**
   * Returns the finished response if it is cached, otherwise creates it.
   * @param build  computes the response, in memory that is released once it is compressed, and records `recordedRuns`
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
    const { responses } = this.#deps
    if (resolved.context.force === true || !responses.has(request.key) || !(await isStorable(resolved)))
      return undefined
    const prepared = await Promise.all(
      resolved.context.queries.map((query) =>
        prepareQuery(resolved, query, resultTypeOf(resolved.context, query), signal),
      ),
    )
    const fingerprint = computeFingerprint(
      resolved,
      prepared.map((each) => each.resolved),
    )
    const place = { key: request.key, fingerprint }
    const found = await responses.find(place)
    if (found) responses.remember(resolved.principal, request, place)
    return found
  }

  /**
   * Returns the response as sent, and caches it if allowed.
   * @param resolved  with `recordedRuns`, which lists the results used
   */
  async #encodeAndStore(resolved: ResolvedQuery, request: DataRequest, body: Buffer): Promise<EncodedResponse> {
    const { responses } = this.#deps
    const encoding = isWorthCompressing(body) ? request.encoding : null
    const type = request.frames ? framesType : 'application/json; charset=utf-8'
    const response = { type, encoding, body: await compressBytes(body, encoding) }
    if (response.body !== body) releaseBuffer(body)
    const parts = resolved.recordedRuns ?? []
    const now = this.#deps.now().getTime()
    const isComplete = parts.length === resolved.context.queries.length && (await isStorable(resolved))
    const until = isComplete ? await computeExpiry(parts, now) : now
    if (until <= now) return response
    const fingerprint = computeFingerprint(
      resolved,
      parts.map(({ planned }) => planned.prepared),
    )
    const place = { key: request.key, fingerprint }
    const runs = parts.map(({ run: { key, header } }) => ({ key, header }))
    responses.set(place, { ...response, runs, until })
    responses.remember(resolved.principal, request, place)
    return response
  }
}

/** Sends a response that is already compressed where worthwhile. */
export function sendEncoded(reply: FastifyReply, { type, encoding, body }: EncodedResponse): FastifyReply {
  if (encoding !== null) reply.header('Vary', 'Accept-Encoding').header('Content-Encoding', encoding)
  return reply.type(type).send(body)
}
