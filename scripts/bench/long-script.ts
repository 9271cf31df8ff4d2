import type { Browser, Page } from 'playwright-core'
import { launchBrowser, openSignedInPage } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import type { Figure } from './figure.ts'

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** CPU time in microseconds. */
  tdur?: number
  args?: { name?: string }
}

/** Maximum CPU time of one task of the page in milliseconds: other programs on the machine do not count. */
async function longestTask(browser: Browser, page: Page, during: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
  await during()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const mains = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const times = traceEvents.flatMap(({ name, pid, tid, tdur }) =>
    name.endsWith('RunTask') && tdur !== undefined && mains.some((main) => main.pid === pid && main.tid === tid)
      ? tdur / 1000
      : [],
  )
  if (!times.length) throw new Error('the trace tells of no task of the page')
  return Math.max(...times)
}

/** SQL Lab with a script of 10,000 statements: pasting it, typing above it, running what was typed. */
export const longScript: Workload = async ({ product }) => {
  const browser = await launchBrowser()
  try {
    const page = await openSignedInPage(browser, product.url, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${product.url}/superset/sqllab/`)
    // The first page of a browser compiles code that the later ones reuse.
    await page.locator('.cm-content').waitFor()
    await page.goto(`${product.url}/superset/sqllab/?new=true&title=Long`)
    await page.getByRole('tab', { name: 'Long', selected: true }).waitFor()
    const script = Array.from(
      { length: 10_000 },
      (_, index) => `select ${index} as n from flights where delay > ${index};`,
    )
    await page.evaluate((text) => navigator.clipboard.writeText(text), script.join('\n'))
    await page.locator('.cm-content').click()
    await page.keyboard.press('ControlOrMeta+A')

    const measured = async (what: string, budget: number, during: () => Promise<void>): Promise<Figure> => {
      const value = await longestTask(browser, page, during)
      return { name: `script of 10,000 lines: longest task, ${what}`, unit: 'ms', value, runs: 1, budget }
    }
    const pasting = await measured('pasting', 200, async () => {
      await page.keyboard.press('ControlOrMeta+V')
      await page.getByRole('button', { name: 'Run statement 10000' }).waitFor()
    })
    await page.keyboard.press('ControlOrMeta+Home')
    await page.getByRole('button', { name: 'Run statement 1', exact: true }).waitFor()
    const typing = await measured('typing', 100, () =>
      page.keyboard.type('select distance from flights limit 3;', { delay: 30 }),
    )
    const running = await measured('running', 100, async () => {
      for (const key of ['Escape', 'Enter', 'ArrowUp', 'ControlOrMeta+Enter']) await page.keyboard.press(key)
      await page.getByRole('columnheader', { name: 'distance' }).waitFor()
    })
    return [pasting, typing, running]
  } finally {
    await browser.close()
  }
}
