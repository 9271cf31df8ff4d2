import { writeArchive } from '@parquetry/bundle'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { createApiClient, startProduct, type Product } from './product.ts'

const address = 'snowflake://me:XXXXXXXXXX@account/shop?warehouse=wh'
const reason = /^Parquetry cannot connect to Snowflake\. The connection was kept/
const ids = { database: '00000000-0000-4000-8000-000000000001', dataset: '00000000-0000-4000-8000-000000000002' }

let product: Product
let browser: JourneyBrowser
let page: Page
const at = { database: 0, chart: 0, dashboard: 0 }

/** Imports a database with a dataset, as an administrator of another installation exported them. */
async function importBundle(): Promise<void> {
  const files = {
    'databases/shop.yaml': { database_name: 'Shop', sqlalchemy_uri: address, uuid: ids.database, version: '1.0.0' },
    'datasets/shop/orders.yaml': {
      table_name: 'orders',
      uuid: ids.dataset,
      database_uuid: ids.database,
      columns: [{ column_name: 'country', type: 'VARCHAR', groupby: true, filterable: true }],
      metrics: [{ metric_name: 'count', expression: 'COUNT(*)' }],
      version: '1.0.0',
    },
  }
  const metadata = { version: '1.0.0', type: 'Database', timestamp: '2026-01-01T00:00:00+00:00' } as const
  const buffer = await writeArchive({ metadata, files: new Map(Object.entries(files)) }, 'bundle')
  const csrf = await page.request.get('/api/v1/security/csrf_token/')
  const { result } = (await csrf.json()) as { result: string }
  const sent = await page.request.post('/api/v1/database/import/', {
    headers: { 'X-CSRFToken': result },
    multipart: {
      formData: { name: 'shop.zip', mimeType: 'application/zip', buffer },
      passwords: JSON.stringify({ 'databases/shop.yaml': 'secret' }),
    },
  })
  expect([sent.status(), await sent.text()]).toEqual([200, expect.stringContaining('OK')])
}

beforeAll(async () => {
  product = await startProduct({ env: { PARQUETRY_EXAMPLES: '0' } })
  browser = await openBrowser()
  page = await openSignedInPage(browser, product.url)
  await importBundle()
  const client = await createApiClient(product.url, 'admin')
  const found = await client.get('/api/v1/dataset/')
  const dataset = found.body.result[0] as { id: number; database: { id: number } }
  at.database = dataset.database.id
  const form = { viz_type: 'pie', datasource: `${dataset.id}__table`, groupby: ['country'], metric: 'count' }
  const dashboard = await client.post('/api/v1/dashboard/', { dashboard_title: 'Sales' })
  at.dashboard = dashboard.body.id
  const chart = await client.post('/api/v1/chart/', {
    slice_name: 'Orders by country',
    datasource_id: dataset.id,
    datasource_type: 'table',
    viz_type: 'pie',
    params: JSON.stringify(form),
    dashboards: [at.dashboard],
  })
  at.chart = chart.body.id
  const layout = {
    DASHBOARD_VERSION_KEY: 'v2',
    ROOT_ID: { type: 'ROOT', id: 'ROOT_ID', children: ['GRID_ID'] },
    GRID_ID: { type: 'GRID', id: 'GRID_ID', children: ['ROW-1'], parents: ['ROOT_ID'] },
    'ROW-1': { type: 'ROW', id: 'ROW-1', children: ['CHART-1'], parents: ['ROOT_ID', 'GRID_ID'], meta: {} },
    'CHART-1': {
      type: 'CHART',
      id: 'CHART-1',
      children: [],
      parents: ['ROOT_ID', 'GRID_ID', 'ROW-1'],
      meta: { chartId: at.chart, width: 6, height: 50, sliceName: 'Orders by country' },
    },
  }
  await client.put(`/api/v1/dashboard/${at.dashboard}`, { position_json: JSON.stringify(layout) })
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const dialog = () => page.getByRole('dialog', { name: 'Edit Shop' })

it('API-091: the list names the product, and offers nothing that needs the connection', async () => {
  await page.goto('/databaseview/list/')
  const row = page.getByRole('row', { name: /Shop/ })
  await row.getByText('Snowflake', { exact: true }).waitFor()
  await row.getByRole('button', { name: 'Actions for Shop', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Test connection' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  expect(await findAxeViolations(page)).toEqual([])
})

it('API-091: a dashboard and Explore explain why there is no data, without another attempt', async () => {
  for (const path of [`/superset/dashboard/${at.dashboard}/`, `/explore/?slice_id=${at.chart}`]) {
    await page.goto(path)
    const failure = page.getByRole('alert').filter({ hasText: 'The database of this chart is not supported' })
    await failure.getByText(reason).waitFor()
    expect(await failure.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    expect(await findAxeViolations(page)).toEqual([])
  }
})

it('API-091: SQL Lab opens on it, and says why it lists no tables', async () => {
  await page.goto(`/superset/sqllab/?dbid=${at.database}`)
  await page.getByRole('navigation', { name: 'Schema browser' }).getByText(reason).waitFor()
  expect(await findAxeViolations(page)).toEqual([])
})

it('API-091: an administrator replaces the address in the form', async () => {
  await page.goto(`/databaseview/list/?edit=${at.database}`)
  await dialog()
    .getByText(/enter the connection string of a supported database/)
    .waitFor()
  const field = dialog().getByRole('textbox', { name: /^Connection string/ })
  expect(await field.inputValue()).toBe(address)
  expect(await findAxeViolations(page)).toEqual([])
  await field.fill('duckdb://')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Shop/ }).getByText('duckdb').last().waitFor()
})
