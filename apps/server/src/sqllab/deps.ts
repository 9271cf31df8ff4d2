import type { JobQueue } from '../jobs/job-queue.ts'
import type { PubSub } from '../jobs/pub-sub.ts'
import type { ResultStore } from '../jobs/result-store.ts'
import type { UserSqlDeps } from '../user-sql/deps.ts'

/** What running users' SQL takes. */
export interface SqllabDeps extends UserSqlDeps {
  /** Id of this server among those of its store: the owner of the runs that it begins. */
  server: string
  jobs: JobQueue
  /** News of queries, on the channel of the user who asked. */
  events: PubSub
  /** Results, kept for a day. */
  results: ResultStore
}
