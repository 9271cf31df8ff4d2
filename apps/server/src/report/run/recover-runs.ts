import { message } from '@parquetry/model'
import type { Transaction } from 'kysely'
import type { Tables } from '../../store/tables.ts'
import { formatStoredTime } from '../../store/time.ts'
import type { RunDeps } from './deps.ts'
import { toText } from './report-texts.ts'
import { endRun } from './run-record.ts'
import { markUnknown } from './unknown-deliveries.ts'

/** A run whose server ended this often is not started again: it may be what ends the servers. */
const maxAttempts = 10

const lostRun = message('errors.report.lost', 'The server ended each time while this report was running.')

type RecoverDeps = Pick<RunDeps, 'db' | 'now' | 'settings'>

/**
 * Puts the runs back that a dead server was working on. Messages that it was handing over may have been sent.
 * @param active  runs that it works on after all
 */
export async function recoverRuns(
  deps: RecoverDeps,
  server: string,
  active: ReadonlySet<number> = none,
): Promise<void> {
  const runs = await deps.db
    .selectFrom('report_run')
    .select('id')
    .where('state', '=', 'Working')
    .where('owner', '=', server)
    .execute()
  for (const { id } of runs)
    if (!active.has(id)) await deps.db.transaction().execute((trx) => recoverRun(trx, deps, server, id))
}

const none: ReadonlySet<number> = new Set()

/** Puts the runs of all servers back that are not among the living ones. A store that is not shared has only this server. */
export async function recoverDeadServers(deps: RecoverDeps & Pick<RunDeps, 'server'>): Promise<void> {
  const dead = await deps.db
    .selectFrom('report_run')
    .select('owner')
    .distinct()
    .where('state', '=', 'Working')
    .where('owner', 'is not', null)
    .where('owner', '!=', deps.server)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('server').select('server.id').whereRef('server.id', '=', 'report_run.owner'))),
    )
    .execute()
  for (const { owner } of dead) if (owner !== null) await recoverRuns(deps, owner)
}

/** True when other servers know that this one is alive. */
export const isListed = async ({ db, server }: Pick<RunDeps, 'db' | 'server'>): Promise<boolean> =>
  (await db.selectFrom('server').select('id').where('id', '=', server).executeTakeFirst()) !== undefined

async function recoverRun(trx: Transaction<Tables>, deps: RecoverDeps, server: string, id: number): Promise<void> {
  const run = await trx
    .updateTable('report_run')
    .set({ owner: null, next_attempt_at: null })
    .where('id', '=', id)
    .where('state', '=', 'Working')
    .where('owner', '=', server)
    .returningAll()
    .executeTakeFirst()
  if (!run) return
  await markUnknown(trx, deps, run)
  if (run.attempts < maxAttempts) return
  const reason = toText(lostRun, deps.settings)
  await trx
    .updateTable('report_delivery')
    .set({ state: 'failed', error_message: reason, ended_on: formatStoredTime(deps.now()) })
    .where('run_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
  await endRun(trx, { ...run, owner: server }, { state: 'Error', reason }, deps.now())
}
