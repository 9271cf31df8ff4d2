import type { Kysely, Selectable } from 'kysely'
import { loadPrincipalById } from '../access/load-principal.ts'
import type { Principal } from '../access/principal.ts'
import type { ReportTable, Tables } from '../store/tables.ts'

export type ReportRow = Selectable<ReportTable>

/**
 * Loads the user whose rights a report uses, with their rights of now. Undefined when they are deleted or deactivated: the rights of
 * another owner never replace theirs, because that owner did not choose what is sent to whom.
 */
export async function loadReportOwner(
  db: Kysely<Tables>,
  { run_as_fk, created_by_fk }: Pick<ReportRow, 'run_as_fk' | 'created_by_fk'>,
): Promise<Principal | undefined> {
  const ownerId = run_as_fk ?? created_by_fk
  return ownerId === null ? undefined : loadPrincipalById(db, ownerId)
}
