import type { Logger } from 'pino'
import type { HttpDeps } from '../http/app.ts'
import type { Runners } from '../runners/runners.ts'

/** Dependencies of querying a connected database. */
export interface ConnectionDeps extends HttpDeps {
  runners: Runners
  log: Logger
}
