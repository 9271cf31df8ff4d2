import { AppError, message, toWire } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { FairQueue } from '../concurrency/fair-queue.ts'
import { countAccessChanges } from '../store/changes.ts'
import { toAppError } from '../store/failure.ts'
import { findLiveSessions } from '../store/live-sessions.ts'
import type { Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import type { Job, JobEnd, JobHandler, JobDetails, JobQueue } from './job-queue.ts'

/**
 * Concurrent jobs per user and kind; users do not block each other. Jobs mostly wait for databases: the runners limit how many
 * run in an engine at the same time.
 */
const maxJobsPerUser = 16
/** No time limit lets a job run this long, so any server may end one whose server never came back. */
export const maxJobMs = 24 * 3_600_000
/** Retry interval while the store cannot be written, for example because its disk is full. */
const retryMs = 5000
/** Records, sessions and rights of jobs are checked at this interval, so that a job ends within a second of a change. */
const accessCheckMs = 500
const jobLost = message('errors.jobs.lost', 'The server ended while this was running. Run it again.')

export interface QueueDeps {
  db: Kysely<Tables>
  /** Owner of the jobs added here. */
  server: string
  log: Logger
  now(): Date
  /** The rights of a user, for comparison; undefined for users who may not sign in. Jobs end when they change. */
  rightsOf?(userId: number): Promise<string | undefined>
  /** For tests. */
  retryMs?: number
}

interface ActiveJob extends Job {
  /** Rights of the user when the job was added. */
  rights: string | undefined
  stop: AbortController
  over: Promise<void>
}

/** Runs the jobs of this server in its process and records them in the metadata store. */
export class StoreQueue implements JobQueue {
  readonly #deps: QueueDeps
  readonly #kinds = new Map<string, JobHandler>()
  readonly #active = new Map<string, ActiveJob>()
  readonly #queues = new Map<JobHandler, Map<number, FairQueue>>()
  readonly #closing = new AbortController()

  readonly #accessTimer: NodeJS.Timeout
  #isCheckingRecords = false
  #checkedChanges = 0

  constructor(deps: QueueDeps) {
    this.#deps = deps
    this.#accessTimer = setInterval(() => {
      void this.#checkRecords()
      void this.#checkRights()
    }, accessCheckMs).unref()
  }

  handle(kind: string, handler: JobHandler): void {
    this.#kinds.set(kind, handler)
  }

  handlerOf(kind: string): JobHandler | undefined {
    return this.#kinds.get(kind)
  }

  async add(kind: string, payload: object, userId: number, { session, name = null }: JobDetails = {}): Promise<string> {
    const handler = this.#kinds.get(kind)
    if (!handler) throw new Error(`no handler for jobs of the kind ${kind}`)
    if (this.#closing.signal.aborted)
      throw new AppError('unavailable', { message: message('errors.jobs.stopping', 'The server is shutting down.') })
    const { db, server, now } = this.#deps
    const id = randomUUID()
    const text = JSON.stringify(payload)
    const rights = await this.#deps.rightsOf?.(userId)
    const created_on = formatStoredTime(now())
    await db
      .insertInto('job')
      .values({
        uuid: id,
        kind,
        payload: text,
        state: 'pending',
        user_id: userId,
        attempts: 0,
        result: null,
        error: null,
        created_on,
        changed_on: created_on,
        started_on: null,
        ended_on: null,
        owner: server,
        session: session ?? null,
        name,
      })
      .execute()
    const stop = new AbortController()
    const job: Job = { id, userId, payload: JSON.parse(text), signal: stop.signal }
    // Deferred so that the caller of `add` can report the job before it ends.
    const over = new Promise<void>((resolve) => setImmediate(() => resolve(this.#execute(job, handler))))
    this.#active.set(id, { ...job, stop, over, rights })
    return id
  }

  async stop(id: string): Promise<boolean> {
    const active = this.#active.get(id)
    active?.stop.abort(new AppError('query_stopped'))
    return active !== undefined
  }

  async cancel(id: string, userId: number | null): Promise<boolean> {
    const { db, now } = this.#deps
    const { numUpdatedRows } = await db
      .updateTable('job')
      .set({ state: 'stopping', changed_on: formatStoredTime(now()), changed_by_fk: userId })
      .where('uuid', '=', id)
      .where('state', 'in', ['pending', 'running'])
      .executeTakeFirst()
    if (Number(numUpdatedRows) === 0) return false
    await this.stop(id)
    return true
  }

  async stopAll(userId: number): Promise<void> {
    for (const job of this.#active.values()) if (job.userId === userId) await this.stop(job.id)
  }

  async recover(server = this.#deps.server): Promise<void> {
    const { db, now } = this.#deps
    const tooOld = formatStoredTime(new Date(now().getTime() - maxJobMs))
    const unfinished = await db
      .selectFrom('job')
      .select(['uuid', 'kind', 'payload', 'user_id', 'state'])
      .where('state', 'in', ['pending', 'running', 'stopping'])
      .where((eb) => eb.or([eb('owner', '=', server), eb('owner', 'is', null), eb('created_on', '<', tooOld)]))
      .execute()
    for (const { uuid, kind, payload, user_id, state } of unfinished) {
      const job = { id: uuid, userId: user_id ?? -1, payload: JSON.parse(payload) as unknown }
      const end: JobEnd =
        state === 'stopping'
          ? { state: 'stopped', reason: new AppError('query_stopped') }
          : { state: 'failed', error: new AppError('runner_lost', { message: jobLost }) }
      await this.#end(job, this.#kinds.get(kind), end)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#accessTimer)
    this.#closing.abort()
    const reason = new AppError('restarting', {
      message: message(
        'errors.jobs.stopped',
        'The server was stopped while this query was running. Run the query again.',
      ),
    })
    for (const { stop } of this.#active.values()) stop.abort(reason)
    await Promise.all([...this.#active.values()].map(({ over }) => over))
  }

  /**
   * Stops the jobs that another server has marked as stopping, and those whose session or API key has ended on any server. A normal
   * sign-out removes the session from the record of the job.
   */
  async #checkRecords(): Promise<void> {
    const ids = [...this.#active.keys()]
    if (ids.length === 0 || this.#isCheckingRecords) return
    this.#isCheckingRecords = true
    try {
      const { db, now } = this.#deps
      const rows = await db
        .selectFrom('job')
        .select(['uuid', 'session', 'state'])
        .where('uuid', 'in', ids)
        .where((eb) => eb.or([eb('session', 'is not', null), eb('state', '=', 'stopping')]))
        .execute()
      const sessions = new Set(rows.flatMap(({ session }) => session ?? []))
      const live = sessions.size > 0 ? await findLiveSessions(db, sessions, now()) : sessions
      for (const { uuid, session, state } of rows)
        if (state === 'stopping' || (session !== null && !live.has(session))) await this.stop(uuid)
    } catch {
      // without a response from the store, no job is stopped
    } finally {
      this.#isCheckingRecords = false
    }
  }

  /** Stops the jobs of users whose rights have changed: they read data with the rights of before. */
  async #checkRights(): Promise<void> {
    const { db, rightsOf } = this.#deps
    const changes = countAccessChanges(db)
    if (!rightsOf || changes === this.#checkedChanges) return
    this.#checkedChanges = changes
    try {
      for (const [userId, jobs] of Map.groupBy([...this.#active.values()], (job) => job.userId)) {
        const rights = await rightsOf(userId)
        for (const job of jobs) if (job.rights !== rights) await this.stop(job.id)
      }
    } catch {
      // without a response from the store, no job is stopped now
      this.#checkedChanges = -1
    }
  }

  async #execute(job: Job, handler: JobHandler): Promise<void> {
    const end = await this.#run(job, handler)
    try {
      await this.#record(job, handler, end)
    } catch (error) {
      // The next start marks the record as lost.
      this.#deps.log.error({ err: error, job: job.id }, 'the end of a job could not be recorded')
    } finally {
      this.#active.delete(job.id)
    }
  }

  /** Retries until the store can be written again, so that clients waiting for the job learn of its end. */
  async #record(job: Job, handler: JobHandler, end: JobEnd): Promise<void> {
    for (let isFirst = true; ; isFirst = false)
      try {
        return await this.#end(job, handler, end)
      } catch (error) {
        if (!['disk_full', 'unavailable'].includes(toAppError(error).code)) throw error
        if (isFirst) this.#deps.log.error({ err: error, job: job.id }, 'the end of a job waits for the store')
        await delay(this.#deps.retryMs ?? retryMs, undefined, { signal: this.#closing.signal })
      }
  }

  async #run(job: Job, handler: JobHandler): Promise<JobEnd> {
    let release = () => {}
    try {
      release = await this.#acquireSlot(job, handler)
      const { db, now } = this.#deps
      const started_on = formatStoredTime(now())
      const { numUpdatedRows } = await db
        .updateTable('job')
        .set({ state: 'running', attempts: 1, started_on, changed_on: started_on })
        .where('uuid', '=', job.id)
        .where('state', '=', 'pending')
        .executeTakeFirst()
      if (Number(numUpdatedRows) === 0) throw new AppError('query_stopped')
      return { state: 'done', result: await handler.run(job) }
    } catch (error) {
      if (job.signal.aborted) return { state: 'stopped', reason: job.signal.reason as AppError }
      if (error instanceof AppError && error.code === 'query_stopped') return { state: 'stopped', reason: error }
      if (!(error instanceof AppError)) this.#deps.log.error({ err: error, job: job.id }, 'a job failed unexpectedly')
      return { state: 'failed', error: toAppError(error) }
    } finally {
      release()
    }
  }

  async #acquireSlot({ userId, signal }: Job, handler: JobHandler): Promise<() => void> {
    const queues = this.#queues.get(handler) ?? new Map<number, FairQueue>()
    const queue = queues.get(userId) ?? new FairQueue(maxJobsPerUser)
    this.#queues.set(handler, queues.set(userId, queue))
    const release = await queue.acquire({ requester: String(userId), signal }).acquired
    return () => {
      release()
      if (queue.held + queue.waiting === 0) queues.delete(userId)
    }
  }

  async #end(job: Omit<Job, 'signal'>, handler: JobHandler | undefined, end: JobEnd): Promise<void> {
    const { db, now } = this.#deps
    const ended_on = formatStoredTime(now())
    await db
      .updateTable('job')
      .set({
        state: end.state === 'failed' && end.error.code === 'query_timeout' ? 'timed_out' : end.state,
        result: end.state === 'done' ? end.result : null,
        error: end.state === 'failed' ? JSON.stringify(toWire(end.error)) : null,
        ended_on,
        changed_on: ended_on,
      })
      .where('uuid', '=', job.id)
      .execute()
    await handler?.ended(job, end)
  }
}
