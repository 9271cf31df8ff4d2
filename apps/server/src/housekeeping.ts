import type { Deps } from './deps.ts'
import { removeOverdueSessions } from './security/sessions.ts'
import { timeText } from './store/time.ts'

const hourMs = 3_600_000

/** Queries that no process runs any more, after a stop or a crash. */
export const endQueries = ({ db, now }: Pick<Deps, 'db' | 'now'>, status: 'stopped' | 'failed', reason: string) =>
  db
    .updateTable('query')
    .set({ status, error_message: reason, end_time: now().getTime(), changed_on: timeText(now()) })
    .where('status', 'in', ['pending', 'running', 'fetching'])
    .execute()

/** A job that has ended is of use for as long as its result is kept. */
const keptJobsMs = 24 * hourMs

const removeOldJobs = ({ db, now }: Deps) =>
  db
    .deleteFrom('job')
    .where('ended_on', '<', timeText(new Date(now().getTime() - keptJobsMs)))
    .execute()

async function tidy(deps: Deps): Promise<void> {
  const { db, now } = deps
  const at = timeText(now())
  await removeOverdueSessions(db, now())
  await db.deleteFrom('one_time_link').where('expires_at', '<', at).execute()
  await db.deleteFrom('key_value').where('expires_at', '<', at).execute()
  await deps.results.tidy()
  await removeOldJobs(deps)
}

/** Takes away once an hour what is over. @returns ends it */
export function keepHouse(deps: Deps): () => void {
  const timer = setInterval(() => {
    tidy(deps).catch((error: unknown) => deps.log.error({ err: error }, 'housekeeping failed'))
  }, hourMs)
  timer.unref()
  return () => clearInterval(timer)
}
