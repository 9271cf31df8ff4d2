import {
  AppError,
  type FieldMessages,
  message,
  type Message,
  type RecipientType,
  type ReportRecipient,
  type SubjectType,
} from '@parquetry/model'
import { type Kysely, sql } from 'kysely'
import { listAll, parseRecipient } from '../channel/email/addresses.ts'
import { findSubjects, selectIds } from '../http/subjects.ts'
import type { Tables } from '../store/tables.ts'
import type { ReportDeps } from './deps.ts'
import { channelOf } from './run/recipients.ts'

/** E-mail addresses of one report, each of which gets a message. */
const maxAddresses = 1000

const subjectRecipients: Partial<Record<RecipientType, SubjectType>> = { User: 'user', Role: 'role', Group: 'group' }

/** E-mail addresses of a recipient, in lower case, with those of copies; none if they are not well-formed. */
function listAddresses({ type, recipient_config_json: config = {} }: ReportRecipient): string[] {
  if (type !== 'Email') return []
  try {
    return listAll(parseRecipient(config)).map((address) => address.toLowerCase())
  } catch {
    return []
  }
}

/**
 * Everyone without an account to whom these recipients deliver, as they are named in `confirmed`: e-mail addresses that are not
 * those of exactly one active user, channels, addresses of webhooks, and folders.
 */
export async function listOutsiders(db: Kysely<Tables>, recipients: readonly ReportRecipient[]): Promise<string[]> {
  const addresses = [...new Set(recipients.flatMap(listAddresses))]
  const users =
    addresses.length === 0
      ? []
      : await db
          .selectFrom('user')
          .select(sql<string>`lower(email)`.as('email'))
          .where('active', '=', 1)
          .where(sql`lower(email)`, 'in', addresses)
          .groupBy(sql`lower(email)`)
          .having(({ fn }) => fn.countAll(), '=', 1)
          .execute()
  const known = new Set(users.map(({ email }) => email))
  const others = recipients
    .filter(({ type }) => type !== 'Email' && !(type in subjectRecipients))
    .map(({ recipient_config_json: config }) => String(config?.target ?? '').trim())
  return [...new Set([...addresses.filter((address) => !known.has(address)), ...others])]
}

/** Settings without which one of these recipients cannot get anything. */
export const listMissingSettings = (
  { channels }: Pick<ReportDeps, 'channels'>,
  recipients: readonly Pick<ReportRecipient, 'type'>[],
): string[] => [...new Set(recipients.flatMap(({ type }) => channels[channelOf(type)].missingSettings()))]

/** Returns the problem of one recipient; `format` if its target is not well-formed. */
async function findProblem(
  { channels, settings }: ReportDeps,
  recipient: ReportRecipient,
  subjects: ReadonlySet<number>,
): Promise<{ format?: Message | string; rule?: Message | string } | undefined> {
  const { type, recipient_config_json: config = {} } = recipient
  const subject = subjectRecipients[type]
  if (subject) {
    const isKnown = selectIds([Number(config.target)], subject).length > 0 && subjects.has(Number(config.target))
    return isKnown
      ? undefined
      : { rule: message('errors.report.subject', 'Some of these users, roles or groups do not exist.') }
  }
  if (String(config.target ?? '').trim() === '')
    return { format: message('errors.fields.missing', 'Missing data for required field.') }
  if (type === 'Webhook' && settings.flags['ALERT_REPORT_WEBHOOK'] !== true)
    return {
      rule: message(
        'errors.report.noWebhooks',
        'Reports cannot be sent to webhooks: the feature flag ALERT_REPORT_WEBHOOK is off.',
      ),
    }
  try {
    await channels[channelOf(type)].checkTarget(config)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'invalid_payload' ? { format: error.sentence } : { rule: error.sentence }
  }
}

/**
 * Checks recipients of a body.
 * @returns problems of the field `recipients` with status 422; undefined when there are none
 * @throws AppError `invalid_payload` for targets that are not well-formed
 */
export async function checkRecipients(
  deps: ReportDeps,
  recipients: readonly ReportRecipient[],
): Promise<(Message | string)[] | undefined> {
  const ids = recipients
    .filter(({ type }) => type in subjectRecipients)
    .map(({ recipient_config_json: config }) => Number(config?.target))
    .filter(Number.isSafeInteger)
  const subjects = await findSubjects(deps.db, ids)
  const formats: FieldMessages = {}
  const rules: (Message | string)[] = []
  for (const [index, recipient] of recipients.entries()) {
    const { format, rule } = (await findProblem(deps, recipient, subjects)) ?? {}
    if (format !== undefined) formats[index] = { recipient_config_json: { target: [format] } }
    if (rule !== undefined && rules.length < 10) rules.push(rule)
  }
  if (Object.keys(formats).length > 0) throw new AppError('invalid_payload', { fields: { recipients: formats } })
  if (recipients.flatMap(listAddresses).length > maxAddresses)
    rules.push(
      message(
        'errors.report.tooManyAddresses',
        'A report can have at most {limit, number} email addresses. Choose a role or a group instead.',
        { limit: maxAddresses },
      ),
    )
  return rules.length > 0 ? rules : undefined
}
