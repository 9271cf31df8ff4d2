import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { findBrowser } from '../../../scripts/services/browser.ts'

/** The Chromium of `npm test`, without a window and without calls of its own to the network. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('no Chromium; name one in PARQUETRY_TEST_BROWSER')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

/** A window of its own, signed in by the sign-in page as a person would, standing on Home. */
export async function signedIn(
  browser: Browser,
  url: string,
  { username = 'admin', password = username, ...options }: BrowserContextOptions & Credentials = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  await page.goto('/login/')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/superset/welcome/')
  return page
}

interface Credentials {
  username?: string
  password?: string
}

const axePath = createRequire(import.meta.url).resolve('axe-core')

/** What axe finds serious or critical on the page as it stands, one line each; empty is good. */
export async function axeFindings(page: Page): Promise<string[]> {
  const has = await page.evaluate(() => 'axe' in globalThis)
  if (!has) await page.evaluate(await readScript())
  return page.evaluate(async () => {
    // Colours on their way would be read as poor contrast. Those inside what is folded up never arrive.
    const moving = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    const arrived = Promise.allSettled(moving.map(({ finished }) => finished))
    await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, 1000))])
    // oxlint-disable-next-line typescript/no-explicit-any -- axe is a global of the page
    const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ['violations'] })
    return (violations as { id: string; impact: string; nodes: { html: string }[] }[])
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  })
}

let script: Promise<string> | undefined
const readScript = (): Promise<string> =>
  (script ??= import('node:fs/promises').then(({ readFile }) => readFile(axePath, 'utf8')))
