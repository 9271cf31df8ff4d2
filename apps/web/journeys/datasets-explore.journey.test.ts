import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { datasetTools } from './datasets-tools.ts'
import { createApiClient, startProduct, type Product } from './product.ts'
import { buildRawCsv, uploadTable } from './raw-table.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let admin: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof datasetTools>
let raw: number
let sqlDataset: number

beforeAll(async () => {
  product = await startProduct({ env: { PARQUETRY_EXAMPLES: '0' } })
  browser = await openBrowser()
  admin = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  at = datasetTools(page, admin)
  raw = await uploadTable(page, admin, 'raw_orders', buildRawCsv())
  const sql = 'SELECT c01_day AS day, c02_rgn AS region, c03_amt AS amount FROM raw_orders'
  sqlDataset = await at.addSqlDataset(raw, 'by region', sql)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('Explore', () => {
  const openExplore = async (): Promise<void> => {
    await at.clearStorage()
    await page.goto(`/explore/?datasource_type=table&datasource_id=${raw}`)
    await page.getByRole('button', { name: 'Dataset actions' }).waitFor()
  }
  const menu = async (entry: string): Promise<void> => {
    await page.getByRole('button', { name: 'Dataset actions' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  const drawer = (): Locator => page.getByRole('dialog', { name: 'Edit dataset raw_orders' })

  it('EXP-017: the dataset menu has its entries', async () => {
    await openExplore()
    await page.getByRole('button', { name: 'Dataset actions' }).click()
    await page.getByRole('menuitem', { name: 'Save as dataset' }).waitFor()
    const entries = await page.getByRole('menuitem').allTextContents()
    const wanted = ['Edit dataset', 'Swap dataset', 'View in SQL Lab', 'Query preview', 'Save as dataset']
    expect(entries.filter((entry) => wanted.includes(entry))).toEqual(wanted)
    await page.keyboard.press('Escape')
  })

  it('EXP-005, EXP-021, DSET-038, DSET-039, DSET-040, DSET-041, DSET-042: the dataset is edited beside the chart, which uses the changes immediately', async () => {
    await menu('Edit dataset')
    await drawer().getByRole('grid').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('First day')
    await page.keyboard.press('Enter')
    await drawer().getByRole('button', { name: 'Save' }).click()
    const ask = at.alertDialog('Confirm save')
    await ask.getByText('No charts or dashboards use this dataset yet.').waitFor()
    expect(await at.columnOf(raw, 'c01_day')).not.toMatchObject({ verbose_name: 'First day' })
    await ask.getByRole('button', { name: 'Save' }).click()
    await at.toast('The dataset has been saved')
    await drawer().waitFor({ state: 'detached' })
    expect(await at.columnOf(raw, 'c01_day')).toMatchObject({ verbose_name: 'First day' })
    await page.getByRole('button', { name: 'Add First day' }).waitFor()
  })

  it('DSET-043, DSET-044, DSET-045, DSET-046, DSET-048: a failed save says why and loses nothing, and a click outside changes nothing', async () => {
    await menu('Edit dataset')
    await drawer()
      .getByRole('tab', { name: /^Settings/ })
      .click()
    await drawer().getByLabel('Hours offset').fill('often')
    expect(await drawer().getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
    await drawer().getByLabel('Hours offset').fill('2')
    await expect
      .poll(() => drawer().getByRole('button', { name: 'Save' }).getAttribute('aria-disabled'))
      .not.toBe('true')
    await page.mouse.click(20, 300)
    await drawer().waitFor()

    let answer: (() => void) | undefined
    let body = JSON.stringify({ message: 'The disk is full' })
    await intercept(page, `**/api/v1/dataset/${raw}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      await new Promise<void>((resolve) => (answer = resolve))
      return route.fulfill({ status: 500, contentType: 'application/json', body })
    })
    const tryIt = async (words: string): Promise<void> => {
      await drawer().getByRole('button', { name: 'Save' }).click()
      const button = at.alertDialog('Confirm save').getByRole('button', { name: 'Save' })
      await button.click()
      await expect.poll(() => button.getAttribute('aria-busy')).toBe('true')
      await expect.poll(() => answer).toBeDefined()
      answer?.()
      answer = undefined
      await at.alertDialog('Error').getByText(words, { exact: true }).waitFor()
      await at.alertDialog('Error').getByRole('button', { name: 'Back to editing' }).click()
      expect(await drawer().getByLabel('Hours offset').inputValue()).toBe('2')
    }
    await tryIt('The disk is full')
    body = JSON.stringify({ message: '' })
    await tryIt('An error has occurred')
    await page.unroute(`**/api/v1/dataset/${raw}`)
  })

  it('DSET-006, DSET-047, DSET-049, DSET-050: an externally managed dataset cannot be saved, and the legacy editor is offered only when it is enabled', async () => {
    const name = 'a dataset of another system'
    const id = await at.addSqlDataset(raw, name, 'SELECT 1 AS one FROM raw_orders', {
      is_managed_externally: true,
      external_url: 'https://example.com/d',
    })
    await page.goto(`/dataset/${id}?tab=settings`)
    await page.getByText("This dataset is managed externally, and can't be edited in Parquetry").first().waitFor()
    await page.getByRole('link', { name: 'Open external source' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
    // The flag is on by default.
    const explore = `/explore/?datasource_type=table&datasource_id=${id}`
    const legacy = page.getByRole('link', { name: 'Use legacy datasource editor' })
    const ofManaged = page.getByRole('dialog', { name: `Edit dataset ${name}` })
    await page.goto(explore)
    await menu('Edit dataset')
    await ofManaged.getByRole('tab', { name: /^Settings/ }).waitFor()
    expect(await legacy.count()).toBe(0)
    expect(await ofManaged.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
    await intercept(page, '**/explore/?*', async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replace(/("DISABLE_LEGACY_DATASOURCE_EDITOR":\s*)true/, '$1false')
      await route.fulfill({ response: response, body: text })
    })
    await page.goto(explore)
    expect(await page.getByRole('heading', { name, exact: true }).getAttribute('title')).toBe(name)
    await menu('Edit dataset')
    await legacy.click()
    await page.waitForURL(`**/tablemodelview/edit/${id}`)
    await page.unroute('**/explore/?*')
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await openExplore()
    expect(await page.getByRole('heading', { name: 'raw_orders', exact: true }).getAttribute('title')).toBeNull()
  })

  it('DSET-011, DSET-012, DSET-013, DSET-014, DSET-015, DSET-016, DSET-017, DSET-018, DSET-019: another dataset is found, confirmed and swapped in', async () => {
    await menu('Swap dataset')
    const swap = page.getByRole('dialog', { name: 'Swap dataset' })
    await swap.getByText('Warning! Changing the dataset may break the chart if the metadata does not exist.').waitFor()
    const pendingRequest = page.waitForRequest((request) => {
      const url = decodeURIComponent(request.url().replaceAll('+', ' '))
      return url.includes('/api/v1/dataset/?') && url.includes('opr:ct') && url.includes('page_size:25')
    })
    await swap.getByRole('textbox', { name: 'Search datasets' }).or(swap.getByRole('searchbox')).first().fill('region')
    await pendingRequest
    await expect.poll(() => swap.getByRole('row').count()).toBe(2)
    await swap.getByRole('button', { name: 'by region' }).click()
    await swap
      .getByText('Columns, metrics and filters that the new dataset does not have stop working in this chart.')
      .waitFor()
    await swap.getByText(/Missing .* fields?: .*c01_day/).waitFor()
    await swap.getByRole('button', { name: 'Cancel' }).click()
    await swap.getByRole('button', { name: 'by region' }).click()
    await intercept(page, '**/datasource/get/**', (route) =>
      route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"The source is gone"}' }),
    )
    await swap.getByRole('button', { name: 'Proceed' }).click()
    await at.toast('The source is gone')
    await page.unroute('**/datasource/get/**')
    const metadata = page.waitForResponse((response) => response.url().includes(`/datasource/get/table/${sqlDataset}/`))
    await swap.getByRole('button', { name: 'Proceed' }).click()
    await metadata
    await at.toast('Dataset changed to by region')
    await swap.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'by region' }).waitFor()
  })
})

it('DSET-034, DSET-036, DSET-037: a failed save leaves the dialog unchanged; a saved dataset opens with its form stored under a key, with 1000 rows at most', async () => {
  await page.goto(`/explore/?datasource_type=table&datasource_id=${raw}`)
  await page.getByRole('button', { name: 'Dataset actions' }).click()
  await page.getByRole('menuitem', { name: 'Save as dataset' }).click()
  const keep = page.getByRole('dialog', { name: 'Save as dataset' })
  await keep.getByLabel('Name').fill('of days')
  await intercept(page, '**/api/v1/dataset/', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, contentType: 'application/json', body: '{"message":"The disk is full"}' })
      : route.fallback(),
  )
  await keep.getByRole('button', { name: 'Save and explore' }).click()
  await at.toast(/An error occurred saving dataset: The disk is full/)
  expect(await keep.getByLabel('Name').inputValue()).toBe('of days')
  await page.unroute('**/api/v1/dataset/')
  const kept = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('/explore/form_data'),
  )
  await keep.getByRole('button', { name: 'Save and explore' }).click()
  expect(JSON.parse((JSON.parse((await kept).postData() ?? '') as { form_data: string }).form_data)).toMatchObject({
    row_limit: 1000,
  })
  await page.waitForURL(/form_data_key=/)
  await page.getByRole('heading', { name: 'of days', exact: true }).waitFor()
})
