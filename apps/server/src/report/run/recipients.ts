import {
  message,
  type Message,
  parseSubjectId,
  type RecipientConfig,
  type RecipientType,
  type SubjectType,
} from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Channels } from '../../channel/channel.ts'
import type { Tables } from '../../store/tables.ts'

/** One recipient of a run. */
export interface Recipient {
  type: RecipientType
  /** Shown in the log: an address, a channel, a folder. */
  target: string
  /** Configuration for its channel. */
  config: RecipientConfig
  /** The account that gets it; null for addresses without one. */
  account: number | null
  /** The reason why nothing can be delivered to it. */
  problem: Message | null
}

export interface StoredRecipient {
  type: string
  recipient_config_json: string
}

/** The channel that delivers to a type of recipients: accounts get e-mails. */
export const channelOf = (type: RecipientType): keyof Channels =>
  type === 'Slack' || type === 'SlackV2' ? 'Slack' : type === 'Webhook' || type === 'Folder' ? type : 'Email'

const gone = message('errors.report.recipientGone', 'This user, role or group does not exist any more.')
const inactive = message('errors.report.recipientInactive', 'This account is deactivated.')
const withoutAddress = message('errors.report.recipientAddress', 'This account has no e-mail address.')
const empty = message('errors.report.recipientEmpty', 'No active account has this role or is in this group.')

/**
 * Lists who gets a report now: the active members of roles and groups, and each address once, however often it is named. Problems
 * of a recipient are part of the list, so that the log shows them.
 */
export async function listRecipients(db: Kysely<Tables>, stored: readonly StoredRecipient[]): Promise<Recipient[]> {
  const found: Recipient[] = []
  for (const { type, recipient_config_json } of stored) {
    const config = JSON.parse(recipient_config_json) as RecipientConfig
    found.push(...(await expand(db, type as RecipientType, config)))
  }
  const byKey = new Map<string, Recipient>()
  for (const recipient of found) {
    const key = keyOf(recipient)
    if (!byKey.has(key) || byKey.get(key)?.problem) byKey.set(key, recipient)
  }
  return [...byKey.values()]
}

const keyOf = ({ type, target, config }: Recipient): string =>
  channelOf(type) === 'Email' && !config.ccTarget && !config.bccTarget
    ? `Email ${target.toLowerCase()}`
    : JSON.stringify([channelOf(type), target, config.ccTarget, config.bccTarget])

/** Addresses or channels in a text, separated as the reference separates them. */
export const splitTargets = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '')

async function expand(db: Kysely<Tables>, type: RecipientType, config: RecipientConfig): Promise<Recipient[]> {
  if (type === 'User' || type === 'Role' || type === 'Group') return expandSubject(db, type, config)
  const target = String(config.target ?? '')
  if (type === 'Email') return expandAddresses(db, target, config)
  if (channelOf(type) === 'Slack')
    return splitTargets(target).map((channel) => ({
      type,
      target: channel,
      config: { ...config, target: channel },
      account: null,
      problem: null,
    }))
  return [{ type, target, config, account: null, problem: null }]
}

/** Each address gets a message of its own, except where copies are named, which belong to one message. */
async function expandAddresses(db: Kysely<Tables>, target: string, config: RecipientConfig): Promise<Recipient[]> {
  if (config.ccTarget || config.bccTarget) return [{ type: 'Email', target, config, account: null, problem: null }]
  return Promise.all(
    splitTargets(target).map(async (address) => ({
      type: 'Email' as const,
      target: address,
      config: { target: address },
      account: await findAccount(db, address),
      problem: null,
    })),
  )
}

/** The only active account with an address; null when none or several have it. */
export async function findAccount(db: Kysely<Tables>, address: string): Promise<number | null> {
  const users = await db
    .selectFrom('user')
    .select('id')
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', address.toLowerCase()))
    .where('active', '=', 1)
    .limit(2)
    .execute()
  return users.length === 1 ? (users[0]?.id ?? null) : null
}

interface Member {
  id: number
  email: string
  active: number
}

async function expandSubject(
  db: Kysely<Tables>,
  type: 'User' | 'Role' | 'Group',
  { target }: RecipientConfig,
): Promise<Recipient[]> {
  const subject = parseSubjectId(Number(target))
  const failed = (problem: Message, account: number | null = null): Recipient => ({
    type,
    target: String(target),
    config: {},
    account,
    problem,
  })
  if (!subject || subject.type !== subjectTypeOf[type]) return [failed(gone)]
  const { members, exists } = await listMembers(db, subject)
  if (!exists) return [failed(gone)]
  if (members.length === 0) return [failed(subject.type === 'user' ? inactive : empty)]
  return members.map(({ id, email }) =>
    email === ''
      ? { ...failed(withoutAddress, id), target: `#${id}` }
      : { type, target: email, config: { target: email }, account: id, problem: null },
  )
}

const subjectTypeOf = { User: 'user', Role: 'role', Group: 'group' } as const

/** Active accounts of a subject. Members of a group have its roles, too. */
async function listMembers(
  db: Kysely<Tables>,
  { type, id }: { type: SubjectType; id: number },
): Promise<{ members: Member[]; exists: boolean }> {
  const table = ({ user: 'user', role: 'role', group: 'user_group' } as const)[type]
  const exists = (await db.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  const members = await db
    .selectFrom('user')
    .select(['id', 'email', 'active'])
    .where('active', '=', 1)
    .where((eb) => {
      if (type === 'user') return eb('id', '=', id)
      if (type === 'group')
        return eb('id', 'in', eb.selectFrom('user_group_member').select('user_id').where('group_id', '=', id))
      return eb.or([
        eb('id', 'in', eb.selectFrom('user_role').select('user_id').where('role_id', '=', id)),
        eb(
          'id',
          'in',
          eb
            .selectFrom('user_group_member')
            .innerJoin('user_group_role', 'user_group_role.group_id', 'user_group_member.group_id')
            .select('user_group_member.user_id')
            .where('role_id', '=', id),
        ),
      ])
    })
    .orderBy('id')
    .execute()
  return { members, exists }
}
