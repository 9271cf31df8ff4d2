import { sql } from 'kysely'
import { endQueries, type HousekeepingDeps } from './housekeeping.ts'
import type { JobQueue } from './jobs/job-queue.ts'
import { errorTranslator } from './settings/messages.ts'
import type { Settings } from './settings/settings.ts'

export interface HeartbeatDeps extends Pick<HousekeepingDeps, 'db' | 'now' | 'log'> {
  server: string
  settings: Settings
  jobs: Pick<JobQueue, 'recover'>
}

const beatMs = 10_000
const silentMs = 20_000
/** The clock of the database, which all servers share. */
const databaseMs = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`

/**
 * Records that this server is alive, and ends the queries and jobs of servers that have been silent for 20 seconds. Only for a
 * store in PostgreSQL, which several servers may share.
 */
export async function recordHeartbeatAndRecover({
  db,
  now,
  server,
  jobs,
  settings,
}: Omit<HeartbeatDeps, 'log'>): Promise<void> {
  await sql`insert into server (id, seen_at) values (${server}, ${databaseMs})
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(db)
  // Deleting the row decides which of the live servers ends the work.
  const silent = await sql<{
    id: string
  }>`delete from server where seen_at < ${databaseMs} - ${silentMs} returning id`.execute(db)
  for (const { id } of silent.rows) {
    await endQueries(
      { db, server: id, now },
      'failed',
      errorTranslator(settings)(
        'errors.jobs.serverSilent',
        'The server that ran this query stopped responding. Run the query again.',
      ),
    )
    await jobs.recover(id)
  }
}

/**
 * Starts the heartbeat.
 * @returns a function that stops it and removes this server from the list
 */
export function startHeartbeat(deps: HeartbeatDeps): () => Promise<void> {
  const run = () =>
    recordHeartbeatAndRecover(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'the heartbeat failed'))
  void run()
  const timer = setInterval(() => void run(), beatMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await deps.db.deleteFrom('server').where('id', '=', deps.server).execute()
  }
}
