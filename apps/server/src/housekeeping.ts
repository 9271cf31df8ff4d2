import { trashDays } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { ResultStore } from './jobs/result-store.ts'
import { maxJobMs } from './jobs/store-queue.ts'
import { removeOverdueSessions } from './security/sessions.ts'
import type { Tables } from './store/tables.ts'
import { formatStoredTime } from './store/time.ts'
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
    .set({ status, error_message: reason, end_time: now().getTime(), changed_on: formatStoredTime(now()) })
    .where('status', 'in', ['pending', 'running', 'fetching'])
    .where((eb) =>
      eb.or([eb('owner', '=', server), eb('owner', 'is', null), eb('start_time', '<', now().getTime() - maxJobMs)]),
    )
    .execute()

/** A job that has ended is of use for as long as its result is kept. */
const jobRetentionMs = 24 * hourMs

const removeOldJobs = ({ db, now }: HousekeepingDeps) =>
  db
    .deleteFrom('job')
    .where('ended_on', '<', formatStoredTime(new Date(now().getTime() - jobRetentionMs)))
    .execute()

/** What was deleted 30 days ago is gone for good. */
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
  const at = formatStoredTime(now())
  await removeOverdueSessions(db, now())
  await db.deleteFrom('one_time_link').where('expires_at', '<', at).execute()
  await db.deleteFrom('key_value').where('expires_at', '<', at).execute()
  await emptyTrash(deps)
  await deps.results.prune()
  await removeOldJobs(deps)
}

/** Takes away once an hour what is over. @returns ends it */
export function startHousekeeping(deps: HousekeepingDeps): () => void {
  const timer = setInterval(() => {
    runHousekeeping(deps).catch((error: unknown) => deps.log.error({ err: error }, 'housekeeping failed'))
  }, hourMs)
  timer.unref()
  return () => clearInterval(timer)
}
