import { setTimeout } from 'node:timers/promises'
import { launchBrowser, openSignedInPage } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import { measurePaint, prefetchPauseMs, viewport } from './dashboard-page.ts'
import { median } from './measure.ts'
import { setCaching, createDashboard } from './twenty-charts.ts'
import { watchPages } from './watch.ts'

const counts = [20, 100] as const

/** The cold page of a hundred charts, each with a different query, compared with that of twenty. */
export const growth: Workload = async ({ client, product, datasets, runs }) => {
  const boards = [
    await createDashboard(client, datasets.flights, counts[0]),
    await createDashboard(client, datasets.flights, counts[1]),
  ]
  const times: [number[], number[]] = [[], []]
  const turns = Math.max(3, Math.round(runs / 4))
  const browser = await launchBrowser()
  try {
    const signed = await openSignedInPage(browser, product.url)
    const storageState = await signed.context().storageState()
    await signed.context().close()
    for (const board of boards) await setCaching(client, board, false)
    for (let turn = -1; turn < turns; turn += 1)
      for (const [at, board] of boards.entries()) {
        const context = await browser.newContext({ viewport, storageState })
        await watchPages(context)
        const page = await context.newPage()
        await setTimeout(prefetchPauseMs)
        const ms = await measurePaint(page, `${product.url}/superset/dashboard/${board.id}/`, counts[at])
        if (turn >= 0) times[at]!.push(ms)
        await context.close()
      }
  } finally {
    await browser.close()
  }
  const [few, many] = times.map(median) as [number, number]
  return [
    {
      name: 'page of 100: cold',
      unit: 'ms',
      value: many,
      runs: turns,
      floor: few,
      floorIs: 'the page of twenty of them',
      budget: few * 4,
    },
  ]
}
