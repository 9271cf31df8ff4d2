import { AppError, message, type PermissionPair } from '@parquetry/model'
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'

/** Columns of a role that no user created. */
export function newRole(name: string) {
  const time = formatStoredTime(new Date())
  return { name, uuid: randomUUID(), created_on: time, changed_on: time, created_by_fk: null, changed_by_fk: null }
}

/** @throws AppError `unprocessable` when the name is taken */
export async function addRole(db: Kysely<Tables>, name: string): Promise<number> {
  const existing = await db.selectFrom('role').select('id').where('name', '=', name).executeTakeFirst()
  if (existing)
    throw new AppError('unprocessable', {
      message: message('errors.security.roleExists', 'A role named {name} already exists.', { name }),
    })
  return (await db.insertInto('role').values(newRole(name)).returning('id').executeTakeFirstOrThrow()).id
}

async function findIds(
  db: Kysely<Tables>,
  role: string,
  [name, view]: PermissionPair,
): Promise<{ role_id: number; permission_id: number }> {
  const found = await db.selectFrom('role').select('id').where('name', '=', role).executeTakeFirst()
  if (!found)
    throw new AppError('unprocessable', {
      message: message('errors.security.noRole', 'Role {role} does not exist.', { role }),
    })
  const permission = await db
    .selectFrom('permission')
    .select('id')
    .where('name', '=', name)
    .where('view', '=', view)
    .executeTakeFirst()
  if (!permission)
    throw new AppError('unprocessable', {
      message: message('errors.security.noPermission', 'Permission {name} on {view} does not exist.', { name, view }),
    })
  return { role_id: found.id, permission_id: permission.id }
}

/**
 * Grants a role a permission pair; a repeated grant has no effect. @throws AppError `unprocessable` for an unknown role or pair
 */
export async function grant(db: Kysely<Tables>, role: string, pair: PermissionPair): Promise<void> {
  const ids = await findIds(db, role, pair)
  await db
    .insertInto('role_permission')
    .values(ids)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function revoke(db: Kysely<Tables>, role: string, pair: PermissionPair): Promise<void> {
  const { role_id, permission_id } = await findIds(db, role, pair)
  await db
    .deleteFrom('role_permission')
    .where('role_id', '=', role_id)
    .where('permission_id', '=', permission_id)
    .execute()
}
