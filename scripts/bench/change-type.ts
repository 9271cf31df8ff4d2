import { launchBrowser, openSignedInPage } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import { median } from './measure.ts'
import { watchPages } from './watch.ts'

/** Runs in the page: true if no chart is busy and the chart is drawn. */
const isDrawn = (): boolean =>
  document.querySelector('figure[aria-busy="true"]') === null &&
  document.querySelector('figure [role="figure"][tabindex] canvas') !== null

const types = ['Bar Chart', 'Area Chart', 'Pie Chart', 'Line Chart']

/** Explore: from the click on a tile of another type to its first drawing, including code and data of the type. */
export const changeType: Workload = async ({ product, dashboard, datasets, runs }) => {
  const browser = await launchBrowser()
  try {
    const times: number[] = []
    const count = Math.max(2, Math.round(runs / 5))
    for (let turn = -1; turn < count; turn += 1) {
      const page = await openSignedInPage(browser, product.url)
      await watchPages(page.context())
      await page.goto(`/explore/?slice_id=${dashboard.charts[9]}&datasource_id=${datasets.flights}`)
      await page.evaluate(`watch.when(${isDrawn.toString()})`)
      for (const name of types) {
        await page.evaluate(() => {
          document.querySelectorAll('figure canvas').forEach((canvas) => canvas.setAttribute('data-before', ''))
          watch.clicked = Infinity
        })
        const drawn = page.evaluate(
          `watch.when(() => watch.clicked !== Infinity && !document.querySelector('canvas[data-before]') && (${isDrawn.toString()})())
            .then((end) => end - watch.clicked)`,
        ) as Promise<number>
        drawn.catch(() => {})
        await page.getByRole('group', { name: 'Chart type' }).getByRole('button', { name, exact: true }).click()
        const ms = await drawn
        if (turn >= 0) times.push(ms)
      }
      await page.context().close()
    }
    return [
      {
        name: 'Explore: another type, click to picture',
        unit: 'ms',
        value: median(times),
        runs: times.length,
        budget: 500,
      },
    ]
  } finally {
    await browser.close()
  }
}
