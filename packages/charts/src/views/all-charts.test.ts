import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chartEntries } from '../registry.ts'
import { servePage } from '../testing/serve-page.ts'

const browserPath = [process.env.PARQUETRY_TEST_BROWSER, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
)

describe.skipIf(!browserPath)('the page of all charts', () => {
  let served: Awaited<ReturnType<typeof servePage>>
  let browser: Browser
  let page: Page
  const faults: string[] = []
  const foreign: string[] = []

  beforeAll(async () => {
    served = await servePage()
    browser = await chromium.launch({
      executablePath: browserPath as string,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    })
    page = await browser.newPage({ viewport: { width: 1200, height: 900 }, reducedMotion: 'reduce' })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    await page.route(
      ({ origin, protocol }) => protocol.startsWith('http') && origin !== new URL(served.url).origin,
      (route) => {
        foreign.push(route.request().url())
        return route.abort()
      },
    )
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })

  it.each(['light', 'dark'] as const)(
    'draws every fixture of every type in the %s theme, without an error and without asking anybody else',
    async (theme) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.goto(served.url)
      await page.waitForFunction(() => window.asked > 0 && window.drawnNames.size === window.asked, null, {
        timeout: 110_000,
      })
      const folders = new Set(await page.evaluate(() => [...window.drawnNames].map((name) => name.split('/')[0])))
      expect(folders.size).toBe(chartEntries.length)
      expect(await page.locator('html').getAttribute('data-theme')).toBe(theme)
      expect(await page.getByText('An error occurred').count()).toBe(0)
      expect({ faults, foreign }).toEqual({ faults: [], foreign: [] })
    },
    120_000,
  )
})
