import type { Inspection } from '@parquetry/model'
import { type DatabaseRow, sourceOf } from '../database/source.ts'
import type { Deps } from '../deps.ts'
import { renderSql } from '../templates/render-sql.ts'
import { extraOf, type QueryRow } from './history.ts'
import { judge } from './judge.ts'
import type { Caller } from './results.ts'
import { withRowRules } from './row-rules.ts'

/**
 * The text of a past run as its reader may run it today: templates carried out, judged, row rules put in.
 * @param sql  what is read of the run, `query.sql` in most cases
 * @throws AppError what templates, `judge` and row rules refuse
 */
export async function readAgain(
  deps: Deps,
  { principal, signal }: Caller,
  query: QueryRow,
  database: DatabaseRow,
  sql: string,
): Promise<{ sql: string; inspection: Inspection }> {
  const { schema, catalog } = query
  const template = extraOf(query)['template_params']
  const source = await sourceOf(deps, database, schema, catalog)
  const rendered = await renderSql(deps, principal, database, {
    sql,
    templateParams: typeof template === 'string' ? template : null,
    name: query.tab_name ?? '',
  })
  const inspection = await deps.runners.inspect(rendered, source, signal)
  const access = { db: deps.db, principal, dashboardRoles: deps.settings.flags['DASHBOARD_RBAC'] === true }
  await judge(inspection, database, access, schema, catalog)
  return deps.settings.flags['RLS_IN_SQLLAB']
    ? withRowRules(deps, { sql: rendered, inspection, source, database, principal, schema, signal })
    : { sql: rendered, inspection }
}
