import { AppError, message } from '@parquetry/model'
import { type Kysely, sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Tables } from '../store/tables.ts'

const holdersOfAdmin = sql`select user_id from user_role join role on role.id = role_id where lower(name) = 'admin'
  union select user_id from user_group_member
    join user_group_role on user_group_role.group_id = user_group_member.group_id
    join role on role.id = role_id where lower(name) = 'admin'`

/**
 * Only administrators change administrators or make others administrators, so that the permission to manage users does not
 * include that. Called before and after a change.
 * @throws AppError `forbidden`
 */
export async function requireAdministratorFor(
  db: Kysely<Tables>,
  principal: Principal,
  userIds: readonly number[],
): Promise<void> {
  if (principal.isAdmin || userIds.length === 0) return
  const { rows } = await sql`select 1 from (${holdersOfAdmin}) as held
    where user_id in (${sql.join([...userIds])})`.execute(db)
  if (rows.length > 0) throw forbidden()
}

/** The same for groups whose members get the role Admin. @throws AppError `forbidden` */
export async function requireAdministratorForGroup(
  db: Kysely<Tables>,
  principal: Principal,
  groupId: number,
): Promise<void> {
  if (principal.isAdmin) return
  const { rows } = await sql`select 1 from user_group_role join role on role.id = role_id
    where group_id = ${groupId} and lower(name) = 'admin'`.execute(db)
  if (rows.length > 0) throw forbidden()
}

const forbidden = (): AppError =>
  new AppError('forbidden', {
    message: message('errors.user.administratorsOnly', 'Only an administrator can change an administrator.'),
  })
