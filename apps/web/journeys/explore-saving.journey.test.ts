import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
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

it('regression: a name typed before "+ New dashboard" becomes the title of the new one', async () => {
  await explore.openDataset('penguins', '&viz_type=pie')
  await page.keyboard.press('Control+s')
  await explore.dialog().getByRole('combobox', { name: 'Add to dashboard' }).click()
  await page.keyboard.type('Birds')
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.getByRole('option', { name: '+ New dashboard' }).click()
  const title = explore.dialog().getByRole('textbox', { name: 'New dashboard title' })
  expect(await title.inputValue()).toBe('Birds')
  await explore.dialog().getByRole('button', { name: 'Cancel' }).click()
})

describe('saving', () => {
  it('EXP-002, EXP-088, CHART-013: a new chart is saved under a name, and its ID is in the URL', async () => {
    await explore.drawnChart().waitFor()
    await page.keyboard.press('Control+s')
    await explore.dialog().getByLabel('Chart name').fill('Penguins of the journey')
    await explore.dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await explore.toast('Chart [Penguins of the journey] has been saved')
    await page.waitForURL(/slice_id=\d+/)
    const id = Number(new URL(page.url()).searchParams.get('slice_id'))
    explore.charts.set('Penguins of the journey', id)
    const { body } = await client.get(`/api/v1/chart/${id}`)
    expect(JSON.parse(body.result.params)).toMatchObject({
      viz_type: 'pie',
      datasource: `${explore.datasets.get('penguins')}__table`,
    })
    expect(JSON.parse(body.result.params).url_params).toBeUndefined()
  })

  it('EXP-089: an owner overwrites it, and no changes stay unsaved', async () => {
    await page.getByRole('tab', { name: 'Style' }).click()
    await explore.controls().getByLabel('Donut').check()
    await explore.unsaved().waitFor()
    await page.keyboard.press('Control+s')
    expect(await explore.dialog().getByRole('radio', { name: 'Save (overwrite)' }).isChecked()).toBe(true)
    await explore.dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await explore.toast('Chart [Penguins of the journey] has been overwritten')
    await explore.unsaved().waitFor({ state: 'detached' })
  })

  it('EXP-086: a failed save is reported in the dialog, and nothing is lost', async () => {
    await intercept(page, '**/api/v1/chart/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, body: '{"message":"full disk"}' })
        : route.fallback(),
    )
    await page.keyboard.press('Control+s')
    await explore.dialog().getByRole('button', { name: 'Save', exact: true }).click()
    const alert = explore.dialog().getByRole('alert')
    await alert.getByText('Failed to save slice').waitFor()
    await alert.getByText('full disk').waitFor()
    await page.unroute('**/api/v1/chart/*')
    await page.keyboard.press('Escape')
  })

  it('EXP-087: dashboards that cannot be listed are reported in the dialog', async () => {
    await intercept(page, '**/api/v1/dashboard/?*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.keyboard.press('Control+s')
    await explore.dialog().getByRole('combobox', { name: 'Add to dashboard' }).click()
    await explore.dialog().getByRole('alert').getByText('Could not load your dashboards.').waitFor()
    await page.unroute('**/api/v1/dashboard/?*')
    await explore.dialog().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('EXP-003, EXP-081 to EXP-084: the star is set and removed', async () => {
    const star = explore.button(/^Favorite Penguins/)
    await star.click()
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true')
    const status = () =>
      client
        .get(`/api/v1/chart/favorite_status/?q=!(${explore.charts.get('Penguins of the journey')})`)
        .then(({ body }) => body.result[0].value)
    await expect.poll(status).toBe(true)
    await page.reload()
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true')
    await star.click()
    await expect.poll(status).toBe(false)
  })

  it('EXP-085: a rejected star is reset with a message', async () => {
    await intercept(page, '**/favorites/', (route) => route.fulfill({ status: 500, body: '{}' }))
    const star = explore.button(/^Favorite Penguins/)
    await star.click()
    await explore.toast('An error occurred while starring this chart')
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('false')
    await page.unroute('**/favorites/')
  })

  it('EXP-011: a chart is added to the dashboard that it was opened from', async () => {
    const { body } = await client.post('/api/v1/dashboard/', { dashboard_title: 'Of the journey' })
    await page.goto(`/explore/?slice_id=${explore.charts.get('Penguins of the journey')}&dashboard_id=${body.id}`)
    await explore.drawnChart().waitFor()
    await page.keyboard.press('Control+Shift+s')
    await explore.dialog().getByLabel('Chart name').fill('Penguins on a dashboard')
    await explore.dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await explore.toast('Chart [Penguins on a dashboard] has been saved')
    const { body: on } = await client.get(`/api/v1/dashboard/${body.id}/charts`)
    expect(on.result.map(({ slice_name }: { slice_name: string }) => slice_name)).toEqual(['Penguins on a dashboard'])
  })

  it('EXP-007, DASH-083: offers the rows of the chart, samples, SQL for SQL Lab and a file', async () => {
    await explore.openChart('Busiest airports')
    await explore.drawnChart().waitFor()
    await page.getByRole('grid', { name: 'Results' }).waitFor()
    const unread = { status: 200, body: '' }
    await intercept(page, '**/api/v1/chart/data', (route) => route.fulfill(unread), { times: 1 })
    await page.getByRole('tab', { name: 'Samples' }).click()
    await page.getByText('Sorry, an error occurred', { exact: true }).waitFor()
    await explore.button('Try again').click()
    const samples = page.getByRole('grid', { name: 'Samples' })
    // Times are formatted as in a table, year first.
    await samples
      .getByRole('gridcell', { name: /^\d{4}-\d\d-\d\d/ })
      .first()
      .waitFor()
    await explore.button('Chart actions').click()
    await page.getByRole('menuitem', { name: 'View query' }).click()
    await page.locator('pre', { hasText: 'GROUP BY' }).waitFor()
    const link = page.getByRole('link', { name: 'Open in SQL Lab' })
    expect(decodeURIComponent((await link.getAttribute('href')) ?? '')).toContain('GROUP BY')
    for (const [name, ending] of [
      ['CSV', 'csv'],
      ['Excel', 'xlsx'],
      ['Parquet', 'parquet'],
    ] as const) {
      await explore.button('Chart actions').click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: `Download as ${name}` }).click(),
      ])
      expect(file.suggestedFilename()).toBe(`Busiest airports.${ending}`)
    }
  })

  it('EXP-006, EXP-020, DSET-029, DSET-031: the query is saved as a dataset, which Explore opens', async () => {
    await explore.button('Dataset actions').click()
    await page.getByRole('menuitem', { name: 'Save as dataset' }).click()
    await page.getByRole('dialog', { name: 'Save as dataset' }).getByLabel('Name').fill('busy airports')
    await explore.dialog().getByRole('button', { name: 'Save and explore' }).click()
    await page.waitForURL(/explore\/\?datasource_id=\d+/)
    await page.getByRole('region', { name: 'Dataset' }).getByText('busy airports').waitFor()
    const { body } = await client.get(
      '/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:%27busy airports%27)))',
    )
    expect(body.count).toBe(1)
  })

  it('an unsaved change survives an immediate reload, and opens by its URL in another window', async () => {
    await explore.openChart('Rain by month')
    await page.getByRole('tab', { name: 'Style' }).click()
    await explore.controls().getByLabel('Show values').check()
    await page.reload()
    await explore.unsaved().waitFor()
    await page.getByRole('tab', { name: 'Style' }).click()
    expect(await explore.controls().getByLabel('Show values').isChecked()).toBe(true)
    await explore.controls().getByLabel('Data zoom').check()
    await page.waitForURL(/form_data_key=/)
    const other = await openSignedInPage(browser, product.url)
    await other.goto(page.url())
    await other.getByText('Unsaved changes').waitFor()
    await other.context().close()
  })

  it('EXP-008: a shared link opens the same chart', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await explore.button('Share').click()
    await page.getByRole('button', { name: /Copy/ }).first().click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('/superset/explore/p/')
    const link = await page.evaluate(() => navigator.clipboard.readText())
    await page.goto(link)
    await explore.unsaved().waitFor()
    await page.getByRole('heading', { level: 1, name: 'Rain by month' }).waitFor()
  })

  it('EXP-004, EXP-022, CTRL-015, CTRL-017, CTRL-047: another dataset is swapped in, and what it lacks is marked', async () => {
    await explore.openChart('Rain by month')
    await explore.button('Chart actions').click()
    await page.getByRole('menuitem', { name: 'Swap dataset' }).click()
    await explore.dialog().getByRole('textbox', { name: 'Search datasets' }).fill('penguins')
    await explore.dialog().getByRole('button', { name: 'penguins', exact: true }).click()
    await explore.dialog().getByRole('button', { name: 'Proceed' }).click()
    await explore.toast('Dataset changed to penguins')
    await page.getByRole('region', { name: 'Dataset' }).getByText('penguins', { exact: true }).waitFor()
    await page.getByTitle('This column might be incompatible with current dataset').first().waitFor()
    const missing = page.getByTitle('This metric might be incompatible with current dataset').first()
    await missing.waitFor()
    await explore.button('Save').click()
    await explore.dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await missing.waitFor({ state: 'detached' })
    await explore.button('Undo').click()
    await missing.waitFor()
  })

  it('the properties of a chart, including its cache timeout, are edited in Explore', async () => {
    const params = { viz_type: 'table', query_mode: 'raw', all_columns: ['date'], row_limit: 5 }
    const id = await explore.createChart('To be described', 'seattle_weather', params)
    await explore.openChart('To be described')
    await explore.button('Chart actions').click()
    await page.getByRole('menuitem', { name: 'Edit chart properties' }).click()
    const properties = page.getByRole('dialog', { name: 'Properties' })
    await properties.getByRole('textbox', { name: 'Name' }).fill('Described')
    await properties.getByRole('textbox', { name: 'Description' }).fill('Days of **rain**')
    await properties.getByRole('spinbutton', { name: 'Cache timeout' }).fill('90')
    await properties.getByRole('textbox', { name: 'Certified by' }).fill('Ada')
    await properties.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Described' }).waitFor()
    expect(await explore.unsaved().count()).toBe(0)
    expect((await client.get(`/api/v1/chart/${id}`)).body.result).toMatchObject({
      slice_name: 'Described',
      description: 'Days of **rain**',
      cache_timeout: 90,
      certified_by: 'Ada',
    })
  })
})
