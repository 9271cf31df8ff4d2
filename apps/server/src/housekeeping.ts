import { trashDays } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ResultStore } from './jobs/result-store.ts'
import { longestWorkMs } from './jobs/store-queue.ts'
import { removeOverdueSessions } from './security/sessions.ts'
import type { Tables } from './store/tables.ts'
import { timeText } from './store/time.ts'
import { purge } from './store/trash.ts'

export interface HousekeepingDeps {
  db: Kysely<Tables>
  results: ResultStore
  log: Logger
  now(): Date
}

const hourMs = 3_600_000

/** Queries of this server that no process runs any more, after a stop or a crash. */
export const endQueries = (
  { db, server, now }: Pick<HousekeepingDeps, 'db' | 'now'> & { server: string },
  status: 'stopped' | 'failed',
  reason: string,
) =>
  db
    .updateTable('query')
    .set({ status, error_message: reason, end_time: now().getTime(), changed_on: timeText(now()) })
    .where('status', 'in', ['pending', 'running', 'fetching'])
    .where((eb) =>
      eb.or([
        eb('owner', '=', server),
        eb('owner', 'is', null),
        eb('start_time', '<', now().getTime() - longestWorkMs),
      ]),
    )
    .execute()

/** A job that has ended is of use for as long as its result is kept. */
const keptJobsMs = 24 * hourMs

const removeOldJobs = ({ db, now }: HousekeepingDeps) =>
  db
    .deleteFrom('job')
    .where('ended_on', '<', timeText(new Date(now().getTime() - keptJobsMs)))
    .execute()

/** What was deleted 30 days ago is gone for good. */
export async function emptyTrash({ db, now }: Pick<HousekeepingDeps, 'db' | 'now'>): Promise<void> {
  const old = await db
    .selectFrom('trash')
    .select(['kind', 'object_id', 'uuid'])
    .where('deleted_on', '<', timeText(new Date(now().getTime() - trashDays * 24 * hourMs)))
    .execute()
  for (const each of old) await db.transaction().execute((trx) => purge(trx, each))
}

async function tidy(deps: HousekeepingDeps): Promise<void> {
  const { db, now } = deps
  const at = timeText(now())
  await removeOverdueSessions(db, now())
  await db.deleteFrom('one_time_link').where('expires_at', '<', at).execute()
  await db.deleteFrom('key_value').where('expires_at', '<', at).execute()
  await emptyTrash(deps)
  await deps.results.tidy()
  await removeOldJobs(deps)
}

/** Takes away once an hour what is over. @returns ends it */
export function keepHouse(deps: HousekeepingDeps): () => void {
  const timer = setInterval(() => {
    tidy(deps).catch((error: unknown) => deps.log.error({ err: error }, 'housekeeping failed'))
  }, hourMs)
  timer.unref()
  return () => clearInterval(timer)
}
