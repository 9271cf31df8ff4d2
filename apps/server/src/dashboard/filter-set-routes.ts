import { filterSetRoutes as routes } from '@parquetry/model'
import type { App, HttpDeps } from '../http/app.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { listFilterSets, createFilterSet, presentFilterSet, updateFilterSet, removeFilterSet } from './filter-set.ts'

/** `/api/v1/dashboard/{id}/filtersets`. Without the feature flag these routes do not exist. */
export function filterSetRoutes(app: App, { settings }: HttpDeps): void {
  if (!settings.flags['DASHBOARD_NATIVE_FILTERS_SET']) return

  serve(app, routes.list, async ({ params, rison, principal }) => {
    const { page = 0, page_size = 100 } = rison
    const sets = await listFilterSets(readContext(app, principal), params.id)
    const size = Math.min(Math.max(page_size, 1), 1000)
    const pageSets = sets.slice(Math.max(page, 0) * size, (Math.max(page, 0) + 1) * size)
    return { count: sets.length, ids: pageSets.map(({ id }) => id), result: pageSets.map(presentFilterSet) }
  })
  serve(app, routes.create, async ({ params, body, principal, event, reply }) =>
    reply
      .code(201)
      .send(presentFilterSet(await createFilterSet({ ...readContext(app, principal), event }, params.id, body))),
  )
  serve(app, routes.update, async ({ params, body, principal, event }) =>
    presentFilterSet(await updateFilterSet({ ...readContext(app, principal), event }, params.id, params.set, body)),
  )
  serve(app, routes.remove, async ({ params, principal, event }) => {
    await removeFilterSet({ ...readContext(app, principal), event }, params.id, params.set)
    return { id: params.set }
  })
}
