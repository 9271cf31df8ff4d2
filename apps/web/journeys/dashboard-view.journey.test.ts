import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest'
import {
  findAxeViolations,
  waitForInterception,
  openBrowser,
  setWindowSize,
  openSignedInPage,
  type JourneyBrowser,
} from './browser.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof dashboardTools>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  at = dashboardTools(page, client)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

it.each([
  ['flights', 'Three million flights', 10],
  ['people-and-work', 'People and work', 6],
  ['weather-and-earth', 'Weather and earthquakes', 11],
  ['chart-gallery', 'Chart gallery', 4],
  // The next tests use this page too.
  ['penguins', 'Palmer penguins', 6],
])('the example %s opens with all its charts, and axe finds nothing', async (slug, title, charts) => {
  await at.open(slug)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  expect(await page.locator('figure').count()).toBe(charts)
  expect(await page.getByText('Unexpected error').count()).toBe(0)
  expect(await findAxeViolations(page)).toEqual([])
})

it('DASH-066: a refresh queries every chart again and shows its progress', async () => {
  const asked = page.waitForRequest((request) => request.url().endsWith('/data') && request.method() === 'POST')
  await page.keyboard.press('Shift+R')
  const body = (await asked).postDataJSON() as { charts: unknown[]; force: boolean }
  expect(body).toMatchObject({ force: true })
  expect(body.charts).toHaveLength(6)
  await at.answered()
  await page.getByText(/^Data as of \d\d:\d\d$/).waitFor()
})

it('a chart offers its rows, its query and a file', async () => {
  const menu = async (item: string) => {
    await at.button('More actions for Penguins by island').click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await menu('View data as table')
  const rows = page.getByRole('dialog', { name: 'Data for Penguins by island' })
  await rows.getByText('Torgersen').waitFor()
  await page.keyboard.press('Escape')
  await menu('View query')
  await page
    .getByRole('dialog', { name: 'Query for Penguins by island' })
    .getByText(/SELECT/i)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  for (const [name, ending] of [
    ['CSV', 'csv'],
    ['Excel', 'xlsx'],
  ]) {
    const download = page.waitForEvent('download')
    await menu(`Download as ${name}`)
    expect((await download).suggestedFilename()).toBe(`Penguins by island.${ending}`)
  }
})

it('DASH-016: a focused chart is scrolled to; DASH-021: a chart fills the window, and arrows and Escape leave it', async () => {
  await at.button('More actions for Penguins by island').click()
  await page.getByRole('menuitem', { name: 'Full size' }).click()
  await expect.poll(async () => (await at.tile('Penguins by island').boundingBox())?.width).toBeGreaterThan(1300)
  expect(await findAxeViolations(page)).toEqual([])
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)
  expect(await focused()).toBe('Exit full size')
  for (let tab = 0; tab < 12; tab += 1) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null), `${tab}`).toBe(true)
  }
  await at.button('Exit full size').focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await at.tile('Penguins by species').boundingBox())?.width).toBeGreaterThan(1300)
  expect(await focused()).toBe('Exit full size')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await at.tile('Penguins by island').boundingBox())?.width).toBeLessThan(700)
  await expect.poll(focused).toBe('More actions for Penguins by island')
  await at.open('weather-and-earth', `?focused_chart=${await at.chartNamed('Strongest earthquakes')}`)
  await expect
    .poll(() => at.tile('Strongest earthquakes').evaluate((e) => e.getBoundingClientRect().top < innerHeight))
    .toBe(true)
})

it('SHARE-004, DASH-023: a link to a tab or a chart opens its tabs at any depth, and scrolls to it', async () => {
  const chartId = await at.chartNamed('Penguins')
  const node = (id: string, type: string, children: string[], meta: object = {}) => ({
    [id]: { id, type, children, meta },
  })
  const lines = Array.from({ length: 6 }, (_, n) => `MARKDOWN-${n}`)
  const positions = {
    DASHBOARD_VERSION_KEY: 'v2',
    ...node('ROOT_ID', 'ROOT', ['TABS-top']),
    ...node('GRID_ID', 'GRID', []),
    ...node('TABS-top', 'TABS', ['TAB-first', 'TAB-second']),
    ...node('TAB-first', 'TAB', ['ROW-link'], { text: 'First' }),
    ...node('ROW-link', 'ROW', ['MARKDOWN-link']),
    ...node('MARKDOWN-link', 'MARKDOWN', [], { code: '[To the deep one](#TAB-deep)', width: 4, height: 20 }),
    ...node('TAB-second', 'TAB', [...lines.map((_, n) => `ROW-${n}`), 'TABS-inner'], { text: 'Second' }),
    ...Object.assign({}, ...lines.map((line, n) => node(`ROW-${n}`, 'ROW', [line]))),
    ...Object.assign({}, ...lines.map((line) => node(line, 'MARKDOWN', [], { code: 'Far', width: 4, height: 40 }))),
    ...node('TABS-inner', 'TABS', ['TAB-shallow', 'TAB-deep']),
    ...node('TAB-shallow', 'TAB', [], { text: 'Shallow' }),
    ...node('TAB-deep', 'TAB', ['ROW-deep', 'ROW-chart'], { text: 'Deep' }),
    ...node('ROW-deep', 'ROW', ['MARKDOWN-deep']),
    ...node('MARKDOWN-deep', 'MARKDOWN', [], { code: 'Above', width: 4, height: 100 }),
    ...node('ROW-chart', 'ROW', ['CHART-deep']),
    ...node('CHART-deep', 'CHART', [], { chartId, width: 4, height: 20 }),
  }
  const made = await client.post('/api/v1/dashboard/', { dashboard_title: 'Deep' })
  await client.put(`/api/v1/dashboard/${made.body.id}`, { json_metadata: JSON.stringify({ positions }) })
  const deep = page.getByRole('tab', { name: 'Deep' })
  /** True below the tab labels of the dashboard and above the bottom of the window. */
  const inSight = (element: typeof deep) =>
    expect
      .poll(async () => {
        const box = await element.boundingBox()
        return box !== null && box.y >= 48 + 40 && box.y + box.height <= 900
      })
      .toBe(true)
  const isOpen = () => expect.poll(() => deep.getAttribute('aria-selected')).toBe('true')
  const linkTo = async (anchor: string) =>
    (await client.post(`/api/v1/dashboard/${made.body.id}/permalink`, { anchor, activeTabs: ['TAB-first'] })).body.url

  for (const link of [`/superset/dashboard/${made.body.id}/#TAB-deep`, await linkTo('TAB-deep')]) {
    await page.goto('about:blank')
    await page.goto(link)
    await isOpen()
    await inSight(deep)
  }
  for (const link of [
    `/superset/dashboard/${made.body.id}/#CHART-deep`,
    `/superset/dashboard/${made.body.id}/?focused_chart=${chartId}`,
    await linkTo('CHART-deep'),
  ]) {
    await page.goto('about:blank')
    await page.goto(link)
    await isOpen()
    await inSight(at.tile('Penguins'))
    await expect.poll(() => at.tile('Penguins').textContent()).toContain('344')
  }
  for (const name of ['Shallow', 'First']) await page.getByRole('tab', { name }).click()
  await page.getByRole('link', { name: 'To the deep one' }).click()
  await isOpen()
  await inSight(deep)
})

it('DASH-019, DASH-023, DASH-050: tabs, rows, columns, charts, headers, text and dividers are shown; the first tab is open', async () => {
  const chartId = await at.chartNamed('Penguins')
  const node = (id: string, type: string, parents: string[], children: string[], meta: object = {}) => ({
    [id]: { id, type, parents, children, meta },
  })
  const first = ['ROOT_ID', 'TABS-1', 'TAB-1']
  const positions = {
    DASHBOARD_VERSION_KEY: 'v2',
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['TABS-1'] },
    GRID_ID: { id: 'GRID_ID', type: 'GRID', children: [], parents: ['ROOT_ID'] },
    ...node('TABS-1', 'TABS', ['ROOT_ID'], ['TAB-1', 'TAB-2']),
    ...node('TAB-1', 'TAB', ['ROOT_ID', 'TABS-1'], ['HEADER-1', 'DIVIDER-1', 'ROW-1'], { text: 'Overview' }),
    ...node('TAB-2', 'TAB', ['ROOT_ID', 'TABS-1'], ['HEADER-2']),
    ...node('HEADER-1', 'HEADER', first, [], { text: 'Birds' }),
    ...node('HEADER-2', 'HEADER', ['ROOT_ID', 'TABS-1', 'TAB-2'], [], { text: 'Nothing here' }),
    ...node('DIVIDER-1', 'DIVIDER', first, []),
    ...node('ROW-1', 'ROW', first, ['COLUMN-1', 'MARKDOWN-1']),
    ...node('COLUMN-1', 'COLUMN', [...first, 'ROW-1'], ['CHART-1'], { width: 4 }),
    ...node('CHART-1', 'CHART', [...first, 'ROW-1', 'COLUMN-1'], [], { chartId, width: 4, height: 20 }),
    ...node('MARKDOWN-1', 'MARKDOWN', [...first, 'ROW-1'], [], { code: 'They **swim**.', width: 4, height: 20 }),
  }
  const made = await client.post('/api/v1/dashboard/', { dashboard_title: 'All kinds' })
  await client.put(`/api/v1/dashboard/${made.body.id}`, { json_metadata: JSON.stringify({ positions }) })
  await at.open(made.body.id)
  expect(await page.getByRole('tab', { name: 'Overview' }).getAttribute('aria-selected')).toBe('true')
  await page.getByRole('heading', { name: 'Birds' }).waitFor()
  await page.getByText('swim', { exact: true }).waitFor()
  expect(await page.locator('main hr').count()).toBe(1)
  expect(await page.getByText('cannot be shown here').count()).toBe(0)
  await expect.poll(() => at.tile('Penguins').textContent()).toContain('344')
  await page.getByRole('tab', { name: 'Tab title' }).click()
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Birds' }).count()).toBe(0)
  expect(await findAxeViolations(page)).toEqual([])
})

it('a chart that cannot be drawn says why in its tile, and the others are drawn', async () => {
  const databases = await client.get('/api/v1/database/?q=(filters:!((col:database_name,opr:eq,value:examples)))')
  const chartOn = async (name: string, sql: string) => {
    const dataset = await client.post('/api/v1/dataset/', {
      database: databases.body.result[0].id,
      schema: 'main',
      table_name: name,
      sql,
    })
    const form = {
      viz_type: 'table',
      query_mode: 'raw',
      all_columns: ['species'],
      datasource: `${dataset.body.id}__table`,
    }
    await client.post('/api/v1/chart/', {
      slice_name: name,
      viz_type: 'table',
      datasource_id: dataset.body.id,
      datasource_type: 'table',
      params: JSON.stringify(form),
    })
    return dataset.body.id as number
  }
  const gone = await chartOn('Without dataset', 'SELECT species FROM penguins')
  await chartOn('Broken', 'SELECT CAST(species AS INTEGER) AS species FROM penguins')
  const id = await at.boardOf('Half of it works', ['Without dataset', 'Broken', 'Penguins'])
  expect((await client.delete(`/api/v1/dataset/${gone}`)).status).toBe(200)
  await at.open(id)
  await expect.poll(() => at.tile('Penguins').textContent()).toContain('344')
  await at
    .tile('Broken')
    .getByText(/Could not convert/)
    .first()
    .waitFor()
  await at.tile('Without dataset').getByRole('alert').first().waitFor()
  expect(await findAxeViolations(page)).toEqual([])
})

it('on a phone the dashboard is a single column with filters in a sheet, and nothing is wider than the window', async () => {
  const phone = await openSignedInPage(browser, product.url, { viewport: { width: 390, height: 844 } })
  await at.open('flights', '', phone)
  const widths = await phone
    .locator('figure')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width))
  expect(new Set(widths.filter((width) => width > 0).map(Math.round)).size).toBe(1)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  const title = await phone.getByRole('heading', { level: 1 }).boundingBox()
  const share = await phone.getByRole('button', { name: 'Share' }).boundingBox()
  expect(title!.x + title!.width).toBeLessThanOrEqual(share!.x)
  await at.button('Filters', phone).click()
  await phone.getByRole('combobox', { name: 'From' }).waitFor()
  expect(await findAxeViolations(phone)).toEqual([])
  await phone.context().close()
})

it('a saved table over time keeps its time grain, and API clients need not name the temporal columns', async () => {
  const [weather] = (await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:seattle_weather)))'))
    .body.result as { id: number }[]
  const metric = { expressionType: 'SQL', sqlExpression: 'count(*)', label: 'Days' }
  await client.post('/api/v1/chart/', {
    slice_name: 'Days of a year',
    viz_type: 'table',
    datasource_id: weather!.id,
    datasource_type: 'table',
    params: JSON.stringify({
      viz_type: 'table',
      datasource: `${weather!.id}__table`,
      groupby: ['date'],
      metrics: [metric],
      time_grain_sqla: 'P1Y',
    }),
  })
  await at.open(await at.boardOf('Years', ['Days of a year']))
  const cells = at.tile('Days of a year').getByRole('gridcell')
  await expect
    .poll(async () => (await cells.allTextContents()).toSorted())
    .toEqual(['2012', '2013', '2014', '2015', '365', '365', '365', '366'])
})

it('a table wider than its tile can be scrolled to its last column, and fades while there is more', async () => {
  await setWindowSize(page, 768, 1024)
  await at.open(await at.boardOf('From a table', ['Airports by punctuality']))
  const grid = at.tile('Airports by punctuality').getByRole('grid')
  await grid.scrollIntoViewIfNeeded()
  const wider = () => grid.evaluate((each) => each.scrollWidth - each.clientWidth)
  const fades = () => grid.evaluate((each) => getComputedStyle(each.parentElement!, '::after').content !== 'none')
  await expect.poll(async () => (await fades()) === (await wider()) > 1).toBe(true)
  await setWindowSize(page, 320, 1024)
  await expect.poll(wider).toBeGreaterThan(1)
  await expect.poll(fades).toBe(true)
  await grid.evaluate((each) => each.scrollTo({ left: each.scrollWidth }))
  await expect.poll(fades).toBe(false)
  await setWindowSize(page, 1440, 900)
})

it('no tile moves while the charts load', async () => {
  await page.addInitScript(() => {
    const told = globalThis as unknown as { shifts: number }
    told.shifts = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) told.shifts += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await at.open('weather-and-earth')
  // The layout shifts of a frame are reported after it.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  expect(await page.evaluate(() => (globalThis as unknown as { shifts: number }).shifts)).toBeLessThan(0.02)
})

it('regression: while the server is not responding, the charts stay, a banner says so, and updates resume automatically', async () => {
  await at.open(await at.boardOf('Not answered', ['Penguins', 'Penguins by island']))
  onTestFailed(() => page.context().unroute('**/*'))
  await page.context().route('**/*', (route) => route.abort())
  await waitForInterception(page)
  await page.clock.install()
  await page.keyboard.press('Shift+R')
  const strip = page.getByText(/^The server is not responding\. Showing data from \d/)
  const note = at.tile('Penguins').getByText('Could not update the chart. The server did not respond.')
  // The page retries three times, seconds apart.
  await expect
    .poll(async () => {
      await page.clock.runFor(1000)
      return note.isVisible()
    })
    .toBe(true)
  await strip.waitFor()
  expect(await at.tile('Penguins').textContent()).toContain('344')
  expect(await page.getByText('Unexpected error').count()).toBe(0)
  expect(await findAxeViolations(page)).toEqual([])
  await page.context().unroute('**/*')
  await strip.waitFor({ state: 'detached' })
  await page.getByText('Could not update the chart. The server did not respond.').first().waitFor({ state: 'detached' })
  await at.answered()
  expect(await at.tile('Penguins').textContent()).toContain('344')
})
