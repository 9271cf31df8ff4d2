import type { VersionedKind } from '@parquetry/model'
import { sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'
import { formatStoredTime } from './time.ts'

/** A column of a dependent row that references something else; if that is missing, the row is not restored. */
type RowReference = readonly [column: string, table: string]

/** Rows of another table that are deleted with an object. */
interface DependentRows {
  table: keyof Tables
  /** Column that references the object. */
  own: string
  ends: readonly RowReference[]
  /** For tables with rows of several kinds. */
  kind?: VersionedKind
}

const tags = (kind: VersionedKind): DependentRows => ({
  table: `${kind}_tag`,
  own: `${kind}_id`,
  ends: [['tag_id', 'custom_tag']],
})
const owners = (kind: VersionedKind): DependentRows[] => [
  { table: `${kind}_owner`, own: `${kind}_id`, ends: [['user_id', 'user']] },
  { table: `${kind}_owner_role`, own: `${kind}_id`, ends: [['role_id', 'role']] },
  { table: `${kind}_owner_group`, own: `${kind}_id`, ends: [['group_id', 'user_group']] },
]
const favorites = (kind: VersionedKind): DependentRows => ({
  table: 'favorite',
  own: 'object_id',
  ends: [['user_id', 'user']],
  kind,
})

/**
 * Everything that depends on an object, so that it is restored completely: new dependent tables belong here. Files of dashboards
 * are too large for the trash: they stay in their table, under an id that is never reused.
 */
const dependents: Record<VersionedKind, readonly DependentRows[]> = {
  dashboard: [
    ...owners('dashboard'),
    tags('dashboard'),
    { table: 'dashboard_role', own: 'dashboard_id', ends: [['role_id', 'role']] },
    { table: 'dashboard_viewer', own: 'dashboard_id', ends: [['user_id', 'user']] },
    { table: 'dashboard_viewer_group', own: 'dashboard_id', ends: [['group_id', 'user_group']] },
    { table: 'dashboard_restriction', own: 'dashboard_id', ends: [] },
    { table: 'dashboard_chart', own: 'dashboard_id', ends: [['chart_id', 'chart']] },
    { table: 'embedded_dashboard', own: 'dashboard_id', ends: [] },
    { table: 'filter_set', own: 'dashboard_id', ends: [] },
    favorites('dashboard'),
  ],
  chart: [
    ...owners('chart'),
    tags('chart'),
    { table: 'chart_viewer', own: 'chart_id', ends: [['user_id', 'user']] },
    { table: 'chart_viewer_role', own: 'chart_id', ends: [['role_id', 'role']] },
    { table: 'chart_viewer_group', own: 'chart_id', ends: [['group_id', 'user_group']] },
    { table: 'chart_restriction', own: 'chart_id', ends: [] },
    { table: 'dashboard_chart', own: 'chart_id', ends: [['dashboard_id', 'dashboard']] },
    favorites('chart'),
  ],
  dataset: [
    ...owners('dataset'),
    tags('dataset'),
    { table: 'dataset_column', own: 'dataset_id', ends: [] },
    { table: 'dataset_metric', own: 'dataset_id', ends: [] },
    { table: 'row_rule_dataset', own: 'dataset_id', ends: [['row_rule_id', 'row_rule']] },
  ],
}

/** Columns of an object that are emptied when it is restored after the row that they reference was deleted. */
const optionalReferences: Partial<Record<VersionedKind, readonly RowReference[]>> = {
  dashboard: [['theme_id', 'theme']],
}

/** Viewers that reserve a dashboard: if they were deleted meanwhile, it must not open to others when it is restored. */
const reservingViewers: readonly (keyof Tables)[] = ['dashboard_role', 'dashboard_viewer_group']

type Row = Record<string, unknown>

/** An object in the trash. */
export interface TrashDocument {
  row: Row & { id: number; uuid: string }
  hanging: Record<string, Row[]>
  /** Roles and users with a grant on this object; documents of earlier versions have no users. */
  roles: number[]
  users?: number[]
}

export interface TrashOptions<T> {
  kind: VersionedKind
  /** Display name. */
  name(row: T): string
}

const readDependents = async (
  trx: Transaction<Tables>,
  { table, own, kind }: DependentRows,
  id: number,
): Promise<Row[]> => {
  const ofKind = kind ? sql` and kind = ${kind}` : sql``
  const { rows } = await sql<Row>`select * from ${sql.table(table)} where ${sql.ref(own)} = ${id}${ofKind}`.execute(trx)
  return rows
}

/** Roles and users with a grant on a dataset. */
async function findGrants(trx: Transaction<Tables>, id: number): Promise<{ roles: number[]; users: number[] }> {
  const pair = trx
    .selectFrom('permission')
    .select('permission.id')
    .where('name', '=', 'datasource_access')
    .where('view', 'like', `%(id:${id})`)
  const roles = await trx.selectFrom('role_permission').select('role_id').where('permission_id', 'in', pair).execute()
  const users = await trx.selectFrom('user_permission').select('user_id').where('permission_id', 'in', pair).execute()
  return { roles: roles.map(({ role_id }) => role_id), users: users.map(({ user_id }) => user_id) }
}

/** Stores an object and its dependent rows before it is deleted in the same transaction. */
export async function moveToTrash<T extends { id: number; uuid: string }>(
  trx: Transaction<Tables>,
  { kind, name, row, author, now }: TrashOptions<T> & { row: T; author: number | null; now: Date },
): Promise<void> {
  const stored = await sql<TrashDocument['row']>`select * from ${sql.table(kind)} where id = ${row.id}`.execute(trx)
  const [fields] = stored.rows
  if (!fields) return
  const hanging: TrashDocument['hanging'] = {}
  for (const each of dependents[kind]) hanging[each.table] = await readDependents(trx, each, row.id)
  const grants = kind === 'dataset' ? await findGrants(trx, row.id) : { roles: [], users: [] }
  const document: TrashDocument = { row: fields, hanging, ...grants }
  await trx
    .insertInto('trash')
    .values({
      kind,
      object_id: row.id,
      uuid: row.uuid,
      name: name(row),
      document: JSON.stringify(document),
      deleted_on: formatStoredTime(now),
      deleted_by_fk: author,
    })
    .execute()
  const owned = { kind, object_id: row.id }
  for (const { user_id } of hanging[`${kind}_owner`] ?? [])
    await trx
      .insertInto('trash_owner')
      .values({ ...owned, user_id: Number(user_id) })
      .execute()
  for (const { role_id } of hanging[`${kind}_owner_role`] ?? [])
    await trx
      .insertInto('trash_owner_role')
      .values({ ...owned, role_id: Number(role_id) })
      .execute()
  for (const { group_id } of hanging[`${kind}_owner_group`] ?? [])
    await trx
      .insertInto('trash_owner_group')
      .values({ ...owned, group_id: Number(group_id) })
      .execute()
}

const insertMissing = async (trx: Transaction<Tables>, table: keyof Tables, row: Row): Promise<void> => {
  await trx
    .insertInto(table)
    .values(row as never)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Restores an object under its id, with those dependent rows whose references still exist, and removes it from the trash. */
export async function restoreFromTrash(
  trx: Transaction<Tables>,
  kind: VersionedKind,
  { row, hanging }: TrashDocument,
  shouldRestore: (table: string, row: Row) => boolean = () => true,
): Promise<void> {
  const missing: Row = {}
  for (const [column, table] of optionalReferences[kind] ?? [])
    if (!(await exists(trx, table, row[column]))) missing[column] = null
  await trx
    .insertInto(kind)
    .values({ ...row, ...missing } as never)
    .execute()
  for (const each of dependents[kind])
    for (const dependentRow of (hanging[each.table] ?? []).filter((candidate) => shouldRestore(each.table, candidate)))
      if (await hasReferences(trx, each, dependentRow)) await insertMissing(trx, each.table, dependentRow)
      else if (reservingViewers.includes(each.table))
        await insertMissing(trx, 'dashboard_restriction', { dashboard_id: row.id })
  await removeFromTrash(trx, kind, row.id)
}

const exists = async (trx: Transaction<Tables>, table: string, id: unknown): Promise<boolean> =>
  id !== null &&
  id !== undefined &&
  (await sql`select 1 from ${sql.table(table)} where id = ${id}`.execute(trx)).rows.length > 0

/**
 * True when everything that a dependent row references exists. If it is in the trash itself, the row is restored together with
 * it.
 */
async function hasReferences(trx: Transaction<Tables>, { table, ends }: DependentRows, row: Row): Promise<boolean> {
  for (const [column, target] of ends) {
    const id = Number(row[column])
    if (await exists(trx, target, id)) continue
    await appendToTrashed(trx, target, id, table, row)
    return false
  }
  return true
}

async function appendToTrashed(
  trx: Transaction<Tables>,
  kind: string,
  id: number,
  table: string,
  row: Row,
): Promise<void> {
  const trashedRow = await trx
    .selectFrom('trash')
    .select('document')
    .where('kind', '=', kind)
    .where('object_id', '=', id)
    .executeTakeFirst()
  if (!trashedRow) return
  const trashed = JSON.parse(trashedRow.document) as TrashDocument
  const hanging = { ...trashed.hanging, [table]: [...(trashed.hanging[table] ?? []), row] }
  await trx
    .updateTable('trash')
    .set({ document: JSON.stringify({ ...trashed, hanging }) })
    .where('kind', '=', kind)
    .where('object_id', '=', id)
    .execute()
}

const removeFromTrash = async (trx: Transaction<Tables>, kind: VersionedKind, id: number): Promise<void> => {
  await trx.deleteFrom('trash').where('kind', '=', kind).where('object_id', '=', id).execute()
}

/** Deletes an object from the trash permanently, with its versions and files. */
export async function purge(
  trx: Transaction<Tables>,
  { kind, object_id, uuid }: { kind: string; object_id: number; uuid: string },
): Promise<void> {
  await trx
    .deleteFrom('version')
    .where('kind', 'in', [kind, `${kind}.names`])
    .where('object_uuid', '=', uuid)
    .where('object_id', '=', object_id)
    .execute()
  if (kind === 'dashboard') await trx.deleteFrom('dashboard_file').where('dashboard_id', '=', object_id).execute()
  await removeFromTrash(trx, kind as VersionedKind, object_id)
}
