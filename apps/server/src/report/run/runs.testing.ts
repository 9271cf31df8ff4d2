import type { ReportExtra } from '@parquetry/model'
import { Cron } from 'croner'
import { randomUUID } from 'node:crypto'
import type { Insertable, Kysely } from 'kysely'
import { chartName } from './sample-content.testing.ts'
import type { ReportTable, Tables } from '../../store/tables.ts'
import { formatStoredTime } from '../../store/time.ts'
import type { TestServer, TestUser } from '../../testing.ts'
import type { RunDeps } from './deps.ts'
import { claimDueReports } from './claim-due-reports.ts'
import { performRun } from './perform-run.ts'
import type { MessageReceiver } from './receiver.testing.ts'
import { claimNextRun, OwnerTurns } from './run-record.ts'

/** A clock that tests set. */
export interface TestClock {
  now(): Date
  steadyMs(): number
  /** Time passes. */
  pass(ms: number): void
  /** The clock is set, without time passing. */
  set(time: string): void
}

export function createClock(time: string): TestClock {
  let wall = Date.parse(time)
  let steady = 0
  return {
    now: () => new Date(wall),
    steadyMs: () => steady,
    pass(ms) {
      wall += ms
      steady += ms
    },
    set: (text) => void (wall = Date.parse(text)),
  }
}

/** Dependencies of runs that send a small text file, by a receiver. */
export const runDepsOf = (
  { deps }: TestServer,
  receiver: Pick<MessageReceiver, 'channels'>,
  clock: TestClock,
  more: Partial<RunDeps> = {},
): RunDeps => ({
  ...deps,
  now: clock.now,
  steadyMs: clock.steadyMs,
  isStoreShared: false,
  channels: receiver.channels,
  buildContent: ({ target }, { principal }) =>
    Promise.resolve({
      files: [
        {
          name: 'report.csv',
          media_type: 'text/csv',
          bytes: Buffer.from(`${chartName(target)} for ${principal.username}`),
        },
      ],
      table: null,
      failures: [],
    }),
  evaluateAlert: () => Promise.resolve({ value: 1, row: { n: 1 }, is_triggered: true }),
  nextRun: ({ crontab, timezone }, after) => new Cron(crontab, { timezone, paused: true }).nextRun(after),
  ...more,
})

/** Gives users an address of their name. */
export async function addAddresses(db: Kysely<Tables>, usernames: readonly TestUser[]): Promise<void> {
  for (const username of usernames)
    await db
      .updateTable('user')
      .set({ email: `${username}@example.com` })
      .where('username', '=', username)
      .execute()
}

export const userId = async (db: Kysely<Tables>, username: TestUser | (string & {})): Promise<number> =>
  (await db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id

interface NewReport extends Partial<Omit<Insertable<ReportTable>, 'id' | 'extra_json'>> {
  owner?: string
  extra?: ReportExtra
  recipients?: { type: string; target: string | number }[]
}

let created = 0

/** Adds a report on no chart, unless one is given. @returns its id */
export async function addReport(
  db: Kysely<Tables>,
  { owner = 'admin', extra = {}, recipients = [{ type: 'Email', target: 'a@example.com' }], ...row }: NewReport = {},
): Promise<number> {
  const created_by_fk = await userId(db, owner)
  const at = formatStoredTime(new Date())
  const { id } = await db
    .insertInto('report')
    .values({
      uuid: randomUUID(),
      type: 'Report',
      name: `report ${++created}`,
      description: null,
      email_subject: null,
      context_markdown: null,
      active: 1,
      crontab: '0 * * * *',
      timezone: 'UTC',
      creation_method: 'alerts_reports',
      chart_id: null,
      dashboard_id: null,
      database_id: null,
      sql: null,
      validator_type: null,
      log_retention: 90,
      grace_period: 14_400,
      working_timeout: 3600,
      report_format: 'CSV',
      extra_json: JSON.stringify(extra),
      force_screenshot: 0,
      custom_width: null,
      last_eval_dttm: null,
      last_state: 'Not triggered',
      last_value: null,
      last_value_row_json: null,
      next_at: null,
      run_as_fk: null,
      created_on: at,
      changed_on: at,
      created_by_fk,
      changed_by_fk: created_by_fk,
      ...row,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('report_owner').values({ report_id: id, user_id: created_by_fk }).execute()
  for (const { type, target } of recipients)
    await db
      .insertInto('report_recipient')
      .values({ report_id: id, type, recipient_config_json: JSON.stringify({ target }) })
      .execute()
  return id
}

export const listRuns = (db: Kysely<Tables>, reportId: number) =>
  db.selectFrom('report_run').selectAll().where('report_id', '=', reportId).orderBy('id').execute()

export const listDeliveriesOf = (db: Kysely<Tables>, reportId: number) =>
  db
    .selectFrom('report_delivery')
    .innerJoin('report_run', 'report_run.id', 'run_id')
    .selectAll('report_delivery')
    .where('report_id', '=', reportId)
    .orderBy('report_delivery.id')
    .execute()

const { signal: never } = new AbortController()

/** Does what a scheduler does at one time, until nothing is left to do. */
export async function runDueReports(deps: RunDeps): Promise<void> {
  while (await claimDueReports(deps));
  const turns = new OwnerTurns()
  for (let claim = await claimNextRun(deps, turns); claim; claim = await claimNextRun(deps, turns))
    await performRun(deps, claim, { stop: never, cancel: never, exit: never })
}
