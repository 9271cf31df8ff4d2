import type { Kysely } from 'kysely'
import { readRightsCached } from '../store/read-cache.ts'
import type { Tables } from '../store/tables.ts'

/**
 * Loads the permission pairs of roles, as `permission view`. Until rights change, the same roles have the same object.
 * @param roleIds  in ascending order
 */
export async function loadRolePermissions(
  db: Kysely<Tables>,
  roleIds: readonly number[],
): Promise<ReadonlySet<string>> {
  if (roleIds.length === 0) return new Set()
  return readRightsCached(db, JSON.stringify(['permissions of roles', roleIds]), async () => {
    const rows = await db
      .selectFrom('role_permission')
      .innerJoin('permission', 'permission.id', 'permission_id')
      .select(['name', 'view'])
      .where('role_id', 'in', roleIds)
      .execute()
    return new Set(rows.map(({ name, view }) => `${name} ${view}`))
  })
}
