import type { BundleType } from '@parquetry/bundle'
import { AppError, exportRoutes as routes, message } from '@parquetry/model'
import { requesterKey } from '../access/principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { visibleRows } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { BundleBuilder } from './bundle-builder.ts'
import { packBundle } from './pack-bundle.ts'

const kinds = {
  chart: ['Slice', (builder: BundleBuilder, row) => builder.addChart(row)],
  dashboard: ['Dashboard', (builder: BundleBuilder, row) => builder.addDashboard(row)],
  dataset: ['SqlaTable', (builder: BundleBuilder, row) => builder.addDataset(row)],
  database: ['Database', (builder: BundleBuilder, row) => builder.addDatabase(row)],
  theme: ['Theme', (builder: BundleBuilder, row) => Promise.resolve(builder.addTheme(row))],
  saved_query: ['SavedQuery', (builder: BundleBuilder, row) => builder.addSavedQuery(row)],
} as const satisfies Record<
  keyof typeof routes,
  readonly [BundleType, (builder: BundleBuilder, row: never) => Promise<unknown>]
>

const tokenSeconds = 600

/** `/api/v1/<resource>/export/`: a ZIP of the requested objects and their dependencies. */
export function exportRoutes(app: App, { now, runners }: Pick<ConnectionDeps, 'now' | 'runners'>): void {
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    const [type, add] = kinds[kind]
    serve(app, routes[kind], async ({ rison: ids, query, principal, event, signal, reply }) => {
      const context = readContext(app, principal)
      const { token } = query
      if (token !== undefined && !/^[\w-]{1,64}$/.test(token))
        throw new AppError('bad_request', {
          message: message('errors.bundle.token', 'The token must be 1 to 64 letters, digits, - or _.'),
        })
      const builder = new BundleBuilder(context)
      const rows = ids.length === 0 ? [] : await visibleRows({ kind }, ids, context)
      for (const row of rows) await add(builder, row as never)
      event.json = { ids }
      const exportedAt = now()
      const root = `${kind}_export_${exportedAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`
      const archive = await packBundle(runners, builder.build(type, exportedAt), root, {
        signal,
        person: requesterKey(principal),
      })
      if (token !== undefined)
        reply.header('set-cookie', `${token}=done; Max-Age=${tokenSeconds}; Path=/; SameSite=Lax`)
      return reply
        .type('application/zip')
        .header('Content-Disposition', `attachment; filename=${root}.zip`)
        .send(archive)
    })
  }
}
