import type { Kysely, Transaction } from 'kysely'
import type { Config } from '../config.ts'
import type { Tables } from '../store/tables.ts'
import { allPairs, builtInRoles, objectPermissions } from './roles.ts'

const keyOf = (name: string, view: string): string => `${name} ${view}`

/**
 * Makes the built-in roles and pairs what this version says they are. Runs at every start; writes only what differs. Grants on
 * single objects that people gave to a built-in role stay.
 */
export async function seedRoles(
  db: Kysely<Tables>,
  { PUBLIC_ROLE_LIKE }: Pick<Config, 'PUBLIC_ROLE_LIKE'>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const permissionIds = await seedPermissions(trx)
    const roles = new Map((await trx.selectFrom('role').selectAll().execute()).map(({ id, name }) => [name, id]))
    for (const name of Object.keys(builtInRoles)) {
      if (roles.has(name)) continue
      const { id } = await trx.insertInto('role').values({ name }).returning('id').executeTakeFirstOrThrow()
      roles.set(name, id)
    }
    const held = await trx
      .selectFrom('role_permission')
      .innerJoin('permission', 'permission.id', 'permission_id')
      .select(['role_id', 'permission_id', 'permission.name'])
      .execute()
    for (const [name, pairs] of Object.entries(builtInRoles)) {
      const like = name === 'Public' ? PUBLIC_ROLE_LIKE : null
      if (name === 'Public' && like === null) continue
      const roleId = roles.get(name) as number
      const wanted = new Set(
        (like === null ? pairs : (builtInRoles[like] ?? [])).map((pair) => permissionIds.get(keyOf(...pair)) as number),
      )
      const has = held.filter((row) => row.role_id === roleId)
      const extra = has
        .filter((row) => !wanted.has(row.permission_id) && !(objectPermissions as readonly string[]).includes(row.name))
        .map((row) => row.permission_id)
      const missing = [...wanted].filter((id) => !has.some((row) => row.permission_id === id))
      if (extra.length > 0)
        await trx
          .deleteFrom('role_permission')
          .where('role_id', '=', roleId)
          .where('permission_id', 'in', extra)
          .execute()
      if (missing.length > 0)
        await trx
          .insertInto('role_permission')
          .values(missing.map((permission_id) => ({ role_id: roleId, permission_id })))
          .execute()
    }
  })
}

async function seedPermissions(trx: Transaction<Tables>): Promise<Map<string, number>> {
  const read = async () =>
    new Map(
      (await trx.selectFrom('permission').selectAll().execute()).map(({ id, name, view }) => [keyOf(name, view), id]),
    )
  const known = await read()
  const missing = new Map(allPairs.map(([name, view]) => [keyOf(name, view), { name, view }]))
  for (const key of known.keys()) missing.delete(key)
  if (missing.size === 0) return known
  await trx
    .insertInto('permission')
    .values([...missing.values()])
    .execute()
  return read()
}
