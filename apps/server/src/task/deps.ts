import type { HttpDeps } from '../http/app.ts'
import type { JobQueue } from '../jobs/job-queue.ts'

/** Dependencies of `/api/v1/task/`. */
export interface TaskDeps extends HttpDeps {
  jobs: JobQueue
}
