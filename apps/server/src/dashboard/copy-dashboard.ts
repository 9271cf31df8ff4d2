import { AppError, listChartNodes, message, type DashboardCopy, remapChartIds } from '@parquetry/model'
import type { Transaction } from 'kysely'
import { randomUUID } from 'node:crypto'
import { readChartDocument } from '../chart/save-chart.ts'
import { createdBy, replaceLinks, invalidPayload, type WriteContext } from '../http/writing.ts'
import { can, canReadData } from '../access/access.ts'
import { editorLinks } from '../access/subject-links.ts'
import type { Tables } from '../store/tables.ts'
import { parseStoredTime } from '../store/time.ts'
import { record } from '../store/write.ts'
import { dashboardChartLink, type DashboardRow } from './dashboard-resource.ts'
import { copyFiles } from './files.ts'
import { isObject, type Json, readMetadata, readPositions, storedMetadata, withUuids } from './metadata.ts'
import { readDashboardDocument } from './save-dashboard.ts'

/**
 * Copies the charts that the caller may see and makes the caller their owner. @returns copied ids by original id
 * @throws AppError `forbidden` without access to the data of one of them
 */
async function copyCharts(
  context: WriteContext,
  trx: Transaction<Tables>,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const { principal, now, event } = context
  const copies = new Map<number, number>()
  for (const id of ids) {
    if (!(await can({ ...context, db: trx }, ['can_read', 'Chart'], { kind: 'chart', id }))) continue
    const { id: _, ...row } = await trx.selectFrom('chart').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    if (!(await canReadData({ ...context, db: trx }, row.datasource_id)))
      throw new AppError('forbidden', {
        message: message(
          'errors.dashboard.copiesData',
          'You do not have access to the data of all charts. Copy the dashboard without duplicating its charts, or ask for access.',
        ),
      })
    const uuid = randomUUID()
    const created = createdBy(principal, now)
    const saved = { last_saved_at: created.changed_on, last_saved_by_fk: principal.id }
    const copy = { ...row, ...created, ...saved, uuid, is_managed_externally: 0, external_url: null }
    const { id: copyId } = await trx.insertInto('chart').values(copy).returning('id').executeTakeFirstOrThrow()
    if (principal.id !== null)
      await trx.insertInto('chart_owner').values({ chart_id: copyId, user_id: principal.id }).execute()
    const history = { kind: 'chart', uuid, author: principal.id, now, event: { ...event, slice_id: copyId } }
    await record(trx, { ...history, document: () => readChartDocument(trx, copyId) }, undefined)
    copies.set(id, copyId)
  }
  return copies
}

/**
 * Copies a dashboard with the layout and settings that were sent; the caller owns the copy.
 * @returns id and time of change in seconds
 * @throws AppError `too_large` when its images exceed the quota of the caller
 */
export async function copyDashboard(
  context: WriteContext,
  row: DashboardRow,
  body: DashboardCopy,
  imageQuotaMb: number,
): Promise<{ id: number; last_modified_time: number }> {
  const { db, principal, now, event } = context
  const sentMetadata = readMetadata(body.json_metadata)
  if (sentMetadata === null)
    throw invalidPayload({ json_metadata: [message('errors.fields.null', 'Field may not be null.')] })
  const sent: Json = { ...sentMetadata, positions: sentMetadata['positions'] ?? readPositions(row.position_json) }
  const created = createdBy(principal, now)
  const uuid = randomUUID()
  const id = await db.transaction().execute(async (trx) => {
    const links = await trx
      .selectFrom('dashboard_chart')
      .select('chart_id')
      .where('dashboard_id', '=', row.id)
      .execute()
    const before = new Set(links.map(({ chart_id }) => chart_id))
    const chartIds = isObject(sent['positions'])
      ? [...new Set(listChartNodes(sent['positions']).map(({ chartId }) => chartId))].filter((chart) =>
          before.has(chart),
        )
      : [...before]
    const copies = body.duplicate_slices ? await copyCharts(context, trx, chartIds) : new Map<number, number>()
    const metadata: Json = remapChartIds(sent, copies)
    const charts = chartIds.map((chart) => copies.get(chart) ?? chart)
    const rows =
      charts.length === 0
        ? []
        : await trx.selectFrom('chart').select(['id', 'uuid']).where('id', 'in', charts).execute()
    const { positions } = metadata
    const layout = isObject(positions)
      ? withUuids(positions, new Map(rows.map((chart) => [chart.id, chart.uuid])))
      : null
    const copy = {
      uuid,
      dashboard_title: body.dashboard_title ?? row.dashboard_title,
      slug: null,
      position_json: layout ? JSON.stringify(layout) : row.position_json,
      json_metadata: JSON.stringify(storedMetadata(metadata, layout && new Set(charts))),
      css: body.css ?? row.css,
      description: row.description,
      published: 0,
      certified_by: null,
      certification_details: null,
      is_managed_externally: 0,
      external_url: null,
      theme_id: row.theme_id,
      ...created,
    }
    const { id: copyId } = await trx.insertInto('dashboard').values(copy).returning('id').executeTakeFirstOrThrow()
    await copyFiles(trx, { from: row.id, to: copyId, texts: copy, author: principal.id, now, quotaMb: imageQuotaMb })
    await replaceLinks(trx, dashboardChartLink, copyId, charts)
    await replaceLinks(trx, editorLinks.dashboard.user, copyId, principal.id === null ? [] : [principal.id])
    const entry = { ...event, dashboard_id: copyId, json: { from: row.id } }
    const history = { kind: 'dashboard', uuid, author: principal.id, now, event: entry }
    await record(trx, { ...history, document: () => readDashboardDocument(trx, copyId) }, undefined)
    return copyId
  })
  event.isWritten = true
  return { id, last_modified_time: parseStoredTime(created.changed_on).getTime() / 1000 }
}
