import type { Kysely } from 'kysely'
import type { Tables } from '../../store/tables.ts'
import type { ReportRow } from '../report-owner.ts'

export interface NotifiedUser {
  id: number
  email: string
}

/** The active owners of a report and its creator; the administrators if none is left. */
export async function notifiedUsers(
  db: Kysely<Tables>,
  { id, created_by_fk, run_as_fk }: Pick<ReportRow, 'id' | 'created_by_fk' | 'run_as_fk'>,
): Promise<NotifiedUser[]> {
  const owners = await db
    .selectFrom('user')
    .select(['id', 'email'])
    .where('active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('id', 'in', eb.selectFrom('report_owner').select('user_id').where('report_id', '=', id)),
        eb('id', 'in', [created_by_fk ?? 0, run_as_fk ?? 0]),
      ]),
    )
    .orderBy('id')
    .execute()
  return owners.length > 0 ? owners : listAdministrators(db)
}

const listAdministrators = (db: Kysely<Tables>): Promise<NotifiedUser[]> =>
  db
    .selectFrom('user')
    .innerJoin('user_role', 'user_id', 'user.id')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['user.id', 'email'])
    .distinct()
    .where('active', '=', 1)
    .where((eb) => eb(eb.fn<string>('lower', ['role.name']), '=', 'admin'))
    .orderBy('user.id')
    .execute()

/** Page with the log of an alert or report. */
export const logPath = ({ id }: Pick<ReportRow, 'id'>): string => `/report/${id}/log/`
