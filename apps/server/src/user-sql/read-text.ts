import type { Inspection, Source } from '@parquetry/model'
import { type DatabaseRow, sourceOf } from '../connection/source.ts'
import type { Principal } from '../access/principal.ts'
import type { Place } from '../sql-access/table-access.ts'
import { renderSql } from '../templates/render-sql.ts'
import { judge, placeOf } from '../sql-access/judge.ts'
import type { UserSqlDeps } from './deps.ts'
import { type Asked, withRowRules } from './row-rules.ts'
import { asUnread } from './unread.ts'

export interface Caller {
  principal: Principal
  signal: AbortSignal
}

/** A text as a person wrote it, and where its names mean something. */
export interface Written extends Place {
  sql: string
  templateParams: string | null | undefined
  /** How the text is called in messages. */
  name: string
  /** It is a run, new or past: a text without templates may be one that nobody can read (`asUnread`). */
  mayBeUnread?: boolean
}

/** A text as it may run for who asked. */
export interface ReadText {
  sql: string
  inspection: Inspection
  /** The same before row rules were put in: its tables are those that the text names. */
  inspected: Inspection
  source: Source
  place: Place
  /** No parser knows it (`asUnread`). */
  isUnread: boolean
}

/**
 * The one way from a text to what may run: its templates are carried out, it is read and judged, row rules are put in.
 * @throws AppError what templates, `judge` and row rules refuse
 */
export async function readText(
  deps: UserSqlDeps,
  { principal, signal }: Caller,
  database: DatabaseRow,
  { sql, templateParams, name, mayBeUnread = false, ...asked }: Written,
): Promise<ReadText> {
  const place = placeOf({ principal }, database, asked)
  const source = await sourceOf(deps, database, principal, place.schema, place.catalog)
  const rendered = await renderSql(deps, principal, database, { sql, templateParams, name, ...place })
  const read = await deps.runners.inspect(rendered, source, signal)
  const isTyped = mayBeUnread && rendered === sql
  const unread = read.error && isTyped ? await asUnread(deps, principal, database, sql) : undefined
  const inspected = unread ?? read
  await judge(rendered, inspected, database, { db: deps.db, principal }, place)
  const plain: Asked = { sql: rendered, source, database, principal, schema: place.schema, signal }
  const ruled = deps.settings.flags['RLS_IN_SQLLAB'] ? await withRowRules(deps, plain) : rendered
  const inspection = ruled === rendered ? inspected : await deps.runners.inspect(ruled, source, signal)
  return { sql: ruled, inspection, inspected, source, place, isUnread: unread !== undefined }
}
