import { AppError, message, type Source } from '@parquetry/model'
import { hasProtectedTables } from '@parquetry/sql'
import { loadAuthor } from '../access/load-principal.ts'
import type { Principal } from '../access/principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { DatabaseRow } from '../connection/source.ts'
import { authorizeSql, resolveNamespace, refuseForAdministrators } from '../sql-access/authorize-sql.ts'
import { canReadAll } from '../sql-access/table-access.ts'
import { readCached } from '../store/read-cache.ts'
import type { StoredDataset } from './stored-dataset.ts'

/** Reads the author once per reader. */
const loadAuthorCached = (db: ConnectionDeps['db'], reader: Principal, id: number): Promise<Principal | undefined> =>
  readCached(db, reader, JSON.stringify(['author', id]), () => loadAuthor(db, id))

interface DatasetSqlCheck {
  /** SQL of the dataset after rendering templates. */
  sql: string
  row: StoredDataset['row']
  database: DatabaseRow
  source: Source
  /** The reader, who needs access to the dataset but not to its tables. */
  principal: Principal
  signal: AbortSignal
}

/**
 * Checks that the user who saved the SQL of a dataset may still read what it reads. SQL without a recorded author was checked
 * only when it was saved; statements for administrators run only for administrators.
 * @throws AppError `query_access` without table names, which the reader may not be allowed to know
 */
export async function authorizeDatasetSql(
  { db, runners }: Pick<ConnectionDeps, 'db' | 'runners'>,
  { sql, row, database, source, principal, signal }: DatasetSqlCheck,
): Promise<void> {
  const { sql_by_fk: id } = row
  const author = id === null || id === principal.id ? principal : await loadAuthorCached(db, principal, id)
  const datasetNamespace = { schema: row.schema || null, catalog: row.catalog || null }
  const isUnrestricted = id === null || (author !== undefined && canReadAll(author, database))
  if (isUnrestricted && (author?.isAdmin || !hasProtectedTables(database.backend))) return
  const inspection = await runners.inspect(sql, source, signal)
  if (isUnrestricted) {
    for (const statement of inspection.statements)
      refuseForAdministrators(sql, statement, database, author ?? principal, datasetNamespace)
    return
  }
  const namespace = author && resolveNamespace({ principal: author }, database, datasetNamespace)
  try {
    if (!author || !namespace) throw new AppError('query_access')
    await authorizeSql(sql, inspection, database, { db, principal: author }, namespace)
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.status >= 500) throw cause
    throw new AppError('query_access', {
      message: message(
        'errors.dataset.authorAccess',
        'The user who saved the SQL of this dataset can no longer read all of its tables. A user who can read them must save it again.',
      ),
      cause,
    })
  }
}
