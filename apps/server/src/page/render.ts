import { randomBytes } from 'node:crypto'
import { type Boot, preloadCalls, tileOrigin, pagePaths, type PageName, pagePlaceholders } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { RenderPage } from '../http/app.ts'
import { anonymousCookie, computeCsrfToken } from '../http/csrf.ts'
import { listDomains } from '../settings/domains.ts'
import { contentSecurityPolicy } from '../http/security-headers.ts'
import { setSessionCookie } from '../http/cookies.ts'
import type { Assets } from './assets.ts'
import { buildBoot } from './boot.ts'
import { takeFlash } from '../http/flash.ts'
import type { PageDeps } from './deps.ts'
import { plainPage } from './plain-page.ts'

/** JSON that is safe inside a script element of any page. */
const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

interface Preloads {
  links: string
  calls: string[]
}

const nothing: Preloads = { links: '', calls: [] }

/** Files to load and API calls to make first, by the name of the page. */
function findPreloads({ routeOptions, params }: FastifyRequest, assets: Assets): Preloads {
  const name = pageNames.get(routeOptions.url ?? '')
  if (!name) return nothing
  const links = assets
    .firstFiles(name)
    .map((file) => `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" href="/static/${file}">`)
  const routeParams = params as Record<string, string>
  const calls = (preloadCalls[name] ?? []).flatMap((path) => {
    let isValid = true
    const call = path.replace(/:(\w+)(\(\\d\+\))?/g, (_, parameter: string, number?: string) => {
      const value = routeParams[parameter] ?? ''
      if (number !== undefined && !/^\d+$/.test(value)) isValid = false
      return encodeURIComponent(value)
    })
    return isValid ? [call] : []
  })
  return { links: links.join(''), calls }
}

const pageNames = new Map(
  (Object.entries(pagePaths) as [PageName, object][]).flatMap(([name, addresses]) =>
    Object.keys(addresses).map((address) => [address, name] as const),
  ),
)

const slots = new RegExp(Object.values(pagePlaceholders).join('|'), 'g')

/**
 * Renders the page for every address: the built `index.html` with a fresh nonce, the boot data and the CSRF token in its slots,
 * or a plain sign-in page before the web app is built.
 */
export const createPages =
  (deps: PageDeps, assets: Assets): RenderPage =>
  async (request, reply, principal, more = {}) => {
    let cookie = request.identity?.cookie ?? null
    if (cookie === null) {
      cookie = anonymousCookie()
      setSessionCookie(reply, deps.settings, cookie)
    }
    const boot: Boot = await buildBoot(deps, principal, takeFlash(request, reply, deps.settings))
    Object.assign(boot.common, more)
    const nonce = randomBytes(16).toString('base64url')
    const first = more['no_access'] === true ? nothing : findPreloads(request, assets)
    const values: Record<string, string> = {
      [pagePlaceholders.nonce]: nonce,
      [pagePlaceholders.boot]: scriptJson(boot),
      [pagePlaceholders.csrf]: computeCsrfToken(deps.keys, cookie),
      [pagePlaceholders.links]: first.links,
      [pagePlaceholders.calls]: scriptJson(first.calls),
    }
    const { MAP_TILES, IMAGE_HOSTS } = deps.settings.config
    const images = [...MAP_TILES.map(tileOrigin), ...IMAGE_HOSTS]
    const html = (assets.page() ?? plainPage(boot)).replace(slots, (slot) => values[slot] ?? slot)
    return reply
      .header('Content-Security-Policy', contentSecurityPolicy(nonce, images, listDomains(deps.settings)))
      .type('text/html; charset=utf-8')
      .send(html)
  }
