import type { RouteContract } from '@parquetry/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Settings } from '../settings/settings.ts'
import type { AuditLog } from '../store/audit-log.ts'
import type { Keys } from '../store/keys.ts'
import type { Tables } from '../store/tables.ts'
import type { Authenticator } from './identity.ts'
import type { OpenCalls } from './open-calls.ts'
import type { RateLimiter } from './rate.ts'

/** What routes of every kind take. */
export interface HttpDeps {
  db: Kysely<Tables>
  keys: Keys
  settings: Settings
  /** The clock, so that tests can set it. */
  now(): Date
  /** @throws AppError `unavailable` when what is saved would be lost */
  checkStore(): void
}

/** Answers with the web's page and its boot data. */
export type RenderPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  principal: Principal,
  more?: Record<string, unknown>,
) => Promise<FastifyReply>

/** What `serve` needs to put a route on: the HTTP server with everything that all routes share. */
export interface App {
  http: FastifyInstance
  deps: HttpDeps
  authenticator: Authenticator
  openCalls: OpenCalls
  audit: AuditLog
  rate: RateLimiter
  /** Put here by `pageRoutes`. */
  renderPage: RenderPage
  /** Begins what a dashboard will be asked, by its id or slug. Never fails. Put here by `dashboardDataRoutes`. */
  prefetchDashboard(principal: Principal, name: string): Promise<void>
  /** Every contract served so far: for OpenAPI, for 405, for the tests that look at all of them. */
  contracts: RouteContract[]
  /** From then on calls that come are told so, `/health` first of all; those that are there end. */
  isStopping: boolean
}
