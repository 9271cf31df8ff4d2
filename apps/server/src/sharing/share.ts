import { message, parseSubjectId, type SubjectType } from '@parquetry/model'
import { sql, type Transaction } from 'kysely'
import { upsertDatasetPermission } from '../access/data-permissions.ts'
import { datasetViewName } from '../access/data-rights.ts'
import type { Principal } from '../access/principal.ts'
import { authorizeRoleData, authorizeRoleGrants, findRoleGrants } from '../access/role-grants.ts'
import { viewerLinks } from '../access/subject-links.ts'
import { findSubjects, readSubjects, selectIds } from '../http/subjects.ts'
import { openToOthers } from '../http/viewers.ts'
import { changedBy, unprocessableFields } from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import type { SharedKind } from './access-list.ts'

type Subject = { type: SubjectType; id: number }

/** @throws AppError `unprocessable` for someone who does not exist, and for a group and the data of a dataset */
export async function requireSubject(trx: Transaction<Tables>, kind: SharedKind, number: number): Promise<Subject> {
  const subject = parseSubjectId(number)
  if (subject?.type === 'group' && kind === 'dataset')
    throw unprocessableFields({
      subject: [message('errors.sharing.group', 'Share with a role of the group instead of with the group.')],
    })
  if (!subject || !(await findSubjects(trx, [number])).has(number))
    throw unprocessableFields({
      subject: [message('errors.sharing.subject', 'This user or role does not exist.')],
    })
  return subject
}

/**
 * Gives a user, a role or, for dashboards, a group access to an object; repeating it has no effect. The caller owns the object.
 * @throws AppError `unprocessable` when the caller may not read all data that this opens; `forbidden` when only administrators may
 * change what a role reads
 */
export async function share(
  trx: Transaction<Tables>,
  kind: SharedKind,
  id: number,
  subject: Subject,
  caller: Principal,
): Promise<void> {
  if (kind === 'dashboard') {
    const before = await findRoleGrants(trx, caller, [id])
    const { through, own, other } = viewerLinks.dashboard[subject.type]
    await sql`insert into ${sql.table(through)} (${sql.ref(own)}, ${sql.ref(other)}) values (${id}, ${subject.id})
      on conflict do nothing`.execute(trx)
    await authorizeRoleGrants(trx, caller, [id], before)
    return
  }
  const permission_id = await ensureDatasetPermission(trx, id)
  if (subject.type === 'user') {
    await trx
      .insertInto('user_permission')
      .values({ user_id: subject.id, permission_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return
  }
  authorizeRoleData(caller)
  await trx
    .insertInto('role_permission')
    .values({ role_id: subject.id, permission_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await touchRole(trx, subject.id, caller)
}

/** Ends access that `share` gave; without effect when there is none. @throws AppError as `share` */
export async function unshare(
  trx: Transaction<Tables>,
  kind: SharedKind,
  id: number,
  subject: Subject,
  caller: Principal,
): Promise<void> {
  if (kind === 'dashboard') {
    const { through, own, other } = viewerLinks.dashboard[subject.type]
    await sql`delete from ${sql.table(through)} where ${sql.ref(own)} = ${id} and ${sql.ref(other)} = ${subject.id}`.execute(
      trx,
    )
    const viewers = await readSubjects(trx, viewerLinks.dashboard, id)
    if (selectIds(viewers, 'user').length === 0) await openToOthers(trx, 'dashboard', id)
    return
  }
  const permissionId = await ensureDatasetPermission(trx, id)
  if (subject.type === 'user') {
    await trx
      .deleteFrom('user_permission')
      .where('user_id', '=', subject.id)
      .where('permission_id', '=', permissionId)
      .execute()
    return
  }
  authorizeRoleData(caller)
  await trx
    .deleteFrom('role_permission')
    .where('role_id', '=', subject.id)
    .where('permission_id', '=', permissionId)
    .execute()
  await touchRole(trx, subject.id, caller)
}

/** Advances the time of change of a role, so that an administrator who edits its permissions now does not overwrite this. */
async function touchRole(trx: Transaction<Tables>, id: number, caller: Principal): Promise<void> {
  const role = await trx.selectFrom('role').select('changed_on').where('id', '=', id).executeTakeFirstOrThrow()
  await trx
    .updateTable('role')
    .set(changedBy(caller, new Date(), role))
    .where('id', '=', id)
    .execute()
}

/** Id of the permission to read a dataset, which is created if it is missing. */
async function ensureDatasetPermission(trx: Transaction<Tables>, id: number): Promise<number> {
  const dataset = await trx
    .selectFrom('dataset')
    .innerJoin('database', 'database.id', 'database_id')
    .select(['dataset.id', 'table_name', 'schema', 'database.id as database_id', 'database_name'])
    .where('dataset.id', '=', id)
    .executeTakeFirstOrThrow()
  const { database_id, database_name } = dataset
  await upsertDatasetPermission(trx, dataset, { id: database_id, database_name })
  const permission = await trx
    .selectFrom('permission')
    .select('id')
    .where('name', '=', 'datasource_access')
    .where('view', '=', datasetViewName(database_name, dataset))
    .executeTakeFirstOrThrow()
  return permission.id
}
