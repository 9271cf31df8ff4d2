import type { DatabaseRow } from '../connection/source.ts'
import { queryAccess } from '../access/access.ts'
import { parseExtra, type QueryRow } from './history.ts'
import { type Caller, prepareUserSql, type PreparedSql } from '../user-sql/prepare-user-sql.ts'
import type { ConnectionDeps } from '../connection/deps.ts'

/** A run that the user may see, with its database. */
export interface PastRun {
  query: QueryRow
  database: DatabaseRow
}

/** Finds a run by one of its keys; undefined when it does not exist or belongs to another user. */
export async function findRun(
  { db }: Pick<ConnectionDeps, 'db'>,
  { principal }: Pick<Caller, 'principal'>,
  key: 'id' | 'client_id' | 'results_key',
  value: string | number,
): Promise<PastRun | undefined> {
  let select = db.selectFrom('query').selectAll().where(key, '=', value)
  const accessCondition = queryAccess(principal)
  if (accessCondition) select = select.where(accessCondition)
  const query = await select.executeTakeFirst()
  const database =
    query && (await db.selectFrom('database').selectAll().where('id', '=', query.database_id).executeTakeFirst())
  return query && database && { query, database }
}

/**
 * The SQL of a past run as the user may run it today.
 * @param sql  part of the run to read
 * @throws AppError as `prepareUserSql`
 */
export const prepareRerun = (
  deps: ConnectionDeps,
  caller: Caller,
  { query, database }: PastRun,
  sql: string = query.sql,
): Promise<PreparedSql> => {
  const template = parseExtra(query)['template_params']
  return prepareUserSql(deps, caller, database, {
    sql,
    templateParams: typeof template === 'string' ? template : null,
    name: query.tab_name ?? '',
    allowsUnparsed: true,
    schema: query.schema,
    catalog: query.catalog,
  })
}
