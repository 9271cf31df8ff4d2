import type { BundleType } from '@parquetry/bundle'
import { AppError, assetsExport, exportRoutes as routes, message } from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { hasPermission, type Principal, requesterKey } from '../access/principal.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { accessConditions, type ReadContext, visibleRows } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { and } from '../store/conditions.ts'
import { BundleBuilder } from './bundle-builder.ts'
import { packBundle } from './pack-bundle.ts'

const kinds = {
  chart: ['Slice', (builder: BundleBuilder, row) => builder.addChart(row)],
  dashboard: ['Dashboard', (builder: BundleBuilder, row) => builder.addDashboard(row)],
  dataset: ['SqlaTable', (builder: BundleBuilder, row) => builder.addDataset(row)],
  database: ['Database', (builder: BundleBuilder, row) => builder.addDatabase(row)],
  css_template: ['CssTemplate', (builder, row) => Promise.resolve(builder.addCssTemplate(row))],
  annotation_layer: ['AnnotationLayer', (builder, row) => builder.addAnnotationLayer(row)],
  theme: ['Theme', (builder: BundleBuilder, row) => Promise.resolve(builder.addTheme(row))],
  saved_query: ['SavedQuery', (builder: BundleBuilder, row) => builder.addSavedQuery(row)],
} as const satisfies Record<
  keyof typeof routes,
  readonly [BundleType, (builder: BundleBuilder, row: never) => Promise<unknown>]
>

const tokenSeconds = 600

/** Sends a bundle; a cookie with the name of the token tells the waiting page that the response has started. */
async function sendBundle(
  { now, runners }: Pick<ConnectionDeps, 'now' | 'runners'>,
  { builder, type, name, token }: { builder: BundleBuilder; type: BundleType; name: string; token: string | undefined },
  { principal, signal, reply }: { principal: Principal; signal: AbortSignal; reply: FastifyReply },
): Promise<FastifyReply> {
  const exportedAt = now()
  const root = `${name}_export_${exportedAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`
  const archive = await packBundle(runners, builder.build(type, exportedAt), root, {
    signal,
    person: requesterKey(principal),
  })
  if (token !== undefined) reply.header('set-cookie', `${token}=done; Max-Age=${tokenSeconds}; Path=/; SameSite=Lax`)
  return reply.type('application/zip').header('Content-Disposition', `attachment; filename=${root}.zip`).send(archive)
}

/** @throws AppError `bad_request` for a token that is no name of a cookie */
function checkToken(token: string | undefined): void {
  if (token !== undefined && !/^[\w-]{1,64}$/.test(token))
    throw new AppError('bad_request', {
      message: message('errors.bundle.token', 'The token must be 1 to 64 letters, digits, - or _.'),
    })
}

/** Kinds of `/api/v1/assets/export/`; databases are added with the datasets, which users see without seeing databases. */
const assetKinds = [
  'theme',
  'css_template',
  'annotation_layer',
  'database',
  'dataset',
  'chart',
  'dashboard',
  'saved_query',
] as const

/** `/api/v1/<resource>/export/`: a ZIP of the requested objects and their dependencies; `assets`: of all visible objects. */
export function exportRoutes(app: App, deps: Pick<ConnectionDeps, 'now' | 'runners'>): void {
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    const [type, add] = kinds[kind]
    serve(app, routes[kind], async (call) => {
      const { rison: ids, query, principal, event } = call
      checkToken(query.token)
      const context = readContext(app, principal)
      const builder = new BundleBuilder(context)
      const rows = ids.length === 0 ? [] : await visibleRows({ kind }, ids, context)
      for (const row of rows) await add(builder, row as never)
      event.json = { ids }
      return sendBundle(deps, { builder, type, name: kind, token: query.token }, call)
    })
  }
  serve(app, assetsExport, async (call) => {
    const { query, principal } = call
    checkToken(query.token)
    const context = readContext(app, principal)
    const builder = new BundleBuilder(context)
    const yielder = new EventLoopYielder()
    for (const kind of assetKinds) {
      const [, add] = kinds[kind]
      if (!hasPermission(principal, routes[kind].can)) continue
      for (const row of await allVisibleRows(kind, context)) {
        await add(builder, row as never)
        await yielder.yieldIfDue()
      }
    }
    return sendBundle(deps, { builder, type: 'assets', name: 'assets', token: query.token }, call)
  })
}

/** All rows of a kind that the caller may see, in the order in which they were created. */
async function allVisibleRows(kind: (typeof assetKinds)[number], context: ReadContext): Promise<object[]> {
  const { rows } = await sql<object>`select * from ${sql.table(kind)}
    where ${and(accessConditions({ kind }, context))} order by id`.execute(context.db)
  return rows
}
