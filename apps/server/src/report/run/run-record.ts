import type { ReportRunState } from '@parquetry/model'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { ReportRunTable, Tables } from '../../store/tables.ts'
import { formatStoredTime } from '../../store/time.ts'
import type { RunDeps } from './deps.ts'

/** A run that this server works on. `attempts` identifies its claim: after another one, its writes change nothing. */
export type RunClaim = Selectable<ReportRunTable> & { owner: string }

/** The run was taken over by another server, which took this one for dead, or its report was deleted. */
export class RunTakenOverError extends Error {}

/** Longest time until another attempt; a later one is due, because the clock was set back. */
export const maxBackoffMs = 3_600_000

/** Number of waiting runs among which the next one is chosen. */
const maxCandidates = 500

/** Gives owners turns among runs of the same time. */
export class OwnerTurns {
  readonly #served = new Map<number, number>()
  #turn = 0

  /** Sorts runs by time; those of one time by the owner that has waited longest. Runs started by users come first. */
  sort<R extends { isManual: boolean; scheduled_dttm: string; owner_id: number | null }>(runs: readonly R[]): R[] {
    const turnOf = ({ owner_id }: R) => this.#served.get(owner_id ?? 0) ?? 0
    return runs.toSorted(
      (a, b) =>
        Number(b.isManual) - Number(a.isManual) ||
        (a.scheduled_dttm < b.scheduled_dttm ? -1 : a.scheduled_dttm > b.scheduled_dttm ? 1 : 0) ||
        turnOf(a) - turnOf(b),
    )
  }

  serve(ownerId: number | null): void {
    this.#served.set(ownerId ?? 0, ++this.#turn)
  }
}

const isDue = (now: Date) => ({
  now: formatStoredTime(now),
  tooLate: formatStoredTime(new Date(now.getTime() + maxBackoffMs + 60_000)),
})

/**
 * Claims the next waiting run. Only one server gets it. Undefined when none is due.
 * @param excluded  creators of reports that get no further run now
 */
export async function claimNextRun(
  { db, server, now }: Pick<RunDeps, 'db' | 'server' | 'now'>,
  turns: OwnerTurns,
  excluded: readonly number[] = [],
): Promise<(RunClaim & { creator: number | null }) | undefined> {
  const time = isDue(now())
  const waiting = await db
    .selectFrom('report_run')
    .innerJoin('report', 'report.id', 'report_id')
    .select(['report_run.id', 'report_id', 'trigger', 'scheduled_dttm', 'created_by_fk as owner_id'])
    .where('state', '=', 'Working')
    .where('owner', 'is', null)
    .where((eb) =>
      eb.or([
        eb('next_attempt_at', 'is', null),
        eb('next_attempt_at', '<=', time.now),
        eb('next_attempt_at', '>', time.tooLate),
      ]),
    )
    .$if(excluded.length > 0, (query) =>
      query.where((eb) => eb(eb.fn.coalesce('created_by_fk', eb.val(0)), 'not in', excluded)),
    )
    .orderBy('scheduled_dttm')
    .orderBy('report_run.id')
    .limit(maxCandidates)
    .execute()
  const candidates = waiting.map((run) => ({ ...run, isManual: run.trigger !== 'schedule' }))
  for (const { id, report_id, owner_id } of turns.sort(candidates)) {
    const claim = await db.transaction().execute((trx) => claimRun(trx, id, report_id, server, time.now))
    if (!claim) continue
    turns.serve(owner_id)
    return { ...claim, owner: server, creator: owner_id }
  }
  return undefined
}

/** A report has one run at a time: an alert must see what its previous run has sent. */
async function claimRun(trx: Transaction<Tables>, id: number, reportId: number, server: string, now: string) {
  await lockReport(trx, reportId)
  const running = await trx
    .selectFrom('report_run')
    .select('id')
    .where('report_id', '=', reportId)
    .where('state', '=', 'Working')
    .where('owner', 'is not', null)
    .executeTakeFirst()
  if (running) return undefined
  const claim = await trx
    .updateTable('report_run')
    .set((eb) => ({
      owner: server,
      attempts: eb('attempts', '+', 1),
      next_attempt_at: null,
      start_dttm: eb.fn.coalesce('start_dttm', eb.val(now)),
    }))
    .where('id', '=', id)
    .where('state', '=', 'Working')
    .where('owner', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (claim && (await isLatest(trx, claim)))
    await trx
      .updateTable('report')
      .set({ last_state: 'Working', last_eval_dttm: claim.start_dttm })
      .where('id', '=', reportId)
      .execute()
  return claim
}

/**
 * Tells if a run is the last one that counts for its report. One that a user sends to themselves does not count, nor does an older
 * one of which something is sent again.
 */
const isLatest = async (
  trx: Transaction<Tables>,
  { id, report_id, trigger }: Pick<RunClaim, 'id' | 'report_id' | 'trigger'>,
): Promise<boolean> =>
  trigger !== 'test' &&
  (await trx
    .selectFrom('report_run')
    .select('id')
    .where('report_id', '=', report_id)
    .where('trigger', '!=', 'test')
    .where('start_dttm', 'is not', null)
    .where('id', '>', id)
    .executeTakeFirst()) === undefined

/** Locks the row of a report until the end of the transaction. */
export const lockReport = (trx: Transaction<Tables>, id: number) =>
  trx
    .updateTable('report')
    .set((eb) => ({ failures: eb.ref('failures') }))
    .where('id', '=', id)
    .execute()

/** Locks the row of a run until the end of the transaction. @throws RunTakenOverError unless the claim is still valid */
export async function lockRun(trx: Transaction<Tables>, { id, owner, attempts }: RunClaim): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('report_run')
    .set((eb) => ({ attempts: eb.ref('attempts') }))
    .where('id', '=', id)
    .where('state', '=', 'Working')
    .where('owner', '=', owner)
    .where('attempts', '=', attempts)
    .executeTakeFirst()
  if (Number(numUpdatedRows) === 0) throw new RunTakenOverError()
}

/** Runs a transaction while the claim is valid. @throws RunTakenOverError, having changed nothing */
export const withRun = <T>(
  db: Kysely<Tables>,
  claim: RunClaim,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await lockRun(trx, claim)
    return work(trx)
  })

/** Puts a run back among the waiting ones, to go on at a time or at once. */
export const releaseRun = (db: Kysely<Tables>, claim: RunClaim, at: Date | null): Promise<void> =>
  withRun(db, claim, async (trx) => {
    await trx
      .updateTable('report_run')
      .set({ owner: null, next_attempt_at: at && formatStoredTime(at) })
      .where('id', '=', claim.id)
      .execute()
  })

/** How a run ended. */
export interface RunEnd {
  state: Exclude<ReportRunState, 'Working'>
  /** In the language of the server. */
  reason: string | null
}

/**
 * Ends a run and counts its failures.
 * @returns the number of runs that failed in a row, including this one
 */
export async function endRun(
  trx: Transaction<Tables>,
  claim: RunClaim,
  { state, reason }: RunEnd,
  now: Date,
): Promise<number> {
  await trx
    .updateTable('report_run')
    .set({ state, error_message: reason, owner: null, next_attempt_at: null, end_dttm: formatStoredTime(now) })
    .where('id', '=', claim.id)
    .execute()
  if (!(await isLatest(trx, claim))) return 0
  const { failures } = await trx
    .updateTable('report')
    .set((eb) => ({
      last_state: state,
      ...(state === 'Error' && { failures: eb('failures', '+', 1) }),
      ...((state === 'Success' || state === 'Not triggered') && { failures: 0 }),
    }))
    .where('id', '=', claim.report_id)
    .returning('failures')
    .executeTakeFirstOrThrow()
  return state === 'Error' ? failures : 0
}
