import { type Kysely, sql } from 'kysely'
import type { Settings } from '../../settings/settings.ts'
import type { Tables } from '../../store/tables.ts'
import { formatStoredTime, parseStoredTime } from '../../store/time.ts'

export interface RetentionDeps {
  db: Kysely<Tables>
  settings: Pick<Settings, 'config'>
  now(): Date
}

const dayMs = 86_400_000
/** A run is the only record that its time has come, so it stays at least this long. */
const minRunDays = 1

/** Deletes runs and files of reports that have been kept for their time, and the oldest files beyond the limit of their size. */
export async function removeOldReportRuns(deps: RetentionDeps): Promise<void> {
  await removeOldRuns(deps)
  await removeOldFiles(deps)
  await removeExcessFiles(deps)
}

async function removeOldRuns({ db, now }: RetentionDeps): Promise<void> {
  const kept = await db.selectFrom('report').select('log_retention').distinct().execute()
  for (const { log_retention } of kept) {
    const days = Math.max(log_retention, minRunDays)
    await db
      .deleteFrom('report_run')
      .where('state', '!=', 'Working')
      .where('end_dttm', '<', formatStoredTime(new Date(Math.max(0, now().getTime() - days * dayMs))))
      .where('report_id', 'in', (eb) =>
        eb.selectFrom('report').select('report.id').where('log_retention', '=', log_retention),
      )
      .execute()
  }
}

/** Files of runs that have not ended are still needed. */
const endedRuns = sql<number>`select id from report_run where state <> 'Working'`

const removeOldFiles = ({ db, now, settings }: RetentionDeps) =>
  db
    .deleteFrom('report_file')
    .where('created_on', '<', formatStoredTime(new Date(now().getTime() - settings.config.REPORT_FILES_DAYS * dayMs)))
    .where(sql<boolean>`run_id in (${endedRuns})`)
    .execute()

async function removeExcessFiles({ db, settings }: RetentionDeps): Promise<void> {
  const files = await db
    .selectFrom('report_file')
    .select(['id', 'size', 'created_on'])
    .orderBy('created_on', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const limit = settings.config.REPORT_FILES_QUOTA_MB * 2 ** 20
  let bytes = 0
  const first = files.find(({ size }) => (bytes += size) > limit)
  if (!first) return
  await db
    .deleteFrom('report_file')
    .where('created_on', '<=', formatStoredTime(parseStoredTime(first.created_on)))
    .where('id', '<=', first.id)
    .where(sql<boolean>`run_id in (${endedRuns})`)
    .execute()
}
