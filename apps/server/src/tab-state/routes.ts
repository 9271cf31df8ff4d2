import {
  AppError,
  QueryEditor,
  sqllabTools,
  TabChange,
  type TabConflict,
  tabStateRoutes as routes,
} from '@parquetry/model'
import Type from 'typebox'
import type { App, HttpDeps } from '../http/app.ts'
import type { Principal } from '../access/principal.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { errorTranslator } from '../settings/messages.ts'
import { sendBareJson, sendEmpty } from './bare-replies.ts'
import { bootstrap } from './bootstrap.ts'
import { tableSchemaRoutes } from './table-routes.ts'
import { jsonField, jsonFields } from '../http/form-json.ts'
import { activateTab, changeTab, checkDatabase, createTab, ownTab, removeQuery, canSeeDatabase } from './tabs.ts'
import { tabView } from './tab-view.ts'

const readEditor = jsonField('queryEditor', QueryEditor)
const readChange = jsonFields(TabChange)
const readQueryId = jsonField('queryId', Type.String())
const AnyObject = Type.Record(Type.String(), Type.Unknown())
const extraObject = jsonField('extra_json', Type.Union([AnyObject, Type.String(), Type.Null()]))
const SavedQueryRef = Type.Union([Type.Integer(), Type.Null(), Type.Object({ id: Type.Integer() })])
const savedQuery = jsonField('saved_query', SavedQueryRef)

/** `extra_json` as JSON text; undefined when it is not sent. Clients send the object or its text. */
async function readExtraJson(form: Record<string, string>): Promise<string | undefined> {
  if (form['extra_json'] === undefined) return undefined
  const value = await extraObject(form)
  if (typeof value === 'string') return JSON.stringify(await jsonField('extra_json', AnyObject)({ extra_json: value }))
  return JSON.stringify(value ?? {})
}

/** Older clients send the object `saved_query` instead of `saved_query_id`. */
async function readTabChange(form: Record<string, string>): Promise<TabChange> {
  const change = await readChange(form)
  if (form['saved_query'] === undefined) return change
  const value = await savedQuery(form)
  return { saved_query_id: typeof value === 'object' ? (value?.id ?? null) : value, ...change }
}

const formatVersionEtag = (version: number): string => `"${version}"`

/** The versions that a change may be based on: `If-Match`, else the field `version`; undefined: any. */
function parseSeenVersions(ifMatch: string | undefined, version: number | null | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return version == null ? undefined : [version]
  return ifMatch.split(',').map((etag) => Number(/^\s*(?:W\/)?"(\d+)"\s*$/.exec(etag)?.[1] ?? -1))
}

/** Only users have tabs. */
function requireUserId({ id }: Principal): number {
  if (id === null) throw new AppError('not_signed_in')
  return id
}

/** The initial data of SQL Lab, and its tabs on the server (PERM-027: with SQLLAB_BACKEND_PERSISTENCE). */
export function tabStateRoutes(app: App, deps: HttpDeps): void {
  serve(app, sqllabTools.bootstrap, async ({ principal }) => ({
    result: { ...(await bootstrap(deps, readContext(app, principal))) },
  }))
  if (deps.settings.flags['SQLLAB_BACKEND_PERSISTENCE'] !== true) return
  const { db, now } = deps

  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const editor = await readEditor(body)
    const database_id = (await canSeeDatabase(app, principal, editor.dbId)) ? (editor.dbId ?? null) : null
    const created = await createTab(db, editor, { database_id, user_id: requireUserId(principal) }, now())
    const { id, version } = created.row
    event.json = { id }
    reply.header('etag', formatVersionEtag(version))
    return created.existed ? { id, existed: true as const } : { id }
  })

  serve(app, routes.item, async ({ params, principal, reply }) => {
    const row = await ownTab(db, params.id, principal)
    if (!row) return sendEmpty(reply, 403)
    reply.header('etag', formatVersionEtag(row.version))
    return { ...(await tabView(db, row, principal)) }
  })

  serve(app, routes.update, async ({ params, body, principal, request, reply }) => {
    const row = await ownTab(db, params.id, principal)
    if (!row) return sendEmpty(reply, 403)
    const change = await readTabChange(body)
    const extra = await readExtraJson(body)
    if (change.database_id !== row.database_id) await checkDatabase(app, principal, change.database_id)
    const seen = parseSeenVersions(request.headers['if-match'], change.version)
    const after = await changeTab(db, row, { change, extra, seen }, now())
    if (after) return sendBareJson(reply.header('etag', formatVersionEtag(after.version)), row.id)
    const newer = await ownTab(db, row.id, principal)
    if (!newer) return sendEmpty(reply, 403)
    const translate = errorTranslator(deps.settings)
    const message = translate('errors.tabState.changed', 'This tab was changed in the meantime.')
    const conflict: TabConflict = { message, tab_state: await tabView(db, newer, principal) }
    return reply.code(409).header('etag', formatVersionEtag(newer.version)).send(conflict)
  })

  serve(app, routes.remove, async ({ params, principal, event, reply }) => {
    const row = await ownTab(db, params.id, principal)
    if (!row) return sendEmpty(reply, 403)
    await db.deleteFrom('tab_state').where('id', '=', row.id).execute()
    event.json = { id: row.id }
    return sendBareJson(reply, 'OK')
  })

  serve(app, routes.activate, async ({ params, principal, reply }) => {
    const row = await ownTab(db, params.id, principal)
    if (!row) return sendEmpty(reply, 404)
    await activateTab(db, row)
    return sendBareJson(reply, row.id)
  })

  serve(app, routes.removeQuery, async ({ params, principal, event, reply }) => {
    const row = await ownTab(db, params.id, principal)
    if (!row) return sendEmpty(reply, 403)
    await removeQuery(db, row, params.client_id)
    event.json = { client_id: params.client_id }
    return sendBareJson(reply, 'OK')
  })

  serve(app, routes.migrateQuery, async ({ params, body, principal, reply }) => {
    const row = await ownTab(db, params.id, principal)
    if (!row) return sendEmpty(reply, 403)
    await db
      .updateTable('query')
      .set({ sql_editor_id: String(row.id) })
      .where('client_id', '=', await readQueryId(body))
      .where('user_id', '=', row.user_id)
      .execute()
    return sendBareJson(reply, row.id)
  })

  tableSchemaRoutes(app, deps)
}
