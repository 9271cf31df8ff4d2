import type { Inspection, Source } from '@parquetry/model'
import { type DatabaseRow, resolveSource } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import type { Namespace } from '../sql-access/table-access.ts'
import { renderSql } from '../templates/render-sql.ts'
import { authorizeSql, resolveNamespace } from '../sql-access/authorize-sql.ts'
import type { UserSqlDeps } from './deps.ts'
import { type RowLevelSecurityInput, applyRowLevelSecurity } from './row-level-security.ts'
import { acceptUnparsed } from './unparsed.ts'

export interface Caller {
  principal: Principal
  signal: AbortSignal
}

/** A text as a person wrote it, and where its names mean something. */
export interface UserSql extends Namespace {
  sql: string
  templateParams: string | null | undefined
  /** How the text is called in messages. */
  name: string
  /** It is a run, new or past: a text without templates may be one that nobody can read (`asUnread`). */
  allowsUnparsed?: boolean
}

/** A text as it may run for who asked. */
export interface PreparedSql {
  sql: string
  inspection: Inspection
  /** The same before row rules were put in: its tables are those that the text names. */
  inspected: Inspection
  source: Source
  namespace: Namespace
  /** No parser knows it (`asUnread`). */
  isUnparsed: boolean
}

/**
 * The one way from a text to what may run: its templates are carried out, it is read and judged, row rules are put in.
 * @throws AppError what templates, `judge` and row rules refuse
 */
export async function prepareUserSql(
  deps: UserSqlDeps,
  { principal, signal }: Caller,
  database: DatabaseRow,
  { sql, templateParams, name, allowsUnparsed = false, ...asked }: UserSql,
): Promise<PreparedSql> {
  const place = resolveNamespace({ principal }, database, asked)
  const source = await resolveSource(deps, database, principal, place.schema, place.catalog)
  const rendered = await renderSql(deps, principal, database, { sql, templateParams, name, ...place })
  const read = await deps.runners.inspect(rendered, source, signal)
  const isTyped = allowsUnparsed && rendered === sql
  const unread = read.error && isTyped ? await acceptUnparsed(deps, principal, database, sql) : undefined
  const inspected = unread ?? read
  await authorizeSql(rendered, inspected, database, { db: deps.db, principal }, place)
  const plain: RowLevelSecurityInput = { sql: rendered, source, database, principal, schema: place.schema, signal }
  const ruled = deps.settings.flags['RLS_IN_SQLLAB'] ? await applyRowLevelSecurity(deps, plain) : rendered
  const inspection = ruled === rendered ? inspected : await deps.runners.inspect(ruled, source, signal)
  return { sql: ruled, inspection, inspected, source, namespace: place, isUnparsed: unread !== undefined }
}
