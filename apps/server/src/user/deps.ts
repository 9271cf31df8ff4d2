import type { HttpDeps } from '../http/app.ts'
import type { JobQueue } from '../jobs/job-queue.ts'

/** Dependencies for managing users. */
export interface UserDeps extends HttpDeps {
  /** Work of users that goes on after their requests, and ends with their account. */
  jobs: JobQueue
}
