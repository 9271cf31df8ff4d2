import type { BundleType } from '@parquetry/bundle'
import { AppError, assetsExport, dashboardExportForm, exportRoutes as routes, message } from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import { type Principal, requesterKey } from '../access/principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { redirect } from '../http/redirect.ts'
import { visibleRows } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { buildAssets, exportedKinds } from './all-assets.ts'
import { BundleBuilder } from './bundle-builder.ts'
import { packBundle } from './pack-bundle.ts'

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

/** @throws AppError `bad_request` for a token that is not a valid name of a cookie */
function checkToken(token: string | undefined): void {
  if (token !== undefined && !/^[\w-]{1,64}$/.test(token))
    throw new AppError('bad_request', {
      message: message('errors.bundle.token', 'The token must be 1 to 64 letters, digits, - or _.'),
    })
}

const idText = /^\d{1,15}$/

/** Address of the export that `/dashboard/export_dashboards_form?id=1&id=2` leads to. @throws AppError `bad_request` */
function buildExportUrl(address: string): string {
  const ids = new URL(address, 'http://localhost').searchParams.getAll('id')
  if (!ids.every((each) => idText.test(each)))
    throw new AppError('bad_request', {
      message: message('errors.bundle.exportIds', 'Each id must be the number of a dashboard.'),
    })
  return ids.length === 0 ? '/dashboard/list/' : `/api/v1/dashboard/export/?q=!(${ids.join(',')})`
}

/** `/api/v1/<resource>/export/`: a ZIP of the requested objects and their dependencies; `assets`: of all visible objects. */
export function exportRoutes(app: App, deps: Pick<ConnectionDeps, 'now' | 'runners'>): void {
  for (const kind of Object.keys(exportedKinds) as (keyof typeof exportedKinds)[]) {
    const [type, add] = exportedKinds[kind]
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
    const builder = await buildAssets(readContext(app, principal))
    return sendBundle(deps, { builder, type: 'assets', name: 'assets', token: query.token }, call)
  })
  serve(app, dashboardExportForm, ({ request, reply }) => redirect(reply, buildExportUrl(request.url)))
}
