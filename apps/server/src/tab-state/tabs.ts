import { AppError, message, type QueryEditor, type TabChange } from '@parquetry/model'
import type { Kysely, Updateable } from 'kysely'
import { readContext } from '../http/serve-resource.ts'
import type { App } from '../http/app.ts'
import type { Principal } from '../access/principal.ts'
import { can } from '../access/access.ts'
import { isOpen } from '../sqllab/history.ts'
import type { Tables, TabStateTable } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import type { TabRow } from './tab-view.ts'

/** The caller's own tab with this id. */
export const ownTab = (db: Kysely<Tables>, id: number, { id: userId }: Principal): Promise<TabRow | undefined> =>
  db.selectFrom('tab_state').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()

export const canSeeDatabase = async (app: App, principal: Principal, id: number | null | undefined): Promise<boolean> =>
  id != null && can(readContext(app, principal), ['can_read', 'Database'], { kind: 'database', id })

/** @throws AppError `bad_request` for a database that the caller cannot see; null is allowed */
export async function checkDatabase(app: App, principal: Principal, id: number | null | undefined): Promise<void> {
  if (id != null && !(await canSeeDatabase(app, principal, id)))
    throw new AppError('bad_request', { message: message('errors.tabState.database', 'Database not found.') })
}

async function ownSavedQuery(db: Kysely<Tables>, id: number | null | undefined, userId: number) {
  if (id == null) return null
  const found = await db
    .selectFrom('saved_query')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found?.id ?? null
}

/**
 * Creates a tab and makes it the active one of its owner.
 * @param of  the database is null when the editor's was deleted: its text is stored anyway
 * @returns `existed` with the unchanged tab when the key of the editor already has one
 */
export async function createTab(
  db: Kysely<Tables>,
  editor: QueryEditor,
  { database_id, user_id }: { database_id: number | null; user_id: number },
  now: Date,
): Promise<{ row: TabRow; existed: boolean }> {
  return db.transaction().execute(async (trx) => {
    const client_key = editor.clientKey ?? null
    await trx.updateTable('tab_state').set({ active: 0 }).where('user_id', '=', user_id).execute()
    const inserted = await trx
      .insertInto('tab_state')
      .values({
        user_id,
        label: editor.name || editor.title || 'Untitled Query',
        active: 1,
        database_id,
        catalog: editor.catalog ?? null,
        schema: editor.schema ?? null,
        sql: editor.sql ?? 'SELECT ...',
        query_limit: editor.queryLimit ?? null,
        latest_query_id: null,
        autorun: editor.autorun ? 1 : 0,
        template_params: editor.templateParams ?? null,
        hide_left_bar: editor.hideLeftBar ? 1 : 0,
        saved_query_id: await ownSavedQuery(trx, editor.remoteId, user_id),
        extra_json: '{}',
        version: 1,
        created_on: formatStoredTime(now),
        changed_on: formatStoredTime(now),
        client_key,
      })
      .onConflict((conflict) => conflict.columns(['user_id', 'client_key']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (inserted) return { row: inserted, existed: false }
    const row = await trx
      .updateTable('tab_state')
      .set({ active: 1 })
      .where('user_id', '=', user_id)
      .where('client_key', '=', client_key)
      .returningAll()
      .executeTakeFirstOrThrow()
    return { row, existed: true }
  })
}

/** Fields whose changes cannot conflict: they result from running and viewing, not from typing. */
const unversioned: ReadonlySet<string> = new Set(['latest_query_id', 'hide_left_bar'])

async function toTabColumns(
  db: Kysely<Tables>,
  change: TabChange,
  extra: string | undefined,
  userId: number,
): Promise<Updateable<TabStateTable>> {
  const { version: _, autorun, hide_left_bar, saved_query_id, ...same } = change
  const plainColumns = ['label', 'database_id', 'catalog', 'schema', 'sql', 'query_limit', 'template_params'] as const
  return {
    ...Object.fromEntries(
      [...plainColumns, 'latest_query_id' as const].flatMap((n) => (n in same ? [[n, same[n]]] : [])),
    ),
    ...(autorun !== undefined && { autorun: autorun ? 1 : 0 }),
    ...(hide_left_bar !== undefined && { hide_left_bar: hide_left_bar ? 1 : 0 }),
    ...(saved_query_id !== undefined && { saved_query_id: await ownSavedQuery(db, saved_query_id, userId) }),
    ...(extra !== undefined && { extra_json: extra }),
  }
}

/**
 * Changes the given fields. With `seen`, a typed change is made only on top of that version; what results from running is always
 * stored.
 * @param seen  the versions that the caller would overwrite; undefined: any version
 * @returns undefined when the tab has been changed since
 */
export async function changeTab(
  db: Kysely<Tables>,
  row: TabRow,
  { change, extra, seen }: { change: TabChange; extra: string | undefined; seen: readonly number[] | undefined },
  now: Date,
): Promise<TabRow | undefined> {
  const columns = await toTabColumns(db, change, extra, row.user_id)
  const differing = Object.entries(columns).filter(([name, value]) => row[name as keyof TabRow] !== value)
  if (differing.length === 0) return row
  const isTyped = differing.some(([name]) => !unversioned.has(name))
  return db
    .updateTable('tab_state')
    .set((column) => ({
      ...Object.fromEntries(differing),
      ...(isTyped && { version: column('version', '+', 1), changed_on: formatStoredTime(now) }),
    }))
    .where('id', '=', row.id)
    .$if(isTyped && seen !== undefined, (update) => update.where('version', 'in', [...(seen ?? []), -1]))
    .returningAll()
    .executeTakeFirst()
}

/** Makes a tab the only active one of its owner. */
export async function activateTab(db: Kysely<Tables>, { id, user_id }: TabRow): Promise<void> {
  await db
    .updateTable('tab_state')
    .set((column) => ({ active: column.case().when('id', '=', id).then(1).else(0).end() }))
    .where('user_id', '=', user_id)
    .execute()
}

/**
 * Removes a query of the owner from the history. In a tab whose latest query it was, the newest remaining one takes its place.
 * @throws AppError `unprocessable` while it is still running
 */
export async function removeQuery(db: Kysely<Tables>, tab: TabRow, clientId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const query = await trx
      .selectFrom('query')
      .select(['id', 'status'])
      .where('client_id', '=', clientId)
      .where('user_id', '=', tab.user_id)
      .executeTakeFirst()
    if (!query) return
    if (isOpen(query))
      throw new AppError('unprocessable', {
        message: message('errors.tabState.queryRuns', 'The query is still running. Stop it first.'),
      })
    await trx.deleteFrom('query').where('id', '=', query.id).execute()
    const newest = await trx
      .selectFrom('query')
      .select('client_id')
      .where('user_id', '=', tab.user_id)
      .where('sql_editor_id', '=', String(tab.id))
      .orderBy('id', 'desc')
      .executeTakeFirst()
    await trx
      .updateTable('tab_state')
      .set({ latest_query_id: newest?.client_id ?? null })
      .where('id', '=', tab.id)
      .where('latest_query_id', '=', clientId)
      .execute()
  })
}
