import type { AppError } from '@parquetry/model'

/** What a handler is given. */
export interface Job {
  /** Known to clients as `job_id`. */
  id: string
  userId: number
  /** As it was given to `add`, through JSON. */
  payload: unknown
  /** Aborts with the AppError that the job is to end in. */
  signal: AbortSignal
}

/** How a job ended. */
export type JobEnd =
  | { state: 'done'; result: string | null }
  | { state: 'failed'; error: AppError }
  /** `query_stopped` by somebody, `restarting` by the end of the server. */
  | { state: 'stopped'; reason: AppError }

/** Who does the jobs of a kind. */
export interface JobHandler {
  /** @returns where the result lies, for those who ask for the job later; null when there is nothing to fetch */
  run(job: Job): Promise<string | null>
  /** Called once per job, also for those that a server left behind when it died. */
  ended(job: Omit<Job, 'signal'>, end: JobEnd): Promise<void> | void
}

/** Work that goes on when the call that asked for it has been answered. Its record lives in the metadata store. */
export interface JobQueue {
  /** To be called before `recover`, once per kind. */
  handle(kind: string, handler: JobHandler): void
  /** @returns the job's id; it runs when its turn comes */
  add(kind: string, payload: object, userId: number): Promise<string>
  /** Stops a job that waits or runs. @returns whether there was one */
  stop(id: string): Promise<boolean>
  /** Ends what this server left behind when it died as failed, with a reason; the work of other servers goes on. */
  recover(): Promise<void>
  /** Stops what runs and waits until it has ended. */
  close(): Promise<void>
}
