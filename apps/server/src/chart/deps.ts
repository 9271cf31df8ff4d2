import type { Cache } from '../cache/cache.ts'
import type { ResponseStore } from '../cache/response-store.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { PubSub } from '../jobs/pub-sub.ts'
import type { ConnectionDeps } from '../connection/deps.ts'

/** Dependencies of chart data requests. */
export interface ChartDeps extends ConnectionDeps {
  cache: Cache
  responses: ResponseStore
  jobs: JobQueue
  /** Events about results computed in the background, on the channel of the requesting user. */
  events: PubSub
}
