import { AppError, exploreRoutes as routes } from '@parquetry/model'
import { chartResource } from '../chart/chart-resource.ts'
import type { App } from '../http/app.ts'
import { resolveOrigin } from '../http/origin.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { errorTranslator } from '../settings/messages.ts'
import { buildQueryDataset } from '../sqllab/query-dataset.ts'
import { createFormData, readFormData, removeFormData, updateFormData } from './form-data.ts'
import { openExplore, ExploreRedirect } from './open-explore.ts'
import { createExplorePermalink, readExplorePermalink } from './permalink.ts'
import type { ChartDeps } from '../chart/deps.ts'

/** `/api/v1/explore/`. */
export function exploreRoutes(app: App, deps: ChartDeps): void {
  app.pageSubjects.explore = async (context, { slice, permalink }, query) => {
    const id = slice ?? query['slice_id']
    if (id !== undefined) await visibleRow(chartResource, String(id), context)
    if (permalink !== undefined) await readExplorePermalink(context, permalink)
  }
  serve(app, routes.open, async ({ query, principal, signal, event, request, reply }) => {
    const ofQuery = (id: number) => buildQueryDataset(deps, { principal, signal }, id)
    const parameters = Object.entries(request.query as Record<string, string | string[]>).map(
      ([name, value]) => [name, Array.isArray(value) ? (value.at(-1) ?? '') : value] as const,
    )
    event.json = { slice_id: query.slice_id, datasource_id: query.datasource_id }
    try {
      const context = readContext(app, principal)
      const translate = errorTranslator(deps.settings)
      return { result: await openExplore(context, query, Object.fromEntries(parameters), ofQuery, translate) }
    } catch (error) {
      if (error instanceof ExploreRedirect) return reply.code(302).send({ redirect: error.redirect })
      throw error
    }
  })

  serve(app, routes.createFormData, async ({ query, body, principal, reply }) =>
    reply.code(201).send({ key: await createFormData(readContext(app, principal), body, query.tab_id) }),
  )
  serve(app, routes.updateFormData, async ({ params, query, body, principal }) => {
    const key = await updateFormData(readContext(app, principal), params.key, body, query.tab_id)
    return { key, message: 'OK' }
  })
  serve(app, routes.formData, async ({ params, principal }) => {
    const form_data = await readFormData(readContext(app, principal), params.key)
    if (form_data === undefined) throw new AppError('not_found')
    return { form_data }
  })
  serve(app, routes.removeFormData, async ({ params, principal }) => {
    await removeFormData(readContext(app, principal), params.key)
    return { message: 'Deleted successfully' }
  })

  serve(app, routes.createPermalink, async ({ body, principal, request, reply }) => {
    const key = await createExplorePermalink(readContext(app, principal), body)
    return reply.code(201).send({ key, url: `${resolveOrigin(deps.settings, request)}/superset/explore/p/${key}/` })
  })
  serve(app, routes.permalink, async ({ params, principal }) => ({
    ...(await readExplorePermalink(readContext(app, principal), params.key)),
  }))
}
