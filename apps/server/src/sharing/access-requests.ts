import { AppError, type AccessRequest, type PermissionPair, type RequestableKind } from '@parquetry/model'
import { type Kysely, sql, type SqlBool } from 'kysely'
import { can, ownedBy, type AccessContext } from '../access/access.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import { dashboardUrl } from '../dashboard/dashboard-url.ts'
import { and, or, type Condition } from '../store/conditions.ts'
import type { Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import type { SharedKind } from './access-list.ts'

/** Open requests of one user; later ones are dropped without a word, which would tell whether an object exists. */
const maxOpenRequests = 50
const maxListed = 100

const readPairs: Record<RequestableKind, PermissionPair> = {
  dashboard: ['can_read', 'Dashboard'],
  chart: ['can_read', 'Chart'],
  dataset: ['can_read', 'Dataset'],
}

/** The object that an owner shares to grant a request: the dashboard, or the dataset of a chart. */
export interface RequestTarget {
  kind: SharedKind
  id: number
}

const sharePairs: Record<SharedKind, PermissionPair> = {
  dashboard: ['can_write', 'Dashboard'],
  dataset: ['can_write', 'Dataset'],
}

async function findObject(db: Kysely<Tables>, kind: RequestableKind, name: string): Promise<number | undefined> {
  const slug = kind === 'dashboard' ? sql` or slug = ${name}` : sql``
  const id = /^\d{1,15}$/.test(name) ? Number(name) : -1
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(kind)}
    where id = ${id} or uuid = ${name.toLowerCase()}${slug} order by id limit 1`.execute(db)
  return rows[0]?.id
}

/** Stores a request for an object that exists and that the caller cannot see. Returns nothing in every case. */
export async function storeRequest(
  context: AccessContext & { now: Date },
  { kind, id: name, message: text = '' }: { kind: RequestableKind; id: string; message?: string | undefined },
): Promise<void> {
  const { db, principal, now } = context
  const object_id = await findObject(db, kind, name)
  if (object_id === undefined || principal.id === null) return
  if (await can(context, readPairs[kind], { kind, id: object_id })) return
  const open = await db
    .selectFrom('access_request')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('user_id', '=', principal.id)
    .executeTakeFirst()
  if (Number(open?.n ?? 0) >= maxOpenRequests) return
  await db
    .insertInto('access_request')
    .values({ kind, object_id, user_id: principal.id, message: text, created_on: formatStoredTime(now) })
    .onConflict((conflict) => conflict.columns(['kind', 'object_id', 'user_id']).doUpdateSet({ message: text }))
    .execute()
}

interface RequestRow {
  id: number
  kind: RequestableKind
  object_id: number
  user_id: number
  first_name: string
  last_name: string
  message: string
  created_on: string
  name: string | null
  dashboard_id: number | null
  slug: string | null
  published: number | null
  dataset_id: number | null
  table_name: string | null
}

/** Requests that the principal may decide: for dashboards and datasets of theirs, for administrators all. */
function decidable(principal: Principal): Condition {
  const owns = (kind: SharedKind): Condition[] => {
    if (!hasPermission(principal, sharePairs[kind])) return []
    const exists = sql<SqlBool>`${sql.ref(`${kind}.id`)} is not null`
    if (principal.isAdmin) return [exists]
    return ownedBy(kind, principal)
  }
  return or([...owns('dashboard'), ...owns('dataset')])
}

const selectRequests = (where: Condition) => sql<RequestRow>`
  select request.id, request.kind, request.object_id, request.user_id, first_name, last_name, request.message,
    request.created_on, coalesce(dashboard.dashboard_title, chart.slice_name, dataset.table_name) as name,
    dashboard.id as dashboard_id, dashboard.slug, dashboard.published, dataset.id as dataset_id, dataset.table_name
  from access_request as request
  join "user" on "user".id = request.user_id
  left join dashboard on request.kind = 'dashboard' and dashboard.id = request.object_id
  left join chart on request.kind = 'chart' and chart.id = request.object_id
  left join dataset on dataset.id = case request.kind when 'dataset' then request.object_id
    when 'chart' then chart.datasource_id end
  where ${where} and "user".active = 1
  order by request.created_on, request.id limit ${maxListed}`

/** Open requests that the caller may decide, oldest first. */
export async function listRequests({ db, principal }: AccessContext): Promise<AccessRequest[]> {
  const { rows } = await selectRequests(decidable(principal)).execute(db)
  const opens = await countOpened(db, rows)
  return rows.map((row, index) => ({
    id: row.id,
    kind: row.kind,
    object: { id: row.object_id, name: row.name ?? '', url: requestUrl(row) },
    user: { id: row.user_id, first_name: row.first_name, last_name: row.last_name },
    message: row.message,
    created_on: row.created_on,
    opens: opens[index] ?? { charts: 0, datasets: [], is_draft: false },
  }))
}

const requestUrl = ({ kind, object_id, slug }: RequestRow): string =>
  kind === 'dashboard'
    ? dashboardUrl({ id: object_id, slug })
    : kind === 'chart'
      ? `/explore/?slice_id=${object_id}`
      : `/explore/?datasource_type=table&datasource_id=${object_id}`

const maxNames = 5

async function countOpened(db: Kysely<Tables>, rows: readonly RequestRow[]): Promise<AccessRequest['opens'][]> {
  const dashboards = [-1, ...rows.flatMap(({ dashboard_id }) => dashboard_id ?? [])]
  const datasets = [-1, ...rows.flatMap(({ dataset_id }) => dataset_id ?? [])]
  const shown = await db
    .selectFrom('dashboard_chart')
    .innerJoin('chart', 'chart.id', 'chart_id')
    .leftJoin('dataset', 'dataset.id', 'datasource_id')
    .select(['dashboard_id', 'table_name'])
    .where('dashboard_id', 'in', dashboards)
    .execute()
  const charts = await db
    .selectFrom('chart')
    .select(['datasource_id', ({ fn }) => fn.countAll<number>().as('n')])
    .where('datasource_id', 'in', datasets)
    .groupBy('datasource_id')
    .execute()
  return rows.map(({ dashboard_id, dataset_id, table_name, published }) => {
    if (dashboard_id === null)
      return {
        charts: Number(charts.find(({ datasource_id }) => datasource_id === dataset_id)?.n ?? 0),
        datasets: table_name === null ? [] : [table_name],
        is_draft: false,
      }
    const ofDashboard = shown.filter((row) => row.dashboard_id === dashboard_id)
    const names = [...new Set(ofDashboard.flatMap((row) => row.table_name ?? []))].toSorted()
    return { charts: ofDashboard.length, datasets: names.slice(0, maxNames), is_draft: published !== 1 }
  })
}

/**
 * Finds a request that the caller may decide.
 * @throws AppError `not_found`, the same for missing ones and those of others
 */
export async function findRequest(
  { db, principal }: AccessContext,
  id: number,
): Promise<{ id: number; user: number; target: RequestTarget }> {
  const where = and([sql<SqlBool>`request.id = ${id}`, decidable(principal)])
  const { rows } = await selectRequests(where).execute(db)
  const [row] = rows
  if (!row) throw new AppError('not_found')
  const target: RequestTarget =
    row.dashboard_id === null
      ? { kind: 'dataset', id: row.dataset_id as number }
      : { kind: 'dashboard', id: row.dashboard_id }
  return { id: row.id, user: row.user_id, target }
}
