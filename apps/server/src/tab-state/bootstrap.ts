import type { EditorDatabase, QueryView, SqllabBootstrap } from '@parquetry/model'
import { databaseFacts, databaseResource } from '../database/database-resource.ts'
import { isReadOnlyConnection } from '../connection/extra.ts'
import { type DatabaseRow, engineFor } from '../connection/source.ts'
import type { HttpDeps } from '../http/app.ts'
import { and } from '../store/conditions.ts'
import type { Principal } from '../access/principal.ts'
import { type ReadContext, accessConditions } from '../http/resource.ts'
import { tabView } from './tab-view.ts'
import { queryView } from '../sqllab/query-view.ts'

const maxQueries = 200

const editorDatabase = (row: DatabaseRow): EditorDatabase => {
  const facts = databaseFacts(row)
  const { supports } = engineFor(row)
  const isWritable = !isReadOnlyConnection(row)
  return {
    id: row.id,
    database_name: row.database_name,
    backend: row.backend,
    allow_ctas: isWritable && row.allow_ctas === 1,
    allow_cvas: isWritable && row.allow_cvas === 1,
    allow_dml: isWritable && row.allow_dml === 1,
    allow_file_upload: isWritable && row.allow_file_upload === 1,
    allow_run_async: row.allow_run_async === 1,
    allows_subquery: facts.allows_subquery,
    allows_cost_estimate: facts.allows_cost_estimate && supports.estimate,
    expose_in_sqllab: row.expose_in_sqllab === 1,
    force_ctas_schema: row.force_ctas_schema,
    disable_data_preview: facts.disable_data_preview,
    disable_drill_to_detail: facts.disable_drill_to_detail,
    allow_multi_catalog: supports.catalogs,
  }
}

async function loadDatabases(context: ReadContext): Promise<Record<string, EditorDatabase>> {
  const rows = await context.db
    .selectFrom('database')
    .selectAll()
    .where(and(accessConditions(databaseResource, context)))
    .orderBy('id')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.id, editorDatabase(row)]))
}

async function loadQueries(
  { db }: ReadContext,
  principal: Principal,
  tabs: readonly number[],
): Promise<Record<string, QueryView>> {
  if (tabs.length === 0) return {}
  const rows = await db
    .selectFrom('query')
    .leftJoin('database', 'database.id', 'query.database_id')
    .selectAll('query')
    .select('database.database_name')
    .where('user_id', '=', principal.id)
    .where('sql_editor_id', 'in', tabs.map(String))
    .orderBy('query.id', 'desc')
    .limit(maxQueries)
    .execute()
  return Object.fromEntries(
    rows.map(({ database_name, ...row }) => [row.client_id, queryView(row, database_name, principal)]),
  )
}

/** Initial data of SQL Lab: the names of all tabs, and the complete active one. */
export async function bootstrap({ settings }: HttpDeps, context: ReadContext): Promise<SqllabBootstrap> {
  const { db, principal } = context
  const databases = await loadDatabases(context)
  if (settings.flags['SQLLAB_BACKEND_PERSISTENCE'] !== true)
    return { tab_state_ids: [], active_tab: null, databases, queries: {} }
  const ownTabs = db.selectFrom('tab_state').where('user_id', '=', principal.id)
  const tabs = await ownTabs.select(['id', 'label', 'client_key']).orderBy('id').execute()
  const active = await ownTabs.selectAll().orderBy('active', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return {
    tab_state_ids: tabs.map(({ id, label, client_key: clientKey }) => ({
      id,
      label,
      ...(clientKey !== null && { clientKey }),
    })),
    active_tab: active ? await tabView(db, active, principal) : null,
    databases,
    queries: await loadQueries(
      context,
      principal,
      tabs.map(({ id }) => id),
    ),
  }
}
