import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { monitorPage, skipAfterFailure, type PageMonitor } from './page-monitor.ts'
import { addUser, createApiClient, startProduct, waitForExamples, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
let at: ReturnType<typeof dashboardTools>
let dashboard: number

/** The weather dashboard with a filter of every kind, opened to a user who may read none of its datasets. */
beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  addUser(product, 'vera', 'Gamma')
  await waitForExamples(product.url)
  const admin = await createApiClient(product.url, 'admin')
  const list = async (kind: string) => (await admin.get(`/api/v1/${kind}/?q=(page_size:100)`)).body.result
  dashboard = (await list('dashboard')).find(({ slug }: { slug: string }) => slug === 'weather-and-earth').id
  const datasetId = (await list('dataset')).find(
    ({ table_name }: { table_name: string }) => table_name === 'seattle_weather',
  ).id
  const { id: vera } = (await list('security/users')).find(({ username }: { username: string }) => username === 'vera')
  const filter = (name: string, filterType: string, target: object = {}) => ({
    id: `NATIVE_FILTER-${name}`,
    type: 'NATIVE_FILTER',
    name,
    filterType,
    targets: [{ datasetId, ...target }],
    controlValues: {},
    defaultDataMask: { extraFormData: {}, filterState: {} },
    cascadeParentIds: [],
    scope: { rootPath: ['ROOT_ID'], excluded: [] },
  })
  const modified = [
    filter('Wind', 'filter_range', { column: { name: 'wind' } }),
    filter('Grain', 'filter_timegrain'),
    filter('Column', 'filter_timecolumn'),
  ]
  const saved = await admin.put(`/api/v1/dashboard/${dashboard}/filters`, { modified })
  expect(saved.status).toBe(200)
  const shared = await admin.post(`/api/v1/dashboard/${dashboard}/access`, { subject: 4 * vera + 1 })
  expect(shared.status).toBe(200)
  page = await openSignedInPage(browser, product.url, { username: 'vera' })
  monitor = monitorPage(page)
  at = dashboardTools(page, admin)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
skipAfterFailure(() => page)

const expectNoFailure = async () => {
  await at.answered()
  expect(await page.locator('figure').count()).toBeGreaterThan(3)
  expect(await page.locator('figure [role="alert"]').allTextContents()).toEqual([])
  expect(monitor.pageErrors).toEqual([])
}

it('a viewer without access to any dataset sees every chart and uses every kind of filter', async () => {
  await at.open(dashboard)
  await expectNoFailure()
  await page.getByRole('combobox', { name: 'Weather' }).click()
  await page.getByRole('option', { name: /^rain/ }).click()
  await page.keyboard.press('Escape')
  await expectNoFailure()
  for (const name of ['Grain', 'Column']) {
    await page.getByRole('combobox', { name }).click()
    await page.getByRole('option').first().click()
    await page.keyboard.press('Escape')
    await expectNoFailure()
  }
  await page.keyboard.press('Shift+R')
  await expectNoFailure()
})

it('regression: says why a viewer without access to any dataset cannot drill', async () => {
  const figure = at.tile('Rain by month').locator('[role="figure"][aria-describedby]')
  await figure.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => figure.locator('[aria-live="polite"]').textContent()).not.toBe('')
  await page.keyboard.press('d')
  const item = (name: string) => page.getByRole('menuitem', { name })
  for (const name of ['Drill to rows', 'Drill by'])
    await expect.poll(() => item(name).getAttribute('aria-disabled')).toBe('true')
  await item('Drill by').hover()
  await page.getByText('You can see only what this dashboard shows').waitFor()
  await page.keyboard.press('Escape')
})
