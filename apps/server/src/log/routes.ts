import { AppError, logRoutes as routes, message } from '@parquetry/model'
import { type Kysely, type Selectable, sql } from 'kysely'
import { chartUrl } from '../chart/chart-resource.ts'
import type { App } from '../http/app.ts'
import { dashboardUrl } from '../dashboard/dashboard-url.ts'
import { numberFilter, textFilter, timeFilter, toOneFilter } from '../http/filters.ts'
import { userColumn } from '../http/column-resolvers.ts'
import { ago } from '../http/humanize.ts'
import { parseJson } from '../http/json-body.ts'
import { resolvePage, type ReadContext, type Resource } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { can } from '../access/access.ts'
import { logRow } from '../store/audit-log.ts'
import type { LogTable, Tables } from '../store/tables.ts'
import { parseStoredTime } from '../store/time.ts'

type LogRow = Selectable<LogTable>

const columns = [
  'user.username',
  'action',
  'dttm',
  'json',
  'slice_id',
  'dashboard_id',
  'user_id',
  'duration_ms',
  'referrer',
]

/** Defines how `/api/v1/log/` reads the action log; only the permission `can_read Log` grants access. */
const logResource: Resource<LogRow> & { kind: 'log' } = {
  kind: 'log',
  title: 'Log',
  listTitle: 'Logs',
  view: 'Log',
  list: { announced: columns, unannounced: ['id', 'user.first_name', 'user.last_name'] },
  show: { announced: columns },
  labels: { dttm: 'dttm', json: 'JSON' },
  order: {
    'user.username': sql`(select person.username from ${sql.table('user')} as person where person.id = log.user_id)`,
    ...Object.fromEntries(columns.slice(1).map((column) => [column, `log.${column}`])),
  },
  defaultOrder: ['dttm', 'desc'],
  filters: {
    user: toOneFilter('log.user_id', 'user'),
    user_id: numberFilter('log.user_id'),
    action: textFilter('log.action'),
    dttm: timeFilter('log.dttm'),
    json: textFilter('log.json'),
    slice_id: numberFilter('log.slice_id'),
    dashboard_id: numberFilter('log.dashboard_id'),
    duration_ms: numberFilter('log.duration_ms'),
    referrer: textFilter('log.referrer'),
  },
  resolvers: { user: userColumn('user_id') },
  related: {},
  distinct: [],
  bodies: null,
}

interface Activity {
  action: string
  item_type: 'chart' | 'dashboard'
  item_title: string
  item_url: string
  time: number
  time_delta_humanized: string
}

/** Actions that count as views, as the product and older clients log them. */
const viewActions = ['explore', 'dashboard', 'dashboard.view', 'explore.view', 'mount_dashboard', 'mount_explorer']

async function findItem(
  context: ReadContext,
  { dashboard_id, slice_id }: LogRow,
): Promise<Pick<Activity, 'item_type' | 'item_title' | 'item_url'> | undefined> {
  const { db } = context
  if (slice_id !== null) {
    const chart = await db
      .selectFrom('chart')
      .select(['id', 'slice_name'])
      .where('id', '=', slice_id)
      .executeTakeFirst()
    if (!chart || !(await can(context, ['can_read', 'Chart'], { kind: 'chart', id: slice_id }))) return undefined
    return { item_type: 'chart', item_title: chart.slice_name, item_url: chartUrl(chart.id) }
  }
  if (dashboard_id === null) return undefined
  const row = await db
    .selectFrom('dashboard')
    .select(['id', 'slug', 'dashboard_title'])
    .where('id', '=', dashboard_id)
    .executeTakeFirst()
  if (!row || !(await can(context, ['can_read', 'Dashboard'], { kind: 'dashboard', id: dashboard_id })))
    return undefined
  return { item_type: 'dashboard', item_title: row.dashboard_title ?? '', item_url: dashboardUrl(row) }
}

interface RecentQuery {
  page?: number
  page_size?: number
  actions?: string[]
  distinct?: boolean
}

/**
 * Recent actions of a user on charts and dashboards, newest first; `distinct` lists each object once. Objects that are deleted or
 * not readable are left out.
 */
async function recentActivity(context: ReadContext, userId: number, query: RecentQuery): Promise<Activity[]> {
  const { limit, offset } = resolvePage({ page: query.page, page_size: query.page_size })
  const actions = query.actions?.length ? query.actions : viewActions
  const rows = await newest(context.db, userId, actions, query.distinct === false ? null : 1, limit ?? 20, offset)
  const found = await Promise.all(
    rows.map(async (row) => {
      const item = await findItem(context, row)
      if (!item) return []
      return [
        {
          action: row.action,
          ...item,
          time: parseStoredTime(row.dttm).getTime(),
          time_delta_humanized: ago(row.dttm, context.now),
        },
      ]
    }),
  )
  return found.flat()
}

async function newest(
  db: Kysely<Tables>,
  userId: number,
  actions: string[],
  once: 1 | null,
  limit: number,
  offset: number,
) {
  const about = sql`user_id = ${userId} and action in (${sql.join(actions)}) and coalesce(slice_id, dashboard_id) is not null`
  const { rows } = once
    ? await sql<LogRow>`select log.* from log join (select max(id) as id from log where ${about} group by slice_id,
        case when slice_id is null then dashboard_id end) as last on last.id = log.id
        order by log.dttm desc, log.id desc limit ${limit} offset ${offset}`.execute(db)
    : await sql<LogRow>`select * from log where ${about} order by dttm desc, id desc limit ${limit} offset ${offset}`.execute(
        db,
      )
  return rows
}

const parseId = (text: unknown): number | null => {
  const id = Number(text)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

const parseDuration = ({ duration }: Record<string, unknown>): number =>
  Number.isSafeInteger(Math.round(Number(duration))) ? Number(duration) : 0

/** LOG-003 */
const maxEvents = 1024
const isExplore = (event: Record<string, unknown>): boolean => event['source'] === 'explore'

/** `/api/v1/log/` and the client's events. */
export function logRoutes(app: App): void {
  serveReading(app, routes, logResource)
  serve(app, routes.recentActivity, async ({ rison, principal }) => ({
    result: await recentActivity(readContext(app, principal), principal.id ?? -1, rison),
  }))
  serve(app, routes.recentActivityOf, async ({ params, rison, principal }) => {
    const isOpen = params.id === principal.id || principal.isAdmin
    return { result: isOpen ? await recentActivity(readContext(app, principal), params.id, rison) : [] }
  })
  serve(app, routes.olderRecentActivity, async ({ params, query, principal }) => {
    if (params.id !== principal.id && !principal.isAdmin) throw new AppError('forbidden')
    const actions = query.actions?.split(',').filter(Boolean)
    const recent = { page_size: query.limit ?? 100, distinct: false, ...(actions && { actions }) }
    return recentActivity(readContext(app, principal), params.id, recent)
  })
  serve(app, routes.create, async ({ body, event, reply }) => {
    const { json = null, duration_ms = null, referrer = null, dashboard_id = null, slice_id = null, action } = body
    Object.assign(event, { action, dashboard_id, slice_id, isWritten: true })
    const row = { ...logRow(event, app.deps.now(), duration_ms, referrer), json }
    const { id } = await app.deps.db.insertInto('log').values(row).returning('id').executeTakeFirstOrThrow()
    return reply.code(201).send({ id, result: { ...body } })
  })
  serve(app, routes.events, ({ query, body, principal, request, reply }) => {
    const events = query.explode === 'events' ? parseJson(body['events'] ?? '[]') : [body]
    if (!Array.isArray(events) || events.length > maxEvents)
      throw new AppError('bad_request', {
        message: message('errors.log.notAList', 'The events must be a list of at most {max, number} events.', {
          max: maxEvents,
        }),
      })
    for (const event of events as Record<string, unknown>[]) {
      if (typeof event !== 'object' || event === null) continue
      const entry = {
        action: String(event['event_name'] ?? 'log').slice(0, 200),
        user_id: principal.id,
        dashboard_id: parseId(query.dashboard_id ?? (isExplore(event) ? null : event['source_id'])),
        slice_id: parseId(query.slice_id ?? event['slice_id'] ?? (isExplore(event) ? event['source_id'] : null)),
        json: event,
        isWritten: false,
      }
      app.audit.later(entry, parseDuration(event), request.headers.referer ?? null)
    }
    return reply.code(200).type('text/plain').send('')
  })
}
