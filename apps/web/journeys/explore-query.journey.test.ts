import type { Page, Request, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { exploreTools } from './explore-tools.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let explore: Awaited<ReturnType<typeof exploreTools>>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(15_000)
  explore = await exploreTools(page, client)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

async function addSqlMetric(expression: string): Promise<void> {
  await explore.control('Metrics').getByRole('button', { name: 'Add a metric' }).click()
  await explore.dialog().getByRole('tab', { name: 'Custom SQL' }).click()
  await explore.dialog().getByLabel('SQL expression').fill(expression)
  await explore.dialog().getByRole('button', { name: 'Save' }).click()
}

describe('opening', () => {
  it('EXP-015: says which parameters are missing', async () => {
    await page.goto('/explore/')
    await page.getByRole('heading', { name: 'Missing URL parameters' }).waitFor()
    await page.getByText('The URL is missing the dataset_id or slice_id parameters.').waitFor()
  })

  it('EXP-009: opens the chart in the URL, with nothing unsaved', async () => {
    await explore.openChart('Rain by month')
    await explore.drawnChart().waitFor()
    expect(await explore.unsaved().count()).toBe(0)
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('EXP-010, EXP-031: opens the dataset in the URL, and draws a suggested chart', async () => {
    await explore.openDataset('seattle_weather')
    await page.getByRole('region', { name: 'Dataset' }).getByText('seattle_weather').waitFor()
    await explore.drawnChart().waitFor()
  })

  it('EXP-012, EXP-072: opens with the chart type in the URL', async () => {
    await explore.openDataset('seattle_weather', '&viz_type=pie')
    await expect.poll(() => explore.button('Pie Chart').getAttribute('aria-pressed')).toBe('true')
  })

  it('EXP-013: shows only the chart in standalone mode', async () => {
    await page.goto(`/explore/?slice_id=${explore.charts.get('Rain by month')}&standalone=1`)
    await explore.drawnChart().waitFor()
    expect(await explore.controls().count()).toBe(0)
  })

  it('EXP-014: queries the database although the result is cached', async () => {
    const body = await explore.dataRequest(() =>
      page.goto(`/explore/?slice_id=${explore.charts.get('Rain by month')}&force=true`),
    )
    expect(body.force).toBe(true)
  })

  it('EXP-016: says that the dataset is missing, and offers to swap it', async () => {
    await page.goto('/explore/?datasource_type=table&datasource_id=99999')
    await page.getByRole('heading', { name: 'Missing dataset' }).waitFor()
    await page.getByText('The dataset linked to this chart may have been deleted.').waitFor()
    await explore.button('Swap dataset').click()
    await page.getByRole('dialog', { name: 'Swap dataset' }).waitFor()
  })
})

describe('querying', () => {
  it('EXP-068: sends datasource, force, queries, form data, format and type', async () => {
    const body = await explore.dataRequest(() => explore.openChart('Busiest airports'))
    expect(body).toMatchObject({
      datasource: { id: explore.datasets.get('flights'), type: 'table' },
      force: false,
      result_format: 'json',
      result_type: 'full',
    })
    expect(body.queries).toHaveLength(1)
    expect(body.form_data.viz_type).toBe('echarts_timeseries_bar')
  })

  it('CHART-016, CHART-017: Ctrl-Enter bypasses the cache, and a style change sends no query', async () => {
    await explore.drawnChart().waitFor()
    expect((await explore.dataRequest(() => page.keyboard.press('Control+Enter'))).force).toBe(true)
    await page.getByRole('tab', { name: 'Style' }).click()
    const requests: string[] = []
    const listen = (each: Request) => void (each.url().endsWith('/api/v1/chart/data') && requests.push(each.url()))
    page.on('request', listen)
    onTestFinished(() => void page.off('request', listen))
    await explore.controls().getByLabel('Data zoom').check()
    await explore.unsaved().waitFor()
    // The edited form is stored a second after the change, later than any data request for it.
    await page.waitForURL(/form_data_key=/)
    expect(requests).toEqual([])
  })

  it('CHART-002, CHART-003, CHART-006: a running query can be stopped, and the page says so', async () => {
    const held: Route[] = []
    await intercept(page, '**/api/v1/chart/data', (route) => void held.push(route))
    await explore.openWithoutData('Rain by month')
    await page.locator('figure[aria-busy=true]').first().waitFor()
    await explore.button('Stop').click()
    await page.getByText('Updating chart was stopped').waitFor()
    await page.unroute('**/api/v1/chart/data')
    await explore.button('Run again').click()
    await explore.drawnChart().waitFor()
  })

  it('CHART-019: a superseded query shows no error', async () => {
    let isHeld = true
    await intercept(page, '**/api/v1/chart/data', (route) => (isHeld ? undefined : route.fallback()))
    await page.keyboard.press('Control+Enter')
    await page.locator('figure[aria-busy=true]').first().waitFor()
    isHeld = false
    const overtaken = page.waitForEvent('requestfailed', (each) => each.url().endsWith('/api/v1/chart/data'))
    await explore.button('Table').click()
    await overtaken
    await page.getByRole('figure').getByRole('grid').waitFor()
    expect(await page.getByRole('figure').getByRole('alert').count()).toBe(0)
    await page.unroute('**/api/v1/chart/data')
  })

  it('CHART-004, CHART-005, CHART-018: a query without a response shows Network error., and the next response clears it', async () => {
    await intercept(page, '**/api/v1/chart/data', (route) => route.abort())
    await explore.openWithoutData('Rain by month')
    await page.getByRole('alert').getByText('Network error.').waitFor()
    await page.unroute('**/api/v1/chart/data')
    await explore.button('Try again').click()
    await explore.drawnChart().waitFor()
    expect(await page.getByText('Network error.').count()).toBe(0)
  })

  it('CHART-009, CHART-020: a failed query shows the message of the engine in the frame', async () => {
    await addSqlMetric('SUM(CAST(weather AS INTEGER))')
    await page
      .getByRole('figure')
      .getByText(/Could not convert/)
      .first()
      .waitFor()
    await explore.button('Try again').waitFor()
    await page.keyboard.press('Escape')
    await explore.button('Undo').click()
    await explore.drawnChart().waitFor()
    expect(await explore.unsaved().count()).toBe(0)
  })

  it('CTRL-002, CTRL-021: an empty required control is reported and blocks running', async () => {
    await explore
      .control('Metrics')
      .getByRole('button', { name: /^Remove/ })
      .click()
    await explore.controls().getByText('Metrics cannot be empty').waitFor()
    await explore.controls().getByText('Fix these controls: Metrics').waitFor()
    expect(await explore.button('Update chart').first().getAttribute('aria-disabled')).toBe('true')
  })

  it('EXP-094: the row count is marked when it reaches the limit', async () => {
    const form = { viz_type: 'table', query_mode: 'raw', all_columns: ['date', 'precipitation'], row_limit: 20 }
    await explore.createChart('Some days', 'seattle_weather', form)
    await explore.openChart('Some days')
    await page.getByText(/^\d+ rows \(Limit reached\)/).hover()
    await page.getByRole('tooltip', { name: 'Limit reached' }).waitFor()
  })

  it('regression: an intended limit shows no warning', async () => {
    await explore.openChart('Wettest days')
    await page.getByText('Top 20', { exact: true }).waitFor()
    expect(await page.getByText('Limit reached').count()).toBe(0)
  })
})
