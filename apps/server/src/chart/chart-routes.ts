import { chartRoutes as routes } from '@parquetry/model'
import type { App } from '../http/app.ts'
import { serveFavorites } from '../http/favorites.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { chartRemoval } from './chart-removal.ts'
import { chartResource, type ChartRow } from './chart-resource.ts'
import { createChart, updateChart } from './save-chart.ts'
import { subjectPickers } from '../http/subjects.ts'

/** `/api/v1/chart/` except chart data. */
export function chartRoutes(app: App): void {
  serveReading(app, routes, {
    ...chartResource,
    related: { ...chartResource.related, ...subjectPickers('chart', app.deps.settings.config) },
  })
  serveFavorites(app, routes, chartResource)
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const id = await createChart({ ...readContext(app, principal), event }, body)
    return reply.code(201).send({ id, result: body })
  })
  serve(app, routes.update, async ({ params, body, principal, event, request }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<ChartRow>(chartResource, params.id, context)
    await updateChart(context, row, body, request.headers['if-match'])
    return { id: row.id, result: body }
  })
  serveRemoving(app, routes, chartRemoval)
}
