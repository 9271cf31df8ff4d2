import { randomUUID } from 'node:crypto'
import { type AppError, type FieldMessages, message, type UserPost, type UserPut } from '@parquetry/model'
import type { Transaction } from 'kysely'
import { requireAdministrator } from '../access/last-administrator.ts'
import { visibleRow } from '../http/resource.ts'
import { refuseStale } from '../http/serve-resource.ts'
import {
  changedBy,
  createdBy,
  invalidPayload,
  replaceLinks,
  toColumns,
  unprocessableFields,
  type WriteContext,
} from '../http/writing.ts'
import { checkAccountFields, readUser, requireUnique } from '../security/account.ts'
import { revokeUserKeys } from '../security/api-keys.ts'
import { deleteLinks } from '../security/one-time-link.ts'
import { hashPassword } from '../security/passwords.ts'
import { endUserSessions } from '../security/sessions.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { checkAttributes, replaceAttributes } from './attributes.ts'
import type { UserDeps } from './deps.ts'
import { requireAdministratorFor } from './protect-administrators.ts'
import { missingReferences, requireExisting, unique } from './references.ts'
import { userGroupLinks, userResource, userRoleLinks, type UserRow } from './user-resource.ts'

const fields = ['username', 'first_name', 'last_name', 'email', 'active'] as const

/**
 * Creates a user. @returns the id
 * @throws AppError naming the fields that are wrong; nothing is stored then
 */
export async function createUser(
  { settings }: Pick<UserDeps, 'settings'>,
  context: WriteContext,
  body: UserPost,
): Promise<number> {
  const { principal, event, now, db } = context
  const roles = unique(body.roles ?? [])
  const groups = unique(body.groups ?? [])
  checkAccountFields(body, body.username, settings.config)
  checkAttributes(body.attributes)
  requireMembership(roles, groups)
  const row = {
    ...toColumns({ ...body, active: body.active ?? true }, fields),
    active: (body.active ?? true) ? 1 : 0,
    username: body.username,
    first_name: body.first_name,
    last_name: body.last_name,
    email: body.email,
    password: await hashPassword(body.password),
    login_count: 0,
    last_login: null,
    uuid: randomUUID(),
    ...createdBy(principal, now),
  }
  const history = { kind: 'user', uuid: row.uuid, author: principal.id, event, now }
  return change(db, { ...history, document: (trx, id) => readUser(trx, id) }, async (trx) => {
    await requireReferences(trx, { roles, groups }, invalidPayload)
    await requireUnique(trx, body, null)
    const { id } = await trx.insertInto('user').values(row).returning('id').executeTakeFirstOrThrow()
    await replaceLinks(trx, userRoleLinks, id, roles)
    await replaceLinks(trx, userGroupLinks, id, groups)
    if (body.attributes) await replaceAttributes(trx, 'user_attribute', id, body.attributes)
    await requireAdministratorFor(trx, principal, [id])
    event.json = { id }
    return id
  })
}

/**
 * Changes the given fields of a user. A new password, or `active: false`, ends the sessions of the user, their links and their work
 * in the background; `active: false` also revokes their API keys, so that they stay invalid when the user is activated again.
 * @param request  `If-Match` and the session of the request, which does not end
 * @throws AppError naming the fields that are wrong; nothing is changed then
 */
export async function updateUser(
  { jobs, settings }: Pick<UserDeps, 'jobs' | 'settings'>,
  context: WriteContext,
  id: number,
  body: UserPut,
  request: { ifMatch: string | undefined; session: string | null },
): Promise<void> {
  const { principal, event, now, db } = context
  const row = await visibleRow<UserRow>(userResource, id, context)
  const seen = refuseStale(row, request.ifMatch, body.changed_on)
  checkAccountFields(body, body.username ?? row.username, settings.config)
  checkAttributes(body.attributes)
  if (body.active === false && id === principal.id)
    throw unprocessableFields({
      active: [message('errors.user.deactivatesSelf', 'You cannot deactivate your own account.')],
    })
  const password = body.password ? await hashPassword(body.password) : undefined
  const isDeactivated = body.active === false && row.active === 1
  const endsSessions = password !== undefined || isDeactivated
  const changed = {
    ...toColumns(body, fields),
    ...(password !== undefined && { password }),
    ...changedBy(principal, now, row),
  }
  const { active, ...columns } = changed
  event.json = { id, fields: Object.keys(body).filter((name) => name !== 'changed_on') }
  const history = { kind: 'user', uuid: row.uuid, id, seen, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readUser(trx, id) }, async (trx) => {
    await requireAdministratorFor(trx, principal, [id])
    const before = await readUser(trx, id)
    const roles = body.roles ? unique(body.roles) : before.roles
    const groups = body.groups ? unique(body.groups) : before.groups
    if (body.roles || body.groups) requireMembership(roles, groups)
    await requireReferences(trx, { roles: body.roles && roles, groups: body.groups && groups }, missingReferences)
    await requireUnique(trx, body, id)
    await trx
      .updateTable('user')
      .set({ ...columns, ...(active !== undefined && { active: Number(active) }) })
      .where('id', '=', id)
      .execute()
    if (body.roles) await replaceLinks(trx, userRoleLinks, id, roles)
    if (body.groups) await replaceLinks(trx, userGroupLinks, id, groups)
    if (body.attributes) await replaceAttributes(trx, 'user_attribute', id, body.attributes)
    if (endsSessions) {
      await endUserSessions(trx, id, request.session)
      await deleteLinks(trx, id)
    }
    if (isDeactivated) await revokeUserKeys(trx, id, now)
    await requireAdministrator(trx)
    await requireAdministratorFor(trx, principal, [id])
  })
  if (endsSessions) await jobs.stopAll(id)
}

function requireMembership(roles: readonly number[], groups: readonly number[]): void {
  if (roles.length === 0 && groups.length === 0)
    throw invalidPayload({
      roles: [message('errors.user.noRole', 'Select at least one role or group.')],
    })
}

const requireReferences = (
  trx: Transaction<Tables>,
  { roles, groups }: { roles: readonly number[] | undefined; groups: readonly number[] | undefined },
  createError: (fields: FieldMessages) => AppError,
): Promise<void> =>
  requireExisting(
    trx,
    [
      { field: 'roles', table: 'role', ids: roles },
      { field: 'groups', table: 'user_group', ids: groups },
    ],
    createError,
  )
