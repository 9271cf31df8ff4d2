import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { makeLink } from './security/one-time-link.ts'
import { findWeaknessText, hashPassword } from './security/passwords.ts'
import { addUser, findUser, setPasswordHash } from './security/users.ts'
import type { Settings } from './settings/settings.ts'
import type { Tables } from './store/tables.ts'

/** The hash of the administrator's password in the settings; undefined if they contain none. */
export const hashAdminPassword = ({ admin }: Pick<Settings, 'admin'>): Promise<string> | undefined =>
  admin ? hashPassword(admin.password) : undefined

/**
 * Ensures that someone can sign in. If no user has a password yet, creates the administrator of the settings, or one whose
 * password is set with a one-time link.
 * @param adminHash  hash of the administrator's password, if it was begun earlier
 * @returns the token of the link, if one was created
 */
export async function ensureFirstUser(
  db: Kysely<Tables>,
  { admin, config }: Pick<Settings, 'admin' | 'config'>,
  log: Logger,
  now: Date,
  adminHash?: Promise<string>,
): Promise<string | undefined> {
  const userWithPassword = await db
    .selectFrom('user')
    .select('id')
    .where('password', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (userWithPassword) return undefined
  const username = admin?.username ?? 'admin'
  const existing = await findUser(db, username)
  const id =
    existing?.id ?? (await addUser(db, { username, password: null, roles: ['Admin'], first_name: 'Admin' }, now))
  if (!admin) return makeLink(db, id, now)
  const weakness = findWeaknessText(admin.password, username, config)
  if (weakness) log.warn({ user: username }, `the first administrator has a weak password: ${weakness}`)
  await setPasswordHash(db, id, await (adminHash ?? hashPassword(admin.password)), now)
  return undefined
}
