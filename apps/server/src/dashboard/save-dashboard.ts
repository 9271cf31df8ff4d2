import {
  isIdLikeSlug,
  listChartNodes,
  message,
  toDashboardSlug,
  type DashboardPost,
  type DashboardPut,
} from '@parquetry/model'
import { type Kysely, sql, type SqlBool, type Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { and, type Condition } from '../store/conditions.ts'
import { refuseStale } from '../http/serve-resource.ts'
import {
  changedBy,
  toColumns,
  FieldErrorCollector,
  createdBy,
  authorizeChange,
  unprocessableFields,
  replaceLinks,
  requireDocuments,
  type WriteContext,
  invalidPayload,
} from '../http/writing.ts'
import { checkEditors, readSubjects, replaceSubjects, selectIds, writeEditors } from '../http/subjects.ts'
import { checkViewers, withCreatorGroups, writeViewers } from '../http/viewers.ts'
import { replaceTags, resolveTags } from '../http/tags.ts'
import { can, chartAccess } from '../access/access.ts'
import { editorLinks, viewerLinks } from '../access/subject-links.ts'
import { findRoleGrants, authorizeRoleGrants } from '../access/role-grants.ts'
import type { Tables } from '../store/tables.ts'
import { parseStoredTime } from '../store/time.ts'
import { change } from '../store/write.ts'
import { dashboardChartLink, type DashboardRow } from './dashboard-resource.ts'
import { isObject, type Json, readMetadata, readPositions, storedMetadata, withUuids } from './metadata.ts'

const write = ['can_write', 'Dashboard'] as const
const plainFields = [
  'dashboard_title',
  'css',
  'published',
  'certified_by',
  'certification_details',
  'external_url',
] as const

/** The dashboard with its charts, owners and viewers, for its version history. */
export async function readDashboardDocument(db: Kysely<Tables>, id: number): Promise<object> {
  const row = await db.selectFrom('dashboard').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const [editors, viewers, charts] = await Promise.all([
    readSubjects(db, editorLinks.dashboard, id),
    readSubjects(db, viewerLinks.dashboard, id),
    db.selectFrom('dashboard_chart').select('chart_id').where('dashboard_id', '=', id).execute(),
  ])
  return {
    ...row,
    owners: selectIds(editors, 'user'),
    roles: selectIds(viewers, 'role'),
    editors,
    viewers,
    charts: charts.map(({ chart_id }) => chart_id),
  }
}

export const slugTaken = message('errors.fields.notUnique', 'Must be unique')

/** Adds a complaint if another dashboard has the slug, or if a new slug would be taken for an id. */
export async function checkSlug(
  { db }: Pick<WriteContext, 'db'>,
  slug: string | null,
  exceptId: number | null,
  errors: FieldErrorCollector,
): Promise<void> {
  if (slug === null) return
  const other = await db.selectFrom('dashboard').select('id').where('slug', '=', slug).executeTakeFirst()
  if (other && other.id !== exceptId) errors.add('slug', slugTaken)
  if (!other && isIdLikeSlug(slug))
    errors.add(
      'slug',
      message('errors.dashboard.numericSlug', 'Must contain a letter, because digits alone are read as an ID.'),
    )
}

/** The theme after a change; undefined when nothing changes. */
async function resolveTheme(
  { db }: WriteContext,
  id: number | null | undefined,
  errors: FieldErrorCollector,
): Promise<{ theme_id?: number | null }> {
  if (id === undefined) return {}
  if (id !== null && !(await db.selectFrom('theme').select('id').where('id', '=', id).executeTakeFirst()))
    errors.add('theme_id', message('errors.dashboard.themeMissing', 'The theme does not exist.'))
  return { theme_id: id }
}

const maxCharts = 2000

/** @param field  that names the charts @throws AppError `invalid_payload` */
export function refuseTooManyCharts(count: number, field: string): void {
  if (count > maxCharts)
    throw invalidPayload({
      [field]: [
        message('errors.dashboard.tooManyCharts', 'A dashboard can show up to {max, number} charts.', {
          max: maxCharts,
        }),
      ],
    })
}

interface LayoutChart {
  id: number
  uuid: string
}

/**
 * Charts of a layout that will be on the dashboard: those that the caller may see, and those already on it. Others are dropped as
 * if they did not exist.
 */
async function findLayoutCharts(
  { db, principal }: WriteContext,
  positions: Json,
  dashboardId: number | null,
): Promise<LayoutChart[]> {
  const ids = [...new Set(listChartNodes(positions).map(({ chartId }) => chartId))]
  if (ids.length === 0) return []
  refuseTooManyCharts(ids.length, 'json_metadata')
  const conditions: Condition[] = [sql<SqlBool>`chart.id in (${sql.join(ids)})`]
  const access = chartAccess(principal)
  if (access)
    conditions.push(
      sql<SqlBool>`(${access} or chart.id in (select chart_id from dashboard_chart where dashboard_id = ${dashboardId ?? -1}))`,
    )
  return (await sql<LayoutChart>`select id, uuid from chart where ${and(conditions)}`.execute(db)).rows
}

interface LayoutChange {
  json_metadata?: string | null
  position_json?: string | null
  charts?: LayoutChart[]
}

/**
 * Maximum length in characters. A layout of a thousand charts uses half of it; every opening of the dashboard reads all of it.
 */
const maxDocumentLength = 1 << 20

/** Both documents of a body as stored, within limits. @throws AppError `unprocessable` */
async function readLayoutChange(...args: Parameters<typeof buildLayoutChange>): Promise<LayoutChange> {
  const layout = await buildLayoutChange(...args)
  for (const field of ['position_json', 'json_metadata'] as const) refuseTooLarge(field, layout[field])
  return layout
}

/** @throws AppError `unprocessable` */
export function refuseTooLarge(field: string, document: string | null | undefined): void {
  if ((document?.length ?? 0) > maxDocumentLength)
    throw unprocessableFields({
      [field]: [
        message('errors.dashboard.tooLarge', 'Your dashboard is too large. Please reduce its size before saving it.'),
      ],
    })
}

/** Layout and metadata as stored, and the charts of a sent layout. */
async function buildLayoutChange(
  context: WriteContext,
  body: DashboardPost | DashboardPut,
  dashboardId: number | null,
): Promise<LayoutChange> {
  readPositions(body.position_json)
  const layout: LayoutChange = body.position_json === undefined ? {} : { position_json: body.position_json }
  if (body.json_metadata === undefined) return layout
  const metadata = readMetadata(body.json_metadata)
  if (metadata === null) return { ...layout, json_metadata: null }
  const { positions } = metadata
  if (!isObject(positions)) return { ...layout, json_metadata: JSON.stringify(storedMetadata(metadata, null)) }
  const charts = await findLayoutCharts(context, positions, dashboardId)
  const uuids = new Map(charts.map(({ id, uuid }) => [id, uuid]))
  return {
    json_metadata: JSON.stringify(storedMetadata(metadata, new Set(uuids.keys()))),
    position_json: JSON.stringify(withUuids(positions, uuids)),
    charts,
  }
}

/**
 * Makes the owners of a dashboard owners of those charts that the caller may change. Without this check, adding a chart to one's
 * own dashboard would be enough to take it over.
 */
async function shareCharts(context: WriteContext, trx: Transaction<Tables>, id: number): Promise<void> {
  const owners = await readSubjects(trx, editorLinks.dashboard, id)
  const charts = await trx.selectFrom('dashboard_chart').select('chart_id').where('dashboard_id', '=', id).execute()
  for (const { chart_id } of charts) {
    if (!(await can({ ...context, db: trx }, ['can_write', 'Chart'], { kind: 'chart', id: chart_id }))) continue
    const before = await readSubjects(trx, editorLinks.chart, chart_id)
    if (owners.some((owner) => !before.includes(owner)))
      await replaceSubjects(trx, editorLinks.chart, chart_id, [...before, ...owners])
  }
}

async function writeLinks(
  context: WriteContext,
  trx: Transaction<Tables>,
  id: number,
  body: DashboardPost | DashboardPut,
  charts: LayoutChart[] | undefined,
  isNew = false,
): Promise<void> {
  const areOwnersNew = await writeEditors(trx, context, 'dashboard', id, body, isNew)
  await writeViewers(trx, context, 'dashboard', id, isNew ? withCreatorGroups(context, body) : body)
  if (charts)
    await replaceLinks(
      trx,
      dashboardChartLink,
      id,
      charts.map((chart) => chart.id),
    )
  if (areOwnersNew || charts) await shareCharts(context, trx, id)
}

/** Creates a dashboard. @returns its id and the body as applied */
export async function createDashboard(
  context: WriteContext,
  body: DashboardPost,
): Promise<{ id: number; taken: Record<string, unknown> }> {
  const { db, principal, now, event } = context
  const layout = await readLayoutChange(context, body, null)
  const errors = new FieldErrorCollector(unprocessableFields)
  const slug = toDashboardSlug(body.slug)
  await checkSlug(context, slug, null, errors)
  const theme = await resolveTheme(context, body.theme_id, errors)
  await checkEditors(context, body, errors)
  await checkViewers(context, body, errors)
  errors.throwIfAny()
  const uuid = body.uuid ?? randomUUID()
  const { charts, ...documents } = layout
  const row = {
    position_json: null,
    json_metadata: null,
    ...documents,
    description: null,
    published: 0,
    is_managed_externally: body.is_managed_externally ? 1 : 0,
    ...(toColumns(body, plainFields) as { dashboard_title?: string | null }),
    ...(body.published !== undefined && { published: body.published ? 1 : 0 }),
    slug,
    ...theme,
    uuid,
    ...createdBy(principal, now),
  }
  const history = { kind: 'dashboard', uuid, author: principal.id, event, now }
  const id = await change(db, { ...history, document: readDashboardDocument }, async (trx) => {
    const inserted = await trx.insertInto('dashboard').values(row).returning('id').executeTakeFirstOrThrow()
    await writeLinks(context, trx, inserted.id, body, charts, true)
    await authorizeRoleGrants(trx, principal, [inserted.id], new Map())
    event.dashboard_id = inserted.id
    return inserted.id
  })
  return { id, taken: { ...body, ...(body.slug !== undefined && { slug }) } }
}

/**
 * Changes the sent fields of a dashboard that the caller may see. @returns the body as applied, and the time of change in seconds
 */
export async function updateDashboard(
  context: WriteContext,
  row: DashboardRow,
  body: DashboardPut,
  ifMatch?: string,
): Promise<{ taken: Record<string, unknown>; lastModified: number }> {
  const { db, principal, now, event } = context
  await authorizeChange(context, write, { kind: 'dashboard', id: row.id })
  const seen = refuseStale(row, ifMatch, body.changed_on)
  // Empty text would remove all filters or the whole layout.
  for (const field of ['json_metadata', 'position_json'] as const) if (body[field] === '') requireDocuments(body, field)
  const { charts, ...documents } = await readLayoutChange(context, body, row.id)
  const errors = new FieldErrorCollector(unprocessableFields)
  const slug = body.slug === undefined ? row.slug : toDashboardSlug(body.slug)
  await checkSlug(context, slug, row.id, errors)
  await checkEditors(context, body, errors)
  await checkViewers(context, body, errors)
  const tags = await resolveTags(context, 'dashboard', row.id, body.tags, errors)
  const theme = await resolveTheme(context, body.theme_id, errors)
  errors.throwIfAny()
  const changed = changedBy(principal, now, row)
  const { published: _, ...fields } = toColumns(body, plainFields)
  event.dashboard_id = row.id
  const history = { kind: 'dashboard', uuid: row.uuid, id: row.id, seen, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readDashboardDocument(trx, row.id) }, async (trx) => {
    const grants = await findRoleGrants(trx, principal, [row.id])
    await trx
      .updateTable('dashboard')
      .set({
        ...fields,
        ...documents,
        ...theme,
        slug,
        published: (body.published ?? row.published) ? 1 : 0,
        is_managed_externally: (body.is_managed_externally ?? row.is_managed_externally) ? 1 : 0,
        ...changed,
      })
      .where('id', '=', row.id)
      .execute()
    await writeLinks(context, trx, row.id, body, charts)
    if (tags) await replaceTags(trx, 'dashboard', row.id, tags)
    await authorizeRoleGrants(trx, principal, [row.id], grants)
  })
  const taken = { ...body, ...(body.slug !== undefined && { slug }) }
  return { taken, lastModified: parseStoredTime(changed.changed_on).getTime() / 1000 }
}

export async function removeDashboard(trx: Transaction<Tables>, { id }: { id: number }): Promise<void> {
  await trx.deleteFrom('favorite').where('kind', '=', 'dashboard').where('object_id', '=', id).execute()
  await trx.deleteFrom('dashboard').where('id', '=', id).execute()
}
