import type { ReportOptions } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { formatStoredTime } from '../../store/time.ts'
import type { ReportRow } from '../report-owner.ts'
import type { DeliveryRow } from './delivery-record.ts'
import type { RunDeps } from './deps.ts'
import { listRecipients, type Recipient } from './recipients.ts'
import { toText } from './report-texts.ts'
import { type RunClaim, withRun } from './run-record.ts'

/**
 * Returns the deliveries of a run. They are written once, when the run first gets here: later attempts have the same recipients.
 * @param ownerId  whose rows the content shows, unless recipients get their own
 */
export async function ensureDeliveries(
  deps: RunDeps,
  claim: RunClaim,
  report: ReportRow,
  { rows = 'owner' }: ReportOptions,
  ownerId: number,
): Promise<DeliveryRow[]> {
  const { db } = deps
  const existing = await listDeliveries(deps, claim)
  if (existing.length > 0) return existing
  const recipients = claim.trigger === 'test' ? await listTester(deps, claim) : await listStoredRecipients(deps, report)
  await withRun(db, claim, async (trx) => {
    for (let start = 0; start < recipients.length; start += batchSize)
      await trx
        .insertInto('report_delivery')
        .values(
          recipients
            .slice(start, start + batchSize)
            .map((recipient) =>
              toRow(deps, claim, recipient, (rows === 'recipient' ? recipient.account : null) ?? ownerId),
            ),
        )
        .execute()
  })
  return listDeliveries(deps, claim)
}

/** PostgreSQL and SQLite limit the number of values of a statement. */
const batchSize = 200

export const listDeliveries = ({ db }: Pick<RunDeps, 'db'>, { id }: Pick<RunClaim, 'id'>): Promise<DeliveryRow[]> =>
  db.selectFrom('report_delivery').selectAll().where('run_id', '=', id).orderBy('id').execute()

async function listStoredRecipients({ db }: RunDeps, { id }: ReportRow): Promise<Recipient[]> {
  const stored = await db
    .selectFrom('report_recipient')
    .select(['type', 'recipient_config_json'])
    .where('report_id', '=', id)
    .orderBy('id')
    .execute()
  return listRecipients(db, stored)
}

/** A user who sends a report to themselves. */
async function listTester({ db }: RunDeps, { user_id }: RunClaim): Promise<Recipient[]> {
  const user = await db
    .selectFrom('user')
    .select(['id', 'email'])
    .where('id', '=', user_id ?? -1)
    .where('active', '=', 1)
    .executeTakeFirst()
  if (!user) return []
  return [{ type: 'User', target: user.email, config: { target: user.email }, account: user.id, problem: null }]
}

function toRow(
  { now, settings }: RunDeps,
  { id }: RunClaim,
  { type, target, config, problem }: Recipient,
  userId: number,
) {
  return {
    uuid: randomUUID(),
    run_id: id,
    type,
    target,
    config_json: JSON.stringify(config),
    user_id: userId,
    state: problem ? ('failed' as const) : ('waiting' as const),
    next_attempt_at: null,
    error_message: problem && toText(problem, settings),
    started_on: null,
    ended_on: problem && formatStoredTime(now()),
  }
}
