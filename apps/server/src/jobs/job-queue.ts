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
  /** Time limit of a job. */
  timeoutSeconds?: number
  /** Returns the completed percentage of each running job, in the order of their payloads; null if it is not known. */
  readProgress?(payloads: readonly unknown[]): Promise<(number | null)[]>
}

/** Optional properties of a job. */
export interface JobDetails {
  /** Session or API key whose end stops the job. */
  session?: string | undefined
  /** Name that users see. */
  name?: string | null | undefined
}

/** Work that continues after the response to the request that started it. Job records are in the metadata store. */
export interface JobQueue {
  /** Must be called before `recover`, once per kind. */
  handle(kind: string, handler: JobHandler): void
  /** The handler of a kind, if this server has one. */
  handlerOf(kind: string): JobHandler | undefined
  /** @returns the job's id; the job starts when a slot is free */
  add(kind: string, payload: object, userId: number, details?: JobDetails): Promise<string>
  /** Stops a waiting or running job of this server. @returns whether the job existed */
  stop(id: string): Promise<boolean>
  /**
   * Stops a waiting or running job of any server, on behalf of a user. Other servers notice within a second.
   * @returns false if the job has ended or is being stopped
   */
  cancel(id: string, userId: number | null): Promise<boolean>
  /** Stops the waiting and running jobs of a user on this server. */
  stopAll(userId: number): Promise<void>
  /** Marks jobs that this server left behind in a crash as failed, with a reason; jobs of other servers continue. */
  recover(server?: string): Promise<void>
  /** Stops all jobs and waits until they have ended. */
  close(): Promise<void>
}
