import { AppError, message } from '@parquetry/model'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../store/tables.ts'

/**
 * Called at the end of a transaction that may take the role Admin from users, directly or through a group.
 * @throws AppError `unprocessable` when no active user would hold the role
 */
export async function requireAdministrator(trx: Transaction<Tables>): Promise<void> {
  // Makes concurrent changes wait for each other: two administrators could deactivate each other otherwise.
  await sql`update role set name = name where lower(name) = 'admin'`.execute(trx)
  const adminIds = trx
    .selectFrom('role')
    .select('id')
    .where(({ fn, eb }) => eb(fn<string>('lower', ['name']), '=', 'admin'))
  const administrator = await trx
    .selectFrom('user')
    .select('id')
    .where('active', '=', 1)
    .where((is) =>
      is.or([
        is('id', 'in', trx.selectFrom('user_role').select('user_id').where('role_id', 'in', adminIds)),
        is(
          'id',
          'in',
          trx
            .selectFrom('user_group_member')
            .innerJoin('user_group_role', 'user_group_role.group_id', 'user_group_member.group_id')
            .select('user_id')
            .where('role_id', 'in', adminIds),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  if (!administrator)
    throw new AppError('unprocessable', {
      message: message(
        'errors.security.lastAdministrator',
        'This would leave no user who can administer Parquetry. Give the role Admin to another active user first.',
      ),
    })
}
