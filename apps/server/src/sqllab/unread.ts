import type { Inspection } from '@parquetry/model'
import { refusedFunctions, statementSpans, wordsOf } from '@parquetry/sql'
import { type DatabaseRow, engineFor } from '../database/source.ts'
import type { Deps } from '../deps.ts'
import { holds, type Principal } from '../http/principal.ts'
import { ruledTables } from './row-rules.ts'

/**
 * A text that our reader does not know, as one statement that may write, for who may do everything with the database anyway.
 * @returns undefined where it stays refused: for everybody else, for more than one statement, and for a text that names a closed
 *   function anywhere
 */
export async function asUnread(
  deps: Deps,
  principal: Principal,
  database: DatabaseRow,
  sql: string,
): Promise<Inspection | undefined> {
  const engine = engineFor(database)
  if (!engine.runsUnread || database.allow_dml === 0 || !mayDoAll(principal)) return undefined
  const [span, ...more] = statementSpans(sql, engine.name) ?? []
  if (!span || more.length > 0) return undefined
  if (refusedFunctions({ functions: wordsOf(sql), tableFunctions: [] }, engine.name).length > 0) return undefined
  if ((await ruledTables(deps, database, principal, engine.name)).length > 0) return undefined
  deps.log.warn(
    { userId: principal.id, databaseId: database.id },
    'a statement that nobody here can read is run as typed',
  )
  const nothing = { tables: [], functions: [], tableFunctions: [], ownLimit: null, limitSpan: null }
  const statement = { ...nothing, span, kind: 'unknown', readOnly: false, hasOrder: false, takesLimit: false }
  return { statements: [statement], error: null }
}

const mayDoAll = (principal: Principal): boolean =>
  principal.isAdmin ||
  (holds(principal, ['all_database_access', 'all_database_access']) &&
    holds(principal, ['all_datasource_access', 'all_datasource_access']))
