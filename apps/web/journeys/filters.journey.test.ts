import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { addUserArgs, runCommands, waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof dashboardTools>
let penguins: number

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  at = dashboardTools(page, client)
  const found = await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:penguins)))')
  penguins = found.body.result[0].id
  runCommands(
    product,
    ['role', 'add', 'Watchers'],
    ['role', 'grant', 'Watchers', 'datasource_access', `[examples].[penguins](id:${penguins})`],
    addUserArgs('watcher', 'Gamma', 'Watchers'),
  )
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** A filter on a column of the penguins. */
const filter = (name: string, column: string, more: object = {}) => ({
  id: `NATIVE_FILTER-${name}`,
  type: 'NATIVE_FILTER',
  filterType: 'filter_select',
  name,
  targets: [{ datasetId: penguins, column: { name: column } }],
  controlValues: { multiSelect: true },
  defaultDataMask: { extraFormData: {}, filterState: {} },
  cascadeParentIds: [],
  scope: { rootPath: ['ROOT_ID'], excluded: [] },
  ...more,
})
const boardWith = (title: string, filters: object[], metadata: object = {}) =>
  at.boardOf(title, ['Penguins'], { native_filter_configuration: filters, ...metadata })
/** Opens a dashboard: the first one by loading the page, the others inside it, as its links do. */
const open = (id: number, query = ''): Promise<void> =>
  page.url().startsWith(product.url) ? at.openInside(id, query) : at.open(id, query)
const number = () => at.tile('Penguins')
const shows = (text: string) => expect.poll(() => number().textContent()).toContain(text)
const combobox = (name: string) => page.getByRole('combobox', { name })

async function pick(name: string, option: string): Promise<void> {
  await combobox(name).click()
  await page.getByRole('option', { name: new RegExp(`^${option}`) }).click()
  await page.keyboard.press('Escape')
}

it('NATF-002: the bar is at the side or on top, as its owner chooses; filters that do not fit are under More', async () => {
  const names = ['Island', 'Species', 'Sex', 'Kind', 'Home', 'Sort']
  const columns = ['island', 'species', 'sex', 'species', 'island', 'sex']
  const id = await boardWith(
    'Top',
    names.map((name, index) => filter(name, columns[index]!)),
  )
  await open(id)
  await page.getByRole('complementary', { name: 'Filters' }).waitFor()
  await at.button('Add and edit filters').click()
  await page.getByRole('radio', { name: 'Top' }).click({ force: true })
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await at.waitForText('Filters saved')
  const row = page.getByRole('region', { name: 'Filters' })
  await row.waitFor()
  expect(await page.getByRole('complementary', { name: 'Filters' }).count()).toBe(0)
  expect((await row.boundingBox())!.height).toBeLessThanOrEqual(56)
  await pick('Island', 'Torgersen')
  await shows('52')
  // Printed pages show the active filters in place of the bar.
  const onPaper = page.getByLabel('Active filters')
  expect(await onPaper.isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect([await row.isVisible(), await onPaper.innerText()]).toEqual([
    false,
    expect.stringMatching(/Island\s+Torgersen/),
  ])
  await page.emulateMedia({ media: null })
  await row.getByRole('button', { name: /^More \d/ }).click()
  const more = page.getByRole('dialog', { name: 'More filters' })
  await more.getByRole('combobox', { name: 'Sort' }).waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: 'Clear', exact: true }).click()
  await shows('344')
})

it('regression: a value chosen just before leaving the page is restored after Back and after a reload', async () => {
  const id = await boardWith('Left soon', [filter('Species', 'species'), filter('Island', 'island')])
  await open(id)
  await pick('Species', 'Adelie')
  await page.waitForURL(/native_filters_key=/)
  await pick('Island', 'Torgersen')
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Charts' }).click()
  await page.getByRole('heading', { level: 1, name: 'Charts' }).waitFor()
  await page.goBack()
  await shows('52')
  await pick('Island', 'Dream')
  await page.reload()
  await shows('108')
})

it('regression: a link whose filters are gone says so, and filters chosen there have a new key', async () => {
  const id = await boardWith('Gone', [filter('Species', 'species')])
  const notice = page.getByText('The filters of this link no longer exist.')
  await open(id, '?native_filters=(a:')
  await notice.waitFor()
  await shows('344')
  await open(id, '?native_filters_key=gone')
  await notice.waitFor()
  await pick('Species', 'Adelie')
  await page.waitForURL(/native_filters_key=(?!gone)/)
  await page.reload()
  await shows('152')
  expect(await notice.count()).toBe(0)
})

it('regression: filters that the server does not return at first are read once more, and then reported', async () => {
  const id = await boardWith('Hiccup', [filter('Species', 'species')])
  const value = JSON.stringify({
    'NATIVE_FILTER-Species': {
      id: 'NATIVE_FILTER-Species',
      extraFormData: { filters: [{ col: 'species', op: 'IN', val: ['Adelie'] }] },
      filterState: { value: ['Adelie'] },
    },
  })
  const { key } = (await client.post(`/api/v1/dashboard/${id}/filter_state`, { value })).body
  let failures = 1
  await page.route(/filter_state/, (route) =>
    failures-- > 0 ? route.fulfill({ status: 503, json: { message: 'Not now' } }) : route.continue(),
  )
  await open(id, `?native_filters_key=${key}`)
  await shows('152')
  failures = 2
  await page.reload()
  await page.getByText('Could not load the filters of this link.').waitFor()
  await shows('344')
  await page.unroute(/filter_state/)
  await at.button('Try again').click()
  await shows('152')
})

it('NATF-014, DASH-085: a failed change of the filters applies nothing, and nothing typed is lost', async () => {
  const id = await boardWith('Refused', [filter('Species', 'species')])
  await open(id)
  await pick('Species', 'Gentoo')
  await shows('124')
  await at.button('Add and edit filters').click()
  const dialog = page.getByRole('dialog', { name: 'Add and edit filters' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Kind of penguin')
  await at.refuse(/\/api\/v1\/dashboard\/\d+$/, 'PUT', 500, { message: 'Fatal error' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.waitForText(/there was an error saving this dashboard/)
  expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Kind of penguin')
  await shows('124')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await combobox('Kind of penguin').waitFor()
  await shows('124')
})

it('a filter outlines the charts that it affects and the badge of a chart its filters, by pointer and by keyboard', async () => {
  const names = ['Penguins', 'Penguins by island']
  const charts = await Promise.all(names.map(at.chartNamed))
  const only = { scope: { rootPath: ['ROOT_ID'], excluded: [charts[1]] } }
  const says = (op: string, val: unknown) => ({
    extraFormData: { filters: [{ col: 'sex', op, val }] },
    filterState: { value: val },
  })
  const id = await at.boardOf('Outlines', names, {
    native_filter_configuration: [
      filter('Sex', 'sex', { ...only, defaultDataMask: says('IN', ['MALE']) }),
      filter('Species', 'species'),
    ],
  })
  await open(id)
  const outlined = () =>
    page.$$eval('[data-outlined]', (found) =>
      found.map(({ dataset }) => dataset.testChartId ?? dataset.filter).map((each) => Number(each) || each),
    )
  const outlines = (expected: unknown[]) => expect.poll(outlined).toEqual(expected)
  const sex = page.locator('[data-filter="NATIVE_FILTER-Sex"]')
  const sign = number().getByRole('button', { name: /1 filter applied/ })

  await sex.hover()
  await outlines([charts[0]])
  await page.locator('[data-filter="NATIVE_FILTER-Species"]').hover()
  await outlines([])
  await sign.hover()
  await outlines(['NATIVE_FILTER-Sex'])
  await page.mouse.move(0, 0)
  await outlines([])

  // A click leaves the focus in the field; focus alone outlines nothing once the pointer is away.
  await combobox('Sex').click()
  await page.keyboard.press('Escape')
  await page.mouse.move(0, 0)
  await outlines([])
  await combobox('Species').focus()
  await outlines([])
  await page.keyboard.press('Shift+Tab')
  await outlines([charts[0]])
  await sign.focus()
  await outlines(['NATIVE_FILTER-Sex'])
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Sex' }).waitFor()
  await outlines(['NATIVE_FILTER-Sex'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await outlines([])
})

it('a range is typed or set with a slider, shows a histogram, and filters by both of its ends', async () => {
  const id = await boardWith('By weight', [filter('Weight', 'body_mass', { filterType: 'filter_range' })])
  await open(id)
  const from = page.getByRole('spinbutton', { name: 'Weight: From' })
  await from.fill('6000')
  await from.press('Tab')
  await expect.poll(() => number().textContent()).not.toContain('344')
  const q = { col: 'body_mass', op: '>=', val: 6000 }
  const asked = {
    datasource: { id: penguins, type: 'table' },
    queries: [
      { columns: [], metrics: [{ expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }], filters: [q] },
    ],
  }
  const heavy = (await client.post('/api/v1/chart/data', asked)).body.result[0].data[0].n as number
  await shows(String(heavy))
  const handle = page.getByRole('slider', { name: 'Weight: From' })
  await handle.focus()
  await page.keyboard.press('Home')
  await shows('344')
  expect(await findAxeViolations(page)).toEqual([])
  // A range that was refused is cleared too.
  await page.getByRole('spinbutton', { name: 'Weight: To' }).fill('4000')
  await from.fill('5000')
  await from.press('Tab')
  const refusal = page.getByText('From must not be greater than To.')
  await refusal.waitFor()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await refusal.waitFor({ state: 'detached' })
  expect(await from.inputValue()).toBe('')
  await shows('344')
})

it('a range over more values than are fetched has its histogram computed by the database', async () => {
  const { database } = (await client.get(`/api/v1/dataset/${penguins}`)).body.result
  // Twice as many rows in the first half as in the second, each with a distinct value.
  const sql =
    'SELECT CASE WHEN i < 16000 THEN i / 16000.0 ELSE 1 + (i - 16000) / 8000.0 END AS price FROM range(24001) AS t(i)'
  const made = await client.post('/api/v1/dataset/', { database: database.id, table_name: 'prices', sql })
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 })
  const targets = [{ datasetId: made.body.id, column: { name: 'price' } }]
  await open(await boardWith('By price', [filter('Price', 'price', { filterType: 'filter_range', targets })]))
  await page.getByRole('slider', { name: 'Price: From' }).waitFor()
  const bars = page.locator('[data-filter="NATIVE_FILTER-Price"] [aria-hidden="true"] > span[style*="height"]')
  await expect.poll(() => bars.count()).toBe(40)
  const heights = await bars.evaluateAll((all) => all.map((bar) => Math.round(Number.parseFloat(bar.style.height))))
  expect(heights).toEqual([...Array(20).fill(100), ...Array(20).fill(50)])
  expect(await findAxeViolations(page)).toEqual([])
})

it('a dependent filter offers the values that its parent leaves; other values are struck out and not queried', async () => {
  const island = filter('Island', 'island')
  const id = await boardWith('Dependent', [island, filter('Species', 'species', { cascadeParentIds: [island.id] })])
  await open(id)
  await pick('Species', 'Gentoo')
  await shows('124')
  await pick('Island', 'Torgersen')
  await page.getByText('not in Island').waitFor()
  await shows('52')
  await combobox('Species').click()
  await page.getByRole('option', { name: /^Adelie/ }).waitFor()
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove Torgersen' }).click()
  await page.getByText('not in Island').waitFor({ state: 'detached' })
  await shows('124')
})

it('a filter that defaults to its first value never shows its charts without it', async () => {
  const id = await boardWith('First', [
    filter('Species', 'species', { controlValues: { multiSelect: false, defaultToFirstItem: true } }),
  ])
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/dashboard\/\d+\/data$/.test(request.url())) asked.push(request.postData() ?? '')
  })
  await open(id)
  await shows('152')
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter((body) => !body.includes('Adelie'))).toEqual([])
  expect(await combobox('Species').inputValue()).toBe('Adelie')
})

it('DASH-067: a refresh reloads the filter values, bypassing the cache when it does so for the charts', async () => {
  await open(await boardWith('Refreshed', [filter('Species', 'species')]))
  const asked: boolean[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/chart/data')) asked.push((request.postDataJSON() as { force: boolean }).force)
  })
  const look = async () => {
    await combobox('Species').click()
    await page.getByRole('option', { name: /^Adelie/ }).waitFor()
    await page.keyboard.press('Escape')
  }
  await look()
  await look()
  expect(asked).toEqual([false])
  await page.locator('h1').click()
  const refreshed = page.waitForRequest(/\/api\/v1\/dashboard\/\d+\/data$/)
  await page.keyboard.press('Shift+R')
  await refreshed
  await at.answered()
  await look()
  expect(asked).toEqual([false, true])
})

it('NATF-023: from a thousand values on, typed text is searched on the server, and wildcards are literal characters', async () => {
  const databases = await client.get('/api/v1/database/?q=(filters:!((col:database_name,opr:eq,value:examples)))')
  const made = await client.post('/api/v1/dataset/', {
    database: databases.body.result[0].id,
    schema: 'main',
    table_name: `many_${Date.now()}`,
    sql: `SELECT CASE WHEN a.delay = 7 AND b.delay = 7 THEN '7% of_it' ELSE CAST(a.delay * 1000 + b.delay AS VARCHAR) END AS code
      FROM (SELECT DISTINCT delay FROM flights WHERE delay BETWEEN 0 AND 49) a,
           (SELECT DISTINCT delay FROM flights WHERE delay BETWEEN 0 AND 49) b`,
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const code = filter('Code', 'code', {
    targets: [{ datasetId: made.body.id, column: { name: 'code' } }],
    // Typed text is not offered as an option.
    controlValues: { multiSelect: true, creatable: false },
  })
  await open(await boardWith('Many', [code]))
  await combobox('Code').click()
  await page.getByRole('option').first().waitFor()
  await page.keyboard.type('% of_')
  const found = page.getByRole('option', { name: /^7% of_it/ })
  await found.waitFor()
  // Not counting the option for the typed text.
  await expect.poll(() => page.getByRole('option').filter({ hasNotText: /^Use / }).count()).toBe(1)
  await page.keyboard.press('Escape')
})

it('NATF-027, NATF-028, NATF-029, NATF-030, NATF-031: a viewer saves, applies, renames and deletes filter sets', async () => {
  const id = await boardWith('Sets', [filter('Species', 'species'), filter('Island', 'island')])
  const viewer = await openSignedInPage(browser, product.url, { username: 'watcher' })
  const tile = at.tile('Penguins', viewer)
  const menu = (text: string) => viewer.locator('[role^="menuitem"]', { hasText: text }).first()
  const choose = async (name: string, option: string) => {
    await viewer.getByRole('combobox', { name }).click()
    await viewer.getByRole('option', { name: new RegExp(`^${option}`) }).click()
    await viewer.keyboard.press('Escape')
  }
  const setsButton = viewer.getByRole('button', { name: /^(Filter sets|Sets: )/ })
  await at.open(id, '', viewer)
  await choose('Species', 'Gentoo')
  await expect.poll(() => tile.textContent()).toContain('124')
  await setsButton.click()
  await menu('Save as new filter set').click()
  await viewer.getByRole('textbox', { name: 'Name' }).fill('Big ones')
  expect(await viewer.getByRole('checkbox', { name: /everybody/ }).count(), 'only who edits shares').toBe(0)
  await viewer.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await at.waitForText('Filter set saved', viewer)
  await viewer.getByRole('button', { name: 'Sets: Big ones', exact: true }).waitFor()

  await choose('Island', 'Dream')
  await viewer.getByRole('button', { name: 'Sets: Big ones (modified)' }).click()
  await menu('Big ones').click()
  await expect.poll(() => tile.textContent()).toContain('124')

  await viewer.reload()
  await at.answered(viewer)
  await setsButton.click()
  await menu('Big ones').click()
  await setsButton.click()
  await menu('Rename').click()
  await viewer.getByRole('textbox', { name: 'Name' }).fill('Large')
  await viewer.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await viewer.getByRole('button', { name: 'Sets: Large', exact: true }).click()
  expect(await findAxeViolations(viewer)).toEqual([])
  await menu('Delete').click()
  await viewer.getByRole('alertdialog').getByRole('button', { name: 'Delete filter set' }).click()
  await viewer.getByRole('button', { name: 'Filter sets', exact: true }).waitFor()
  expect((await client.get(`/api/v1/dashboard/${id}/filtersets`)).body.result).toEqual([])
  await viewer.context().close()
})

it('NATF-024: a selected mark of a chart filters the others, another is added, and the chip removes them', async () => {
  const id = await at.boardOf('Clicks', ['Penguins', 'Penguins by island'])
  await open(id)
  await shows('344')
  const chip = page.getByRole('button', { name: /^Remove Penguins by island · Species, Island: / })
  const words = () => chip.getAttribute('aria-label')
  /** Follows the filter count in the text, which is one each time. */
  const count = async () => Number(/(\d+)penguins/.exec((await number().textContent()) ?? '')?.[1])
  await at.tile('Penguins by island').getByRole('figure').first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await chip.waitFor()
  await expect.poll(() => number().textContent()).not.toContain('344')
  const [first, one] = [await words(), await count()]
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+Enter')
  await expect.poll(async () => (await words())?.startsWith(`${first}, `)).toBe(true)
  await expect.poll(count).toBeGreaterThan(one)
  expect(await findAxeViolations(page)).toEqual([])
  const list = page.getByRole('complementary', { name: 'Filters' }).locator('section, [data-filter]')
  expect(await list.first().getAttribute('aria-label'), 'above the other filters').toBe('Cross-filters')
  await chip.click()
  await shows('344')
})

it('filter boxes become filters of the bar in one step that can be undone, and legacy links preselect their values', async () => {
  const params = {
    viz_type: 'filter_box',
    datasource: `${penguins}__table`,
    date_filter: false,
    filter_configs: [{ column: 'species', label: 'Species', defaultValue: 'Gentoo' }],
  }
  const name = `Box ${Date.now()}`
  const made = await client.post('/api/v1/chart/', {
    slice_name: name,
    viz_type: 'filter_box',
    datasource_id: penguins,
    datasource_type: 'table',
    params: JSON.stringify(params),
  })
  const id = await at.boardOf('Of boxes', [name, 'Penguins'])
  const link = encodeURIComponent(JSON.stringify({ [made.body.id]: { species: ['Chinstrap'] } }))
  await open(id, `?preselect_filters=${link}`)
  await shows('68')
  await at.button('Convert filter boxes').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Convert filter boxes' }).click()
  await at.waitForText('Filter boxes converted to filters')
  await combobox('Species').waitFor()
  await shows('124')
  await expect.poll(() => at.tile(name).count()).toBe(0)
  await at.button('Undo').click()
  await at.tile(name).waitFor()
  await expect.poll(() => page.getByRole('complementary', { name: 'Filters' }).getByRole('combobox').count()).toBe(0)
  expect(JSON.parse((await at.stored(id)).json_metadata).native_filter_configuration ?? []).toEqual([])
})
