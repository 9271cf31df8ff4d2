import type { JobQueue } from '../jobs/job-queue.ts'
import type { PubSub } from '../jobs/pub-sub.ts'
import type { ResultStore } from '../jobs/result-store.ts'
import type { ConnectionDeps } from '../connection/deps.ts'

/** Dependencies for running user SQL. */
export interface SqllabDeps extends ConnectionDeps {
  /** Id of this server among those of its store: the owner of the runs that it starts. */
  server: string
  jobs: JobQueue
  /** Query events, on the channel of the user who runs the query. */
  events: PubSub
  /** Results, stored for a day. */
  results: ResultStore
}
