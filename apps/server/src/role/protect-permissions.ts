import { AppError, isObjectPermission, message } from '@parquetry/model'
import type { Transaction } from 'kysely'
import { dataRights } from '../access/data-rights.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import type { Tables } from '../store/tables.ts'

type Pair = { name: string; view: string }

/**
 * Users who manage roles without being administrators can pass on only what they have: otherwise, the permission to manage roles
 * would include all others.
 * @throws AppError `forbidden`
 */
export function requireOwnPermissions(principal: Principal, pairs: readonly Pair[]): void {
  if (principal.isAdmin) return
  const isOwn = ({ name, view }: Pair): boolean =>
    hasPermission(principal, [name, view]) || (isObjectPermission(name) && dataRights(principal).all)
  const other = pairs.find((pair) => !isOwn(pair))
  if (other)
    throw new AppError('forbidden', {
      message: message(
        'errors.role.notOwn',
        'You can only grant permissions that you have yourself. Ask an administrator for {name} on {view}.',
        other,
      ),
    })
}

/** The same for all permissions of a role. The role Admin is given and taken by administrators only. */
export async function requireOwnRole(
  trx: Transaction<Tables>,
  principal: Principal,
  { id, name }: { id: number; name: string },
): Promise<void> {
  if (principal.isAdmin) return
  if (name.toLowerCase() === 'admin')
    throw new AppError('forbidden', {
      message: message('errors.role.adminOnly', 'Only an administrator can give or take the role Admin.'),
    })
  const pairs = await trx
    .selectFrom('role_permission')
    .innerJoin('permission', 'permission.id', 'permission_id')
    .select(['name', 'view'])
    .where('role_id', '=', id)
    .execute()
  requireOwnPermissions(principal, pairs)
}
