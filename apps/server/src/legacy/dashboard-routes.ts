import { AppError, legacyDashboardRoutes as routes, type LegacyDashboard } from '@parquetry/model'
import { hasPermission } from '../access/principal.ts'
import { addCharts } from './add-charts.ts'
import { copyDashboard } from '../dashboard/copy-dashboard.ts'
import { type DashboardRow, dashboardResource } from '../dashboard/dashboard-resource.ts'
import { knownMetadata } from '../dashboard/metadata.ts'
import { parseMetadata } from '../chart/stored-dashboard.ts'
import { updateDashboard } from '../dashboard/save-dashboard.ts'
import type { App } from '../http/app.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { parseStoredTime } from '../store/time.ts'

/** The stored settings, replaced by those that were sent. */
const mergeMetadata = (row: DashboardRow, { positions, ...sent }: LegacyDashboard): string =>
  JSON.stringify({
    ...knownMetadata(parseMetadata(row.json_metadata)),
    ...knownMetadata(sent),
    ...(positions && { positions }),
  })

/** @throws AppError `conflict` with the status that these clients expect, if the dashboard was changed after the time that was sent */
function checkTime(row: DashboardRow, seconds: number | null | undefined): void {
  const changed = Math.floor(parseStoredTime(row.changed_on).getTime() / 1000)
  if (seconds && seconds < changed) throw new AppError('conflict', { status: 412 })
}

/** `/superset/save_dash/`, `copy_dash/` and `add_slices/`: dashboards of clients older than `/api/v1`. */
export function legacyDashboardRoutes(app: App): void {
  serve(app, routes.save, async ({ params, body, principal, event }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<DashboardRow>(dashboardResource, params.dashboard_id, context)
    const { css, dashboard_title, last_modified_time } = body
    checkTime(row, last_modified_time)
    const { lastModified } = await updateDashboard(context, row, {
      ...(typeof css === 'string' && { css }),
      ...(typeof dashboard_title === 'string' && { dashboard_title }),
      ...(last_modified_time && { changed_on: row.changed_on }),
      json_metadata: mergeMetadata(row, body),
    })
    return { status: 'SUCCESS', last_modified_time: Math.floor(lastModified) }
  })

  serve(app, routes.addCharts, async ({ params, body, principal, event, reply }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<DashboardRow>(dashboardResource, params.dashboard_id, context)
    await addCharts(context, row, body.slice_ids)
    return reply.type('text/plain; charset=utf-8').send('SLICES ADDED')
  })

  serve(app, routes.copy, async ({ params, body, principal, event }) => {
    if (!hasPermission(principal, ['can_write', 'Dashboard'])) throw new AppError('forbidden')
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<DashboardRow>(dashboardResource, params.dashboard_id, context)
    const { css, dashboard_title = null, duplicate_slices = false } = body
    const sent = { dashboard_title, duplicate_slices, json_metadata: mergeMetadata(row, body) }
    const quota = app.deps.settings.config.IMAGE_QUOTA_MB
    const { id } = await copyDashboard(context, row, { ...sent, ...(typeof css === 'string' && { css }) }, quota)
    const copy = await context.db.selectFrom('dashboard').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return {
      id,
      dashboard_title: copy.dashboard_title,
      slug: copy.slug,
      published: copy.published === 1,
      css: copy.css,
      metadata: parseMetadata(copy.json_metadata),
      position_json: parseMetadata(copy.position_json),
      last_modified_time: Math.floor(parseStoredTime(copy.changed_on).getTime() / 1000),
    }
  })
}
