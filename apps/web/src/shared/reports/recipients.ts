import type { RecipientConfig, RecipientType, ReportDetail, ReportRecipient } from '@parquetry/model'
import { parseSubjectId, type SubjectType } from '@parquetry/model/subject'

/** Recipients of a report by kind, as its form shows them. */
export interface Recipients {
  emails: readonly string[]
  cc: readonly string[]
  bcc: readonly string[]
  /** Ids of subjects: users, roles and groups. */
  subjects: readonly number[]
  /** Ids or names of channels. */
  slack: readonly string[]
  webhooks: readonly string[]
  folders: readonly string[]
}

export type RecipientKind = keyof Recipients

export const noRecipients: Recipients = {
  emails: [],
  cc: [],
  bcc: [],
  subjects: [],
  slack: [],
  webhooks: [],
  folders: [],
}

const splitTargets = (text: unknown): string[] =>
  (typeof text === 'string' ? text : typeof text === 'number' ? String(text) : '').split(/[,;\s]+/).filter(Boolean)

function parseConfig(json: string): RecipientConfig {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as RecipientConfig) : {}
  } catch {
    return {}
  }
}

/** Recipients of a stored report. Lists of addresses in one target become single addresses. */
export function readRecipients(stored: ReportDetail['recipients']): Recipients {
  const found = { emails: [], cc: [], bcc: [], subjects: [], slack: [], webhooks: [], folders: [] } as {
    [K in RecipientKind]: Recipients[K][number][]
  }
  for (const { type, recipient_config_json } of stored) {
    const { target, ccTarget, bccTarget } = parseConfig(recipient_config_json)
    const whole = String(target ?? '').trim()
    if (type === 'Email') {
      found.emails.push(...splitTargets(target))
      found.cc.push(...splitTargets(ccTarget))
      found.bcc.push(...splitTargets(bccTarget))
    } else if (type === 'Slack' || type === 'SlackV2') found.slack.push(...splitTargets(target))
    else if (whole === '') continue
    else if (type === 'Webhook') found.webhooks.push(whole)
    else if (type === 'Folder') found.folders.push(whole)
    else if (Number.isInteger(Number(whole))) found.subjects.push(Number(whole))
  }
  return Object.fromEntries(
    Object.entries(found).map(([kind, list]) => [kind, [...new Set(list as string[])]]),
  ) as never
}

const subjectRecipients: Record<SubjectType, RecipientType> = { user: 'User', role: 'Role', group: 'Group' }
const slackId = /^[CGD][A-Z0-9]{6,}$/

/**
 * Recipients for the API: one per target, so that each has its own delivery and its own state. Addresses that are copied share one
 * message.
 */
export function toApiRecipients(recipients: Recipients): ReportRecipient[] {
  const { emails, cc, bcc, subjects, slack, webhooks, folders } = recipients
  const one = (type: RecipientType, target: string | number): ReportRecipient => ({
    type,
    recipient_config_json: { target },
  })
  const isCopied = cc.length > 0 || bcc.length > 0
  return [
    ...(isCopied && emails.length > 0
      ? [
          {
            type: 'Email' as const,
            recipient_config_json: {
              target: emails.join(', '),
              ...(cc.length > 0 && { ccTarget: cc.join(', ') }),
              ...(bcc.length > 0 && { bccTarget: bcc.join(', ') }),
            },
          },
        ]
      : emails.map((address) => one('Email', address))),
    ...subjects.flatMap((id) => {
      const type = parseSubjectId(id)?.type
      return type ? [one(subjectRecipients[type], id)] : []
    }),
    ...slack.map((channel) => one(slackId.test(channel) ? 'SlackV2' : 'Slack', channel)),
    ...webhooks.map((address) => one('Webhook', address)),
    ...folders.map((folder) => one('Folder', folder)),
  ]
}

/** Targets without an account in Parquetry, which get rows of restricted tables only after a confirmation. */
export const listOutsideTargets = ({ emails, cc, bcc, slack, webhooks, folders }: Recipients): string[] => [
  ...new Set([...emails, ...cc, ...bcc, ...slack, ...webhooks, ...folders]),
]

/** A typed address; null if it is none. */
export const parseEmail = (text: string): string | null =>
  /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(text.trim()) ? text.trim() : null

/** A typed web address; null if it is none. */
export function parseWebhook(text: string): string | null {
  const address = URL.canParse(text.trim()) ? new URL(text.trim()) : null
  return address && (address.protocol === 'https:' || address.protocol === 'http:') ? text.trim() : null
}
