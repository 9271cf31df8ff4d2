import { message, type Message, type ReportRunState } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { formatStoredTime, parseStoredTime } from '../../store/time.ts'
import type { Tables } from '../../store/tables.ts'
import type { ReportRow } from '../report-owner.ts'
import { parseReportExtra } from '../stored-json.ts'
import type { RunDeps } from './deps.ts'
import { type DueSlots, findDueSlots, maxCounted } from './due-slots.ts'
import { toText } from './report-texts.ts'

/** A time that is noticed later than this was missed: a running server notices it within seconds. */
export const missedAfterMs = 120_000

const maxClaims = 200

/**
 * Turns each scheduled time that has come into a run, or into an entry of the log that says why there was none. Only one of
 * several servers does it.
 * @returns whether there may be more
 */
export async function claimDueReports(deps: RunDeps): Promise<boolean> {
  const { db, now, log } = deps
  const due = await db
    .selectFrom('report')
    .selectAll()
    .where('next_at', '<=', formatStoredTime(now()))
    .where('active', '=', 1)
    .orderBy('next_at')
    .orderBy('id')
    .limit(maxClaims)
    .execute()
  for (const report of due)
    await claimReport(deps, report).catch((error: unknown) => {
      log.error({ err: error, report: report.id }, 'a scheduled report could not be started')
      throw error
    })
  return due.length === maxClaims
}

async function claimReport(deps: RunDeps, report: ReportRow): Promise<void> {
  const { db } = deps
  const seen = report.next_at as string
  const slots = computeSlots(deps, report, parseStoredTime(seen))
  if (!slots) return stopUnschedulable(deps, report, seen)
  await db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('report')
      .set({ next_at: slots.next && formatStoredTime(slots.next) })
      .where('id', '=', report.id)
      .where('active', '=', 1)
      .where('next_at', '=', seen)
      .executeTakeFirst()
    if (Number(numUpdatedRows) > 0) await insertRuns(trx, deps, report, slots)
  })
}

/** Null for a schedule that cannot be computed, for example because its time zone no longer exists: other reports go on. */
function computeSlots(deps: RunDeps, report: ReportRow, first: Date): DueSlots | null {
  try {
    return findDueSlots(first, deps.now(), (after) => deps.nextRun(report, after))
  } catch (error) {
    deps.log.error({ err: error, report: report.id }, 'the schedule of a report cannot be computed')
    return null
  }
}

/** Ends the schedule of a report with an entry of its log, which its owner can correct. */
async function stopUnschedulable(deps: RunDeps, report: ReportRow, seen: string): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('report')
      .set({ next_at: null, last_state: 'Error', last_eval_dttm: formatStoredTime(deps.now()) })
      .where('id', '=', report.id)
      .where('next_at', '=', seen)
      .executeTakeFirst()
    if (Number(numUpdatedRows) === 0) return
    await insertRun(trx, deps, report, parseStoredTime(seen), { state: 'Error', reason: unschedulable })
  })
}

async function insertRuns(trx: Transaction<Tables>, deps: RunDeps, report: ReportRow, slots: DueSlots): Promise<void> {
  const { latest, earlier } = slots
  if (earlier)
    await insertRun(trx, deps, report, earlier.first, {
      state: 'Not triggered',
      reason: missedTimes(earlier),
    })
  const isMissed = deps.now().getTime() - latest.getTime() > missedAfterMs
  if (isMissed && readMissed(report) === 'log')
    return insertRun(trx, deps, report, latest, { state: 'Not triggered', reason: missedTime })
  if (await hasUnstartedRun(trx, report.id))
    return insertRun(trx, deps, report, latest, { state: 'Not triggered', reason: stillWaiting })
  await insertRun(trx, deps, report, latest, { state: 'Working', reason: null })
}

const hasUnstartedRun = async (trx: Transaction<Tables>, reportId: number): Promise<boolean> =>
  (await trx
    .selectFrom('report_run')
    .select('id')
    .where('report_id', '=', reportId)
    .where('state', '=', 'Working')
    .where('slot', 'is not', null)
    .where('start_dttm', 'is', null)
    .executeTakeFirst()) !== undefined

/** A slot that has a run already keeps it: the clock may have been set back. */
async function insertRun(
  trx: Transaction<Tables>,
  { now, settings }: RunDeps,
  { id }: ReportRow,
  at: Date,
  { state, reason }: { state: ReportRunState; reason: Message | null },
): Promise<void> {
  const slot = formatStoredTime(at)
  await trx
    .insertInto('report_run')
    .values({
      uuid: randomUUID(),
      report_id: id,
      trigger: 'schedule',
      slot,
      user_id: null,
      run_as_fk: null,
      owner: null,
      next_attempt_at: null,
      state,
      scheduled_dttm: slot,
      start_dttm: null,
      end_dttm: state === 'Working' ? null : formatStoredTime(now()),
      value: null,
      value_row_json: null,
      error_message: reason && toText(reason, settings),
    })
    .onConflict((conflict) => conflict.columns(['report_id', 'slot']).doNothing())
    .execute()
}

const readMissed = ({ extra_json }: ReportRow): 'run' | 'log' => parseReportExtra(extra_json).parquetry?.missed ?? 'run'

const missedTime = message(
  'errors.report.missed',
  'No server was running at this time, and the report is set to skip missed times.',
)
const missedTimes = ({ first, last, count }: NonNullable<DueSlots['earlier']>): Message =>
  count === 1
    ? message('errors.report.missedOne', 'No server was running at this time. A later time replaces it.')
    : message(
        'errors.report.missedMany',
        'No server was running at {count} scheduled times from {first} to {last} (UTC). A later time replaces them.',
        {
          count: count >= maxCounted ? `${maxCounted}+` : count,
          first: formatStoredTime(first).slice(0, 16).replace('T', ' '),
          last: formatStoredTime(last).slice(0, 16).replace('T', ' '),
        },
      )
const unschedulable = message(
  'errors.report.unschedulable',
  'The next time of this report could not be computed. Check its schedule and time zone, and save it again.',
)
const stillWaiting = message(
  'errors.report.stillWaiting',
  'The run of an earlier time was still waiting to start. It replaces this one.',
)

/**
 * Computes the next times again, after the clock was set back or when the server starts: a clock that was ahead may have moved them
 * far into the future. A time that has had its run does not get another one.
 */
export async function reconcileNextTimes(deps: RunDeps): Promise<void> {
  const { db, now } = deps
  const at = now()
  const reports = await db
    .selectFrom('report')
    .select(['id', 'crontab', 'timezone', 'next_at'])
    .where('active', '=', 1)
    .where('next_at', '>', formatStoredTime(at))
    .execute()
  for (const report of reports) {
    const next_at = computeNext(deps, report, at)
    if (next_at === null || report.next_at === null || next_at >= report.next_at) continue
    await db
      .updateTable('report')
      .set({ next_at })
      .where('id', '=', report.id)
      .where('next_at', '=', report.next_at)
      .execute()
  }
}

/** Null if there is none, or if it cannot be computed: this is reported when the known time has come. */
function computeNext(deps: RunDeps, report: Pick<ReportRow, 'crontab' | 'timezone'>, after: Date): string | null {
  try {
    const next = deps.nextRun(report, after)
    return next && formatStoredTime(next)
  } catch {
    return null
  }
}
