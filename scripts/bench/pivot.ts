import { servePage } from '@parquetry/charts/testing/serve-page'
import { launchBrowser } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import { percentile95, median } from './measure.ts'

const steps = 40
const ways: Record<string, [x: number, y: number]> = { down: [0, 60], across: [60, 0], 'a screen down': [0, 560] }

/** A pivot table of 93,000 cells: work of the page for each step of a scroll, until the next frame. */
export const pivot: Workload = async () => {
  const served = await servePage(new URL('pivot-page/', import.meta.url))
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 700 } })
    await page.goto(served.url)
    await page.locator('[role=gridcell]').first().waitFor()
    const measured: [name: string, times: number[]][] = []
    for (const [name, [x, y]] of Object.entries(ways)) {
      const times = await page.evaluate(
        async ({ x, y, steps }) => {
          const grid = document.querySelector('[role=grid]')
          if (!grid) throw new Error('There is no grid.')
          grid.scrollTo(0, 0)
          const frame = () =>
            new Promise<void>((painted) =>
              requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel()
                port1.addEventListener('message', () => painted(), { once: true })
                port1.start()
                port2.postMessage(null)
              }),
            )
          await frame()
          const all: number[] = []
          for (let step = 0; step < steps; step++) {
            grid.scrollBy(x, y)
            // the wait for the frame does not count: its work begins with it
            const begun = await new Promise<number>((done) => requestAnimationFrame(() => done(performance.now())))
            await frame()
            all.push(performance.now() - begun)
          }
          return all
        },
        { x, y, steps },
      )
      measured.push([name, times])
    }
    return measured.flatMap(([name, times]) => [
      { name: `pivot of 93,000, ${name}: a step`, unit: 'ms' as const, value: median(times), runs: steps },
      {
        name: `pivot of 93,000, ${name}: 95 of 100`,
        unit: 'ms' as const,
        value: percentile95(times),
        runs: steps,
        budget: 50,
      },
    ])
  } finally {
    await browser.close()
    await served.close()
  }
}
