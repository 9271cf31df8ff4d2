import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { onTestFailed } from 'vitest'
import { browserOptions } from '../../../scripts/services/browser.ts'

let shared: Promise<Browser> | undefined

/** Launches the Chromium of `npm test`. @param args more options of its command line */
export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const options = browserOptions()
  if (!options.executablePath) throw new Error('no Chromium; name one in PARQUETRY_TEST_BROWSER')
  return chromium.launch({ ...options, args: [...(options.args ?? []), ...args] })
}

/** The part of a browser that journeys use. */
export interface JourneyBrowser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>
  /** A page in its own context. */
  newPage(options?: BrowserContextOptions): Promise<Page>
  /** Closes the contexts that were opened here. */
  close(): Promise<void>
}

/** A browser for one journey. The journeys of a worker share only its process: each has its own contexts. */
export async function openBrowser(): Promise<JourneyBrowser> {
  const browser = await (shared ??= launchBrowser())
  const contexts: BrowserContext[] = []
  const newContext = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext(options)
    contexts.push(context)
    return context
  }
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close: async () => void (await Promise.all(contexts.map((context) => context.close()))),
  }
}

/** Default size of a window. */
const usual = { width: 1440, height: 900 }

/**
 * Opens an empty page in its own context, signed in through the form of the sign-in page without loading its code: `frame-home`
 * and `gamma` prove that users can sign in. It requests reduced motion, since each animated frame costs CPU time.
 */
export async function openSignedInPage(
  browser: Pick<JourneyBrowser, 'newContext'>,
  url: string,
  { username = 'admin', password = username, ...options }: BrowserContextOptions & Credentials = {},
): Promise<Page> {
  const still = { baseURL: url, viewport: usual, reducedMotion: 'reduce' } as const
  const context = await browser.newContext({ ...still, ...options })
  const form = await (await context.request.get('/login/')).text()
  const csrf_token = /name="csrf_token"[^>]*value="([^"]+)"/.exec(form)?.[1] ?? ''
  const response = await context.request.post('/login/', { form: { username, password, csrf_token }, maxRedirects: 0 })
  const leadsTo = response.headers()['location']
  if (leadsTo !== '/') throw new Error(`sign-in of ${username}: ${response.status()} to ${leadsTo}`)
  return context.newPage()
}

/**
 * Runs `undo` if a test fails before it has undone a change to its window. Otherwise its retry and the tests after it would fail
 * too.
 */
function undoOnFailure(page: Page, undo: () => Promise<unknown>): void {
  onTestFailed(async () => void (page.isClosed() || (await undo())))
}

/** Turns the network off or on. */
export async function setOffline(page: Page, isOffline: boolean): Promise<void> {
  if (isOffline) undoOnFailure(page, () => page.context().setOffline(false))
  await page.context().setOffline(isOffline)
}

/** Resizes the window. If the test fails, the default size is restored. */
export async function setWindowSize(page: Page, width: number, height: number): Promise<void> {
  if (width !== usual.width) undoOnFailure(page, () => page.setViewportSize(usual))
  await page.setViewportSize({ width, height })
}

/**
 * Calls `page.route` and waits until it is in effect. Chromium confirms an interception before the process of the page knows of
 * it, and a key pressed meanwhile reaches that process first: of 60 calls sent this way from a busy page, 10 to 16 went to the
 * server.
 */
export async function intercept(page: Page, ...route: Parameters<Page['route']>): Promise<void> {
  undoOnFailure(page, () => page.unroute(route[0]))
  await page.route(...route)
  await waitForInterception(page)
}

/** Waits until an interception is in effect; call it after routing a whole context. */
export async function waitForInterception(page: Page): Promise<void> {
  if (!page.url().startsWith('http')) return
  const probe = /favicon\.svg\?intercepted$/
  let stands = false
  await page.route(probe, (route) => {
    stands = true
    return route.fulfill({ status: 204 })
  })
  while (!stands) await page.evaluate(async () => void (await fetch('/favicon.svg?intercepted')))
  await page.unroute(probe)
}

interface Credentials {
  username?: string
  password?: string
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/**
 * Returns serious or critical axe findings of the current page, one line each; empty is good. If the page was checked in the
 * other theme just before, only the color rules can find anything new.
 */
export async function findAxeViolations(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  const has = await page.evaluate(() => 'axe' in globalThis)
  if (!has) await page.evaluate(await readScript())
  return page.evaluate(async (which) => {
    // Colors in transition would be read as poor contrast. Animations inside a collapsed part never finish.
    const isShown = (effect: AnimationEffect | null): boolean =>
      effect instanceof KeyframeEffect && effect.target?.checkVisibility() === true
    const moving = document
      .getAnimations()
      .filter(({ effect }) => isShown(effect) && Number.isFinite(effect?.getComputedTiming().endTime))
    const arrived = Promise.allSettled(moving.map(({ finished }) => finished))
    await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, 10_000))])
    // oxlint-disable-next-line typescript/no-explicit-any -- axe is a global of the page
    const { axe } = globalThis as any
    const isWanted = (impact: unknown) => impact === 'serious' || impact === 'critical'
    // A violation has the impact of its rule, or else of one of its checks. Rules without such an impact can find nothing here.
    const idle = (axe._audit.rules as AxeRule[]).filter(
      ({ impact, any, all, none }) =>
        !isWanted(impact) &&
        ![...any, ...all, ...none].some((check) =>
          isWanted(axe._audit.checks[typeof check === 'string' ? check : check.id].impact),
        ),
    )
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      // Only a rule about audio playback would read it.
      preload: false,
      ...(which === 'colours'
        ? { runOnly: ['color-contrast', 'link-in-text-block'] }
        : { rules: Object.fromEntries(idle.map(({ id }) => [id, { enabled: false }])) }),
    })
    return (violations as { id: string; impact: string; nodes: { html: string }[] }[])
      .filter(({ impact }) => isWanted(impact))
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  }, rules)
}

interface AxeRule {
  id: string
  impact: string | null
  any: (string | { id: string })[]
  all: (string | { id: string })[]
  none: (string | { id: string })[]
}

let script: Promise<string> | undefined
const readScript = (): Promise<string> =>
  (script ??= import('node:fs/promises').then(({ readFile }) => readFile(axePath, 'utf8')))
