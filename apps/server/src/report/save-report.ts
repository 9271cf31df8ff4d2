import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  AppError,
  message,
  type ReportExtra,
  type ReportPost,
  type ReportPut,
  type ReportRecipient,
} from '@parquetry/model'
import type { Transaction } from 'kysely'
import type { Principal } from '../access/principal.ts'
import {
  changedBy,
  createdBy,
  replaceLinks,
  toColumns,
  unprocessableFields,
  type WriteContext,
} from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import { requireValidCondition } from './alert/require-valid-condition.ts'
import { checkFormats, checkReport } from './check-report.ts'
import type { ReportDeps } from './deps.ts'
import { listMissingSettings } from './recipients.ts'
import { mergeDraft, readDraft, type ReportDraft } from './report-draft.ts'
import { loadReportOwner, type ReportRow } from './report-owner.ts'
import { findNextRun } from './schedule/schedule.ts'
import { formatRecipientConfig, formatValidatorConfig } from './stored-json.ts'

const plainFields = [
  'description',
  'email_subject',
  'context_markdown',
  'log_retention',
  'grace_period',
  'custom_width',
] as const

const owners = { through: 'report_owner', own: 'report_id', other: 'user_id' }

/** Columns that follow from the checked report. */
const toStored = (draft: ReportDraft) => ({
  type: draft.type,
  name: draft.name,
  crontab: draft.crontab,
  timezone: draft.timezone,
  creation_method: draft.creation_method,
  chart_id: draft.chart_id,
  dashboard_id: draft.dashboard_id,
  database_id: draft.database_id,
  sql: draft.sql,
  validator_type: draft.validator_type,
  validator_config_json: formatValidatorConfig(draft.validator_config),
  report_format: draft.report_format,
  extra_json: JSON.stringify(draft.extra),
})

/** Everything that determines which rows are sent, and their recipients. */
const whatIsSent = ({ chart_id, dashboard_id, extra, report_format, recipients, ...draft }: ReportDraft) => ({
  ...whatTriggers(draft),
  chart_id,
  dashboard_id,
  extra: withMark(extra, false),
  report_format,
  recipients,
})

const whatTriggers = ({
  type,
  database_id,
  sql,
  validator_type,
  validator_config,
}: Omit<ReportDraft, 'chart_id' | 'dashboard_id' | 'extra' | 'report_format' | 'recipients'>) => ({
  type,
  database_id,
  sql,
  validator_type,
  validator_config,
})

/** @throws AppError `unprocessable` if the name is in use; `report_exists` for a second one from the same chart or dashboard */
async function requireUnique(
  trx: Transaction<Tables>,
  { type, name, creation_method, chart_id, dashboard_id }: ReportDraft,
  own: Pick<ReportRow, 'id' | 'created_by_fk'> | { id: null; created_by_fk: number | null },
): Promise<void> {
  const others = trx
    .selectFrom('report')
    .select('id')
    .where('id', '<>', own.id ?? -1)
  const named = await others.where('type', '=', type).where('name', '=', name).executeTakeFirst()
  if (named)
    throw unprocessableFields({
      name: [
        type === 'Alert'
          ? message('errors.report.alertName', 'An alert named "{name}" already exists', { name })
          : message('errors.report.reportName', 'A report named "{name}" already exists', { name }),
      ],
    })
  if (own.id !== null || creation_method === 'alerts_reports' || own.created_by_fk === null) return
  const attached = await others
    .where('created_by_fk', '=', own.created_by_fk)
    .where('creation_method', '=', creation_method)
    .where(chart_id === null ? 'dashboard_id' : 'chart_id', '=', chart_id ?? dashboard_id)
    .executeTakeFirst()
  if (attached) throw new AppError('report_exists')
}

/** @throws AppError `unprocessable` if the user has created as many as the settings allow */
async function requireQuota(
  trx: Transaction<Tables>,
  { settings }: ReportDeps,
  { id, isAdmin }: Principal,
): Promise<void> {
  const most = settings.config.ALERT_REPORTS_MAX_PER_USER
  if (most === 0 || isAdmin || id === null) return
  const { count } = await trx
    .selectFrom('report')
    .select(({ fn }) => fn.countAll<string | number>().as('count'))
    .where('created_by_fk', '=', id)
    .executeTakeFirstOrThrow()
  if (Number(count) < most) return
  throw new AppError('unprocessable', {
    message: message(
      'errors.report.quota',
      'You have created {most, number} alerts and reports, the most that one user may have. Delete some, or ask an administrator to raise ALERT_REPORTS_MAX_PER_USER.',
      { most },
    ),
  })
}

async function replaceRecipients(
  trx: Transaction<Tables>,
  report_id: number,
  recipients: readonly ReportRecipient[],
): Promise<void> {
  await trx.deleteFrom('report_recipient').where('report_id', '=', report_id).execute()
  const rows = recipients.map(({ type, recipient_config_json }) => ({
    report_id,
    type,
    recipient_config_json: formatRecipientConfig(recipient_config_json),
  }))
  for (let from = 0; from < rows.length; from += 100)
    await trx
      .insertInto('report_recipient')
      .values(rows.slice(from, from + 100))
      .execute()
}

/** Owners of a body. Callers who are not administrators stay owners; a new report without owners gets its creator. */
function ownersOf(
  { id, isAdmin }: Principal,
  sent: readonly number[] | undefined,
  isNew: boolean,
): number[] | undefined {
  if (!sent && !isNew) return undefined
  const caller = id !== null && (!isAdmin || (isNew && (sent ?? []).length === 0)) ? [id] : []
  return [...new Set([...caller, ...(sent ?? [])])]
}

const nextTime = (draft: ReportDraft, now: Date): string | null => {
  const next = draft.active ? findNextRun(draft, now) : null
  return next && formatStoredTime(next)
}

/**
 * A report is active only if there is a way to deliver to each of its recipients. One that should be active, but is not for this reason, is marked.
 * @param wasAwaiting  it was marked before, and the body does not say whether it should be active
 */
function withUsableChannels(deps: ReportDeps, draft: ReportDraft, wasAwaiting = false): ReportDraft {
  const active = draft.active && listMissingSettings(deps, draft.recipients).length === 0
  const isAwaiting = !active && (draft.active || wasAwaiting)
  return { ...draft, active, extra: withMark(draft.extra, isAwaiting) }
}

/** The document with or without the mark; without one, a document that never had a mark is returned as it is. */
function withMark(extra: ReportExtra, isAwaiting: boolean): ReportExtra {
  if (isAwaiting) return { ...extra, parquetry: { ...extra.parquetry, awaits_channel: true } }
  if (extra.parquetry?.awaits_channel === undefined) return extra
  const { awaits_channel: _awaits, ...options } = extra.parquetry
  return { ...extra, parquetry: options }
}

/**
 * Creates an alert or report with the rights of the caller.
 * @returns its id, and what was stored of the body
 * @throws AppError what `checkFormats`, `checkReport`, `requireValidCondition`, `requireUnique` and `requireQuota` refuse; nothing is stored then
 */
export async function createReport(
  deps: ReportDeps,
  context: WriteContext,
  body: ReportPost,
  signal: AbortSignal,
): Promise<{ id: number; result: Record<string, unknown> }> {
  const { principal, now, event } = context
  const { config } = deps.settings
  const draft = withUsableChannels(deps, mergeDraft(body))
  checkFormats(deps, body, draft)
  await checkReport(deps, context, { body, draft, isSentChanged: true }, signal)
  await requireValidCondition(deps, draft, principal, signal)
  const id = await context.db.transaction().execute(async (trx) => {
    await requireUnique(trx, draft, { id: null, created_by_fk: principal.id })
    await requireQuota(trx, deps, principal)
    const row = await trx
      .insertInto('report')
      .values({
        uuid: randomUUID(),
        description: null,
        email_subject: null,
        context_markdown: null,
        log_retention: config.ALERT_REPORTS_DEFAULT_RETENTION,
        grace_period: 14_400,
        custom_width: null,
        ...toColumns(body, plainFields),
        force_screenshot: body.force_screenshot ? 1 : 0,
        working_timeout: body.working_timeout ?? config.ALERT_REPORTS_DEFAULT_WORKING_TIMEOUT,
        ...toStored(draft),
        active: draft.active ? 1 : 0,
        last_eval_dttm: null,
        last_state: 'Not triggered',
        last_value: null,
        last_value_row_json: null,
        next_at: nextTime(draft, now),
        run_as_fk: principal.id,
        ...createdBy(principal, now),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await replaceLinks(trx, owners, row.id, ownersOf(principal, body.owners, true) ?? [])
    await replaceRecipients(trx, row.id, draft.recipients)
    return row.id
  })
  event.json = { id, type: draft.type }
  return { id, result: { ...body, ...(body.active !== undefined && { active: draft.active }) } }
}

const withoutOwner = message(
  'errors.report.withoutOwner',
  'The account whose rights this report uses was deactivated. Add yourself as an owner, so that it uses your rights.',
)

/**
 * Finds the owner whose rights the changed report uses: an owner who changes what it sends, or when it is triggered, or who keeps it active
 * after the account that it used was deactivated. An administrator who is not an owner helps others, so the report stays theirs.
 * @returns `isTaken` if the caller's rights replace others
 * @throws AppError `unprocessable` for an active report whose account was deactivated
 */
async function findRunAs(
  deps: ReportDeps,
  { principal }: WriteContext,
  row: ReportRow,
  { isSentChanged, isActive, owners: sent }: { isSentChanged: boolean; isActive: boolean; owners: readonly number[] },
): Promise<{ principal: Principal; run_as_fk: number | null; isTaken: boolean }> {
  const owner = await loadReportOwner(deps.db, row)
  const stays = { principal: owner ?? principal, run_as_fk: row.run_as_fk, isTaken: false }
  if (principal.id === null || (owner && (!isSentChanged || owner.id === principal.id))) return stays
  const owned = await deps.db
    .selectFrom('report_owner')
    .select('user_id')
    .where('report_id', '=', row.id)
    .where('user_id', '=', principal.id)
    .executeTakeFirst()
  const isOwner = owned !== undefined || row.created_by_fk === principal.id || sent.includes(principal.id)
  if (isOwner && (isSentChanged || isActive)) return { principal, run_as_fk: principal.id, isTaken: true }
  if (!owner && isActive) throw unprocessableFields({ owners: [withoutOwner] })
  return stays
}

/**
 * Changes the given fields of an alert or report.
 * @param seen  the `changed_on` that it must still have
 * @throws AppError as `createReport`; `conflict` if it was changed meanwhile
 */
export async function updateReport(
  deps: ReportDeps,
  context: WriteContext,
  row: ReportRow,
  body: ReportPut,
  seen: string | undefined,
  signal: AbortSignal,
): Promise<{ result: Record<string, unknown> }> {
  const { principal, now, event } = context
  const before = await readDraft(deps.db, row)
  const wasAwaiting = body.active === undefined && before.extra.parquetry?.awaits_channel === true
  const draft = withUsableChannels(deps, mergeDraft(body, before), wasAwaiting)
  checkFormats(deps, body, draft)
  const isSentChanged = !isDeepStrictEqual(whatIsSent(before), whatIsSent(draft))
  const change = { isSentChanged, isActive: draft.active, owners: body.owners ?? [] }
  const runAs = await findRunAs(deps, context, row, change)
  const asOwner = { ...context, principal: runAs.principal }
  await checkReport(deps, asOwner, { body, draft, isSentChanged: isSentChanged || runAs.isTaken }, signal)
  const triggers = (each: ReportDraft) => ({ ...whatTriggers(each), metric: each.extra.parquetry?.metric })
  if (!isDeepStrictEqual(triggers(before), triggers(draft)))
    await requireValidCondition(deps, draft, runAs.principal, signal)
  const isRescheduled =
    draft.active !== before.active || draft.crontab !== before.crontab || draft.timezone !== before.timezone
  await context.db.transaction().execute(async (trx) => {
    await requireUnique(trx, draft, row)
    const updated = await trx
      .updateTable('report')
      .set({
        ...toColumns(body, plainFields),
        ...(body.force_screenshot !== undefined && { force_screenshot: body.force_screenshot ? 1 : 0 }),
        ...(body.working_timeout !== undefined && {
          working_timeout: body.working_timeout ?? deps.settings.config.ALERT_REPORTS_DEFAULT_WORKING_TIMEOUT,
        }),
        ...toStored(draft),
        active: draft.active ? 1 : 0,
        ...(isRescheduled && { next_at: nextTime(draft, now) }),
        run_as_fk: runAs.run_as_fk,
        ...(runAs.isTaken && { last_value: null, last_value_row_json: null }),
        ...changedBy(principal, now, row),
      })
      .where('id', '=', row.id)
      .$if(seen !== undefined, (query) => query.where('changed_on', '=', seen ?? ''))
      .executeTakeFirst()
    if (Number(updated.numUpdatedRows) === 0) throw new AppError('conflict')
    const sent = ownersOf(principal, body.owners, false)
    if (sent) await replaceLinks(trx, owners, row.id, sent)
    if (!isDeepStrictEqual(before.recipients, draft.recipients)) await replaceRecipients(trx, row.id, draft.recipients)
  })
  event.json = { id: row.id, type: draft.type }
  return { result: { ...body, ...(body.active !== undefined && { active: draft.active }) } }
}
