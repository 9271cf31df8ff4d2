import type { PageName, RouteContract } from '@parquetry/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Settings } from '../settings/settings.ts'
import type { AuditLog } from '../store/audit-log.ts'
import type { Keys } from '../store/keys.ts'
import type { Tables } from '../store/tables.ts'
import type { CallSlots } from './call-slots.ts'
import type { ConnectionLimiter } from './connections.ts'
import type { Authenticator } from './identity.ts'
import type { OpenCalls } from './open-calls.ts'
import type { RateLimiter } from './rate-limiter.ts'
import type { ReadContext } from './resource.ts'

/** Dependencies shared by all routes. */
export interface HttpDeps {
  db: Kysely<Tables>
  keys: Keys
  settings: Settings
  /** Clock; tests can set it. */
  now(): Date
  /** Milliseconds of a clock that is never set back. What ends after a time in memory is measured by it, not by `now`. */
  steadyMs(): number
  /** @throws AppError `unavailable` when writes would be lost */
  checkStore(): void
}

/** Sends the web page with its boot data. */
export type RenderPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
  more?: Record<string, unknown>,
) => Promise<FastifyReply>

/**
 * Looks up the object that the address of a page names, if it names one.
 * @throws AppError `not_found` for one that is missing or invisible
 */
export type FindPageSubject = (
  context: ReadContext,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, unknown>>,
) => Promise<unknown>

/** Returns the response of a GET route to a request of another method; undefined without the permission to read. */
export type ReadObject = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** The HTTP server with everything that `serve` needs to add a route. */
export interface App {
  http: FastifyInstance
  deps: HttpDeps
  authenticator: Authenticator
  openCalls: OpenCalls
  audit: AuditLog
  rate: RateLimiter
  callSlots: CallSlots
  connections: ConnectionLimiter
  /** Set by `pageRoutes`. */
  renderPage: RenderPage
  /** How the subjects of pages are found, by name of the page. Each folder adds its own. */
  pageSubjects: Partial<Record<PageName, FindPageSubject>>
  /** Prefetches the data of a dashboard, by its id or slug. Never fails. Set by `dashboardDataRoutes`. */
  prefetchDashboard(principal: Principal, idOrSlug: string): Promise<void>
  /** Every contract served so far: for OpenAPI, for 405, and for tests that check all of them. */
  contracts: RouteContract[]
  /** How the routes with GET and a JSON response read their object, by path. */
  readObject: Map<string, ReadObject>
  /** Once set, new requests are refused, including `/health`, so that load balancers redirect them; running ones finish. */
  isStopping: boolean
}
