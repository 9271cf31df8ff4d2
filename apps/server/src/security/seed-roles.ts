import { objectPermissions } from '@parquetry/model'
import type { Kysely, Transaction } from 'kysely'
import type { Config } from '../settings/config.ts'
import type { Tables } from '../store/tables.ts'
import { newRole } from './grants.ts'
import { allPairs, builtInRoles } from './roles.ts'

const formatPair = (name: string, view: string): string => `${name} ${view}`

/**
 * Brings the built-in roles and permission pairs up to date. Runs at every start and writes only differences, even when several
 * servers start at the same time. Grants on single objects are neither read nor changed.
 */
export async function seedRoles(
  db: Kysely<Tables>,
  { PUBLIC_ROLE_LIKE }: Pick<Config, 'PUBLIC_ROLE_LIKE'>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const permissions = await seedPermissions(trx)
    const roles = await seedNames(trx)
    const grants = await trx
      .selectFrom('role_permission')
      .innerJoin('permission', 'permission.id', 'permission_id')
      .select(['role_id', 'permission_id'])
      .where('permission.name', 'not in', objectPermissions)
      .execute()
    for (const [name, pairs] of Object.entries(builtInRoles)) {
      if (name === 'Public' && PUBLIC_ROLE_LIKE === null) continue
      const source = name === 'Public' ? (builtInRoles[PUBLIC_ROLE_LIKE ?? ''] ?? []) : pairs
      const targetIds = new Set(source.map((pair) => permissions.get(formatPair(...pair)) as number))
      await setPermissions(trx, roles.get(name) as number, targetIds, grants)
    }
  })
}

async function setPermissions(
  trx: Transaction<Tables>,
  roleId: number,
  targetIds: ReadonlySet<number>,
  grants: readonly { role_id: number; permission_id: number }[],
): Promise<void> {
  const currentIds = new Set(
    grants.filter(({ role_id }) => role_id === roleId).map(({ permission_id }) => permission_id),
  )
  const extra = [...currentIds].filter((id) => !targetIds.has(id))
  const missing = [...targetIds]
    .filter((id) => !currentIds.has(id))
    .map((permission_id) => ({ role_id: roleId, permission_id }))
  if (extra.length > 0)
    await trx.deleteFrom('role_permission').where('role_id', '=', roleId).where('permission_id', 'in', extra).execute()
  if (missing.length > 0)
    await trx
      .insertInto('role_permission')
      .values(missing)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

async function seedNames(trx: Transaction<Tables>): Promise<Map<string, number>> {
  const read = async () =>
    new Map((await trx.selectFrom('role').selectAll().execute()).map(({ id, name }) => [name, id]))
  const existing = await read()
  const missing = Object.keys(builtInRoles).filter((name) => !existing.has(name))
  if (missing.length === 0) return existing
  await trx
    .insertInto('role')
    .values(missing.map(newRole))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return read()
}

async function seedPermissions(trx: Transaction<Tables>): Promise<Map<string, number>> {
  const read = async () => {
    const rows = await trx
      .selectFrom('permission')
      .selectAll()
      .where((is) => is.or([is('name', 'not in', objectPermissions), is('view', '=', '')]))
      .execute()
    return new Map(rows.map(({ id, name, view }) => [formatPair(name, view), id]))
  }
  const existing = await read()
  // Pairs on objects come and go; one with an empty view keeps the id of the name.
  const names = objectPermissions.map((name) => [name, ''] as const)
  const missing = [...allPairs, ...names]
    .filter(([name, view]) => !existing.has(formatPair(name, view)))
    .map(([name, view]) => ({ name, view }))
  if (missing.length === 0) return existing
  await trx
    .insertInto('permission')
    .values(missing)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return read()
}
