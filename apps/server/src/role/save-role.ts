import { AppError, isObjectPermission, message, type RoleFixation, type RolePost, type RolePut } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { requireAdministrator } from '../access/last-administrator.ts'
import { visibleRow } from '../http/resource.ts'
import { refuseStale } from '../http/serve-resource.ts'
import {
  changedBy,
  createdBy,
  FieldErrorCollector,
  replaceLinks,
  unprocessable,
  unprocessableFields,
  type WriteContext,
} from '../http/writing.ts'
import { findFixation, isBuiltInRole } from '../security/roles.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import { requireOwnPermissions, requireOwnRole } from './protect-permissions.ts'
import { groupLinks, type RoleRow, userLinks } from './role-resource.ts'
import { countLinked } from '../http/subjects.ts'

/** The state of a role that the caller changes, as the caller has read it. */
export interface Revision {
  /** `If-Match` of the request. */
  ifMatch: string | undefined
  /** `changed_on` of the body. */
  changed_on?: string | undefined
}

/** A role as its history stores it. Users are left out, because there may be thousands; the action log names them. */
async function readRole(db: Kysely<Tables>, id: number) {
  const row = await db.selectFrom('role').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const permissions = await db
    .selectFrom('role_permission')
    .select('permission_id')
    .where('role_id', '=', id)
    .orderBy('permission_id')
    .execute()
  return { ...row, permissions: permissions.map(({ permission_id }) => permission_id) }
}

/**
 * Creates a role, with the permissions and the required second factor of another one if the body names it. @returns its id
 * @throws AppError `unprocessable` naming the fields that are wrong
 */
export async function createRole(context: WriteContext, { name, copy_of }: RolePost): Promise<number> {
  const { db, principal, event, now } = context
  const created = { name, uuid: randomUUID(), ...createdBy(principal, now) }
  const history = { kind: 'role', uuid: created.uuid, author: principal.id, event, now }
  return change(db, { ...history, document: readRole }, async (trx) => {
    await requireName(trx, { id: null, name })
    const source = copy_of === undefined ? undefined : await findSource(trx, copy_of)
    if (source) await requireOwnRole(trx, principal, source)
    const row = { ...created, requires_second_factor: source?.requires_second_factor ?? 0 }
    const { id } = await trx.insertInto('role').values(row).returning('id').executeTakeFirstOrThrow()
    if (copy_of !== undefined)
      await sql`insert into role_permission (role_id, permission_id)
        select ${id}, permission_id from role_permission where role_id = ${copy_of}`.execute(trx)
    event.json = { id, name, ...(copy_of !== undefined && { copy_of }) }
    return id
  })
}

async function findSource(trx: Transaction<Tables>, id: number) {
  const found = await trx
    .selectFrom('role')
    .select(['id', 'name', 'requires_second_factor'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found)
    throw unprocessableFields({ copy_of: [message('errors.role.noSource', 'The role to copy does not exist.')] })
  return found
}

/** Names that differ only by case are the same: a role named ADMIN would make administrators. */
async function requireName(trx: Transaction<Tables>, { id, name }: { id: number | null; name: string }): Promise<void> {
  const errors = new FieldErrorCollector(unprocessableFields)
  // eslint-disable-next-line no-control-regex
  if (name.trim() !== name || /\p{Cc}/u.test(name))
    errors.add(
      'name',
      message('errors.role.name', 'A role name must not begin or end with a space or contain control characters.'),
    )
  const same = await trx
    .selectFrom('role')
    .select(['id', 'name'])
    .where(({ fn, eb }) => eb(fn<string>('lower', ['name']), '=', name.toLowerCase()))
    .execute()
  const taken = same.find((role) => role.id !== id)
  if (taken)
    errors.add('name', message('errors.role.nameTaken', 'A role named "{name}" already exists.', { name: taken.name }))
  errors.throwIfAny()
}

/** Does the work in one transaction with the time of change, the history and the audit event of the role. */
async function changeRole(
  context: WriteContext,
  id: number,
  { ifMatch, changed_on }: Revision,
  work: (trx: Transaction<Tables>, role: RoleRow) => Promise<Record<string, unknown>>,
): Promise<void> {
  const { db, principal, event, now } = context
  const role = await visibleRow<RoleRow>({ kind: 'role' }, id, context)
  const seen = refuseStale(role, ifMatch, changed_on)
  const history = { kind: 'role', uuid: role.uuid, id, seen, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readRole(trx, id) }, async (trx) => {
    const facts = await work(trx, role)
    await trx
      .updateTable('role')
      .set(changedBy(principal, now, role))
      .where('id', '=', id)
      .execute()
    event.json = { id, name: role.name, ...facts }
  })
}

/** @throws AppError `not_found`; `conflict`; `unprocessable` for a built-in role or a name that is in use */
export const renameRole = (context: WriteContext, id: number, { name, ...rest }: RolePut, ifMatch?: string) =>
  changeRole(context, id, { ...rest, ifMatch }, async (trx, role) => {
    if (name === undefined || name === role.name) return {}
    if (isBuiltInRole(role.name))
      throw unprocessableFields({
        name: [
          message(
            'errors.role.renameBuiltIn',
            'Built-in roles cannot be renamed. Duplicate the role to get one with another name.',
          ),
        ],
      })
    await requireName(trx, { id, name })
    await trx.updateTable('role').set({ name }).where('id', '=', id).execute()
    await requireAdministrator(trx)
    return { renamed: name }
  })

/**
 * Replaces the permissions of a role. Unknown ids are ignored. Grants on single databases, schemas and datasets can be changed on
 * every role.
 * @returns the ids that the role has now
 * @throws AppError `not_found`; `conflict`; `unprocessable` when the feature permissions of a role with fixed ones would change
 */
export async function setPermissions(
  context: WriteContext,
  publicRoleLike: string | null,
  id: number,
  requestedIds: readonly number[],
  revision: Revision,
): Promise<number[]> {
  let result: number[] = []
  await changeRole(context, id, revision, async (trx, role) => {
    const current = await trx
      .selectFrom('role_permission')
      .innerJoin('permission', 'permission.id', 'permission_id')
      .select(['permission.id', 'name'])
      .where('role_id', '=', id)
      .execute()
    const wanted = new Set(requestedIds)
    const currentIds = new Set(current.map((pair) => pair.id))
    const added = await findPairs(
      trx,
      [...wanted].filter((each) => !currentIds.has(each)),
    )
    const removed = current.filter((pair) => !wanted.has(pair.id))
    const fixation = findFixation(role.name, publicRoleLike)
    if (fixation && [...added, ...removed].some(({ name }) => !isObjectPermission(name)))
      throw unprocessableFields({ permission_view_menu_ids: [fixedMessage(role.name, fixation, publicRoleLike)] })
    requireOwnPermissions(context.principal, added)
    if (removed.length > 0)
      await trx
        .deleteFrom('role_permission')
        .where('role_id', '=', id)
        .where(({ eb }) => eb.or(toChunks(removed.map((pair) => pair.id)).map((ids) => eb('permission_id', 'in', ids))))
        .execute()
    for (const ids of toChunks(added.map((pair) => pair.id)))
      await trx
        .insertInto('role_permission')
        .values(ids.map((permission_id) => ({ role_id: id, permission_id })))
        .execute()
    result = (await readRole(trx, id)).permissions
    return { added: added.length, removed: removed.length }
  })
  return result
}

/** Ids per statement: stores limit the number of values. */
const chunkSize = 5_000

const toChunks = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / chunkSize) }, (_, index) =>
    ids.slice(index * chunkSize, (index + 1) * chunkSize),
  )

/** Pairs with these ids that can be granted. */
async function findPairs(
  trx: Transaction<Tables>,
  ids: readonly number[],
): Promise<{ id: number; name: string; view: string }[]> {
  const found: { id: number; name: string; view: string }[] = []
  for (const chunk of toChunks(ids.filter(Number.isSafeInteger)))
    found.push(
      ...(await trx
        .selectFrom('permission')
        .select(['id', 'name', 'view'])
        .where('id', 'in', chunk)
        .where('name', '<>', '')
        .where('view', '<>', '')
        .execute()),
    )
  return found
}

const fixedMessage = (role: string, fixation: RoleFixation, publicRoleLike: string | null) =>
  fixation === 'start'
    ? message(
        'errors.role.fixed',
        'The feature permissions of {role} are fixed, because they are written again whenever the server starts. Duplicate the role and change the copy. Its access to databases, schemas and datasets can be changed here.',
        { role },
      )
    : message(
        'errors.role.fixedPublic',
        'The feature permissions of {role} are those of {source}, because the setting PUBLIC_ROLE_LIKE names it; they are written again whenever the server starts. Remove the setting to change them here.',
        { role, source: publicRoleLike ?? '' },
      )

/** Ids in the action log; more would be unreadable. */
const maxLogged = 100

/**
 * Replaces the users or groups of a role.
 * @throws AppError `not_found`, also for an unknown user or group; `conflict`; `unprocessable` when no administrator would be left
 */
export const setHolders = (
  context: WriteContext,
  id: number,
  kind: 'user' | 'group',
  requestedIds: readonly number[],
  revision: Revision,
) =>
  changeRole(context, id, revision, async (trx, role) => {
    await requireOwnRole(trx, context.principal, role)
    const wanted = [...new Set(requestedIds)]
    const current = await readHolders(trx, id, kind)
    const added = wanted.filter((each) => !current.has(each))
    const removed = [...current].filter((each) => !wanted.includes(each))
    await requireHolders(trx, kind, added)
    await replaceLinks(trx, kind === 'user' ? userLinks : groupLinks, id, wanted)
    await requireAdministrator(trx)
    return { added: added.slice(0, maxLogged), removed: removed.slice(0, maxLogged) }
  })

export interface MemberChange {
  add_users?: readonly number[] | undefined
  remove_users?: readonly number[] | undefined
  add_groups?: readonly number[] | undefined
  remove_groups?: readonly number[] | undefined
}

/**
 * Gives a role to users and groups and takes it from others. Needs no revision: it changes only what it names.
 * @throws AppError `not_found`, also for an unknown user or group; `unprocessable` when no administrator would be left
 */
export const changeMembers = (context: WriteContext, id: number, requested: MemberChange) =>
  changeRole(context, id, { ifMatch: undefined }, async (trx, role) => {
    await requireOwnRole(trx, context.principal, role)
    await changeHolders(trx, id, 'user', requested.add_users, requested.remove_users)
    await changeHolders(trx, id, 'group', requested.add_groups, requested.remove_groups)
    await requireAdministrator(trx)
    return Object.fromEntries(
      Object.entries(requested).map(([name, ids]) => [name, (ids as number[]).slice(0, maxLogged)]),
    )
  })

async function changeHolders(
  trx: Transaction<Tables>,
  id: number,
  kind: 'user' | 'group',
  add: readonly number[] = [],
  remove: readonly number[] = [],
): Promise<void> {
  const { through, other } = kind === 'user' ? userLinks : groupLinks
  const current = await readHolders(trx, id, kind)
  const added = [...new Set(add)].filter((each) => !current.has(each))
  await requireHolders(trx, kind, added)
  if (remove.length > 0)
    await sql`delete from ${sql.table(through)} where role_id = ${id}
      and ${sql.ref(other)} in (${sql.join([...remove])})`.execute(trx)
  if (added.length > 0)
    await sql`insert into ${sql.table(through)} (role_id, ${sql.ref(other)})
      values ${sql.join(added.map((each) => sql`(${id}, ${each})`))}`.execute(trx)
}

async function readHolders(trx: Transaction<Tables>, id: number, kind: 'user' | 'group'): Promise<Set<number>> {
  const { through, other } = kind === 'user' ? userLinks : groupLinks
  const { rows } = await sql<{ id: number }>`select ${sql.ref(other)} as id from ${sql.table(through)}
    where role_id = ${id}`.execute(trx)
  return new Set(rows.map((row) => row.id))
}

async function requireHolders(trx: Transaction<Tables>, kind: 'user' | 'group', ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const table = kind === 'user' ? 'user' : 'user_group'
  const known = ids.every(Number.isSafeInteger)
    ? (await trx.selectFrom(table).select('id').where('id', 'in', ids).execute()).length
    : 0
  if (known < ids.length)
    throw new AppError('not_found', {
      message:
        kind === 'user'
          ? message('errors.role.users', 'Some of these users do not exist. Nothing was changed.')
          : message('errors.role.groups', 'Some of these groups do not exist. Nothing was changed.'),
    })
}

/** Number of names in a message. */
const maxNames = 3

/**
 * Refuses to delete a role that is built in or in use.
 * @throws AppError `unprocessable` naming what uses it and what to do
 */
export async function requireUnused(trx: Transaction<Tables>, { id, name }: RoleRow): Promise<void> {
  if (isBuiltInRole(name))
    throw unprocessable(message('errors.role.deleteBuiltIn', 'Built-in roles cannot be deleted.'))
  const find = async (select: ReturnType<typeof sql<{ name: string }>>) =>
    (await select.execute(trx)).rows.map((row) => row.name)
  const users = await find(sql`select username as name from "user" join user_role on user_id = "user".id
    where role_id = ${id} order by username`)
  const groups = await find(sql`select name from user_group join user_group_role on group_id = user_group.id
    where role_id = ${id} order by name`)
  const rules = await find(sql`select name from row_rule join row_rule_role on row_rule_id = row_rule.id
    where role_id = ${id} order by name`)
  const dashboards = await find(sql`select coalesce(dashboard_title, slug, '') as name from dashboard
    join dashboard_role on dashboard_id = dashboard.id where role_id = ${id} order by 1`)
  const objects = await countLinked(trx, 'role', id)
  if (objects > dashboards.length)
    throw unprocessable(
      message(
        'errors.role.inObjects',
        'The role {name} owns or may see {objects, plural, one {# dashboard, chart or dataset} other {# dashboards, charts or datasets}}. Remove it from {objects, plural, one {it} other {them}} first.',
        { name, objects },
      ),
    )
  const uses = [users, groups, rules, dashboards]
  if (uses.every((names) => names.length === 0)) return
  const [userNames, groupNames, ruleNames, dashboardNames] = uses.map(joinNames)
  throw unprocessable(
    message(
      'errors.role.inUse',
      'The role {name} is still in use:{users, plural, =0 {} one { user {userNames};} other { # users ({userNames});}}{groups, plural, =0 {} one { group {groupNames};} other { # groups ({groupNames});}}{rules, plural, =0 {} one { row-level security rule {ruleNames};} other { # row-level security rules ({ruleNames});}}{dashboards, plural, =0 {} one { dashboard {dashboardNames};} other { # dashboards ({dashboardNames});}} remove the role there first.',
      {
        name,
        users: users.length,
        groups: groups.length,
        rules: rules.length,
        dashboards: dashboards.length,
        userNames: userNames ?? '',
        groupNames: groupNames ?? '',
        ruleNames: ruleNames ?? '',
        dashboardNames: dashboardNames ?? '',
      },
    ),
  )
}

const joinNames = (names: readonly string[]): string =>
  names.slice(0, maxNames).join(', ') + (names.length > maxNames ? ', …' : '')
