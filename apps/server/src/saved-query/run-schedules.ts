import { AppError, message, translateMessage } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { JobQueue } from '../jobs/job-queue.ts'
import { scheduledRun } from '../jobs/scheduled-run.ts'
import { errorTranslator } from '../settings/messages.ts'
import type { Settings } from '../settings/settings.ts'
import type { Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import { nextRun, parseSchedule } from './schedule.ts'

export interface ScheduleDeps {
  db: Kysely<Tables>
  jobs: JobQueue
  settings: Pick<Settings, 'config'>
  log: Logger
  now(): Date
}

/** A run that has not ended within this time was lost with its server, whatever its record states. */
const maxRunMs = 24 * 3_600_000

/**
 * Starts each saved query that is due, once, even if it became due while no server was running. A query whose previous run has
 * not finished is skipped. Only one of several servers starts a query.
 */
export async function startDueQueries({ db, jobs, settings, now, log }: ScheduleDeps): Promise<void> {
  const startedAt = now()
  const lostBefore = formatStoredTime(new Date(startedAt.getTime() - maxRunMs))
  const due = await db
    .selectFrom('query_schedule')
    .innerJoin('saved_query', 'saved_query.id', 'query_schedule.saved_query_id')
    .select(['saved_query_id', 'next_at', 'last_at', 'last_status', 'user_id', 'label', 'extra_json'])
    .where('next_at', '<=', formatStoredTime(startedAt))
    .orderBy('next_at')
    .execute()
  for (const { saved_query_id: id, next_at, last_at, last_status, user_id, label, extra_json } of due) {
    const schedule = parseSchedule(extra_json)
    const next = schedule && nextRun(schedule, startedAt)
    const isRunning = last_status === 'running' && (last_at ?? '') > lostBefore
    const claimed = await db
      .updateTable('query_schedule')
      .set({
        next_at: next && formatStoredTime(next),
        ...(schedule &&
          !isRunning && { last_at: formatStoredTime(startedAt), last_status: 'running', last_error: null }),
      })
      .where('saved_query_id', '=', id)
      .where('next_at', '=', next_at)
      .executeTakeFirst()
    if (Number(claimed.numUpdatedRows) === 0 || !schedule) continue
    if (isRunning) log.warn({ saved_query: id }, 'skipped a scheduled query: its previous run has not finished')
    else
      await jobs
        .add(scheduledRun.kind, scheduledRun.payload(id), user_id, { name: label })
        .catch(async (error: unknown) => {
          const reason =
            error instanceof AppError
              ? error.sentence
              : message('errors.savedQuery.unexpected', 'Something went wrong on the server.')
          const last_error = translateMessage(reason, errorTranslator(settings))
          const failed = { last_status: 'failed', last_error }
          await db.updateTable('query_schedule').set(failed).where('saved_query_id', '=', id).execute()
          throw error
        })
  }
}

const pollIntervalMs = 15_000

/** Checks several times a minute for queries that are due. @returns a function that stops it */
export function startQueryScheduler(deps: ScheduleDeps): () => void {
  let polling: Promise<void> | null = null
  const timer = setInterval(() => {
    polling ??= startDueQueries(deps)
      .catch((error: unknown) => deps.log.error({ err: error }, 'could not start scheduled queries'))
      .finally(() => {
        polling = null
      })
  }, pollIntervalMs)
  timer.unref()
  return () => clearInterval(timer)
}
