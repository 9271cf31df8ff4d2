import type { Page } from 'playwright-core'
import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { measureCharts, measurePages } from '../../apps/web/bytes.ts'
import { launchBrowser, openSignedInPage } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import { listChartTypes } from './chart-types.ts'
import type { Figure } from './figure.ts'
import { longestTask, watchPages } from './watch.ts'

const dist = 'apps/web/dist'
const idleMs = 700

/** Kilobytes of the scripts that a page has fetched, as compressed in the build. */
async function fetchedKb(page: Page, ending: '.br' | '.gz'): Promise<number> {
  const urls = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.js')),
  )
  const sizeOf = (url: string): number => {
    const path = `${dist}/assets/${basename(url)}`
    return statSync(existsSync(path + ending) ? path + ending : path).size
  }
  return [...new Set(urls)].reduce((all, url) => all + sizeOf(url), 0) / 1000
}

/**
 * Scripts of a page until it is idle, including code of its charts and editor, with an empty cache; and the longest task of the
 * main thread meanwhile.
 */
export const pageSizes: Workload = async ({ product, dashboard, browser: path, datasets }) => {
  const imported: Figure[] = measurePages(dist).map(({ page, scriptBytes, budgetKb }) => ({
    name: `script imported: ${page}`,
    unit: 'KB',
    value: scriptBytes / 1000,
    runs: 1,
    budget: budgetKb,
  }))
  const charts = await listChartTypes()
  imported.push(
    ...measureCharts(dist, charts).map(({ viz_type, scriptBytes }) => ({
      name: `script of chart: ${viz_type}`,
      unit: 'KB' as const,
      value: scriptBytes / 1000,
      runs: 1,
      budget: 60,
    })),
  )
  if (!path) return imported
  const pages: readonly [name: string, path: string, budgetKb: number][] = [
    ['home', '/superset/welcome/', 200],
    ['dashboards', '/dashboard/list/', 200],
    ['charts', '/chart/list/', 200],
    ['SQL Lab', '/superset/sqllab/', 330],
    ['dashboard of 20', `/superset/dashboard/${dashboard.id}/`, 400],
    ['Explore', `/explore/?slice_id=${dashboard.charts[8]}&datasource_id=${datasets.flights}`, 450],
  ]
  const browser = await launchBrowser()
  try {
    const figures: Figure[] = []
    const measure = async (page: Page, name: string, address: string, budget: number): Promise<void> => {
      await page.goto(product.url + address, { waitUntil: 'load' })
      await page.waitForTimeout(idleMs)
      const [brotli, gzip, task] = [await fetchedKb(page, '.br'), await fetchedKb(page, '.gz'), await longestTask(page)]
      figures.push(
        { name: `script of ${name}`, unit: 'KB', value: brotli, runs: 1, budget },
        { name: `script of ${name}, gzip`, unit: 'KB', value: gzip, runs: 1 },
        { name: `longest task of ${name}`, unit: 'ms', value: task, runs: 1, budget: 100 },
      )
    }
    const stranger = await browser.newContext()
    await watchPages(stranger)
    await measure(await stranger.newPage(), 'sign-in', '/login/', 150)
    const signed = await openSignedInPage(browser, product.url)
    const storageState = await signed.context().storageState()
    for (const [name, address, budget] of pages) {
      const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
      await watchPages(context)
      await measure(await context.newPage(), name, address, budget)
      await context.close()
    }
    return [...figures, ...imported]
  } finally {
    await browser.close()
  }
}
