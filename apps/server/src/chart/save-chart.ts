import { AppError, message, type ChartPost, type ChartPut } from '@parquetry/model'
import type { Kysely, Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { datasetName } from '../dataset/stored-dataset.ts'
import { refuseStale } from '../http/serve-resource.ts'
import {
  changedBy,
  checkJson,
  checkJsonLimits,
  requireDocuments,
  toColumns,
  FieldErrorCollector,
  createdBy,
  authorizeChange,
  unprocessableFields,
  replaceLinks,
  type WriteContext,
} from '../http/writing.ts'
import { checkEditors, readSubjects, selectIds, writeEditors } from '../http/subjects.ts'
import { checkViewers, withCreatorGroups, writeViewers } from '../http/viewers.ts'
import { replaceTags, resolveTags } from '../http/tags.ts'
import { can, canReadData } from '../access/access.ts'
import { editorLinks, viewerLinks } from '../access/subject-links.ts'
import { authorizeChartGrants, findChartGrants } from '../access/chart-grants.ts'
import { findRoleGrants, authorizeRoleGrants } from '../access/role-grants.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import type { ChartRow } from './chart-resource.ts'

const write = ['can_write', 'Chart'] as const
const dashboardLink = { through: 'dashboard_chart', own: 'chart_id', other: 'dashboard_id' }
const plainFields = [
  'slice_name',
  'description',
  'viz_type',
  'params',
  'query_context',
  'cache_timeout',
  'certified_by',
  'certification_details',
  'is_managed_externally',
  'external_url',
] as const

/** The chart with its owners and viewers, for its history. */
export async function readChartDocument(db: Kysely<Tables>, id: number): Promise<object> {
  const row = await db.selectFrom('chart').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const editors = await readSubjects(db, editorLinks.chart, id)
  const viewers = await readSubjects(db, viewerLinks.chart, id)
  return { ...row, owners: selectIds(editors, 'user'), editors, viewers }
}

const isDatasetType = (type: string): boolean => type === 'table' || type === 'dataset'

/** Returns the name of a chart's dataset. Missing and unreadable datasets cause the same complaint. */
async function datasourceName(
  context: WriteContext,
  { datasource_id: id, datasource_type: type }: { datasource_id: number; datasource_type: string },
  errors: FieldErrorCollector,
): Promise<string | null> {
  const row = isDatasetType(type)
    ? await context.db.selectFrom('dataset').select(['schema', 'table_name']).where('id', '=', id).executeTakeFirst()
    : undefined
  if (row && (await canReadData(context, id))) return datasetName(row)
  errors.add('datasource_id', message('errors.chart.datasourceMissing', 'Datasource does not exist'))
  return null
}

const listDashboards = async (db: Kysely<Tables>, chartId: number): Promise<number[]> => {
  const rows = await db.selectFrom('dashboard_chart').select('dashboard_id').where('chart_id', '=', chartId).execute()
  return rows.map(({ dashboard_id }) => dashboard_id)
}

/**
 * Returns the dashboards of the chart after the change. Adding or removing a chart changes the dashboard, so it requires the
 * permission; dashboards that the caller cannot see keep the chart.
 */
async function resolveDashboards(
  context: WriteContext,
  requestedIds: readonly number[] | undefined,
  chartId: number | null,
  errors: FieldErrorCollector,
): Promise<number[] | undefined> {
  if (requestedIds === undefined) return undefined
  const requested = new Set(requestedIds)
  const current = new Set(chartId === null ? [] : await listDashboards(context.db, chartId))
  const after = new Set(requested)
  for (const id of new Set([...requested, ...current])) {
    const dashboard = { kind: 'dashboard', id } as const
    const isVisible = await can(context, ['can_read', 'Dashboard'], dashboard)
    if (!isVisible) {
      if (current.has(id)) after.add(id)
      else errors.add('dashboards', message('errors.chart.dashboardsMissing', 'Dashboards do not exist'))
    } else if (requested.has(id) !== current.has(id) && !(await can(context, ['can_write', 'Dashboard'], dashboard)))
      throw new AppError('missing_ownership')
  }
  return [...after]
}

const writeLinks = async (
  context: WriteContext,
  trx: Transaction<Tables>,
  id: number,
  body: ChartPost | ChartPut,
  dashboards: number[] | undefined,
  isNew = false,
): Promise<void> => {
  await writeEditors(trx, context, 'chart', id, body, isNew)
  await writeViewers(trx, context, 'chart', id, isNew ? withCreatorGroups(context, body) : body)
  if (!dashboards) return
  const { principal } = context
  const grants = await findRoleGrants(trx, principal, dashboards)
  await replaceLinks(trx, dashboardLink, id, dashboards)
  await authorizeRoleGrants(trx, principal, dashboards, grants)
}

/** Creates a chart. @returns its id */
export async function createChart(context: WriteContext, body: ChartPost): Promise<number> {
  const { db, principal, now, event } = context
  checkJson(body, 'params', 'query_context')
  const errors = new FieldErrorCollector(unprocessableFields)
  await checkEditors(context, body, errors)
  await checkViewers(context, body, errors)
  const datasource_name = await datasourceName(context, body, errors)
  const dashboards = await resolveDashboards(context, body.dashboards, null, errors)
  errors.throwIfAny()
  const uuid = randomUUID()
  const created = createdBy(principal, now)
  const row = {
    uuid,
    datasource_id: body.datasource_id,
    datasource_type: 'table',
    datasource_name,
    viz_type: '',
    ...toColumns(body, plainFields),
    slice_name: body.slice_name,
    is_managed_externally: body.is_managed_externally ? 1 : 0,
    last_saved_at: created.changed_on,
    last_saved_by_fk: principal.id,
    ...created,
  }
  const history = { kind: 'chart', uuid, author: principal.id, event, now }
  return change(db, { ...history, document: readChartDocument }, async (trx) => {
    const { id } = await trx.insertInto('chart').values(row).returning('id').executeTakeFirstOrThrow()
    await writeLinks(context, trx, id, body, dashboards, true)
    await authorizeChartGrants(trx, context, [id], new Map())
    event.slice_id = id
    return id
  })
}

/**
 * Tests whether a body only fills in a missing query context, which Explore sends even for users who only view the chart. The
 * query context decides what viewers read, so these users must be able to read the dataset.
 */
const fillsQueryContext = async (
  context: WriteContext,
  { query_context_generation: isGenerated, ...rest }: ChartPut,
  row: ChartRow,
): Promise<boolean> =>
  isGenerated === true &&
  row.query_context === null &&
  Object.keys(rest).every((field) => field === 'query_context') &&
  (await canReadData(context, row.datasource_id))

/** Updates the given fields of a chart that the caller may see. */
export async function updateChart(
  context: WriteContext,
  row: ChartRow,
  body: ChartPut,
  ifMatch?: string,
): Promise<void> {
  const { db, principal, now, event } = context
  checkJsonLimits(body, 'params', 'query_context')
  requireDocuments(body, 'params', 'query_context')
  const fillsContext = await fillsQueryContext(context, body, row)
  if (!fillsContext) await authorizeChange(context, write, { kind: 'chart', id: row.id })
  const seen = refuseStale(row, ifMatch, body.changed_on)
  const errors = new FieldErrorCollector(unprocessableFields)
  await checkEditors(context, body, errors)
  await checkViewers(context, body, errors)
  const datasource_id = body.datasource_id ?? row.datasource_id
  const datasource_type = body.datasource_type ?? 'table'
  if (!isDatasetType(datasource_type))
    errors.add('datasource_type', message('errors.chart.datasourceType', 'Charts use datasets only: send "table".'))
  const isDatasetChanged = datasource_id !== row.datasource_id
  const datasource_name = isDatasetChanged
    ? await datasourceName(context, { datasource_id, datasource_type }, errors)
    : row.datasource_name
  const dashboards = await resolveDashboards(context, body.dashboards, row.id, errors)
  const tags = await resolveTags(context, 'chart', row.id, body.tags, errors)
  errors.throwIfAny()
  const changed = changedBy(principal, now, row)
  const saved = fillsContext ? {} : { ...changed, last_saved_at: changed.changed_on, last_saved_by_fk: principal.id }
  const { slice_name, viz_type, ...columns } = toColumns(body, plainFields)
  event.slice_id = row.id
  const history = { kind: 'chart', uuid: row.uuid, id: row.id, seen, author: principal.id, event, now }
  await change(db, { ...history, document: (trx) => readChartDocument(trx, row.id) }, async (trx) => {
    const shownOn = await listDashboards(trx, row.id)
    const grants = await findRoleGrants(trx, principal, shownOn)
    const chartGrants = await findChartGrants(trx, context, [row.id])
    await trx
      .updateTable('chart')
      .set({
        ...columns,
        ...(slice_name != null && { slice_name }),
        ...(viz_type != null && { viz_type }),
        is_managed_externally: (body.is_managed_externally ?? row.is_managed_externally) ? 1 : 0,
        datasource_id,
        datasource_name,
        ...saved,
      })
      .where('id', '=', row.id)
      .execute()
    // First, because it says more precisely what is refused; again below, for new viewers.
    await authorizeChartGrants(trx, context, [row.id], chartGrants)
    await authorizeRoleGrants(trx, principal, shownOn, grants)
    await writeLinks(context, trx, row.id, body, dashboards)
    await authorizeChartGrants(trx, context, [row.id], chartGrants)
    if (tags) await replaceTags(trx, 'chart', row.id, tags)
  })
}
