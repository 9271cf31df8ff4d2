import type { HttpDeps } from '../http/app.ts'
import type { Runners } from '../runners/runners.ts'

/** What asking a connected database takes. */
export interface ConnectionDeps extends HttpDeps {
  runners: Runners
}
