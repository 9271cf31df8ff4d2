import { AppError, message, type Source } from '@parquetry/model'
import { keepsSecrets } from '@parquetry/sql'
import { authorOf } from '../access/load-principal.ts'
import type { Principal } from '../access/principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { DatabaseRow } from '../connection/source.ts'
import { judge, placeOf, refuseForAdministrators } from '../sql-access/judge.ts'
import { readsAll } from '../sql-access/table-access.ts'
import { readOnce } from '../store/kept-reads.ts'
import type { StoredDataset } from './describe.ts'

/** Read once for a reader. */
const authorAsOf = (db: ConnectionDeps['db'], reader: Principal, id: number): Promise<Principal | undefined> =>
  readOnce(db, reader, JSON.stringify(['author', id]), () => authorOf(db, id))

interface Asked {
  /** The dataset's SQL, templates carried out. */
  sql: string
  row: StoredDataset['row']
  database: DatabaseRow
  source: Source
  /** Who reads the dataset: he needs it, not its tables. */
  principal: Principal
  signal: AbortSignal
}

/**
 * Whether who saved the SQL of a dataset may still read what it reads. What was stored before this was kept was judged when it was
 * saved only; what is for administrators it shows to them alone.
 * @throws AppError `query_access` without the names of tables, since its reader may not know them
 */
export async function judgeOwnSql(
  { db, runners }: Pick<ConnectionDeps, 'db' | 'runners'>,
  { sql, row, database, source, principal, signal }: Asked,
): Promise<void> {
  const { sql_by_fk: id } = row
  const author = id === null || id === principal.id ? principal : await authorAsOf(db, principal, id)
  const given = { schema: row.schema || null, catalog: row.catalog || null }
  const mayReadAll = id === null || (author !== undefined && readsAll(author, database))
  if (mayReadAll && (author?.isAdmin || !keepsSecrets(database.backend))) return
  const inspection = await runners.inspect(sql, source, signal)
  if (mayReadAll) {
    for (const statement of inspection.statements)
      refuseForAdministrators(sql, statement, database, author ?? principal, given)
    return
  }
  const place = author && placeOf({ principal: author }, database, given)
  try {
    if (!author || !place) throw new AppError('query_access')
    await judge(sql, inspection, database, { db, principal: author }, place)
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
