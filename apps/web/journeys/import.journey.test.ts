import { writeArchive } from '@parquetry/bundle'
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, setWindowSize, type JourneyBrowser } from './browser.ts'
import { dropFile } from './files.ts'
import { listTools } from './lists-tools.ts'
import { monitorPage, skipAfterFailure, type PageMonitor } from './page-monitor.ts'
import { addUser, createApiClient, startProduct, waitForExamples, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
let admin: Awaited<ReturnType<typeof createApiClient>>
let list: Awaited<ReturnType<typeof listTools>>
/** IDs of the objects that leave and come back. */
let dataset: number
let oats: number
let board: number
/** The exported dashboard. */
let bundle: Buffer

/** A layout with the charts in one row. */
const layoutOf = (charts: readonly number[]): object => ({
  DASHBOARD_VERSION_KEY: 'v2',
  ROOT_ID: { type: 'ROOT', id: 'ROOT_ID', children: ['GRID_ID'] },
  GRID_ID: { type: 'GRID', id: 'GRID_ID', children: ['ROW-1'], parents: ['ROOT_ID'] },
  'ROW-1': {
    type: 'ROW',
    id: 'ROW-1',
    children: charts.map((id) => `CHART-${id}`),
    parents: ['ROOT_ID', 'GRID_ID'],
    meta: { background: 'BACKGROUND_TRANSPARENT' },
  },
  ...Object.fromEntries(
    charts.map((chartId) => [
      `CHART-${chartId}`,
      {
        type: 'CHART',
        id: `CHART-${chartId}`,
        children: [],
        parents: ['ROOT_ID', 'GRID_ID', 'ROW-1'],
        meta: { chartId, width: 4, height: 50 },
      },
    ]),
  ),
})

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  addUser(product, 'gina', 'Gamma')
  admin = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(20_000)
  monitor = monitorPage(page)
  list = await listTools(page, admin)
  const flights = await admin.get(`/api/v1/dataset/${list.flights}`)
  const made = await admin.post('/api/v1/dataset/', {
    database: flights.body.result.database.id,
    table_name: 'seeds',
    sql: "SELECT 'oats' AS kind, 3 AS amount",
  })
  dataset = made.body.id as number
  const dashboard = await admin.post('/api/v1/dashboard/', { dashboard_title: 'Seeds weekly' })
  board = dashboard.body.id as number
  const form = { groupby: ['kind'], metric: 'count' }
  const more = { datasource_id: dataset, dashboards: [board], params: JSON.stringify(form) }
  oats = await list.addChart('Oats', more)
  const barley = await list.addChart('Barley', more)
  const saved = await admin.put(`/api/v1/dashboard/${board}`, {
    position_json: JSON.stringify(layoutOf([oats, barley])),
  })
  expect([made.status, dashboard.status, saved.status]).toEqual([201, 201, 200])
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
skipAfterFailure(() => page)

const dialog = (name: string | RegExp, on = page): Locator => on.getByRole('dialog', { name })
const item = (name: RegExp, on = page): Locator => on.getByRole('treeitem', { name })
const exported = async (action: Promise<void>): Promise<Buffer> => {
  const [file] = await Promise.all([page.waitForEvent('download'), action])
  return readFile(await file.path())
}
/** ID by name, as the API lists it; undefined for none. */
const findId = async (kind: string, column: string, name: string): Promise<number | undefined> => {
  const { body } = await admin.get(`/api/v1/${kind}/?q=(filters:!((col:${column},opr:eq,value:'${name}')))`)
  return body.result[0]?.id as number | undefined
}

it('LIST-007: a dashboard leaves as a bundle, is deleted with its charts, and comes back', async () => {
  await page.goto('/dashboard/list/')
  await list.menuOf('Seeds weekly')
  bundle = await exported(list.choose('Export'))
  await list.menuOf('Seeds weekly')
  await list.choose('Delete')
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await list.toast('Deleted: Seeds weekly')
  await list.closeToasts()
  for (const name of ['Oats', 'Barley'])
    expect((await admin.delete(`/api/v1/chart/${await findId('chart', 'slice_name', name)}`)).status).toBe(200)

  await dropFile(page, 'seeds.zip', bundle)
  await item(/^Seeds weekly/).waitFor()
  expect(await item(/^Charts/).textContent()).toContain('2 new')
  expect(await item(/^seeds/).textContent()).toContain('Left as it is')
  await monitor.checkAccessibility()
  expect(await findId('chart', 'slice_name', 'Oats')).toBeUndefined()
  await dialog('Import seeds.zip').getByRole('button', { name: 'Import 3 objects' }).click()
  const done = dialog('Imported seeds.zip')
  await done.getByText('Created: 1 dashboard, 2 charts').waitFor()
  await monitor.checkAccessibility()
  await done.getByRole('link', { name: 'Open Seeds weekly' }).click()
  await done.waitFor({ state: 'detached' })
  // The frame of a chart, and what is drawn in it, have the same name.
  for (const name of ['Oats', 'Barley']) await page.getByRole('figure', { name, exact: true }).first().waitFor()
})

it('LIST-023: an existing object is overwritten only with its own check box, after its difference was shown', async () => {
  oats = (await findId('chart', 'slice_name', 'Oats')) ?? 0
  await admin.put(`/api/v1/chart/${oats}`, { slice_name: 'Rolled oats' })
  await page.goto('/chart/list/')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog('Import an export file')
    .locator('input[type=file]')
    .setInputFiles({ name: 'seeds.zip', mimeType: 'application/zip', buffer: bundle })
  await item(/^Oats/).click()
  await item(/Rolled oats → Oats/).waitFor()
  const run = dialog('Import seeds.zip').getByRole('button', { name: /^Import/ })
  expect(await run.getAttribute('aria-disabled')).toBe('true')
  await monitor.checkAccessibility()
  await page.getByRole('checkbox', { name: 'Overwrite Oats' }).check()
  expect((await admin.get(`/api/v1/chart/${oats}`)).body.result.slice_name).toBe('Rolled oats')
  await page.keyboard.press('Control+Enter')
  await dialog('Imported seeds.zip').getByText('Overwritten: 1 chart').waitFor()
  await page.keyboard.press('Escape')
  await list.link('Oats').waitFor()
  expect((await admin.get(`/api/v1/chart/${oats}`)).body.result.slice_name).toBe('Oats')
})

it('exports everything, and finds all of it unchanged', async () => {
  await page.goto('/dashboard/list/')
  await page.getByRole('button', { name: 'More actions' }).first().click()
  const everything = await exported(list.choose('Export everything'))
  await dropFile(page, 'everything.zip', everything)
  await item(/^Dashboards/).waitFor()
  for (const kind of [/^Databases/, /^Datasets/, /^Charts/, /^Dashboards/])
    expect(await item(kind).textContent()).toMatch(/[A-Z]\D+(\d+)\1 same$/)
  await page.keyboard.press('Escape')
  await dialog('Import everything.zip').waitFor({ state: 'detached' })
})

it('a style sheet is exported and comes back, as every kind of object in a list', async () => {
  await admin.post('/api/v1/css_template/', { template_name: 'Harvest', css: 'h1 { color: gold }' })
  await page.goto('/csstemplatemodelview/list/')
  await list.menuOf('Harvest')
  const file = await exported(list.choose('Export'))
  await admin.delete(`/api/v1/css_template/${await findId('css_template', 'template_name', 'Harvest')}`)
  await dropFile(page, 'harvest.zip', file)
  await dialog('Import harvest.zip').getByRole('button', { name: 'Import 1 object' }).click()
  await dialog('Imported harvest.zip').getByText('Created: 1 CSS template').waitFor()
  await page.keyboard.press('Escape')
  await list.link('Harvest').waitFor()
})

it('LIST-007: each list offers the import of its kind', async () => {
  for (const path of [
    '/dashboard/list/',
    '/chart/list/',
    '/tablemodelview/list/',
    '/databaseview/list/',
    '/savedqueryview/list/',
    '/theme/list/',
    '/annotationlayer/list/',
    '/csstemplatemodelview/list/',
  ]) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog('Import an export file').waitFor()
  }
  await page.keyboard.press('Escape')
})

it('LIST-019: leaves a database without its password out, with all that needs it, and explains one that cannot be connected', async () => {
  const uuid = (n: number) => `00000000-0000-4000-8000-00000000010${n}`
  const pack = (uri: string): Promise<Buffer> =>
    writeArchive(
      {
        metadata: { version: '1.0.0', type: 'Slice', timestamp: '2026-01-02T03:04:05+00:00' },
        files: new Map<string, Record<string, unknown>>([
          ['databases/mill.yaml', { database_name: 'Mill', sqlalchemy_uri: uri, uuid: uuid(1) }],
          [
            'datasets/mill/flour.yaml',
            {
              table_name: 'flour',
              uuid: uuid(2),
              database_uuid: uuid(1),
              columns: [{ column_name: 'kind' }],
              metrics: [{ metric_name: 'count', expression: 'COUNT(*)' }],
            },
          ],
          [
            'charts/Flour_1.yaml',
            {
              slice_name: 'Flour',
              viz_type: 'big_number_total',
              uuid: uuid(3),
              dataset_uuid: uuid(2),
              params: { metric: 'count' },
            },
          ],
        ]),
      },
      'export',
    )
  await page.goto('/')
  await dropFile(page, 'mill.zip', await pack('postgresql://mill:XXXXXXXXXX@localhost:1/mill'))
  await page.getByText('2 objects need Mill.').waitFor()
  await item(/^Flour needs Mill/).waitFor()
  await monitor.checkAccessibility()
  await page.getByRole('checkbox', { name: 'Import Mill' }).uncheck()
  await page.getByText('2 more objects are not imported, because they need Mill.').waitFor()
  await dialog('Import mill.zip').getByRole('button', { name: 'Cancel' }).click()
  await dialog('Import mill.zip').waitFor({ state: 'detached' })

  await dropFile(page, 'mill.zip', await pack('snowflake://mill/mill'))
  await page.getByText('1 database is of a type that cannot be connected here.').waitFor()
  await monitor.checkAccessibility()
  await dialog('Import mill.zip').getByRole('button', { name: 'Import 3 objects' }).click()
  const done = dialog('Imported mill.zip')
  await done.getByRole('link', { name: 'Change the connection' }).waitFor()
  await monitor.checkAccessibility()
  await page.keyboard.press('Enter')
  const failure = page.getByRole('alert').filter({ hasText: 'The database of this chart is not supported' })
  await failure.getByRole('link', { name: 'Go to databases' }).waitFor()
})

it('shows on a phone what a user may not import, before anything is written', async () => {
  for (const [kind, column, name] of [
    ['dashboard', 'dashboard_title', 'Seeds weekly'],
    ['chart', 'slice_name', 'Oats'],
    ['chart', 'slice_name', 'Barley'],
    ['dataset', 'table_name', 'seeds'],
  ] as const)
    expect((await admin.delete(`/api/v1/${kind}/${await findId(kind, column, name)}`)).status).toBe(200)
  const phone = await openSignedInPage(browser, product.url, { username: 'gina' })
  await setWindowSize(phone, 390, 844)
  await phone.goto('/dashboard/list/')
  await dropFile(phone, 'seeds.zip', bundle)
  await item(/You do not have permission to add datasets/, phone).waitFor()
  expect(await phone.getByRole('checkbox', { name: 'Import seeds', exact: true }).count()).toBe(0)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const seen = monitorPage(phone)
  await seen.checkAccessibility()
  expect([...seen.violations]).toEqual([])
  await phone.context().close()
  expect([...monitor.violations]).toEqual([])
  // The chart whose database cannot be connected has neither data nor an image.
  expect(monitor.pageErrors.filter((text) => !/\/api\/v1\/chart\/(?:data|picture)/.test(text))).toEqual([])
})
