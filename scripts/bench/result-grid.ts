import { launchBrowser, openSignedInPage } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import { median } from './measure.ts'
import { watchPages } from './watch.ts'

const columns = `date, delay, distance, origin, destination, delay * 2 AS twice, distance / 2.0 AS half,
  origin || '-' || destination AS route, date + INTERVAL 1 DAY AS next, delay > 0 AS late`
const rows = 50_000
const sql = `SELECT ${columns} FROM flights LIMIT ${rows}`
const smallSql = 'SELECT 1 AS one'

/** Runs in the page. The row count of the result grid includes its header. */
const hasGridRows = (count: number): boolean =>
  [...document.querySelectorAll('[role="grid"][aria-rowcount]')].some(
    (grid) =>
      Math.abs(Number(grid.ariaRowCount) - count) <= 1 && grid.querySelector('[role="gridcell"], [role="cell"], td'),
  )

/** SQL Lab: from the click on Run to the first rows of 50,000 x 10 on screen, over the bare engine with the same statement. */
export const resultGrid: Workload = async ({ product, engine, runs }) => {
  const browser = await launchBrowser()
  try {
    const page = await openSignedInPage(browser, product.url, { reducedMotion: 'no-preference' })
    await watchPages(page.context())
    const write = async (text: string): Promise<void> => {
      await page.locator('.cm-content').click()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.insertText(text)
      await page.keyboard.press('Escape')
    }
    const open = async (text: string): Promise<void> => {
      await page.goto(`${product.url}/superset/sqllab/`)
      await page.locator('.cm-content').waitFor()
      await page.getByRole('combobox', { name: 'Row limit' }).click()
      await page.getByRole('option', { name: rows.toLocaleString('en'), exact: true }).click()
      await write(text)
    }
    const run = async (count: number): Promise<number> => {
      const shown = page.evaluate(
        `watch.when(() => watch.clicked > 0 && (${hasGridRows.toString()})(${count})).then((end) => end - watch.clicked)`,
      ) as Promise<number>
      // If the click fails, its error is reported, and not that of the abandoned wait.
      shown.catch(() => {})
      await page.getByRole('button', { name: /^Run/ }).first().click()
      return shown
    }
    const heapMb = async (): Promise<number> => {
      const session = await page.context().newCDPSession(page)
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize, backingStorageSize = 0 } = (await session.send('Runtime.getHeapUsage')) as {
        usedSize: number
        backingStorageSize?: number
      }
      return (usedSize + backingStorageSize) / 1e6
    }
    const [times, floors] = [[] as number[], [] as number[]]
    let [wireKb, keptMb] = [0, 0]
    const repeats = Math.max(4, Math.round(runs / 3))
    for (let turn = -1; turn < repeats; turn += 1) {
      await open(sql)
      const before = turn === repeats - 1 ? await heapMb() : 0
      const ms = await run(rows)
      // Rows are on screen before the last ones have arrived.
      const size = await page.waitForFunction(() => {
        const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        return entries.findLast(({ name }) => name.includes('/sqllab/execute'))?.transferSize
      })
      wireKb = ((await size.jsonValue()) ?? 0) / 1000
      if (turn === repeats - 1) {
        await write(smallSql)
        await run(1)
        keptMb = (await heapMb()) - before
      }
      const floor = await engine.run(sql)
      if (turn < 0) continue
      times.push(ms)
      floors.push(floor)
    }
    return [
      {
        name: 'grid of 50,000 x 10: click to rows',
        unit: 'ms',
        value: median(times),
        runs: repeats,
        floor: median(floors),
        floorIs: 'DuckDB',
        budget: 120,
      },
      { name: 'grid of 50,000 x 10: on the wire', unit: 'KB', value: wireKb, runs: 1, budget: 1000 },
      { name: 'grid of 50,000 x 10: kept after it', unit: 'MB', value: Math.max(0, keptMb), runs: 1, budget: 10 },
    ]
  } finally {
    await browser.close()
  }
}
