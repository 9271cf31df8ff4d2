import { trashDays } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ResultStore } from './jobs/result-store.ts'
import { maxJobMs } from './jobs/store-queue.ts'
import { removeOldNotifications } from './notification/notify.ts'
import { removeOldReportRuns } from './report/run/retention.ts'
import { removeOldKeys } from './security/api-keys.ts'
import { removeOverdueSessions } from './security/sessions.ts'
import type { Settings } from './settings/settings.ts'
import type { Tables } from './store/tables.ts'
import { formatStoredTime } from './store/time.ts'
import { purge } from './store/trash.ts'

export interface HousekeepingDeps {
  db: Kysely<Tables>
  results: ResultStore
  settings: Pick<Settings, 'config'>
  log: Logger
  now(): Date
}

const hourMs = 3_600_000

/** Ends queries of this server that no process runs any more, after a stop or a crash. */
export const endQueries = (
  { db, server, now }: Pick<HousekeepingDeps, 'db' | 'now'> & { server: string },
  status: 'stopped' | 'failed',
  reason: string,
) =>
  db
    .updateTable('query')
    .set({ status, error_message: reason, end_time: now().getTime(), changed_on: formatStoredTime(now()) })
    .where('status', 'in', ['pending', 'running', 'fetching'])
    .where((eb) =>
      eb.or([eb('owner', '=', server), eb('owner', 'is', null), eb('start_time', '<', now().getTime() - maxJobMs)]),
    )
    .execute()

/** Ended jobs are needed as long as their results are retained. */
const jobRetentionMs = 24 * hourMs

const removeOldJobs = ({ db, now }: HousekeepingDeps) =>
  db
    .deleteFrom('job')
    .where('ended_on', '<', formatStoredTime(new Date(now().getTime() - jobRetentionMs)))
    .execute()

/** Permanently deletes objects that were moved to the trash 30 days ago. */
export async function emptyTrash({ db, now }: Pick<HousekeepingDeps, 'db' | 'now'>): Promise<void> {
  const old = await db
    .selectFrom('trash')
    .select(['kind', 'object_id', 'uuid'])
    .where('deleted_on', '<', formatStoredTime(new Date(now().getTime() - trashDays * 24 * hourMs)))
    .execute()
  for (const each of old) await db.transaction().execute((trx) => purge(trx, each))
}

async function runHousekeeping(deps: HousekeepingDeps): Promise<void> {
  const { db, now } = deps
  const timestamp = formatStoredTime(now())
  await removeOverdueSessions(db, now())
  await removeOldKeys(db, now())
  await db.deleteFrom('invitation').where('expires_at', '<', timestamp).execute()
  await db.deleteFrom('one_time_link').where('expires_at', '<', timestamp).execute()
  await db.deleteFrom('key_value').where('expires_at', '<', timestamp).execute()
  await emptyTrash(deps)
  await deps.results.prune()
  await removeOldJobs(deps)
  await removeOldNotifications(db, now())
  await removeOldReportRuns(deps)
}

/** Deletes expired data once an hour. @returns a function that stops it */
export function startHousekeeping(deps: HousekeepingDeps): () => void {
  const timer = setInterval(() => {
    runHousekeeping(deps).catch((error: unknown) => deps.log.error({ err: error }, 'housekeeping failed'))
  }, hourMs)
  timer.unref()
  return () => clearInterval(timer)
}
