import {
  AppError,
  listChartNodes,
  type VersionedKind,
  versionedKinds,
  message,
  parseJsonObject,
  toDashboardSlug,
  trashDays,
  type TrashedObject,
  trashRoutes,
  versionRoutesByKind,
} from '@parquetry/model'
import { type Selectable, sql, type SqlBool, type Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { upsertDatasetPermission } from '../access/data-permissions.ts'
import { authorizeChartGrants } from '../access/chart-grants.ts'
import { findRoleGrants, authorizeRoleGrants } from '../access/role-grants.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import { readChartDocument } from '../chart/save-chart.ts'
import { dashboardUrl } from '../dashboard/dashboard-url.ts'
import { checkSlug, readDashboardDocument } from '../dashboard/save-dashboard.ts'
import { findDatasetAt, readDatasetDocument } from '../dataset/save-dataset.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { userColumn } from '../http/column-resolvers.ts'
import { resolvePage } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { changedBy, FieldErrorCollector, unprocessableFields, type WriteContext } from '../http/writing.ts'
import { and, type Condition, or } from '../store/conditions.ts'
import type { Tables, TrashTable } from '../store/tables.ts'
import { parseStoredTime, formatStoredTime } from '../store/time.ts'
import { subjectsOf } from '../access/subject-links.ts'
import { purge, restoreFromTrash, type TrashDocument } from '../store/trash.ts'
import { change } from '../store/write.ts'
import { writePair } from './kinds.ts'

type TrashRow = Selectable<TrashTable>

const pageSize = 50
const dayMs = 86_400_000
const deleters = userColumn<TrashRow>('deleted_by_fk')

/** Trashed objects that the principal may see, restore and purge. */
function ownTrash(principal: Principal): Condition {
  const kinds = versionedKinds.filter((kind) => hasPermission(principal, writePair[kind]))
  if (kinds.length === 0) return sql<SqlBool>`1 = 0`
  const ofKinds = sql<SqlBool>`trash.kind in (${sql.join(kinds)})`
  if (principal.isAdmin) return ofKinds
  return and([
    ofKinds,
    or(
      subjectsOf(principal).map(([type, ids]) => {
        const table = type === 'user' ? 'trash_owner' : `trash_owner_${type}`
        return sql<SqlBool>`exists (select 1 from ${sql.table(table)} as own where own.kind = trash.kind
          and own.object_id = trash.object_id and own.${sql.ref(`${type}_id`)} in (${sql.join(ids)}))`
      }),
    ),
  ])
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** `/api/v1/trash/`. */
export function trashedRoutes(app: App, deps: HttpDeps): void {
  const { db } = deps
  const oldest = () => formatStoredTime(new Date(deps.now().getTime() - trashDays * dayMs))
  const notExpired = () => sql<SqlBool>`trash.deleted_on >= ${oldest()}`

  const findTrashed = async (
    principal: Principal,
    { kind, ...name }: { kind: VersionedKind } & ({ id: number } | { uuid: string }),
  ): Promise<TrashRow> => {
    const isNamed = 'id' in name ? sql`trash.object_id = ${name.id}` : sql`trash.uuid = ${name.uuid.toLowerCase()}`
    const is = sql<SqlBool>`trash.kind = ${kind} and ${isNamed}`
    const where = and([is, notExpired(), ownTrash(principal)])
    const { rows } = await sql<TrashRow>`select trash.* from trash where ${where}`.execute(db)
    if (!rows[0]) throw new AppError('not_found')
    return rows[0]
  }

  serve(app, trashRoutes.list, async ({ query, principal }) => {
    const { id, search } = query
    const kind = versionedKinds.find((each) => each === query.kind)
    const { offset } = resolvePage({ page: query.page ?? 0, page_size: pageSize })
    const where = and([
      notExpired(),
      ownTrash(principal),
      ...(kind ? [sql<SqlBool>`trash.kind = ${kind}`] : []),
      ...(id === undefined ? [] : [sql<SqlBool>`trash.object_id = ${id}`]),
      ...(search ? [sql<SqlBool>`lower(trash.name) like ${`%${escapeLike(search.toLowerCase())}%`} escape '\\'`] : []),
    ])
    const [{ rows }, countResult] = await Promise.all([
      sql<TrashRow>`select kind, object_id, uuid, name, deleted_on, deleted_by_fk from trash where ${where}
        order by deleted_on desc, object_id desc limit ${pageSize} offset ${offset}`.execute(db),
      sql<{ n: number }>`select count(*) as n from trash where ${where}`.execute(db),
    ])
    const users = await deleters(rows, readContext(app, principal))
    const result = rows.map((row, index): TrashedObject => ({
      id: row.object_id,
      kind: row.kind as VersionedKind,
      uuid: row.uuid,
      name: row.name,
      deleted_on: row.deleted_on,
      deleted_by: (users[index] ?? null) as TrashedObject['deleted_by'],
      purged_on: formatStoredTime(new Date(parseStoredTime(row.deleted_on).getTime() + trashDays * dayMs)),
    }))
    return { count: Number(countResult.rows[0]?.n ?? 0), result }
  })

  /** @param names  names for the restored object, if its own are taken */
  async function restore(context: WriteContext, row: TrashRow, names: Parameters<typeof prepareRestore>[3]) {
    const { principal, event } = context
    const { object_id: id } = row
    const kind = row.kind as VersionedKind
    const trashDocument = await prepareRestore(context, kind, JSON.parse(row.document) as TrashDocument, names)
    if (kind === 'dashboard') event.dashboard_id = id
    if (kind === 'chart') event.slice_id = id
    event.json = { kind, id }
    const history = { kind, uuid: trashDocument.row.uuid, author: principal.id, event, now: context.now }
    await change(db, { ...history, document: (trx) => documents[kind](trx, id) }, async (trx) => {
      const dashboards = findAffectedDashboards(kind, trashDocument)
      const grants = await findRoleGrants(trx, principal, dashboards)
      await restoreObject(trx, kind, trashDocument)
      await authorizeRoleGrants(trx, principal, dashboards, grants)
      if (kind === 'chart') await authorizeChartGrants(trx, context, [id], new Map())
    })
    return { id, kind, url: buildUrl(kind, trashDocument.row) }
  }

  serve(app, trashRoutes.restore, async ({ params, body, principal, event }) => {
    const row = await findTrashed(principal, params)
    return restore({ ...readContext(app, principal), event }, row, body)
  })
  for (const kind of versionedKinds)
    serve(app, versionRoutesByKind[kind].restoreDeleted, async ({ params, principal, event }) => {
      const row = await findTrashed(principal, { kind, uuid: params.uuid })
      const { id } = await restore({ ...readContext(app, principal), event }, row, {})
      return { message: 'OK', id }
    })

  serve(app, trashRoutes.purge, async ({ params, principal, event }) => {
    const row = await findTrashed(principal, params)
    event.json = { kind: row.kind, id: row.object_id, name: row.name }
    await db.transaction().execute((trx) => purge(trx, row))
    return { message: 'OK' }
  })
}

const documents = { dashboard: readDashboardDocument, chart: readChartDocument, dataset: readDatasetDocument }

const buildUrl = (kind: VersionedKind, row: TrashDocument['row']): string =>
  kind === 'dashboard'
    ? dashboardUrl(row as unknown as Parameters<typeof dashboardUrl>[0])
    : kind === 'chart'
      ? `/explore/?slice_id=${row.id}`
      : `/explore/?datasource_type=table&datasource_id=${row.id}`

/**
 * The object to restore, under its own names where these are free, otherwise under those that the caller sent.
 * @throws AppError `unprocessable` naming the field that needs another value
 */
async function prepareRestore(
  context: WriteContext,
  kind: VersionedKind,
  trashed: TrashDocument,
  newNames: { slug?: string | null; table_name?: string },
): Promise<TrashDocument> {
  const { db, principal, now } = context
  const row: TrashDocument['row'] = {
    ...trashed.row,
    ...changedBy(principal, now, trashed.row as unknown as { changed_on: string }),
  }
  const existing = await sql`select 1 from ${sql.table(kind)} where uuid = ${row.uuid}`.execute(db)
  if (existing.rows.length > 0) row.uuid = randomUUID()
  const errors = new FieldErrorCollector(unprocessableFields)
  if (kind === 'dashboard') {
    const slug = newNames.slug === undefined ? (row['slug'] as string | null) : toDashboardSlug(newNames.slug)
    await checkSlug(context, slug, null, errors)
    row['slug'] = slug
  }
  if (kind === 'dataset') {
    if (newNames.table_name !== undefined && row['sql']) row['table_name'] = newNames.table_name
    const database_id = Number(row['database_id'])
    const database = await db.selectFrom('database').select('id').where('id', '=', database_id).executeTakeFirst()
    if (!database) errors.add('database', message('errors.trash.databaseMissing', 'Database does not exist'))
    if (await findDatasetAt(db, row as unknown as Parameters<typeof findDatasetAt>[1]))
      errors.add(
        'table_name',
        row['sql']
          ? message('errors.trash.datasetExists', 'Dataset {name} already exists', { name: String(row['table_name']) })
          : message(
              'errors.trash.tableTaken',
              'Another dataset already uses the table {table}. Delete that dataset first.',
              { table: String(row['table_name']) },
            ),
      )
  }
  errors.throwIfAny()
  return { ...trashed, row }
}

/** Dashboards whose roles may give access to more data after the restore. */
const findAffectedDashboards = (kind: VersionedKind, { row, hanging }: TrashDocument): number[] =>
  kind === 'dashboard' ? [row.id] : (hanging['dashboard_chart'] ?? []).map(({ dashboard_id }) => Number(dashboard_id))

async function restoreObject(trx: Transaction<Tables>, kind: VersionedKind, trashed: TrashDocument): Promise<void> {
  const { row, roles, users = [] } = trashed
  // Dashboards whose layout no longer contains the chart do not get it back.
  const excluded = kind === 'chart' ? await dashboardsWithout(trx, trashed) : new Set<number>()
  await restoreFromTrash(
    trx,
    kind,
    trashed,
    (table, dependent) => table !== 'dashboard_chart' || !excluded.has(Number(dependent['dashboard_id'])),
  )
  if (kind !== 'dataset') return
  const database = await trx
    .selectFrom('database')
    .selectAll()
    .where('id', '=', Number(row['database_id']))
    .executeTakeFirstOrThrow()
  const location = { table_name: String(row['table_name']), schema: (row['schema'] as string | null) ?? null }
  await upsertDatasetPermission(trx, { id: row.id, ...location }, database)
  for (const role_id of roles)
    await sql`insert into role_permission (role_id, permission_id)
      select role.id, permission.id from role, permission where role.id = ${role_id}
      and permission.name = 'datasource_access' and permission.view like ${`%(id:${row.id})`}`.execute(trx)
  for (const user_id of users)
    await sql`insert into user_permission (user_id, permission_id)
      select "user".id, permission.id from "user", permission where "user".id = ${user_id}
      and permission.name = 'datasource_access' and permission.view like ${`%(id:${row.id})`}`.execute(trx)
}

/** Dashboards that had the chart but whose layout no longer contains it. */
async function dashboardsWithout(trx: Transaction<Tables>, { row, hanging }: TrashDocument): Promise<Set<number>> {
  const ids = (hanging['dashboard_chart'] ?? []).map(({ dashboard_id }) => Number(dashboard_id))
  if (ids.length === 0) return new Set()
  const found = await trx.selectFrom('dashboard').select(['id', 'position_json']).where('id', 'in', ids).execute()
  return new Set(
    found
      .filter(
        ({ position_json }) =>
          position_json !== null &&
          !listChartNodes(parseJsonObject(position_json)).some(({ chartId }) => chartId === row.id),
      )
      .map(({ id }) => id),
  )
}
