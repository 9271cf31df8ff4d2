import type { Kysely, Selectable } from 'kysely'
import { loadPrincipalById } from '../access/load-principal.ts'
import type { Principal } from '../access/principal.ts'
import type { ReportTable, Tables } from '../store/tables.ts'

export type ReportRow = Selectable<ReportTable>

/** Id of the user whose rights a report uses: `run_as_fk`, its creator, or its first active owner when that user was deleted. */
async function findOwnerId(
  db: Kysely<Tables>,
  { id, run_as_fk, created_by_fk }: Pick<ReportRow, 'id' | 'run_as_fk' | 'created_by_fk'>,
): Promise<number | undefined> {
  for (const userId of [run_as_fk, created_by_fk]) {
    if (userId === null) continue
    const user = await db.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()
    if (user) return user.id
  }
  const owner = await db
    .selectFrom('report_owner')
    .innerJoin('user', 'user.id', 'user_id')
    .select('user.id')
    .where('report_id', '=', id)
    .where('active', '=', 1)
    .orderBy('user.id')
    .executeTakeFirst()
  return owner?.id
}

/** Loads the user whose rights a report uses, with their rights of now. Undefined when no user is left or they are deactivated. */
export async function loadReportOwner(
  db: Kysely<Tables>,
  report: Pick<ReportRow, 'id' | 'run_as_fk' | 'created_by_fk'>,
): Promise<Principal | undefined> {
  const ownerId = await findOwnerId(db, report)
  return ownerId === undefined ? undefined : loadPrincipalById(db, ownerId)
}
