import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { addUserArgs, runCommands, waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-config-'))
/** Far below the time of the slow chart, and above that of any other chart on a busy machine whose database is starting. */
const timeoutS = 5
/** A tile server: serves images of one pixel and records its requests. */
const tile = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const tiles: { server: Server; requests: { path: string; from: string | undefined }[] } = {
  requests: [],
  server: createServer(({ url = '', headers }, reply) => {
    tiles.requests.push({ path: url, from: headers.referer })
    reply.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' }).end(tile)
  }),
}
let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof dashboardTools>

beforeAll(async () => {
  const path = join(folder, 'config.json')
  await new Promise<void>((resolve) => tiles.server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(tiles.server.address() as AddressInfo).port}/{z}/{x}/{y}.png`
  writeFileSync(
    path,
    JSON.stringify({
      SUPERSET_WEBSERVER_TIMEOUT: timeoutS,
      FEATURE_FLAGS: { DASHBOARD_RBAC: true },
      MAP_TILES: [{ url, name: 'Streets', attribution: '© The people of the map' }],
    }),
  )
  product = await startProduct({ env: { PARQUETRY_CONFIG: path } })
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  at = dashboardTools(page, client)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  tiles.server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens a dashboard: the first one by loading the page, the others inside it, as its links do. */
const open = (id: number): Promise<void> => (page.url().startsWith(product.url) ? at.openInside(id) : at.open(id))

it('DASH-036: with DASHBOARD_RBAC the properties include the roles', async () => {
  const id = await at.boardOf('For some roles', ['Penguins'])
  await open(id)
  await at.button('More actions').click()
  await at.choose('Properties')
  const dialog = page.getByRole('dialog', { name: 'Dashboard properties' })
  await dialog.getByRole('combobox', { name: 'Roles' }).click()
  await page.getByRole('option', { name: 'Gamma', exact: true }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.waitForText('Properties saved')
  expect((await at.stored(id)).roles).toMatchObject([{ name: 'Gamma' }])
})

it('DASH-093: a chart that exceeds SUPERSET_WEBSERVER_TIMEOUT is aborted, and its tile says so', async () => {
  const databases = await client.get('/api/v1/database/?q=(filters:!((col:database_name,opr:eq,value:examples)))')
  const dataset = await client.post('/api/v1/dataset/', {
    database: databases.body.result[0].id,
    schema: 'main',
    table_name: 'slow',
    // The engine counts these rows with one thread, whatever the number of cores.
    sql: 'SELECT max(n) AS delay FROM (SELECT row_number() OVER () AS n FROM range(1000000000000))',
  })
  const form = { viz_type: 'table', query_mode: 'raw', all_columns: ['delay'], datasource: `${dataset.body.id}__table` }
  await client.post('/api/v1/chart/', {
    slice_name: 'Slow',
    viz_type: 'table',
    datasource_id: dataset.body.id,
    datasource_type: 'table',
    params: JSON.stringify(form),
  })
  await open(await at.boardOf('Slow', ['Slow', 'Penguins']))
  await expect.poll(() => at.tile('Penguins').textContent()).toContain('344')
  await expect.poll(() => at.tile('Slow').textContent()).toMatch(/time/i)
})

it('DASH-002: owners and administrators edit, analysts create their own, viewers read what they have access to', async () => {
  const [penguins] = (await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:penguins)))')).body
    .result as { id: number }[]
  runCommands(
    product,
    addUserArgs('analyst', 'Alpha'),
    ['role', 'add', 'Readers'],
    ['role', 'grant', 'Readers', 'datasource_access', `[examples].[penguins](id:${penguins!.id})`],
    addUserArgs('reader', 'Gamma', 'Readers'),
  )
  const id = await at.boardOf('Of the administrator', ['Penguins'])
  await open(id)
  await at.button('Edit').waitFor()

  const analyst = await openSignedInPage(browser, product.url, { username: 'analyst' })
  await at.open(id, '', analyst)
  await expect.poll(() => at.tile('Penguins', analyst).textContent()).toContain('344')
  expect(await analyst.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
  await analyst.goto('/dashboard/new/')
  await analyst.getByRole('button', { name: 'Save', exact: true }).waitFor()
  await analyst.context().close()

  const reader = await openSignedInPage(browser, product.url, { username: 'reader' })
  await at.open(id, '', reader)
  await expect.poll(() => at.tile('Penguins', reader).textContent()).toContain('344')
  expect(await reader.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)

  await at.open(await at.boardOf('Mixed', ['Penguins', 'Hottest day']), '', reader)
  await expect.poll(() => at.tile('Penguins', reader).textContent()).toContain('344')
  expect(await reader.locator('main').textContent()).not.toContain('35.6')
  await expect.poll(() => at.tile('Hottest day', reader).textContent()).toContain('You don’t have access to this data')
  expect(await at.tile('Hottest day', reader).textContent(), 'the API’s own words').not.toContain('permission')
  await reader.context().close()
})

it('a dashboard is exported, shown full screen and deleted from its menu', async () => {
  const id = await at.boardOf('Short-lived', ['Penguins'])
  await open(id)
  const menu = async (item: string) => {
    await at.button('More actions').click()
    await at.choose(item)
  }
  const file = page.waitForEvent('download')
  await menu('Export')
  expect((await file).suggestedFilename()).toMatch(/\.zip$/)

  // Printed pages have no controls.
  await page.emulateMedia({ media: 'print' })
  const onScreen = ['Edit', 'More actions', 'More actions for Penguins']
  const seen = () => Promise.all(onScreen.map((name) => at.button(name).first().isVisible()))
  expect(await seen()).toEqual([false, false, false])
  await page.emulateMedia({ media: null })
  expect(await seen()).toEqual([true, true, true])

  const places = page.getByRole('navigation', { name: 'Main', exact: true })
  await menu('Full screen')
  await page.waitForURL(/standalone=1/)
  await expect.poll(() => places.count()).toBe(0)
  await page.keyboard.press('p')
  await expect.poll(() => page.url()).not.toContain('standalone')
  await places.first().waitFor()

  await menu('Delete')
  await at.waitForText('Existing links stop working. Charts are not deleted.')
  await at.button('Delete dashboard').click()
  await at.waitForText('Deleted: Short-lived')
  await page.waitForURL(/\/dashboard\/list\//)
  expect((await client.get(`/api/v1/dashboard/${id}`)).status).toBe(404)
})

it('maps show the tiles of MAP_TILES with their attribution, and land when the chart selects it', async () => {
  const datasets = await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:earthquakes)))')
  const datasetId = datasets.body.result[0].id as number
  const form = {
    viz_type: 'deck_scatter',
    datasource: `${datasetId}__table`,
    spatial: { type: 'latlong', latCol: 'latitude', lonCol: 'longitude' },
    row_limit: 100,
    viewport: { longitude: -120, latitude: 37, zoom: 4, bearing: 0, pitch: 0 },
  }
  const made = await client.post('/api/v1/chart/', {
    slice_name: 'Shaken ground',
    viz_type: form.viz_type,
    datasource_id: datasetId,
    datasource_type: 'table',
    params: JSON.stringify(form),
  })
  const refused: string[] = []
  page.on('console', (message) => /Content Security Policy/.test(message.text()) && refused.push(message.text()))
  await page.goto(`/explore/?slice_id=${made.body.id}`)
  await page.getByText('© The people of the map').waitFor()
  await expect.poll(() => tiles.requests.length).toBeGreaterThan(3)
  for (const { path, from } of tiles.requests) {
    expect(path).toMatch(/^\/5\/\d+\/\d+\.png$/)
    expect(from).toBe(`${product.url}/`)
  }
  await page.getByRole('tab', { name: 'Style' }).click()
  await page.getByRole('combobox', { name: 'Map style' }).click()
  await page.getByRole('option', { name: 'Land and borders' }).click()
  await expect.poll(() => page.getByText('© The people of the map').count()).toBe(0)
  expect(refused).toEqual([])
})
