import { savedQueryRoutes as routes } from '@parquetry/model'
import type { App } from '../http/app.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, refuseStale, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { legacySavedQueryRoutes } from './legacy-routes.ts'
import { createSavedQuery, updateSavedQuery } from './save-query.ts'
import { savedQueryResource, type SavedQueryRow } from './saved-query-resource.ts'
import type { ConnectionDeps } from '../connection/deps.ts'

/** Fields that the generic resources return: all writable ones, as stored. */
const echo = (row: SavedQueryRow) =>
  Object.fromEntries(
    (['db_id', 'description', 'label', 'schema', 'sql', 'template_parameters'] as const).map((field) => [
      field,
      row[field] ?? null,
    ]),
  )

/** `/api/v1/saved_query/`: users access only their own queries (PERM-006). */
export function savedQueryRoutes(app: App, deps: ConnectionDeps): void {
  serveReading(app, routes, savedQueryResource)
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const created = await createSavedQuery(deps, { ...readContext(app, principal), event }, body)
    return reply.code(201).send({ id: created.id, result: echo(created) })
  })
  serve(app, routes.update, async ({ params, body, principal, event, request }) => {
    const context = { ...readContext(app, principal), event }
    const row = await visibleRow<SavedQueryRow>(savedQueryResource, params.id, context)
    const seen = refuseStale(row, request.headers['if-match'], undefined)
    return { id: row.id, result: echo(await updateSavedQuery(deps, context, row, body, seen)) }
  })
  serveRemoving(app, routes, {
    resource: savedQueryResource,
    action: ['can_write', 'SavedQuery'],
    words: ['saved query', 'saved queries'],
    async remove(trx, { id }) {
      await trx.deleteFrom('saved_query').where('id', '=', id).execute()
    },
  })
  legacySavedQueryRoutes(app, deps)
}
