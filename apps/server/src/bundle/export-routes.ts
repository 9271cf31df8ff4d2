import { join } from 'node:path'
import type { BundleType } from '@parquetry/bundle'
import { AppError, assetsExport, dashboardExportForm, exportRoutes as routes, message } from '@parquetry/model'
import type { FastifyReply } from 'fastify'
import { type Principal, requesterKey } from '../access/principal.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { redirect } from '../http/redirect.ts'
import { type ReadContext, visibleRows } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { addAssets, exportedKinds } from './all-assets.ts'
import { BundleBuilder } from './bundle-builder.ts'
import { DocumentFile } from './document-file.ts'
import { packBundle } from './pack-bundle.ts'

const tokenSeconds = 600

type ExportDeps = Pick<ConnectionDeps, 'now' | 'runners' | 'settings'>

interface RequestedBundle {
  context: ReadContext
  type: BundleType
  /** Start of the file name. */
  name: string
  token: string | undefined
  /** Adds the objects. */
  add(builder: BundleBuilder): Promise<void>
}

/**
 * Collects a bundle and sends it; a cookie with the name of the token tells the waiting page that the response has started. Objects
 * and archive are in files of the home folder, so that the memory does not grow with them.
 */
async function sendBundle(
  { now, runners, settings }: ExportDeps,
  { context, type, name, token, add }: RequestedBundle,
  { principal, signal, reply }: { principal: Principal; signal: AbortSignal; reply: FastifyReply },
): Promise<FastifyReply> {
  const folder = join(settings.home, 'uploads')
  const unpackedBytes = settings.config.IMPORT_UNPACKED_LIMIT_MB * 2 ** 20
  const documents = new DocumentFile(folder, unpackedBytes, signal)
  try {
    const builder = new BundleBuilder(context, documents)
    await add(builder)
    const exportedAt = now()
    const root = `${name}_export_${exportedAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`
    const metadata = await builder.finish(type, exportedAt)
    const { bytes, content } = await packBundle(
      { runners, folder, unpackedBytes },
      { documents, metadata, root },
      { signal, person: requesterKey(principal) },
    )
    if (token !== undefined) reply.header('set-cookie', `${token}=done; Max-Age=${tokenSeconds}; Path=/; SameSite=Lax`)
    return reply
      .type('application/zip')
      .headers({ 'Content-Disposition': `attachment; filename=${root}.zip`, 'Content-Length': bytes })
      .send(content)
  } finally {
    await documents.close()
  }
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

/** Objects are read in groups of this size, so that a long list is not in memory at once. */
const groupSize = 100

/** `/api/v1/<resource>/export/`: a ZIP of the requested objects and their dependencies; `assets`: of all visible objects. */
export function exportRoutes(app: App, deps: ExportDeps): void {
  for (const kind of Object.keys(exportedKinds) as (keyof typeof exportedKinds)[]) {
    const [type, add] = exportedKinds[kind]
    serve(app, routes[kind], async (call) => {
      const { rison: ids, query, principal, event } = call
      checkToken(query.token)
      const context = readContext(app, principal)
      event.json = { ids }
      return sendBundle(
        deps,
        {
          context,
          type,
          name: kind,
          token: query.token,
          add: async (builder) => {
            const sorted = [...new Set(ids)].toSorted((a, b) => a - b)
            for (let from = 0; from < sorted.length; from += groupSize) {
              const rows = await visibleRows({ kind }, sorted.slice(from, from + groupSize), context)
              for (const row of rows.toSorted((a, b) => a.id - b.id)) await add(builder, row as never)
            }
          },
        },
        call,
      )
    })
  }
  serve(app, assetsExport, async (call) => {
    const { query, principal } = call
    checkToken(query.token)
    const context = readContext(app, principal)
    const add = (builder: BundleBuilder) => addAssets(builder, context)
    return sendBundle(deps, { context, type: 'assets', name: 'assets', token: query.token, add }, call)
  })
  serve(app, dashboardExportForm, ({ request, reply }) => redirect(reply, buildExportUrl(request.url)))
}
