import { fileURLToPath } from 'node:url'
import { defineRoute, type RouteContract } from '@parquetry/model'
import Type from 'typebox'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { pageAddresses } from './addresses.ts'
import { openAssets } from './assets.ts'
import { menuRoutes } from './menu.ts'
import { createPages } from './render.ts'

const webFolder = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

const page = (path: string, can: RouteContract['can'], reply: 'page' | 'bytes' = 'page') =>
  defineRoute({
    method: 'GET',
    path,
    summary: reply === 'page' ? 'A page' : 'A file of the web part',
    body: 'none',
    reply,
    can,
    object: 'none: what the page shows, it asks for by calls',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['not_found'],
  })

/** The web part: its files, its navigation, and `index.html` for the address of every page. */
export function pageRoutes(app: App, deps: Deps): void {
  const assets = openAssets(webFolder)
  app.renderPage = createPages(deps, assets)
  const files = defineRoute({ ...page('/static/*', 'anyone', 'bytes'), params: Type.Object({ '*': Type.String() }) })
  serve(app, files, ({ params, request, reply }) => assets.send(params['*'], request, reply))
  for (const name of assets.rootFiles)
    serve(app, page(`/${name}`, 'anyone', 'bytes'), ({ request, reply }) => assets.send(name, request, reply))
  for (const [path, can] of Object.entries(pageAddresses))
    serve(app, page(path, can), ({ request, reply, principal }) => app.renderPage(request, reply, principal))
  menuRoutes(app)
}
