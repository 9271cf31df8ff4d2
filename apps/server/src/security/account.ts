import { message, type UserPut } from '@parquetry/model'
import { type Kysely, sql } from 'kysely'
import {
  changedBy,
  FieldErrorCollector,
  invalidPayload,
  toColumns,
  unprocessableFields,
  type WriteContext,
} from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { deleteLinks } from './one-time-link.ts'
import { findWeakness, hashPassword, type PasswordConfig } from './passwords.ts'
import { endUserSessions } from './sessions.ts'
import { isUsername, usernameRule } from './users.ts'

/**
 * Checks what the schema of a body cannot.
 * @param name  the username of the account
 * @throws AppError `invalid_payload` naming the fields
 */
export function checkAccountFields(
  { username, password }: Pick<UserPut, 'username' | 'password'>,
  name: string,
  config: PasswordConfig,
): void {
  const errors = new FieldErrorCollector(invalidPayload)
  if (username !== undefined && !isUsername(username)) errors.add('username', usernameRule)
  const weakness = password ? findWeakness(password, name, config) : undefined
  if (weakness) errors.add('password', weakness)
  errors.throwIfAny()
}

/** @throws AppError `unprocessable` naming a username or e-mail address that another user has, in any spelling */
export async function requireUnique(
  db: Kysely<Tables>,
  { username, email }: Pick<UserPut, 'username' | 'email'>,
  id: number | null,
): Promise<void> {
  const errors = new FieldErrorCollector(unprocessableFields)
  const isTaken = async (column: 'username' | 'email', value: string | undefined): Promise<boolean> => {
    if (!value) return false
    const { rows } = await sql`select 1 from ${sql.table('user')}
      where lower(${sql.ref(column)}) = ${value.toLowerCase()} and id <> ${id ?? -1}`.execute(db)
    return rows.length > 0
  }
  if (await isTaken('username', username))
    errors.add(
      'username',
      message('errors.security.userExists', 'A user named {name} already exists.', { name: username ?? '' }),
    )
  if (await isTaken('email', email))
    errors.add('email', message('errors.user.emailTaken', 'Another user has this email address.'))
  errors.throwIfAny()
}

/** A user as the history stores them: without the password. */
export async function readUser(db: Kysely<Tables>, id: number) {
  const { password: _, ...row } = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const roles = await db.selectFrom('user_role').select('role_id').where('user_id', '=', id).execute()
  const groups = await db.selectFrom('user_group_member').select('group_id').where('user_id', '=', id).execute()
  const attributes = await db.selectFrom('user_attribute').select(['name', 'value']).where('user_id', '=', id).execute()
  return {
    ...row,
    roles: roles.map(({ role_id }) => role_id),
    groups: groups.map(({ group_id }) => group_id),
    attributes,
  }
}

/** Changes the account of the caller. A new password ends their other sessions and links. @throws AppError `unprocessable` */
export async function updateOwnAccount(
  { db, principal, event, now }: WriteContext,
  id: number,
  { password, ...names }: Pick<UserPut, 'first_name' | 'last_name' | 'email' | 'password'>,
  session: string | null,
): Promise<void> {
  const row = await db.selectFrom('user').select(['uuid', 'changed_on']).where('id', '=', id).executeTakeFirstOrThrow()
  const hash = password === undefined ? undefined : await hashPassword(password)
  const columns = {
    ...toColumns(names, ['first_name', 'last_name', 'email']),
    ...(hash !== undefined && { password: hash }),
    ...changedBy(principal, now, row),
  }
  event.json = { id, fields: Object.keys(columns).filter((name) => !name.startsWith('changed_')) }
  const history = { kind: 'user', uuid: row.uuid, id, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readUser(trx, id) }, async (trx) => {
    await requireUnique(trx, names, id)
    await trx.updateTable('user').set(columns).where('id', '=', id).execute()
    if (hash === undefined) return
    await endUserSessions(trx, id, session)
    await deleteLinks(trx, id)
  })
}
