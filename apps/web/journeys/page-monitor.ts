import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach } from 'vitest'
import { findAxeViolations } from './browser.ts'

export interface PageMonitor {
  /** Errors of the page: script errors and console errors, including rejected resources. */
  pageErrors: readonly string[]
  /** Serious or critical axe findings, wherever `checkAccessibility` was called. */
  violations: ReadonlySet<string>
  /** Checks the current page with axe, in dark and in light. */
  checkAccessibility(): Promise<void>
}

type Theme = 'dark' | 'light'

/** Records the errors of a page, so that a journey runs to its end and checks them there. */
export function monitorPage(page: Page): PageMonitor {
  const complaints: string[] = []
  const barriers = new Set<string>()
  let shown: Theme = 'light'
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`)
  })
  return {
    pageErrors: complaints,
    violations: barriers,
    async checkAccessibility() {
      // The current theme is checked first, since each change of the theme redraws the whole page.
      const other = shown === 'dark' ? 'light' : 'dark'
      for (const [colorScheme, rules] of [[shown, 'all'] as const, [other, 'colours'] as const]) {
        await switchTheme(page, colorScheme)
        const place = new URL(page.url()).pathname
        for (const finding of await findAxeViolations(page, rules))
          barriers.add(`${place} in ${colorScheme}: ${finding}`)
      }
      shown = other
    },
  }
}

/**
 * A page learns of another theme in its next frame, and sometimes the browser makes none if there is nothing to draw. In that
 * case a screenshot forces a frame, and the theme is set again.
 */
async function switchTheme(page: Page, colorScheme: Theme): Promise<void> {
  const isThere = (theme: string) => document.documentElement.dataset.theme === theme
  for (let turn = 0; turn < 10; turn += 1) {
    await page.emulateMedia({ colorScheme })
    const comes = page.waitForFunction(isThere, colorScheme, { polling: 100, timeout: 3000 })
    const hasCome = await comes.then(
      () => true,
      () => false,
    )
    if (hasCome) return
    await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' })
    await page.bringToFront()
    await page.screenshot()
  }
  const pageState = await page.evaluate(() => ({
    visible: document.visibilityState,
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    theme: document.documentElement.dataset.theme,
    chosen: localStorage.getItem('parquetry.theme'),
  }))
  throw new Error(`the page did not become ${colorScheme}: ${JSON.stringify(pageState)}`)
}

/** Ignored by git; each failure overwrites the last screenshot of the same name. */
const screenshotFolder = fileURLToPath(new URL('../../../node_modules/.cache/parquetry-journeys/', import.meta.url))

/**
 * Runs the tests of a file as one sequence: those after a failure are skipped. Prints the content of the page at the failure and
 * the path of a screenshot.
 */
export function skipAfterFailure(page: () => Page | undefined): void {
  let brokenBy: string | undefined
  beforeEach(({ task, skip }) => skip(brokenBy !== undefined && brokenBy !== task.id, 'the way there failed'))
  afterEach(async ({ task }) => {
    const hasFailed = task.result?.state === 'fail'
    if (hasFailed) brokenBy = task.id
    else if (brokenBy === task.id) brokenBy = undefined
    if (!hasFailed) return
    const shown = page()
    if (!shown) return
    const path = join(screenshotFolder, `${task.name.replaceAll(/[^\w]+/g, '-').slice(0, 80)}.png`)
    await shown.screenshot({ path })
    const text = await shown.locator('body').ariaSnapshot()
    process.stderr.write(`${task.name}: ${shown.url()}, picture ${path}\n${text}\n`)
  })
}
