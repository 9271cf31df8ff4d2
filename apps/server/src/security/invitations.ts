import { type AcceptedInvitation, AppError, type Invitation, type InvitationPost, message } from '@parquetry/model'
import type { Kysely, Selectable, Transaction } from 'kysely'
import { loadPrincipalById } from '../access/load-principal.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import { FieldErrorCollector, invalidPayload, unprocessableFields } from '../http/writing.ts'
import type { InvitationTable, Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import { requireUnique } from './account.ts'
import { generateToken, hashToken, hourMs } from './one-time-link.ts'
import { nameAuthor, namesOfUsers } from './user-management.ts'
import { isUsername, usernameRule } from './users.ts'

export const invitationPath = (token: string): string => `/invitation/${token}/`

const defaultHours = 72

export type InvitationRow = Selectable<InvitationTable>

const emailForm = /^[^\s@]+@[^\s@]+$/

/** @throws AppError `unprocessable` naming what is not valid or in use */
async function requireNames(
  db: Kysely<Tables>,
  { username, email }: { username: string | null; email: string },
): Promise<void> {
  const errors = new FieldErrorCollector(unprocessableFields)
  if (username !== null && !isUsername(username)) errors.add('username', usernameRule)
  if (email !== '' && !emailForm.test(email))
    errors.add('email', message('errors.security.email', 'Enter an email address such as ana@example.com.'))
  errors.throwIfAny()
  await requireUnique(db, username === null ? { email } : { username, email }, null)
}

/**
 * Checks the roles and groups of an invitation. Only administrators may invite others, because an invitation could otherwise be
 * used to become one.
 * @throws AppError `invalid_payload` naming unknown ones, `forbidden`
 */
async function requireGrants(
  db: Kysely<Tables>,
  principal: Principal,
  { roles, groups }: { roles: readonly number[]; groups: readonly number[] },
): Promise<void> {
  const errors = new FieldErrorCollector(invalidPayload)
  if (roles.length === 0 && groups.length === 0)
    errors.add('roles', message('errors.user.noRole', 'Select at least one role or group.'))
  const foundRoles =
    roles.length === 0 ? [] : await db.selectFrom('role').select(['id', 'name']).where('id', 'in', roles).execute()
  if (foundRoles.length !== roles.length)
    errors.add('roles', message('errors.user.unknownRoles', 'Some of these roles do not exist.'))
  const foundGroups =
    groups.length === 0 ? [] : await db.selectFrom('user_group').select('id').where('id', 'in', groups).execute()
  if (foundGroups.length !== groups.length)
    errors.add('groups', message('errors.user.unknownGroups', 'Some of these groups do not exist.'))
  errors.throwIfAny()
  if (principal.isAdmin) return
  const ids = foundGroups.map(({ id }) => id)
  if (await includesAdmin(db, foundRoles, ids))
    throw new AppError('forbidden', {
      message: message('errors.security.inviteAdministrators', 'Only administrators can invite administrators.'),
    })
}

/** Tests if one of these roles, or a role of these groups, is Admin. */
async function includesAdmin(
  db: Kysely<Tables>,
  roles: readonly { name: string }[],
  groupIds: readonly number[],
): Promise<boolean> {
  const ofGroups =
    groupIds.length === 0
      ? []
      : await db
          .selectFrom('user_group_role')
          .innerJoin('role', 'role.id', 'role_id')
          .select('name')
          .where('group_id', 'in', groupIds)
          .execute()
  return [...roles, ...ofGroups].some(({ name }) => name.toLowerCase() === 'admin')
}

/**
 * Stores an invitation.
 * @returns its row, and the token of its link, which is not stored
 * @throws AppError naming the fields that are wrong
 */
export async function insertInvitation(
  trx: Transaction<Tables>,
  principal: Principal,
  uuid: string,
  body: InvitationPost,
  now: Date,
): Promise<{ row: InvitationRow; token: string }> {
  const roles = [...new Set(body.roles)]
  const groups = [...new Set(body.groups)]
  await requireGrants(trx, principal, { roles, groups })
  const names = { username: body.username?.trim() || null, email: body.email?.trim() ?? '' }
  await requireNames(trx, names)
  const { token, hash } = generateToken()
  const row = await trx
    .insertInto('invitation')
    .values({
      uuid,
      hash,
      ...names,
      first_name: body.first_name?.trim() ?? '',
      last_name: body.last_name?.trim() ?? '',
      created_on: formatStoredTime(now),
      created_by_fk: principal.id,
      expires_at: formatStoredTime(new Date(now.getTime() + (body.expires_in_hours ?? defaultHours) * hourMs)),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  for (const role_id of roles)
    await trx.insertInto('invitation_role').values({ invitation_id: row.id, role_id }).execute()
  for (const group_id of groups)
    await trx.insertInto('invitation_group').values({ invitation_id: row.id, group_id }).execute()
  return { row, token }
}

/** Valid invitations, the newest first. */
export async function listInvitations(db: Kysely<Tables>, now: Date): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitation')
    .selectAll()
    .where('expires_at', '>', formatStoredTime(now))
    .orderBy('id', 'desc')
    .execute()
  const valid: InvitationRow[] = []
  for (const row of rows) if (await mayAuthorInvite(db, row)) valid.push(row)
  return describeInvitations(db, valid)
}

export async function describeInvitations(db: Kysely<Tables>, rows: readonly InvitationRow[]): Promise<Invitation[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const roles = await db
    .selectFrom('invitation_role')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['invitation_id', 'role.id', 'name'])
    .where('invitation_id', 'in', ids)
    .orderBy('name')
    .execute()
  const groups = await db
    .selectFrom('invitation_group')
    .innerJoin('user_group', 'user_group.id', 'group_id')
    .select(['invitation_id', 'user_group.id', 'name'])
    .where('invitation_id', 'in', ids)
    .orderBy('name')
    .execute()
  const names = await namesOfUsers(db, rows)
  const ofRow = (found: typeof roles, row: InvitationRow) =>
    found.filter(({ invitation_id }) => invitation_id === row.id).map(({ id, name }) => ({ id, name }))
  return rows.map((row) => ({
    uuid: row.uuid,
    username: row.username,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    roles: ofRow(roles, row),
    groups: ofRow(groups, row),
    created_on: row.created_on,
    created_by: nameAuthor(names, row.created_by_fk),
    expires_on: row.expires_at,
  }))
}

/** Finds a valid invitation by the token of its link. */
export async function findInvitation(db: Kysely<Tables>, token: string, now: Date): Promise<InvitationRow | undefined> {
  const row = await db
    .selectFrom('invitation')
    .selectAll()
    .where('hash', '=', hashToken(token))
    .where('expires_at', '>', formatStoredTime(now))
    .executeTakeFirst()
  return row && (await mayAuthorInvite(db, row)) ? row : undefined
}

/**
 * An invitation is valid only while its author may invite: otherwise administrators who leave could invite themselves back.
 */
async function mayAuthorInvite(db: Kysely<Tables>, invitation: InvitationRow): Promise<boolean> {
  const { created_by_fk } = invitation
  const author = created_by_fk === null ? undefined : await loadPrincipalById(db, created_by_fk)
  if (!author || !hasPermission(author, ['can_post', 'User'])) return false
  if (author.isAdmin) return true
  const [{ roles, groups }] = (await describeInvitations(db, [invitation])) as [Invitation]
  return !(await includesAdmin(
    db,
    roles,
    groups.map(({ id }) => id),
  ))
}

/** The same error for unknown, used, revoked and expired invitations. */
export const invitationOver = (): AppError =>
  new AppError('not_found', {
    message: message(
      'errors.signIn.linkOver',
      'This link was already used or has expired. Ask an administrator for a new one.',
    ),
  })

/**
 * Creates the account of an invited user with the roles and groups of the invitation, and deletes the invitation.
 * @throws AppError `not_found` for an invitation that is over; `unprocessable` naming the fields that are wrong
 */
export async function acceptInvitation(
  trx: Transaction<Tables>,
  body: AcceptedInvitation,
  { uuid, passwordHash }: { uuid: string; passwordHash: string },
  now: Date,
): Promise<{ id: number; username: string }> {
  const invitation = await findInvitation(trx, body.token, now)
  if (!invitation) throw invitationOver()
  const names = { username: invitedName(invitation, body), email: body.email.trim() }
  await requireNames(trx, names)
  const [{ roles, groups }] = (await describeInvitations(trx, [invitation])) as [Invitation]
  const { numDeletedRows } = await trx.deleteFrom('invitation').where('id', '=', invitation.id).executeTakeFirst()
  if (numDeletedRows === 0n) throw invitationOver()
  const time = formatStoredTime(now)
  const user = await trx
    .insertInto('user')
    .values({
      uuid,
      ...names,
      first_name: body.first_name.trim() || names.username,
      last_name: body.last_name.trim(),
      password: passwordHash,
      active: 1,
      login_count: 0,
      last_login: null,
      created_on: time,
      changed_on: time,
      created_by_fk: invitation.created_by_fk,
      changed_by_fk: invitation.created_by_fk,
    })
    .returning(['id', 'username'])
    .executeTakeFirstOrThrow()
  for (const { id } of roles) await trx.insertInto('user_role').values({ user_id: user.id, role_id: id }).execute()
  for (const { id } of groups)
    await trx.insertInto('user_group_member').values({ user_id: user.id, group_id: id }).execute()
  return user
}

/** The username of an accepted invitation: the one that it names, otherwise the chosen one. */
export const invitedName = (
  { username }: Pick<InvitationRow, 'username'>,
  body: Pick<AcceptedInvitation, 'username'>,
): string => username ?? body.username.trim()
