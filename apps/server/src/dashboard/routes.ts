import { AppError, type DashboardDetail, dashboardRoutes as routes, message } from '@parquetry/model'
import type { App, HttpDeps } from '../http/app.ts'
import { serveFavorites } from '../http/favorites.ts'
import { resolveOrigin } from '../http/origin.ts'
import type { Principal } from '../access/principal.ts'
import { serveRemoving } from '../http/removing.ts'
import { present, visibleRow } from '../http/resource.ts'
import { formatEtag, readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { listDashboardCharts, listDashboardDatasets } from './contents.ts'
import { changeColors, changeFilters } from './change-metadata.ts'
import { copyDashboard } from './copy-dashboard.ts'
import { dashboardRemoval } from './dashboard-removal.ts'
import { dashboardResource, type DashboardRow, detailColumns } from './dashboard-resource.ts'
import { createFilterState, readFilterState, removeFilterState, updateFilterState } from './filter-state.ts'
import { findDashboard } from './find-dashboard.ts'
import { createDashboardPermalink, readDashboardPermalink } from './permalink.ts'
import { createDashboard, updateDashboard } from './save-dashboard.ts'
import { describeTabs } from './tabs.ts'
import { subjectPickers } from '../http/subjects.ts'

/** `/api/v1/dashboard/`, without its data stream. */
export function dashboardRoutes(app: App, deps: HttpDeps): void {
  const { list, info, related, distinct } = routes
  serveReading(
    app,
    { list, info, related, distinct },
    {
      ...dashboardResource,
      related: { ...dashboardResource.related, ...subjectPickers('dashboard', app.deps.settings.config) },
    },
  )
  serveFavorites(app, routes, dashboardResource)
  app.pageSubjects.dashboard = (context, { name = '' }) => findDashboard(context, name)
  app.pageSubjects.dashboardPermalink = (context, { key = '' }) => readDashboardPermalink(context, key)

  serve(app, routes.item, async ({ params, principal, reply }) => {
    const context = readContext(app, principal)
    const row = await findDashboard(context, params.id)
    const [result = {}] = await present(dashboardResource, [row], detailColumns, context)
    reply.header('etag', formatEtag(row.changed_on))
    return { result: result as DashboardDetail }
  })
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const { id, taken } = await createDashboard({ ...readContext(app, principal), event }, body)
    return reply.code(201).send({ id, result: taken })
  })
  serve(app, routes.update, async ({ params, body, principal, event, request }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<DashboardRow>(dashboardResource, params.id, context)
    const { taken, lastModified } = await updateDashboard(context, row, body, request.headers['if-match'])
    return { id: row.id, result: taken, last_modified_time: lastModified }
  })
  serveRemoving(app, routes, dashboardRemoval)
  serve(app, routes.copy, async ({ params, body, principal, event }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<DashboardRow>(dashboardResource, params.id, context)
    return { result: await copyDashboard(context, row, body, app.deps.settings.config.IMAGE_QUOTA_MB) }
  })

  serve(app, routes.charts, async ({ params, principal }) => {
    const context = readContext(app, principal)
    return { result: await listDashboardCharts(context, await findDashboard(context, params.id)) }
  })
  serve(app, routes.datasets, async ({ params, principal }) => {
    const context = readContext(app, principal)
    return { result: await listDashboardDatasets(context, await findDashboard(context, params.id)) }
  })

  serve(app, routes.tabs, async ({ params, principal }) => ({
    result: describeTabs(await findDashboard(readContext(app, principal), params.id)),
  }))
  serve(app, routes.filters, async ({ params, body, principal, event }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<DashboardRow>(dashboardResource, params.id, context)
    return { result: await changeFilters(context, row, body) }
  })
  serve(app, routes.colors, async ({ params, query, body, principal, event }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<DashboardRow>(dashboardResource, params.id, context)
    await changeColors(context, row, body, !['false', '0'].includes(query.mark_updated?.toLowerCase() ?? ''))
    return {}
  })

  serve(app, routes.createPermalink, async ({ params, body, principal, event, request, reply }) => {
    const context = readContext(app, principal)
    const row = await findDashboard(
      context,
      params.id,
      new AppError('not_found', { message: message('errors.dashboard.notFound', 'Dashboard not found.') }),
    )
    event.dashboard_id = row.id
    const key = await createDashboardPermalink(context, row, body)
    return reply.code(201).send({ key, url: `${resolveOrigin(deps.settings, request)}/superset/dashboard/p/${key}/` })
  })
  serve(app, routes.permalink, ({ params, principal }) =>
    readDashboardPermalink(readContext(app, principal), params.key),
  )

  const dashboardOf = async (principal: Principal, name: string) => {
    const context = readContext(app, principal)
    const missing = new AppError('not_found', { message: message('errors.value.notFound', 'Resource was not found.') })
    return { context, id: (await findDashboard(context, name, missing)).id }
  }
  serve(app, routes.createFilterState, async ({ params, query, body, principal, reply }) => {
    const { context, id } = await dashboardOf(principal, params.id)
    return reply.code(201).send({ key: await createFilterState(context, id, body, query.tab_id) })
  })
  serve(app, routes.updateFilterState, async ({ params, query, body, principal }) => {
    const { context, id } = await dashboardOf(principal, params.id)
    return { key: await updateFilterState(context, id, params.key, body, query.tab_id) }
  })
  serve(app, routes.filterState, async ({ params, principal }) => {
    const { context, id } = await dashboardOf(principal, params.id)
    return { value: await readFilterState(context, id, params.key) }
  })
  serve(app, routes.removeFilterState, async ({ params, principal }) => {
    const { context, id } = await dashboardOf(principal, params.id)
    await removeFilterState(context, id, params.key)
    return { message: 'Deleted successfully' }
  })
}
