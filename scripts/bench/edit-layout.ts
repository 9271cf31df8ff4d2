import type { CDPSession, Locator, Page } from 'playwright-core'
import { launchBrowser, openSignedInPage } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import { measurePaint, viewport } from './dashboard-page.ts'
import { percentile95, median } from './measure.ts'
import { createDashboard } from './twenty-charts.ts'
import { watchPages } from './watch.ts'

const count = 100
/** Pointer moves in one drag, one per frame. */
const moves = 60
const drags = 3

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Start, duration, and CPU time, in microseconds. */
  ts: number
  dur?: number
  tdur?: number
}

const frame = 'ProxyMain::BeginMainFrame'
const task = 'ThreadControllerImpl::RunTask'

/** Milliseconds that the thread of the page worked for each of its frames, without other programs and drawing. */
function measureFrameWork(events: readonly TraceEvent[]): number[] {
  const byThread = Map.groupBy(events, ({ pid, tid }) => `${pid} ${tid}`)
  const framesIn = (thread: readonly TraceEvent[]) => thread.filter(({ name }) => name === frame)
  const [page = []] = [...byThread.values()].toSorted((a, b) => framesIn(b).length - framesIn(a).length)
  const begins = framesIn(page)
    .map(({ ts }) => ts)
    .toSorted((a, b) => a - b)
  const tasks = page.filter(({ name }) => name === task).toSorted((a, b) => a.ts - b.ts)
  const work: number[] = []
  let sum = 0
  let next = 0
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    sum += tdur / 1000
    const before = next
    while (next < begins.length && begins[next]! <= ts + dur) next += 1
    // The task that produces the frame ends it.
    if (next === before) continue
    work.push(sum)
    sum = 0
  }
  return work
}

async function workDuring(session: CDPSession, act: () => Promise<void>): Promise<number[]> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]))
  session.on('Tracing.dataCollected', collect)
  const traceConfig = { includedCategories: ['toplevel', 'cc'] }
  await session.send('Tracing.start', { traceConfig, transferMode: 'ReportEvents' })
  await act()
  const isComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await isComplete
  session.off('Tracing.dataCollected', collect)
  return measureFrameWork(events)
}

async function findCenter(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('what is dragged is not on the page')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Drags there, back and there again, across many drop targets. @returns the work of the page for each frame */
async function drag(page: Page, session: CDPSession, from: Locator, by: { x: number; y: number }): Promise<number[]> {
  await from.scrollIntoViewIfNeeded()
  const { x, y } = await findCenter(from)
  const framed = async (act: () => Promise<void>) => {
    await act()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  }
  await page.mouse.move(x, y)
  return workDuring(session, async () => {
    await framed(() => page.mouse.down())
    for (let index = 1; index <= moves; index += 1) {
      const share = 1 - Math.abs((((index / moves) * 3) % 2) - 1)
      await framed(() => page.mouse.move(x + by.x * share, y + by.y * share))
    }
    if ((await page.locator('body > canvas').count()) === 0) throw new Error('nothing was dragged')
    await framed(() => page.mouse.up())
  })
}

/**
 * Editing a dashboard of a hundred charts: the work of the page for a frame while a chart is dragged over others and dropped, and
 * while it is resized at its corner.
 */
export const editLayout: Workload = async ({ client, product, datasets }) => {
  const board = await createDashboard(client, datasets.flights, count)
  const browser = await launchBrowser()
  try {
    const signed = await openSignedInPage(browser, product.url)
    const storageState = await signed.context().storageState()
    const context = await browser.newContext({ viewport, storageState })
    await watchPages(context)
    const page = await context.newPage()
    await measurePaint(page, `${product.url}/superset/dashboard/${board.id}/`, count)
    const session = await context.newCDPSession(page)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    const [dragged, resized]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < drags; turn += 1) {
      const tile = page.locator(`[data-test-chart-id="${board.charts[turn * 4]}"]`)
      await tile.hover()
      dragged.push(...(await drag(page, session, tile.locator('[data-drag-handle]').first(), { x: 700, y: 500 })))
      const corner = tile.locator('xpath=..').locator('[data-edge="corner"]')
      resized.push(...(await drag(page, session, corner, { x: 300, y: 200 })))
    }
    const figures = (name: string, times: number[]) => {
      const of = { unit: 'ms' as const, runs: times.length }
      return [
        { ...of, name: `editing 100 charts, ${name}: work for a frame`, value: median(times) },
        { ...of, name: `editing 100 charts, ${name}: 95 of 100`, value: percentile95(times), budget: 17 },
        { ...of, name: `editing 100 charts, ${name}: most`, value: Math.max(...times) },
      ]
    }
    return [...figures('drag', dragged), ...figures('resize', resized)]
  } finally {
    await browser.close()
  }
}
