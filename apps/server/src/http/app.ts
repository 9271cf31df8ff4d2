import type { RouteContract } from '@parquetry/model'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import type { RenderPage } from '../page/render.ts'
import type { AuditLog } from '../store/audit-log.ts'
import type { Authenticator } from '../security/authenticator.ts'
import type { RateLimiter } from './rate.ts'

/** What `serve` needs to put a route on: the HTTP server with everything that all routes share. */
export interface App {
  http: FastifyInstance
  deps: Deps
  authenticator: Authenticator
  audit: AuditLog
  rate: RateLimiter
  /** The web's page with its boot data. Put here by `pageRoutes`. */
  renderPage: RenderPage
  /** Every contract served so far: for OpenAPI, for 405, for the tests that look at all of them. */
  contracts: RouteContract[]
}
