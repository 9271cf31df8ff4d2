import { AppError, message, type Inspection, type Source } from '@parquetry/model'
import { type DatabaseRow, resolveSource } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import type { Namespace } from '../sql-access/table-access.ts'
import { exemptSql, type RestrictedSql, restrictSql } from '../row-level-security/restrict-sql.ts'
import { renderSql, ruleRenderer } from '../templates/render-sql.ts'
import { authorizeSql, resolveNamespace } from '../sql-access/authorize-sql.ts'
import { acceptUnparsed } from './unparsed.ts'
import type { ConnectionDeps } from '../connection/deps.ts'

export interface Caller {
  principal: Principal
  signal: AbortSignal
}

/** SQL as the user wrote it, and the meaning of its unqualified names. */
export interface UserSql extends Namespace {
  sql: string
  templateParams: string | null | undefined
  /** Name of the SQL in messages. */
  name: string
  /** It is a run, new or past: SQL without templates may be accepted without being parsed (`acceptUnparsed`). */
  allowsUnparsed?: boolean
}

/** SQL as it may run for the user. */
export interface PreparedSql {
  sql: RestrictedSql
  inspection: Inspection
  /** The same before row-level security rules were inserted: its tables are those that the SQL names. */
  inspected: Inspection
  source: Source
  namespace: Namespace
  /** No parser accepts it (`acceptUnparsed`). */
  isUnparsed: boolean
}

/**
 * The only path from user SQL to SQL that may run: templates are rendered, it is parsed and authorized, and with
 * `RLS_IN_SQLLAB` row-level security rules are inserted.
 * @throws AppError what templates, `authorizeSql` and row-level security rules refuse
 */
export async function prepareUserSql(
  deps: ConnectionDeps,
  { principal, signal }: Caller,
  database: DatabaseRow,
  { sql, templateParams, name, allowsUnparsed = false, ...requestedNamespace }: UserSql,
): Promise<PreparedSql> {
  const namespace = resolveNamespace({ principal }, database, requestedNamespace)
  const source = await resolveSource(deps, database, principal, namespace.schema, namespace.catalog)
  const rendered = await renderSql(deps, principal, database, { sql, templateParams, name, ...namespace })
  const read = await deps.runners.inspect(rendered, source, signal)
  const isVerbatim = allowsUnparsed && rendered === sql
  const unparsed = read.error && isVerbatim ? await acceptUnparsed(deps, principal, database, sql) : undefined
  const inspected = unparsed ?? read
  await authorizeSql(rendered, inspected, database, { db: deps.db, principal }, namespace)
  // Without the flag, rules apply to charts only; SQL Lab is for users who may read the tables themselves.
  const restrictedSql = deps.settings.flags['RLS_IN_SQLLAB']
    ? await restrictSql(
        deps,
        { sql: rendered, source, database, principal, ...namespace, signal },
        ruleRenderer(deps, principal, database),
      )
    : exemptSql(rendered)
  const inspection = restrictedSql === rendered ? inspected : await deps.runners.inspect(restrictedSql, source, signal)
  if (inspection.error)
    throw new AppError('sql_not_allowed', {
      message: message(
        'errors.sql.notRestrictable',
        'Row-level security rules cannot be inserted into this query. Name restricted tables only in FROM or JOIN, without spaces around the dots.',
      ),
    })
  return { sql: restrictedSql, inspection, inspected, source, namespace: namespace, isUnparsed: unparsed !== undefined }
}
