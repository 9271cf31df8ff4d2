import type { CDPSession, Page } from 'playwright-core'
import { launchBrowser, openSignedInPage } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import type { Figure } from './figure.ts'
import { measureHeap, type HeapUsage } from './heap.ts'
import { measurePaint, viewport } from './dashboard-page.ts'
import { createDashboard } from './twenty-charts.ts'
import { watchPages } from './watch.ts'

const intervalSeconds = 10
const perMinute = 60 / intervalSeconds
const rounds = 60 * perMinute

/** Advances the mocked clock by one interval and waits until every chart has its data. */
async function refreshOnce(page: Page): Promise<void> {
  await page.clock.runFor(intervalSeconds * 1000)
  await page.waitForFunction(() => document.querySelector('figure[aria-busy="true"]') === null, undefined, {
    polling: 20,
  })
}

interface PageRetention extends HeapUsage {
  nodes: number
}

/** Memory of the page, without the records of the benchmark. */
async function measureRetention(page: Page, session: CDPSession): Promise<PageRetention> {
  await page.evaluate(() => void (watch.tasks.length = 0))
  const heap = await measureHeap(session)
  const { nodes } = await session.send('Memory.getDOMCounters')
  return { ...heap, nodes }
}

/**
 * A dashboard that is refreshed every ten seconds for an hour of a mocked clock: memory of its page after the hour, compared with
 * that after a minute. Results are cached (`DASHBOARD_AUTO_REFRESH_MODE` of the bench), since only the page is measured.
 */
export const refreshHour: Workload = async ({ client, product, datasets }) => {
  const board = await createDashboard(client, datasets.flights)
  const { result } = await client.json<{ result: { json_metadata: string } }>('GET', `/api/v1/dashboard/${board.id}`)
  const metadata = {
    ...(JSON.parse(result.json_metadata) as object),
    refresh_frequency: intervalSeconds,
    stagger_time: 0,
  }
  await client.json('PUT', `/api/v1/dashboard/${board.id}`, { json_metadata: JSON.stringify(metadata) })
  const browser = await launchBrowser()
  try {
    const signed = await openSignedInPage(browser, product.url)
    const storageState = await signed.context().storageState()
    const context = await browser.newContext({ viewport, storageState, reducedMotion: 'reduce' })
    await watchPages(context)
    const page = await context.newPage()
    let requestCount = 0
    page.on('request', (request) => (requestCount += request.url().endsWith('/data') ? 1 : 0))
    await page.clock.install()
    await measurePaint(page, `${product.url}/superset/dashboard/${board.id}/`)
    const session = await context.newCDPSession(page)
    for (let round = 0; round < perMinute; round += 1) await refreshOnce(page)
    const first = await measureRetention(page, session)
    const before = requestCount
    for (let round = perMinute; round < rounds; round += 1) await refreshOnce(page)
    if (requestCount - before < rounds - perMinute)
      throw new Error(`only ${requestCount - before} refreshes were asked for`)
    const last = await measureRetention(page, session)
    const floorIs = 'after the first minute'
    const when = 'page after an hour of refresh'
    return [
      {
        name: `${when}: what it keeps`,
        unit: 'MB',
        value: last.retainedMB,
        floor: first.retainedMB,
        budget: first.retainedMB * 1.1,
      },
      // Functions that are called for an hour are compiled more than once, but not endlessly.
      { name: `${when}: its compiled scripts`, unit: 'MB', value: last.compiledMB, floor: first.compiledMB },
      { name: `${when}: nodes`, unit: 'nodes', value: last.nodes, floor: first.nodes, budget: first.nodes * 1.1 },
    ].map((figure) => ({ ...figure, runs: 1, floorIs }) as Figure)
  } finally {
    await browser.close()
  }
}
