import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { makeLink } from './security/one-time-link.ts'
import { findWeaknessText } from './security/passwords.ts'
import { addUser, findUser, setPassword } from './security/users.ts'
import type { Settings } from './settings/settings.ts'
import type { Tables } from './store/tables.ts'

/**
 * Ensures that someone can sign in. If no user has a password yet, creates the administrator of the settings, or one whose
 * password is set with a one-time link.
 * @returns the token of the link, if one was created
 */
export async function ensureFirstUser(
  db: Kysely<Tables>,
  { admin, config }: Pick<Settings, 'admin' | 'config'>,
  log: Logger,
  now: Date,
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
  await setPassword(db, id, admin.password, now)
  return undefined
}
