import { randomUUID } from 'node:crypto'
import { message, type UserGroupPost, type UserGroupPut } from '@parquetry/model'
import { type Kysely, sql, type Transaction } from 'kysely'
import { requireAdministrator } from '../access/last-administrator.ts'
import { visibleRow } from '../http/resource.ts'
import { refuseStale } from '../http/serve-resource.ts'
import {
  changedBy,
  createdBy,
  replaceLinks,
  toColumns,
  unprocessableFields,
  type WriteContext,
} from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { checkAttributes, replaceAttributes } from '../user/attributes.ts'
import { toAttributes } from '../user/linked-columns.ts'
import { requireAdministratorFor, requireAdministratorForGroup } from '../user/protect-administrators.ts'
import { requireExisting, unique } from '../user/references.ts'
import { groupResource, type GroupRow, groupRoleLinks, groupUserLinks } from './group-resource.ts'
import { countLinked } from '../http/subjects.ts'

const fields = ['name', 'label', 'description'] as const

/**
 * Creates a group. @returns its id
 * @throws AppError naming the fields that are wrong; nothing is stored then
 */
export async function createGroup(context: WriteContext, body: UserGroupPost): Promise<number> {
  const { db, principal, event, now } = context
  checkAttributes(body.attributes)
  const row = {
    label: null,
    description: null,
    ...toColumns(body, fields),
    name: body.name,
    uuid: randomUUID(),
    ...createdBy(principal, now),
  }
  const history = { kind: 'user_group', uuid: row.uuid, author: principal.id, event, now }
  return change(db, { ...history, document: (trx, id) => readGroup(trx, id) }, async (trx) => {
    await requireUniqueName(trx, body.name, null)
    const { id } = await trx.insertInto('user_group').values(row).returning('id').executeTakeFirstOrThrow()
    await saveLinks(trx, context, id, body)
    event.json = { id }
    return id
  })
}

/**
 * Changes the given fields of a group.
 * @throws AppError naming the fields that are wrong; nothing is changed then
 */
export async function updateGroup(
  context: WriteContext,
  id: number,
  body: UserGroupPut,
  ifMatch: string | undefined,
): Promise<void> {
  const { db, principal, event, now } = context
  const row = await visibleRow<GroupRow>(groupResource, id, context)
  const seen = refuseStale(row, ifMatch, body.changed_on)
  checkAttributes(body.attributes)
  const columns = { ...toColumns(body, fields), ...changedBy(principal, now, row) }
  event.json = { id, fields: Object.keys(body).filter((name) => name !== 'changed_on') }
  const history = { kind: 'user_group', uuid: row.uuid, id, seen, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readGroup(trx, id) }, async (trx) => {
    if (body.name !== undefined) await requireUniqueName(trx, body.name, id)
    await requireAdministratorForGroup(trx, principal, id)
    await trx.updateTable('user_group').set(columns).where('id', '=', id).execute()
    await saveLinks(trx, context, id, body)
    await requireAdministrator(trx)
  })
}

/** Deletes a group. @throws AppError `unprocessable` when a row-level security rule names it */
export async function removeGroup(
  trx: Transaction<Tables>,
  { principal }: Pick<WriteContext, 'principal'>,
  id: number,
): Promise<void> {
  await requireAdministratorForGroup(trx, principal, id)
  const rules = await trx
    .selectFrom('row_rule_group')
    .innerJoin('row_rule', 'row_rule.id', 'row_rule_id')
    .select('name')
    .where('group_id', '=', id)
    .orderBy('name')
    .execute()
  if (rules.length > 0)
    throw unprocessableFields({
      id: [
        message(
          'errors.group.inRules',
          'Row-level security rules name this group: {rules}. Remove it from them first, otherwise they would apply to other users.',
          { rules: rules.map(({ name }) => name).join(', ') },
        ),
      ],
    })
  const objects = await countLinked(trx, 'group', id)
  if (objects > 0)
    throw unprocessableFields({
      id: [
        message(
          'errors.group.inObjects',
          'This group owns or may see {objects, plural, one {# dashboard, chart or dataset} other {# dashboards, charts or datasets}}. Remove it from {objects, plural, one {it} other {them}} first.',
          { objects },
        ),
      ],
    })
  await trx.deleteFrom('user_group').where('id', '=', id).execute()
  await requireAdministrator(trx)
}

/** Stores roles, members and attributes, as far as they are sent. */
async function saveLinks(
  trx: Transaction<Tables>,
  { principal }: WriteContext,
  id: number,
  { roles, users, attributes }: Pick<UserGroupPut, 'roles' | 'users' | 'attributes'>,
): Promise<void> {
  const roleIds = roles && unique(roles)
  const userIds = users && unique(users)
  await requireExisting(trx, [
    { field: 'roles', table: 'role', ids: roleIds },
    { field: 'users', table: 'user', ids: userIds },
  ])
  if (userIds) {
    await requireAdministratorFor(trx, principal, await readMembers(trx, id))
    await replaceLinks(trx, groupUserLinks, id, userIds)
  }
  if (roleIds) {
    await replaceLinks(trx, groupRoleLinks, id, roleIds)
    await requireAdministratorForGroup(trx, principal, id)
  }
  if (attributes) await replaceAttributes(trx, 'group_attribute', id, attributes)
}

/** @throws AppError `unprocessable` when another group has the name, in any spelling */
async function requireUniqueName(db: Kysely<Tables>, name: string, id: number | null): Promise<void> {
  const { rows } = await sql`select 1 from user_group
    where lower(name) = ${name.toLowerCase()} and id <> ${id ?? -1}`.execute(db)
  if (rows.length > 0)
    throw unprocessableFields({
      name: [message('errors.group.nameTaken', 'A group named "{name}" already exists.', { name })],
    })
}

const readMembers = async (db: Kysely<Tables>, id: number): Promise<number[]> =>
  (await db.selectFrom('user_group_member').select('user_id').where('group_id', '=', id).execute()).map(
    ({ user_id }) => user_id,
  )

/** A group as its history stores it. */
async function readGroup(db: Kysely<Tables>, id: number) {
  const row = await db.selectFrom('user_group').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const roles = await db.selectFrom('user_group_role').select('role_id').where('group_id', '=', id).execute()
  const attributes = await db
    .selectFrom('group_attribute')
    .select(['name', 'value'])
    .where('group_id', '=', id)
    .execute()
  return {
    ...row,
    roles: roles.map(({ role_id }) => role_id),
    users: await readMembers(db, id),
    attributes: toAttributes(attributes),
  }
}
