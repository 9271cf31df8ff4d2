import {
  AppError,
  type BodyOf,
  dashboardData,
  message,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  type RisonOf,
  type RouteContract,
} from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { AuditEvent } from '../store/audit-log.ts'
import { createAbortSignal } from './abort.ts'
import type { App } from './app.ts'
import type { CallSlot } from './call-slots.ts'
import { checkCsrf } from './csrf.ts'
import { withDeadline } from './deadline.ts'
import { type Identity, refuseApiKey } from './identity.ts'
import { callMs, withCallBudget } from '../store/call-budget.ts'
import { hasPermission, type Principal, requesterKey } from '../access/principal.ts'
import { connectionLimits } from '../concurrency/load-limits.ts'
import { adaptReadBack, type Adapted, readIds } from './read-back.ts'
import { bodyReader, paramsReader, queryReader, risonReader } from './readers.ts'

/** Input of a handler: everything validated, nothing coerced. */
export interface Call<R extends RouteContract> {
  params: ParamsOf<R>
  query: QueryOf<R>
  /** When `q` is omitted, `{}` is checked against the schema. */
  rison: RisonOf<R>
  body: BodyOf<R>
  principal: Principal
  /** Aborts when the client disconnects before the response is complete. */
  signal: AbortSignal
  /** Event for the audit log; the handler sets `dashboard_id`, `slice_id`, `json` and passes it to `change`. */
  event: AuditEvent
  request: FastifyRequest
  reply: FastifyReply
}

/** JSON routes return the body; the others send through `reply` and return it, or return bytes, text or a stream. */
export type HandlerResult<R extends RouteContract> = R['reply'] extends TSchema
  ? ReplyOf<R> | FastifyReply
  : FastifyReply | Buffer | string | NodeJS.ReadableStream | void

/** Sends a known response without reading the body further, and adds what the handler would to the event. */
export type EarlyReply = (reply: FastifyReply, event: AuditEvent) => FastifyReply

/**
 * Looks for a response by the text of a JSON body. The caller may use the route, but access to what the body names has not been
 * checked.
 */
export type FindEarlyReply = (
  request: FastifyRequest,
  principal: Principal,
  text: string,
) => Promise<EarlyReply | undefined>

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null
    startedAt: number
    early: EarlyReply | null
    slot: CallSlot | null
    /** Waits until the next step of this call may begin; null for calls that do not share the thread in turn. */
    startStep: (() => Promise<void>) | null
  }
  interface FastifyContextConfig {
    contract?: RouteContract
    lookEarly?: FindEarlyReply
  }
}

/**
 * Adds a route to the server. The order of checks reveals no more than the caller may know: identity (401), CSRF, permission
 * (403), rate (429); then the call waits for a slot of its caller, the body is read (413, 415, 400) and validated (400 or 422),
 * and the handler runs. Failures become the error body of the contract. The audit event is written afterwards, unless `change`
 * has written it in its transaction.
 * @param lookEarly  called before a JSON body is parsed
 */
export function serve<const R extends RouteContract>(
  app: App,
  contract: R,
  handler: (call: Call<R>) => Promise<HandlerResult<R>> | HandlerResult<R>,
  lookEarly?: FindEarlyReply,
): void {
  app.contracts.push(contract)
  const readParams = paramsReader(contract)
  const readQuery = queryReader(contract)
  const readRison = risonReader(contract)
  const adapt = contract.method === 'PUT' ? adaptBody : contract.method === 'POST' ? adaptIds : undefined
  const readBody = bodyReader(contract, adapt)
  const isRead = contract.method === 'GET' || contract.rate === 'query'

  async function respond(request: FastifyRequest, reply: FastifyReply, identity: Identity, event: AuditEvent) {
    const call = {
      params: readParams(request),
      query: readQuery(request),
      rison: await readRison(request),
      body: await readBody(request),
      principal: identity.principal,
      event,
      request,
      reply,
      get signal() {
        return createAbortSignal(reply)
      },
    } as Call<R>
    return withDeadline(handler(call), computeDeadline(contract, request))
  }

  /** Accepts objects as GET returns them in lists of ids. */
  async function adaptIds(_request: FastifyRequest, value: unknown): Promise<Adapted> {
    return { value: readIds(contract.body as TSchema, value) }
  }

  /** Accepts the object that GET returns at the same address. */
  async function adaptBody(request: FastifyRequest, value: unknown): Promise<Adapted> {
    const reply = { header: () => reply } as unknown as FastifyReply
    const read = (await app.readObject.get(contract.path)?.(request, reply)) as { result?: unknown } | undefined
    const current = read ? (JSON.parse(JSON.stringify(read.result ?? null)) as unknown) : {}
    return adaptReadBack(contract.body as TSchema, value, current)
  }

  if (contract.method === 'GET' && typeof contract.reply !== 'string')
    app.readObject.set(contract.path, async (request, reply) => {
      const { principal } = request.identity as Identity
      if (typeof contract.can !== 'string' && !hasPermission(principal, contract.can)) return undefined
      const event = createAuditEvent(contract, request.identity as Identity)
      const call = { params: readParams(request), query: {}, rison: {}, principal, event, request, reply }
      return handler(call as unknown as Call<R>)
    })

  app.http.route({
    method: contract.method,
    url: contract.path,
    ...(contract.bodyLimit !== undefined && { bodyLimit: contract.bodyLimit }),
    config: { contract, ...(lookEarly && { lookEarly }) },
    async onRequest(request, reply) {
      const identity = await withDeadline(
        app.authenticator.identify(request, contract.can === 'anyone'),
        computeDeadline(contract, request),
      )
      request.identity = identity
      app.openCalls.add(request, reply)
      if (contract.csrfFirst) checkCsrf(app, contract, identity, request)
      if (contract.can !== 'anyone') {
        authorizeApiKey(contract, identity)
        if (typeof contract.can === 'string' && identity.principal.kind === 'anonymous')
          throw new AppError('not_signed_in')
        if (contract.can === 'signed-in' && identity.principal.kind === 'guest') throw new AppError('forbidden')
        if (typeof contract.can !== 'string' && !hasPermission(identity.principal, contract.can))
          throw new AppError(identity.principal.kind === 'anonymous' ? 'not_signed_in' : 'forbidden')
      }
      if (contract.body !== 'form') checkCsrf(app, contract, identity, request)
      if (contract.rate !== 'sign-in') app.rate.take(contract.rate, rateLimitKey(identity, request))
      checkStreams(app, contract, identity, reply)
      await app.callSlots.enter(contract, { identity, request, reply })
    },
    async handler(request, reply) {
      const endWork = app.callSlots.beginWork({ request, reply })
      try {
        return await withCallBudget(() => handle(request, reply), callMs, isRead)
      } finally {
        endWork()
      }
    },
  })

  async function handle(request: FastifyRequest, reply: FastifyReply) {
    const identity = request.identity as Identity
    if (!request.early) await request.startStep?.()
    if (contract.body === 'form') checkCsrf(app, contract, identity, request)
    const event = createAuditEvent(contract, identity)
    const result = request.early ? request.early(reply, event) : await respond(request, reply, identity, event)
    if (contract.audit !== 'none' && !event.isWritten) {
      const ms = performance.now() - request.startedAt
      if (isRead) app.audit.later(event, ms, request.headers.referer ?? null)
      else await app.audit.now(event, ms, request.headers.referer ?? null)
    }
    return reply.sent ? reply : result
  }
}

/** @throws AppError `forbidden` when the API key of the request may not be used for the route, whatever its owner may do */
function authorizeApiKey(contract: RouteContract, identity: Identity): void {
  if (contract.refusesApiKeys) refuseApiKey(identity)
  if (identity.apiKey && !identity.apiKey.includes(contract))
    throw new AppError('forbidden', {
      message: message('errors.security.keyScopes', 'The scopes of this API key do not include this call.'),
    })
}

/** @throws AppError `too_many` when the user has too many open streams */
function checkStreams(app: App, contract: RouteContract, { principal }: Identity, reply: FastifyReply): void {
  const isLong = contract.isEndless === true || contract.path === dashboardData.path
  if (!isLong || principal.kind !== 'user') return
  if (app.connections.beginStream(requesterKey(principal), reply.raw)) return
  throw new AppError('too_many', {
    message: message(
      'errors.http.tooManyStreams',
      'Too many dashboards or pages of yours are loading at once. Close some of them, or try again in a moment.',
    ),
    details: { retryAfter: connectionLimits.retrySeconds },
  })
}

const computeDeadline = ({ deadlineMs }: RouteContract, { startedAt }: FastifyRequest): number | undefined =>
  deadlineMs === undefined ? undefined : startedAt + deadlineMs

/** Users are counted by id; guests and anonymous visitors have none and are counted by address. */
const rateLimitKey = ({ principal }: Identity, request: FastifyRequest): string =>
  principal.id === null ? request.ip : String(principal.id)

export const createAuditEvent = (contract: RouteContract, { principal, apiKey }: Identity): AuditEvent => ({
  action: contract.audit,
  ...(apiKey && { apiKey: { uuid: apiKey.uuid, name: apiKey.name } }),
  user_id: principal.id,
  dashboard_id: null,
  slice_id: null,
  json: null,
  isWritten: false,
})
