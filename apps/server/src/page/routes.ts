import { AppError, defineRoute, pageRedirects, pagePaths, type PageName, type RouteContract } from '@parquetry/model'
import Type from 'typebox'
import type { FastifyRequest } from 'fastify'
import type { App } from '../http/app.ts'
import { redirect } from '../http/redirect.ts'
import type { Principal } from '../access/principal.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { openAssets, webFolder } from './assets.ts'
import type { PageDeps } from './deps.ts'
import { menuRoutes } from './menu.ts'
import { createPages } from './render.ts'

const page = (path: string, can: RouteContract['can'], reply: 'page' | 'bytes' = 'page') =>
  defineRoute({
    method: 'GET',
    path,
    summary: reply === 'page' ? 'Returns a page' : 'Returns a file of the web client',
    body: 'none',
    reply,
    can,
    object: 'none: the page loads its content with API requests',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['not_found'],
  })

/** Pages whose routes are in `security/page-routes.ts`. */
const withOwnRoutes: ReadonlySet<string> = new Set(['signIn', 'password', 'invitation'] satisfies PageName[])

/** True when a user opens the page now (no prefetch) and the query string has no filters, tabs or refresh. */
const opensAsStored = ({ method, headers, query }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers['sec-purpose'] === undefined &&
  headers.purpose === undefined &&
  Object.keys(query as object).every((key) => key === 'standalone')

/** True when the address names an object that the user cannot see: the page then says so, and its status is 404. */
async function isSubjectMissing(
  app: App,
  name: PageName,
  principal: Principal,
  { params, query }: FastifyRequest,
): Promise<boolean> {
  try {
    await app.pageSubjects[name]?.(
      readContext(app, principal),
      params as Record<string, string>,
      query as Record<string, unknown>,
    )
    return false
  } catch (error) {
    // Any other error is that of the page's own calls, which report it. 405: the name is not an id.
    return error instanceof AppError && (error.status === 404 || error.status === 405)
  }
}

/** New address of a moved page: its parameters fill `to`, and its query string is appended. */
function buildRedirectUrl(to: string, { params, url }: FastifyRequest): string {
  const address = to.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent((params as Record<string, string>)[name] ?? ''),
  )
  const queryStart = url.indexOf('?')
  return queryStart < 0 ? address : `${address}${address.includes('?') ? '&' : '?'}${url.slice(queryStart + 1)}`
}

/** The web app: its files, its navigation, and `index.html` for the address of every page. */
export function pageRoutes(app: App, deps: PageDeps): void {
  const assets = openAssets(webFolder)
  app.renderPage = createPages(deps, assets)
  const files = defineRoute({ ...page('/static/*', 'anyone', 'bytes'), params: Type.Object({ '*': Type.String() }) })
  serve(app, files, ({ params, request, reply }) => assets.send(params['*'], request, reply))
  for (const name of assets.rootFiles)
    serve(app, page(`/${name}`, 'anyone', 'bytes'), ({ request, reply }) => assets.send(name, request, reply))
  for (const [name, addresses] of Object.entries(pagePaths))
    if (!withOwnRoutes.has(name))
      for (const [path, can] of Object.entries(addresses))
        serve(app, page(path, can), async ({ request, reply, principal }) => {
          if (await isSubjectMissing(app, name as PageName, principal, request)) reply.code(404)
          const response = await app.renderPage(request, reply, principal)
          if (name === 'dashboard' && opensAsStored(request))
            void app.prefetchDashboard(principal, (request.params as { name: string }).name)
          return response
        })
  for (const [path, { to, can }] of Object.entries(pageRedirects))
    serve(app, page(path, can), ({ request, reply }) => redirect(reply, buildRedirectUrl(to, request)))
  menuRoutes(app)
}
