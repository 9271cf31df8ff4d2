import type { Inspection } from '@parquetry/model'
import { findForbiddenFunctions, statementSpans, extractWords } from '@parquetry/sql'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import { loadTableRules } from '../row-level-security/load-rules.ts'
import type { ConnectionDeps } from '../connection/deps.ts'

/**
 * Accepts SQL that our parser does not know as one statement that may write, for administrators only: what it reads cannot be
 * checked.
 * @returns undefined where it stays rejected: for other users or where row-level security rules apply, without `allow_dml`, for
 * more than one statement, and for SQL that names a forbidden function anywhere
 */
export async function acceptUnparsed(
  deps: ConnectionDeps,
  principal: Principal,
  database: DatabaseRow,
  sql: string,
): Promise<Inspection | undefined> {
  const engine = engineFor(database)
  if (!engine.runsUnparsed || database.allow_dml === 0 || !principal.isAdmin) return undefined
  const [span, ...more] = statementSpans(sql, engine.name) ?? []
  if (!span || more.length > 0) return undefined
  if (findForbiddenFunctions({ functions: extractWords(sql), tableFunctions: [] }, engine.name).length > 0)
    return undefined
  if ((await loadTableRules(deps.db, principal, database)).length > 0) return undefined
  deps.log.warn(
    { userId: principal.id, databaseId: database.id },
    'a statement that no parser could read is run as typed',
  )
  const emptyFields = { tables: [], functions: [], tableFunctions: [], ownLimit: null, limitSpan: null }
  const statement = { ...emptyFields, span, kind: 'unknown', readOnly: false, hasOrder: false, takesLimit: false }
  return { statements: [statement], error: null }
}
