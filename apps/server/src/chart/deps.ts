import type { Cache } from '../cache/cache.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { PubSub } from '../jobs/pub-sub.ts'
import type { UserSqlDeps } from '../user-sql/deps.ts'

/** What answering charts takes. */
export interface ChartDeps extends UserSqlDeps {
  cache: Cache
  jobs: JobQueue
  /** News of answers made in the background, on the channel of the user who asked. */
  events: PubSub
}
