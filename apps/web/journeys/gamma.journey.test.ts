import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { addUserArgs, runCommands, waitForExamples, createApiClient, startProduct, type Product } from './product.ts'
import { skipAfterFailure, monitorPage, type PageMonitor } from './page-monitor.ts'

const charts = [
  'Beaks by species',
  'Body mass by species and sex',
  'Measurements by species',
  'Penguins',
  'Penguins by island',
  'Penguins by species',
]

let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
let gina: Awaited<ReturnType<typeof createApiClient>>
/** IDs by name, of what an administrator sees. */
const datasets = new Map<string, number>()
const dashboards = new Map<string, number>()
/** ID of a chart that was not shared. */
let hidden: number

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  const admin = await createApiClient(product.url, 'admin')
  for (const { id, table_name } of (await admin.get('/api/v1/dataset/')).body.result) datasets.set(table_name, id)
  for (const { id, slug } of (await admin.get('/api/v1/dashboard/')).body.result) dashboards.set(slug, id)
  const all = (await admin.get('/api/v1/chart/?q=(page_size:100)')).body.result as { id: number; slice_name: string }[]
  hidden = all.find(({ slice_name }) => slice_name === 'Hottest day')!.id
  const view = `[examples].[penguins](id:${datasets.get('penguins')})`
  runCommands(
    product,
    ['role', 'add', 'Penguin readers'],
    ['role', 'grant', 'Penguin readers', 'datasource_access', view],
    addUserArgs('gina', 'Gamma', 'Penguin readers'),
  )
  gina = await createApiClient(product.url, 'gina')
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
skipAfterFailure(() => page)

it('signs in and finds the shared objects, and no SQL Lab', async () => {
  page = await browser.newPage({ baseURL: product.url, viewport: { width: 1440, height: 900 } })
  await page.goto('/login/')
  await page.getByLabel('Username').fill('gina')
  await page.getByLabel('Password', { exact: true }).fill('gina')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/superset/welcome/')
  page.setDefaultTimeout(30_000)
  monitor = monitorPage(page)
  await page.getByRole('link', { name: 'Palmer penguins' }).first().waitFor()
  const places = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  expect(await places.allInnerTexts()).toEqual([
    'Parquetry',
    'Home',
    'Dashboards',
    'Charts',
    'Datasets',
    'Tags',
    'Trash',
  ])
  await monitor.checkAccessibility()
})

it('sees only granted objects in the lists', async () => {
  expect(await listed('Dashboards')).toEqual(['Palmer penguins'])
  expect(await listed('Charts')).toEqual(charts)
  expect(await listed('Datasets')).toEqual(['penguins'])
  await monitor.checkAccessibility()
})

it('opens the granted dashboard with its charts, and cannot edit it', async () => {
  await page.goto('/superset/dashboard/penguins/')
  await counted('344')
  for (const name of charts) {
    const frame = page
      .locator('figure[aria-busy=false]')
      .filter({ has: page.getByRole('heading', { name, exact: true }) })
    await frame.locator('canvas, [role=grid], [role=figure], [role=img]').first().waitFor()
  }
  expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
  await page.getByRole('combobox', { name: 'Species' }).click()
  await page.getByRole('option', { name: 'Gentoo' }).click()
  await page.keyboard.press('Escape')
  await counted('124')
  await monitor.checkAccessibility()
  expect([...monitor.violations]).toEqual([])
  expect(monitor.pageErrors).toEqual([])
})

it('regression: direct links say whom to ask for access, and reveal nothing about the object', async () => {
  expect((await page.goto('/superset/dashboard/flights/'))?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Dashboard not found' }).waitFor()
  await page.goto(`/explore/?datasource_id=${datasets.get('flights')}&datasource_type=table`)
  await page.getByRole('heading', { name: 'You don’t have access to this dataset' }).waitFor()
  expect(await page.getByText('flights').count()).toBe(0)
  await page.goto(`/explore/?slice_id=${hidden}`)
  await page.getByRole('heading', { name: 'Chart not found' }).waitFor()
  await page.getByText('Ask its owner for access.').waitFor()
  expect(await page.getByRole('button', { name: 'Swap dataset' }).count()).toBe(0)
  expect(await page.getByText('Hottest day').count()).toBe(0)
  const answer = await page.goto('/superset/sqllab/')
  expect(answer?.status()).toBe(403)
  await page.getByRole('heading', { name: 'You don’t have access to this page' }).waitFor()
  await page.getByRole('button', { name: 'Request access' }).click()
  const request = page.getByRole('dialog', { name: 'Request access' })
  expect(await request.getByRole('textbox').inputValue()).toMatch(/\/superset\/sqllab\/\s+Username: gina\s/)
  await monitor.checkAccessibility()
  await page.keyboard.press('Escape')
  await monitor.checkAccessibility()
  expect([...monitor.violations]).toEqual([])
})

it('PERM-018: asks for access to a dashboard, and opens it once an owner has agreed', async () => {
  await page.goto('/superset/dashboard/flights/')
  await page.getByRole('button', { name: 'Request access' }).click()
  const form = page.getByRole('dialog', { name: 'Request access' })
  await form.getByLabel('Message (optional)').fill('For the weekly meeting')
  await monitor.checkAccessibility()
  await form.getByRole('button', { name: 'Send request' }).click()
  await page.getByText('Request sent').waitFor()

  const admin = await openSignedInPage(browser, product.url)
  admin.setDefaultTimeout(20_000)
  await admin.goto('/superset/welcome/')
  const request = admin.getByRole('region', { name: 'Access requests' }).getByRole('listitem')
  await request.getByText('For the weekly meeting').waitFor()
  expect(await request.textContent()).toContain('within it the data of flights, flights_with_airports')
  expect(await findAxeViolations(admin)).toEqual([])
  await request.getByRole('button', { name: 'Give access to gina: Three million flights' }).click()
  await admin.getByText('Access given').waitFor()
  await request.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'Three million flights', exact: true }).waitFor()
  await expect.poll(() => page.locator('figure[aria-busy=false]').count()).toBeGreaterThan(1)

  await admin.goto('/superset/dashboard/flights/')
  await admin.getByRole('button', { name: 'Share', exact: true }).click()
  await admin.getByRole('button', { name: 'Who can see this, and why?' }).click()
  const access = admin.getByRole('dialog', { name: 'Who can see “Three million flights”' })
  const entry = access.getByRole('listitem').filter({ hasText: 'gina' })
  expect(await entry.textContent()).toContain('Shared with them')
  await access.getByText('Administrators see everything · 1 person').waitFor()
  await access.getByRole('combobox', { name: 'Check one person' }).click()
  await admin.getByRole('option', { name: 'gina' }).click()
  await access.getByText('Can see it: Shared with them').waitFor()
  expect(await findAxeViolations(admin)).toEqual([])
  await entry.getByRole('button', { name: 'End access of gina' }).click()
  await entry.waitFor({ state: 'detached' })
  await access.getByText('Cannot see it.').waitFor()
  await admin.context().close()
  expect((await page.goto('/superset/dashboard/flights/'))?.status()).toBe(404)
})

it('can query only the granted data through the API', async () => {
  const ask = (dataset: string) => ({
    datasource: { id: datasets.get(dataset), type: 'table' },
    queries: [{ columns: [], metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }] }],
  })
  const granted = await gina.post('/api/v1/chart/data', ask('penguins'))
  expect(granted.body.result[0].data).toEqual([{ n: 344 }])
  expect((await gina.post('/api/v1/chart/data', ask('flights'))).status).toBe(403)

  const [hidden, shown] = [dashboards.get('flights'), dashboards.get('penguins')]
  const refused: [call: Promise<{ status: number }>, status: number][] = [
    [gina.get(`/api/v1/dashboard/${hidden}`), 404],
    [gina.get(`/api/v1/dashboard/${hidden}/charts`), 404],
    [gina.post(`/api/v1/dashboard/${hidden}/data`, { charts: [], data_mask: {} }), 404],
    [gina.get(`/api/v1/dataset/${datasets.get('flights')}`), 404],
    [gina.put(`/api/v1/dataset/${datasets.get('penguins')}`, { description: 'mine' }), 403],
    [gina.put(`/api/v1/dashboard/${shown}`, { dashboard_title: 'Mine' }), 403],
    [gina.delete(`/api/v1/dashboard/${shown}`), 403],
    [gina.post('/api/v1/sqllab/execute/', { database_id: 1, sql: 'SELECT 1' }), 403],
    [gina.post('/api/v1/database/', { database_name: 'mine', sqlalchemy_uri: 'sqlite://' }), 403],
    [gina.get('/api/v1/query/'), 403],
  ]
  const answers = await Promise.all(refused.map(([call]) => call))
  expect(answers.map(({ status }) => status)).toEqual(refused.map(([, status]) => status))
})

/** Waits until the big number shows `n`. */
const counted = (n: string): Promise<void> =>
  page.getByRole('figure', { name: 'Penguins', exact: true }).first().getByText(n, { exact: true }).waitFor()

/** Names in a list that is reached through the navigation. */
async function listed(place: string): Promise<string[]> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click()
  await page.getByRole('heading', { level: 1, name: place }).waitFor()
  const rows = page
    .getByRole('table', { name: place })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
  await rows.first().waitFor()
  const all = await rows.all()
  return (await Promise.all(all.map((row) => row.getByRole('link').first().innerText()))).toSorted()
}
