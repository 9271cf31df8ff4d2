import { addMissingDataPermissions, addSchemaPermissions } from '../access/data-permissions.ts'
import type { ConnectionContext } from '../connection/describe-source.ts'
import type { DatabaseRow } from '../connection/source.ts'
import { listSchemas } from './metadata.ts'

/**
 * Creates the missing permissions on a database, its schemas and its datasets, so that they can be granted to roles. Existing
 * grants stay.
 * @throws AppError when the database cannot be reached; nothing is created then
 */
export async function syncPermissions(context: ConnectionContext, database: DatabaseRow): Promise<void> {
  const schemas = await listSchemas(context, database, { force: true })
  await context.db.transaction().execute(async (trx) => {
    await addMissingDataPermissions(trx)
    await addSchemaPermissions(trx, database, schemas)
  })
}
