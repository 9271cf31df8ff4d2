import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Request, WebSocket } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { monitorPage, skipAfterFailure, type PageMonitor } from './page-monitor.ts'
import { createApiClient, startProduct, waitForExamples, type Product } from './product.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-config-'))
const socketPath = /\/api\/v1\/async_event\/ws/
let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
/** Charts that no test has opened, so that their results are not cached. */
let charts: { id: number; slice_name: string }[]
const sockets: WebSocket[] = []
const received: { job_id: string; result_url: string }[] = []
const requests: Request[] = []

beforeAll(async () => {
  const path = join(folder, 'config.json')
  writeFileSync(
    path,
    JSON.stringify({ FEATURE_FLAGS: { GLOBAL_ASYNC_QUERIES: true }, GLOBAL_ASYNC_QUERIES_TRANSPORT: 'ws' }),
  )
  product = await startProduct({ env: { PARQUETRY_CONFIG: path } })
  browser = await openBrowser()
  await waitForExamples(product.url)
  const admin = await createApiClient(product.url, 'admin')
  const { body } = await admin.get(
    '/api/v1/chart/?q=(columns:!(id,slice_name),filters:!((col:viz_type,opr:eq,value:echarts_timeseries_bar)))',
  )
  charts = body.result as typeof charts
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(15_000)
  monitor = monitorPage(page)
  page.on('request', (request) => requests.push(request))
  page.on('websocket', (socket) => {
    sockets.push(socket)
    socket.on('framereceived', ({ payload }) => received.push(JSON.parse(String(payload)) as (typeof received)[0]))
  })
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})
skipAfterFailure(() => page)

const pathsOf = (all: readonly Request[]): string[] => all.map((request) => new URL(request.url()).pathname)
const polls = (): number => pathsOf(requests).filter((path) => path === '/api/v1/async_event/').length

async function openChart(): Promise<void> {
  const { id, slice_name } = charts.pop()!
  await page.goto(`/explore/?slice_id=${id}`)
  await page.getByRole('figure', { name: slice_name }).locator('canvas').first().waitFor()
}

it('API-083, API-084: Explore gets a chart over the socket: its event, then the result at its address', async () => {
  await openChart()
  expect(sockets.map((socket) => new URL(socket.url()).pathname)).toEqual(['/api/v1/async_event/ws'])
  expect(received.length).toBeGreaterThan(0)
  for (const { result_url } of received) expect(pathsOf(requests)).toContain(result_url)
  expect(polls()).toBe(0)
})

it('API-083: the socket closes when its user signs out in another tab', async () => {
  const socket = sockets.at(-1)!
  expect(socket.isClosed()).toBe(false)
  const closed = socket.waitForEvent('close')
  const other = await page.context().newPage()
  await other.goto('/logout/')
  await closed
  await other.close()
})

it('API-082: polls for events when sockets do not hold', async () => {
  expect(monitor.pageErrors.filter((error) => !/ 401 /.test(error))).toEqual([])
  page = await openSignedInPage(browser, product.url)
  monitor = monitorPage(page)
  page.setDefaultTimeout(15_000)
  await page.clock.install()
  let opened = 0
  await page.routeWebSocket(socketPath, (socket) => {
    opened += 1
    void socket.close()
  })
  requests.length = 0
  page.on('request', (request) => requests.push(request))
  const { id, slice_name } = charts.pop()!
  await page.goto(`/explore/?slice_id=${id}`)
  await expect
    .poll(async () => {
      await page.clock.fastForward(2500)
      return polls()
    })
    .toBeGreaterThan(0)
  expect(opened).toBe(7)
  await page.getByRole('figure', { name: slice_name }).locator('canvas').first().waitFor()
  expect(monitor.pageErrors).toEqual([])
})
