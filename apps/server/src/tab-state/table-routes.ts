import { EditorTable, tableSchemaRoutes as routes } from '@parquetry/model'
import type { Kysely } from 'kysely'
import Type from 'typebox'
import type { App, HttpDeps } from '../http/app.ts'
import type { Principal } from '../access/principal.ts'
import { serve } from '../http/serve.ts'
import type { Tables } from '../store/tables.ts'
import { jsonField } from '../http/form-json.ts'
import { sendBareJson, sendEmpty } from './bare-replies.ts'
import { checkDatabase, ownTab } from './tabs.ts'

const readTable = jsonField('table', EditorTable)
const readExpanded = jsonField('expanded', Type.Boolean())

/** The panel, if it belongs to a tab of the caller. */
async function ownTable(db: Kysely<Tables>, id: number, principal: Principal) {
  return db
    .selectFrom('tab_table')
    .innerJoin('tab_state', 'tab_state.id', 'tab_table.tab_state_id')
    .select('tab_table.id')
    .where('tab_table.id', '=', id)
    .where('tab_state.user_id', '=', principal.id)
    .executeTakeFirst()
}

/** Stores a panel, replacing one of the same tab for the same table. */
async function saveTable(db: Kysely<Tables>, tabId: number, table: EditorTable): Promise<number> {
  const location = { catalog: table.catalog ?? null, schema: table.schema ?? null }
  return db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('tab_table')
      .where('tab_state_id', '=', tabId)
      .where('database_id', '=', table.dbId)
      .where('table', '=', table.name)
      .where('schema', location.schema === null ? 'is' : '=', location.schema)
      .where('catalog', location.catalog === null ? 'is' : '=', location.catalog)
      .execute()
    const { id } = await trx
      .insertInto('tab_table')
      .values({
        tab_state_id: tabId,
        database_id: table.dbId,
        ...location,
        table: table.name,
        description: JSON.stringify(table),
        expanded: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  })
}

/** `/tableschemaview/`: the table panels of tabs. */
export function tableSchemaRoutes(app: App, { db }: HttpDeps): void {
  serve(app, routes.create, async ({ body, principal, reply }) => {
    const table = await readTable(body)
    const id = Number(table.queryEditorId)
    const tab = await ownTab(db, Number.isSafeInteger(id) ? id : -1, principal)
    if (!tab) return sendEmpty(reply, 403)
    await checkDatabase(app, principal, table.dbId)
    return { id: await saveTable(db, tab.id, table) }
  })

  serve(app, routes.expanded, async ({ params, body, principal, reply }) => {
    const found = await ownTable(db, params.id, principal)
    if (!found) return sendEmpty(reply, 403)
    const expanded = await readExpanded(body)
    await db
      .updateTable('tab_table')
      .set({ expanded: expanded ? 1 : 0 })
      .where('id', '=', found.id)
      .execute()
    return { id: found.id, expanded }
  })

  serve(app, routes.remove, async ({ params, principal, reply }) => {
    const found = await ownTable(db, params.id, principal)
    if (!found) return sendEmpty(reply, 403)
    await db.deleteFrom('tab_table').where('id', '=', found.id).execute()
    return sendBareJson(reply, 'OK')
  })
}
