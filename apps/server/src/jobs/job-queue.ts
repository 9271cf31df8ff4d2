import type { AppError } from '@parquetry/model'

/** A job as its handler receives it. */
export interface Job {
  /** Known to clients as `job_id`. */
  id: string
  userId: number
  /** The payload passed to `add`, after a JSON round trip. */
  payload: unknown
  /** Aborts with the AppError that the job ends with. */
  signal: AbortSignal
}

/** How a job ended. */
export type JobEnd =
  | { state: 'done'; result: string | null }
  | { state: 'failed'; error: AppError }
  /** `query_stopped` when a user stops it, `restarting` when the server shuts down. */
  | { state: 'stopped'; reason: AppError }

/** Handler for the jobs of one kind. */
export interface JobHandler {
  /** @returns where the result is stored, for later requests; null when there is nothing to fetch */
  run(job: Job): Promise<string | null>
  /** Called once per job, including jobs left behind by a server that crashed. */
  ended(job: Omit<Job, 'signal'>, end: JobEnd): Promise<void> | void
}

/** Work that continues after the response to the request that started it. Job records are in the metadata store. */
export interface JobQueue {
  /** Must be called before `recover`, once per kind. */
  handle(kind: string, handler: JobHandler): void
  /**
   * @param session  the session or API key that the job ends with
   * @returns the job's id; the job starts when a slot is free
   */
  add(kind: string, payload: object, userId: number, session?: string): Promise<string>
  /** Stops a waiting or running job. @returns whether the job existed */
  stop(id: string): Promise<boolean>
  /** Stops the waiting and running jobs of a user on this server. */
  stopAll(userId: number): Promise<void>
  /** Marks jobs that this server left behind in a crash as failed, with a reason; jobs of other servers continue. */
  recover(server?: string): Promise<void>
  /** Stops all jobs and waits until they have ended. */
  close(): Promise<void>
}
