import { randomUUID } from 'node:crypto'
import { AppError, message } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { formatStoredTime } from '../store/time.ts'
import type { Tables } from '../store/tables.ts'
import { deleteLinks } from './one-time-link.ts'
import { hashPassword } from './passwords.ts'
import { endUserSessions } from './sessions.ts'

export interface NewUser {
  username: string
  /** Null: the user must use a one-time link. */
  password: string | null
  roles: string[]
  first_name?: string
  last_name?: string
  email?: string
}

/** Finds a user by name, ignoring case; names are unique regardless of case. */
export const findUser = (db: Kysely<Tables>, username: string) =>
  db
    .selectFrom('user')
    .selectAll()
    .where((is) => is(is.fn<string>('lower', ['username']), '=', username.toLowerCase()))
    .executeTakeFirst()

/** Tests if a text is a valid username. */
export const isUsername = (text: string): boolean =>
  // eslint-disable-next-line no-control-regex
  /^[^\s\p{Cc}](?:[^\p{Cc}]{0,248}[^\s\p{Cc}])?$/u.test(text)

export const usernameRule = message(
  'errors.security.username',
  'A username must have 1 to 250 characters and no spaces at the start or end.',
)

/**
 * Creates a user.
 * @throws AppError `unprocessable` when the name is taken, empty or has control characters, or a role does not exist
 */
export async function addUser(db: Kysely<Tables>, user: NewUser, now: Date): Promise<number> {
  if (!isUsername(user.username)) throw new AppError('unprocessable', { message: usernameRule })
  const password = user.password === null ? null : await hashPassword(user.password)
  const createdAt = formatStoredTime(now)
  return db.transaction().execute(async (trx) => {
    if (await findUser(trx, user.username))
      throw new AppError('unprocessable', {
        message: message('errors.security.userExists', 'A user named {name} already exists.', { name: user.username }),
      })
    const roles = await trx.selectFrom('role').selectAll().where('name', 'in', user.roles).execute()
    const unknown = user.roles.find((name) => !roles.some((role) => role.name === name))
    if (unknown !== undefined)
      throw new AppError('unprocessable', {
        message: message('errors.security.noRole', 'Role {role} does not exist.', { role: unknown }),
      })
    const { id } = await trx
      .insertInto('user')
      .values({
        uuid: randomUUID(),
        username: user.username,
        first_name: user.first_name ?? user.username,
        last_name: user.last_name ?? '',
        email: user.email ?? '',
        password,
        active: 1,
        login_count: 0,
        last_login: null,
        created_on: createdAt,
        changed_on: createdAt,
        created_by_fk: null,
        changed_by_fk: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await trx
      .insertInto('user_role')
      .values(roles.map((role) => ({ user_id: id, role_id: role.id })))
      .execute()
    return id
  })
}

/** Sets a password and ends the user's sessions and links. */
export async function setPassword(db: Kysely<Tables>, userId: number, password: string, now: Date): Promise<void> {
  await setPasswordHash(db, userId, await hashPassword(password), now)
}

/** As `setPassword`, with the hash of the password. */
export async function setPasswordHash(db: Kysely<Tables>, userId: number, hash: string, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('user')
      .set({ password: hash, changed_on: formatStoredTime(now) })
      .where('id', '=', userId)
      .execute()
    await endUserSessions(trx, userId)
    await deleteLinks(trx, userId)
  })
}
