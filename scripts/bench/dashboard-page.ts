import { setTimeout } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { launchBrowser, openSignedInPage } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import { fetchDashboardData, fetchDashboardStatements } from './dashboard.ts'
import { openFloorPage } from './floor-page.ts'
import { median } from './measure.ts'
import { forms, setCaching } from './twenty-charts.ts'
import { longestTask, watchPages } from './watch.ts'

/** Longer than the server waits before it prefetches the same dashboard again for the same user. */
export const prefetchPauseMs = 5_500

export const viewport = { width: 1600, height: 1900 }

/** Runs in the page: true if `count` charts are painted and none is loading. */
const allPainted = (count: number): boolean => {
  const figures = [...document.querySelectorAll('figure')]
  return (
    figures.length === count &&
    figures.every((figure) => {
      if (figure.ariaBusy !== 'false' || figure.querySelector('[aria-busy="true"]')) return false
      const isPlotted = figure.querySelector('[role="figure"][tabindex]') !== null
      const text = (figure.textContent ?? '').length
      return isPlotted ? figure.querySelector('canvas') !== null : text > (figure.ariaLabel ?? '').length
    })
  )
}

/** Opens a dashboard. @returns milliseconds until all of its charts are painted */
export async function measurePaint(page: Page, url: string, count = 20): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate(`watch.when(() => (${allPainted.toString()})(${count}))`)
}

/** Number of requests, including the page itself. */
const countRequests = (page: Page): Promise<number> =>
  page.evaluate(() => 1 + performance.getEntriesByType('resource').length)

async function measureFloor(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate(() => watch.when(() => 'painted' in window))
}

/** Selects or clears a value of the origin filter. @returns milliseconds from the click until all charts are idle */
async function filterBy(page: Page, place: number): Promise<number> {
  const box = page.getByRole('combobox', { name: 'From' })
  if ((await box.getAttribute('aria-expanded')) !== 'true') await box.click()
  const settled = page.getByRole('option').nth(place)
  await settled.waitFor()
  await page.evaluate(() => void (watch.clicked = Infinity))
  const rest = page.evaluate(() => watch.settled('figure').then((end) => end - watch.clicked))
  await settled.click()
  return rest
}

interface Times {
  cold: number[]
  warm: number[]
  filterCold: number[]
  filterWarm: number[]
}
const noTimes = (): Times => ({ cold: [], warm: [], filterCold: [], filterWarm: [] })

/** The dashboard of twenty charts in a browser, compared with a bare page of the same charts. */
export const dashboardPage: Workload = async (bench) => {
  const { client, dashboard, product, engine, datasets } = bench
  const runs = Math.max(3, Math.round(bench.runs / 4))
  const url = `${product.url}/superset/dashboard/${dashboard.id}/`
  const statements = await fetchDashboardStatements(bench)
  const filtered = await fetchDashboardStatements(bench, ['ORD'])
  const charts = dashboard.charts.map((id, index) => ({ id, form: forms[index]![1] }))
  let sql = statements
  let opened = -Infinity
  const floor = await openFloorPage((await fetchDashboardData(bench)).body, charts, () => engine.runAll(sql))
  const browser = await launchBrowser()
  const [ours, bare] = [noTimes(), noTimes()]
  const [tasks, requests]: [number[], number[]] = [[], []]
  try {
    const signed = await openSignedInPage(browser, product.url)
    const storageState = await signed.context().storageState()
    await signed.context().close()
    const open = async (): Promise<BrowserContext> => {
      const context = await browser.newContext({ viewport, storageState })
      await watchPages(context)
      return context
    }
    for (let turn = -1; turn < runs; turn += 1) {
      const times: Times[] = turn < 0 ? [noTimes(), noTimes()] : [ours, bare]
      const [product_, bare_] = times as [Times, Times]
      const context = await open()
      const page = await context.newPage()
      // Nothing is cached, but results will be, as for the first user in the morning.
      await setCaching(client, dashboard, true)
      await client.json('POST', '/api/v1/cachekey/invalidate', { datasource_uids: [`${datasets.flights}__table`] })
      // A page that is opened repeatedly is served as fast, but not prefetched.
      await setTimeout(Math.max(0, opened + prefetchPauseMs - performance.now()))
      opened = performance.now()
      product_.cold.push(await measurePaint(page, url))
      await setCaching(client, dashboard, false)
      if (turn >= 0) {
        tasks.push(await longestTask(page))
        requests.push(await countRequests(page))
      }
      product_.filterCold.push(await filterBy(page, 0))
      await setCaching(client, dashboard, true)
      await measurePaint(page, url)
      await filterBy(page, 0)
      await filterBy(page, 0)
      product_.filterWarm.push(await filterBy(page, 0))
      await filterBy(page, 0)
      product_.warm.push(await measurePaint(page, url))
      await context.close()

      const floorContext = await open()
      const floorPage = await floorContext.newPage()
      sql = statements
      bare_.cold.push(await measureFloor(floorPage, `${floor.url}/?data=cold`))
      bare_.warm.push(await measureFloor(floorPage, floor.url))
      sql = filtered
      const repaint = (what: string): Promise<number> =>
        floorPage.evaluate(`(async () => { const begun = performance.now(); await paint('${what}');
          return (await watch.when(() => true)) - begun })()`)
      bare_.filterCold.push(await repaint('cold'))
      bare_.filterWarm.push(await repaint('warm'))
      await floorContext.close()
    }
  } finally {
    await browser.close()
    floor.close()
  }
  const floorIs = 'bare page of the same pictures'
  const figure = (name: string, arm: keyof Times, timesFloor: number) => {
    const floorMs = median(bare[arm])
    return {
      name: `page of 20: ${name}`,
      unit: 'ms',
      value: median(ours[arm]),
      runs,
      floor: floorMs,
      floorIs,
      budget: timesFloor * floorMs,
    } as const
  }
  return [
    figure('cold', 'cold', 0.9),
    figure('warm', 'warm', 1.8),
    figure('filter, cold', 'filterCold', 0.9),
    figure('filter, cached', 'filterWarm', 1.1),
    { name: 'page of 20: longest task, loading', unit: 'ms', value: median(tasks), runs, budget: 100 },
    { name: 'page of 20: requests', unit: 'requests', value: median(requests), runs, budget: 20 },
  ]
}
