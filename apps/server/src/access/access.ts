import { implicitTagId, readNativeFilters, tagTypes, type NativeFilter, type PermissionPair } from '@parquetry/model'
import { type Kysely, sql, type SqlBool } from 'kysely'
import { and, type Condition, or } from '../store/conditions.ts'
import { hasPermission, type Principal } from './principal.ts'
import { isTracked } from '../store/changes.ts'
import { readCached } from '../store/read-cache.ts'
import type { Tables } from '../store/tables.ts'
import { dataRights } from './data-rights.ts'
import { editorLinks, isLinkedToPrincipal, isUnrestricted, type OwnableKind, viewerLinks } from './subject-links.ts'
import { withoutUser } from './without-user.ts'

/** Context of a permission decision, including the principal. */
export interface AccessContext {
  db: Kysely<Tables>
  principal: Principal
  /** The viewers of a dashboard decide who may see it (`apps/server/src/settings/viewer-rules.ts`). */
  dashboardRoles: boolean
  /** Viewers read the data of an object within it, without access to its datasets. */
  viewerData: { dashboards: boolean; charts: boolean }
}

const belongsToUser = (table: string, column: string, principal: Principal): Condition[] =>
  principal.id === null ? [] : [sql<SqlBool>`${sql.ref(`${table}.${column}`)} = ${principal.id}`]

/** Conditions on a table in a query: the principal owns the row, as a user or by a role or group. */
export const ownedBy = (kind: OwnableKind, principal: Principal): Condition[] =>
  isLinkedToPrincipal(editorLinks[kind], kind, principal)

const inIds = (column: string, ids: ReadonlySet<number | string>): Condition[] =>
  ids.size === 0 ? [] : [sql<SqlBool>`${sql.ref(column)} in (${sql.join([...ids])})`]

const inDatabase = (principal: Principal): Condition[] => {
  const { databases, schemas } = dataRights(principal)
  return [
    ...inIds('dataset.database_id', databases),
    ...(schemas.size === 0
      ? []
      : [
          sql<SqlBool>`exists (select 1 from ${sql.table('database')} as home where home.id = dataset.database_id
            and '[' || home.database_name || '].[' || dataset.schema || ']' in (${sql.join([...schemas])}))`,
        ]),
  ]
}

/** Condition on `dataset` in a query: the rows that the principal may read. Undefined: all. */
export function datasetAccess(principal: Principal): Condition | undefined {
  const rights = dataRights(principal)
  if (rights.all) return undefined
  return or([...inIds('dataset.id', rights.datasets), ...inDatabase(principal), ...ownedBy('dataset', principal)])
}

export const readableDatasets = (access: Condition) => sql`select dataset.id from dataset where ${access}`

/**
 * Condition on `chart` in a query: charts of readable datasets that are not reserved to viewers, those that the principal may view,
 * and the principal's own. Undefined: all.
 */
export function chartAccess(principal: Principal): Condition | undefined {
  if (principal.isAdmin) return undefined
  const datasets = datasetAccess(principal)
  const readable = datasets ? [sql<SqlBool>`chart.datasource_id in (${readableDatasets(datasets)})`] : []
  return or([
    and([isUnrestricted('chart'), ...readable]),
    ...isLinkedToPrincipal(viewerLinks.chart, 'chart', principal),
    ...ownedBy('chart', principal),
  ])
}

/**
 * Condition on `database` in a query: all for principals who may read or manage all, otherwise those with a readable dataset or
 * schema. Undefined: all.
 */
export function databaseAccess(principal: Principal): Condition | undefined {
  const rights = dataRights(principal)
  if (rights.all || hasPermission(principal, ['can_write', 'Database'])) return undefined
  const datasets = datasetAccess(principal)
  return or([
    ...inIds('database.id', rights.databases),
    ...[...rights.schemas].map(
      (schema) => sql<SqlBool>`substr(${schema}, 1, length(${sql.ref('database.database_name')}) + 4)
        = '[' || ${sql.ref('database.database_name')} || '].['`,
    ),
    ...(datasets ? [sql<SqlBool>`database.id in (select dataset.database_id from dataset where ${datasets})`] : []),
  ])
}

/** The dashboard is shared with the principal, or one of their roles or groups. */
const isShared = (principal: Principal): Condition =>
  or(isLinkedToPrincipal(viewerLinks.dashboard, 'dashboard', principal))

/** SQL after `from`, to be continued by `and`: charts on dashboards, as `shown`, whose dataset meets the condition. */
export const readableCharts = (datasets: Condition) =>
  sql`dashboard_chart as shown join chart on chart.id = shown.chart_id
    where chart.datasource_id in (${readableDatasets(datasets)})`

/**
 * Condition: the dashboard shows a chart whose dataset the principal may read. Evaluated per row, so that a page is found by
 * walking an index in list order; `offset` keeps PostgreSQL from reading all charts first.
 */
function showsReadable(principal: Principal): Condition {
  const datasets = datasetAccess(principal)
  if (!datasets)
    return sql<SqlBool>`exists (select 1 from dashboard_chart as shown where shown.dashboard_id = dashboard.id)`
  return sql<SqlBool>`exists (select 1 from ${readableCharts(datasets)}
    and shown.dashboard_id = dashboard.id limit 1 offset 0)`
}

const starredBy = ({ id }: Principal): Condition[] =>
  id === null
    ? []
    : [
        sql<SqlBool>`exists (select 1 from favorite where favorite.kind = 'dashboard'
          and favorite.object_id = dashboard.id and favorite.user_id = ${id})`,
      ]

/**
 * Condition on `dashboard` in a query: the principal's own; published ones that show readable data or are starred. With
 * viewers enabled, published ones that are reserved to viewers are visible only to these, regardless of data permissions, and
 * published ones also to the users with whom they are shared. Undefined: all.
 */
export function dashboardAccess({
  principal,
  dashboardRoles,
}: Pick<AccessContext, 'principal' | 'dashboardRoles'>): Condition | undefined {
  if (principal.isAdmin) return undefined
  const readable = or([showsReadable(principal), ...starredBy(principal)])
  const visible = dashboardRoles ? or([and([isUnrestricted('dashboard'), readable]), isShared(principal)]) : readable
  return or([and([sql<SqlBool>`dashboard.published = 1`, visible]), ...ownedBy('dashboard', principal)])
}

/** Condition on `saved_query` in a query: the caller's own, for all users. */
const savedQueryAccess = (principal: Principal): Condition => or(belongsToUser('saved_query', 'user_id', principal))

/** Condition on `query` in a query: the caller's own, all with `all_query_access`. Undefined: all. */
export const queryAccess = (principal: Principal): Condition | undefined =>
  hasPermission(principal, ['all_query_access', 'all_query_access'])
    ? undefined
    : or(belongsToUser('query', 'user_id', principal))

/** Condition on `tag` in a query: all but those of other users' favorites. */
const tagAccess = ({ id }: Principal): Condition =>
  sql<SqlBool>`(tag.type <> ${tagTypes.favorited_by} or tag.id = ${implicitTagId('favorited_by', id ?? -1)})`

/** Condition for tags that the principal may change: those of their own. */
const changeableTags = ({ id, isAdmin }: Principal): Condition =>
  sql<SqlBool>`(tag.type = ${tagTypes.custom} and ${isAdmin ? sql`1 = 1` : sql`tag.created_by_fk = ${id ?? -1}`})`

/** Condition on `task` in a query: the tasks of the caller; undefined (all tasks) for administrators. */
const taskAccess = (principal: Principal): Condition | undefined =>
  principal.isAdmin ? undefined : or(belongsToUser('task', 'user_id', principal))

/** Condition on `report` in a query: those that the principal created or owns; undefined (all) for administrators. */
const reportAccess = (principal: Principal): Condition | undefined =>
  principal.isAdmin
    ? undefined
    : or([
        ...belongsToUser('report', 'created_by_fk', principal),
        sql<SqlBool>`exists (select 1 from report_owner as held
          where held.report_id = report.id and held.user_id = ${principal.id ?? -1})`,
      ])

/** Kinds shared by all users with the permission. Runs are read within a report that the caller may see. */
const sharedKinds = [
  'css_template',
  'theme',
  'annotation_layer',
  'annotation',
  'row_rule',
  'user',
  'user_group',
  'subject',
  'user_registration',
  'role',
  'permission',
  'permission_name',
  'permission_view',
  'report_run',
] as const
type SharedKind = (typeof sharedKinds)[number]

export type ObjectKind =
  | 'database'
  | 'dataset'
  | 'chart'
  | 'dashboard'
  | 'saved_query'
  | 'query'
  | 'tag'
  | 'task'
  | 'report'
  | SharedKind

const isSharedKind = (kind: ObjectKind): kind is SharedKind => (sharedKinds as readonly string[]).includes(kind)

/** Query form of `can` for reading: a condition on the kind's table, undefined when all rows may be seen. */
export function visibilityCondition(kind: ObjectKind, context: Omit<AccessContext, 'db'>): Condition | undefined {
  const { principal } = context
  // Pairs with an empty part only keep the id of a name.
  if (kind === 'permission') return sql<SqlBool>`permission.name <> '' and permission.view <> ''`
  if (isSharedKind(kind)) return undefined
  if (kind === 'database') return databaseAccess(principal)
  if (kind === 'dataset') return datasetAccess(principal)
  if (kind === 'chart') return chartAccess(principal)
  if (kind === 'dashboard') return dashboardAccess(context)
  if (kind === 'tag') return tagAccess(principal)
  if (kind === 'task') return taskAccess(principal)
  if (kind === 'report') return reportAccess(principal)
  return kind === 'saved_query' ? savedQueryAccess(principal) : queryAccess(principal)
}

const hasRow = async (db: Kysely<Tables>, table: string, conditions: Condition[]): Promise<boolean> =>
  (await sql`select 1 from ${sql.table(table)} where ${and(conditions)}`.execute(db)).rows.length > 0

/** Condition for rows that the principal may change, apart from existence and the permission pair. Undefined: all. */
function changeable(kind: ObjectKind, principal: Principal): Condition | undefined {
  if (kind === 'database' || isSharedKind(kind)) return undefined
  if (kind === 'saved_query') return or(belongsToUser('saved_query', 'user_id', principal))
  if (kind === 'query') return or(belongsToUser('query', 'user_id', principal))
  if (kind === 'tag') return changeableTags(principal)
  if (kind === 'task') return taskAccess(principal)
  if (kind === 'report') return reportAccess(principal)
  return principal.isAdmin ? undefined : or(ownedBy(kind, principal))
}

/**
 * Checks if the principal may perform the action on the object. All decisions are made here; missing objects are never allowed.
 * @param action the API's own pair; `can_write` and every other changing one also requires ownership
 */
export async function can(
  context: AccessContext,
  action: PermissionPair,
  { kind, id }: { kind: ObjectKind; id: number },
): Promise<boolean> {
  const { db, principal, dashboardRoles } = context
  if (!hasPermission(principal, action)) return false
  if (!isDecidedByContent(kind)) return canInStore(context, action, { kind, id })
  const decide = (by: Principal) => () => canInStore({ ...context, principal: by }, action, { kind, id })
  const key = JSON.stringify([action, kind, id, dashboardRoles])
  return isReading(action)
    ? readForRoles(db, principal, key, decide)
    : readCached(db, principal, key, decide(principal))
}

/** Decides for all users with the roles of the principal, and for the principal if these roles do not suffice. */
async function readForRoles(
  db: Kysely<Tables>,
  principal: Principal,
  key: string,
  decide: (by: Principal) => () => Promise<boolean>,
): Promise<boolean> {
  const roles = isTracked(db) ? withoutUser(principal) : principal
  if (await readCached(db, roles, key, decide(roles))) return true
  return roles !== principal && (await readCached(db, principal, key, decide(principal)))
}

const isDecidedByContent = (kind: ObjectKind): boolean => ['database', 'dataset', 'chart', 'dashboard'].includes(kind)

async function canInStore(
  context: AccessContext,
  action: PermissionPair,
  { kind, id }: { kind: ObjectKind; id: number },
): Promise<boolean> {
  const { db, principal } = context
  const conditions: Condition[] = [sql<SqlBool>`${sql.ref(`${kind}.id`)} = ${id}`]
  const visibility = visibilityCondition(kind, context)
  if (visibility) conditions.push(visibility)
  if (!isReading(action)) {
    const writable = changeable(kind, principal)
    if (writable) conditions.push(writable)
  }
  return hasRow(db, kind, conditions)
}

/** Query form of `can` for a changing pair: a condition on the kind's table, undefined when all rows may be changed. */
export function writableCondition(
  kind: 'chart' | 'dashboard' | 'dataset',
  action: PermissionPair,
  context: Omit<AccessContext, 'db'>,
): Condition | undefined {
  if (!hasPermission(context.principal, action)) return sql<SqlBool>`1 = 0`
  const conditions = [visibilityCondition(kind, context), changeable(kind, context.principal)].filter(
    (each) => each !== undefined,
  )
  return conditions.length > 0 ? and(conditions) : undefined
}

const isReading = ([permission]: PermissionPair): boolean => ['can_read', 'can_export', 'can_get'].includes(permission)

/**
 * Chart, on a dashboard or by itself, or native filter through which a request reads data. A `sliceId` of null means any chart of
 * the dashboard.
 */
export type AccessPath =
  | { dashboardId: number | null; sliceId: number | null }
  | { dashboardId: number; filterId: string }

/** Returns the native filter if the principal is a viewer of its dashboard and its values come from this dataset. */
export async function findGrantedFilter(
  { db, principal, viewerData }: AccessContext,
  datasetId: number,
  { dashboardId, filterId }: { dashboardId: number; filterId: string },
): Promise<{ filter: NativeFilter; all: NativeFilter[] } | undefined> {
  if (!viewerData.dashboards) return undefined
  const where = and([sql<SqlBool>`dashboard.id = ${dashboardId} and dashboard.published = 1`, isShared(principal)])
  const { rows } = await sql<{
    json_metadata: string | null
  }>`select json_metadata from dashboard where ${where}`.execute(db)
  const all = rows[0] ? parseNativeFilters(rows[0].json_metadata) : []
  const filter = all.find(({ id }) => id === filterId)
  return filter?.targets?.some((target) => target?.datasetId === datasetId) ? { filter, all } : undefined
}

/** The principal is a viewer of the dashboard, which opens its data within the dashboard. */
export const isDashboardShared = async ({ db, principal, viewerData }: AccessContext, id: number): Promise<boolean> =>
  viewerData.dashboards && (await hasRow(db, 'dashboard', [sql<SqlBool>`dashboard.id = ${id}`, isShared(principal)]))

/** Parses the native filters from the metadata of a dashboard; empty when the metadata is invalid. */
export function parseNativeFilters(text: string | null): NativeFilter[] {
  try {
    const metadata: unknown = JSON.parse(text || '{}')
    return typeof metadata === 'object' && metadata !== null
      ? readNativeFilters({ nodes: {}, metadata: { ...metadata } })
      : []
  } catch {
    return []
  }
}

/**
 * Checks if the principal may read the data of a dataset: by their own permissions, or, where viewers read data, through a path
 * (`findViewerPath`).
 */
export const canReadData = async (
  context: AccessContext,
  datasetId: number,
  via: AccessPath | null = null,
): Promise<boolean> =>
  (await canReadDataset(context, datasetId)) || (await findViewerPath(context, datasetId, via)) !== null

/** Checks if the principal may read all data of a dataset. */
const canReadDataset = ({ db, principal }: AccessContext, datasetId: number): Promise<boolean> =>
  readForRoles(db, principal, `can read data of ${datasetId}`, (by) => () => {
    const readable = datasetAccess(by)
    const is = sql<SqlBool>`dataset.id = ${datasetId}`
    return hasRow(db, 'dataset', readable ? [is, readable] : [is])
  })

/**
 * Returns the path on which viewers may read a dataset without access to it, or null. Viewers of a published dashboard read
 * through its charts and native filters, and viewers of a chart through the chart. A query on such a path has to pass
 * `authorizeViewerQuery`: the path opens only the queries of the dashboard or chart.
 */
export async function findViewerPath(
  context: AccessContext,
  datasetId: number,
  via: AccessPath | null,
): Promise<AccessPath | null> {
  if (!via) return null
  if (await opensDataset(context, datasetId, via)) return via
  if (!('sliceId' in via) || via.sliceId === null) return null
  return (await isViewerOfChart(context, datasetId, via.sliceId)) ? { dashboardId: null, sliceId: via.sliceId } : null
}

/** Tests whether the principal is a viewer of the dashboard, and the dashboard has this chart or filter of the dataset. */
async function opensDataset(context: AccessContext, datasetId: number, via: AccessPath): Promise<boolean> {
  const { db, principal, viewerData } = context
  if (!viewerData.dashboards || via.dashboardId === null) return false
  if ('filterId' in via) return (await findGrantedFilter(context, datasetId, via)) !== undefined
  const matchesChart = via.sliceId === null ? sql`1 = 1` : sql`chart.id = ${via.sliceId}`
  return hasRow(db, 'dashboard', [
    sql<SqlBool>`dashboard.id = ${via.dashboardId} and dashboard.published = 1`,
    isShared(principal),
    sql<SqlBool>`exists (select 1 from dashboard_chart as shown join chart on chart.id = shown.chart_id
      where shown.dashboard_id = dashboard.id and ${matchesChart} and chart.datasource_id = ${datasetId})`,
  ])
}

const isViewerOfChart = async (
  { db, principal, viewerData }: AccessContext,
  datasetId: number,
  chartId: number,
): Promise<boolean> =>
  viewerData.charts &&
  hasRow(db, 'chart', [
    sql<SqlBool>`chart.id = ${chartId} and chart.datasource_id = ${datasetId}`,
    or(isLinkedToPrincipal(viewerLinks.chart, 'chart', principal)),
  ])

/** Checks if the principal may see a chart: by itself, or on a dashboard that they may see. */
export async function canSeeChart(
  context: AccessContext,
  chartId: number,
  dashboardId: number | null,
): Promise<boolean> {
  const { db, principal } = context
  const access = chartAccess(principal)
  if (!access) return true
  const is = sql<SqlBool>`chart.id = ${chartId}`
  if (await hasRow(db, 'chart', [is, access])) return true
  const dashboards = dashboardAccess(context)
  if (dashboardId === null) return false
  return hasRow(db, 'dashboard', [
    sql<SqlBool>`dashboard.id = ${dashboardId}`,
    sql<SqlBool>`exists (select 1 from dashboard_chart as shown
      where shown.dashboard_id = dashboard.id and shown.chart_id = ${chartId})`,
    ...(dashboards ? [dashboards] : []),
  ])
}
