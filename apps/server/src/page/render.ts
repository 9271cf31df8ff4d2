import { randomBytes } from 'node:crypto'
import { type Boot, firstCalls, hostOfTiles, pageAddresses, type PageName, pageSlots } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { RenderPage } from '../http/app.ts'
import { anonymousCookie, csrfTokenOf } from '../http/csrf.ts'
import { pagePolicy } from '../http/security-headers.ts'
import { setSessionCookie } from '../http/cookies.ts'
import type { Assets } from './assets.ts'
import { bootOf } from './boot.ts'
import { takeFlash } from '../http/flash.ts'
import type { PageDeps } from './deps.ts'
import { plainPage } from './plain-page.ts'

/** JSON that can stand inside of a script element of any page. */
const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** What a page fetches and asks first, by the name of its address. */
function firstOf({ routeOptions, params }: FastifyRequest, assets: Assets): { links: string; calls: string[] } {
  const name = nameOf.get(routeOptions.url ?? '')
  if (!name) return { links: '', calls: [] }
  const links = assets
    .firstFiles(name)
    .map((file) => `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" href="/static/${file}">`)
  const given = params as Record<string, string>
  const calls = (firstCalls[name] ?? []).map((path) =>
    path.replace(/:(\w+)/g, (_, word: string) => encodeURIComponent(given[word] ?? '')),
  )
  return { links: links.join(''), calls }
}

const nameOf = new Map(
  (Object.entries(pageAddresses) as [PageName, object][]).flatMap(([name, addresses]) =>
    Object.keys(addresses).map((address) => [address, name] as const),
  ),
)

const slots = new RegExp(Object.values(pageSlots).join('|'), 'g')

/**
 * The page of every address: the built `index.html` with a fresh nonce, the boot data and the CSRF token in its slots. Before
 * the web part is built it is a plain page that can sign in.
 */
export const createPages =
  (deps: PageDeps, assets: Assets): RenderPage =>
  async (request, reply, principal, more = {}) => {
    let cookie = request.identity?.cookie ?? null
    if (cookie === null) {
      cookie = anonymousCookie()
      setSessionCookie(reply, deps.settings, cookie)
    }
    const boot: Boot = await bootOf(deps, principal, takeFlash(request, reply))
    Object.assign(boot.common, more)
    const nonce = randomBytes(16).toString('base64url')
    const first = firstOf(request, assets)
    const values: Record<string, string> = {
      [pageSlots.nonce]: nonce,
      [pageSlots.boot]: scriptJson(boot),
      [pageSlots.csrf]: csrfTokenOf(deps.keys, cookie),
      [pageSlots.links]: first.links,
      [pageSlots.calls]: scriptJson(first.calls),
    }
    const { MAP_TILES, IMAGE_HOSTS } = deps.settings.config
    const images = [...MAP_TILES.map(hostOfTiles), ...IMAGE_HOSTS]
    const html = (assets.page() ?? plainPage(boot)).replace(slots, (slot) => values[slot] ?? slot)
    return reply
      .header('Content-Security-Policy', pagePolicy(nonce, images))
      .type('text/html; charset=utf-8')
      .send(html)
  }
