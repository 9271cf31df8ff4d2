import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { dashboardTools } from './dashboard-tools.ts'
import {
  addUserArgs,
  runCommand,
  runCommands,
  waitForExamples,
  createApiClient,
  startProduct,
  type Product,
} from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof dashboardTools>
let penguins: number

/** CLI command that grants readers access to the penguins, or revokes it. */
const readPenguins = (action: 'grant' | 'revoke') => [
  'role',
  action,
  'Readers',
  'datasource_access',
  `[examples].[penguins](id:${penguins})`,
]

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(20_000)
  at = dashboardTools(page, client)
  const q = '(filters:!((col:table_name,opr:eq,value:penguins)))'
  penguins = (await client.get(`/api/v1/dataset/?q=${q}`)).body.result[0].id
  runCommands(product, ['role', 'add', 'Readers'], readPenguins('grant'), addUserArgs('rita', 'Gamma', 'Readers'))
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const count = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'n' }

/** Counts from the API, queried as a script would. */
async function counted(filters: object[], columns: string[] = []): Promise<Record<string, unknown>[]> {
  const queries = [{ filters, columns, metrics: [count], orderby: [['n', false]] }]
  const { body } = await client.post('/api/v1/chart/data', { datasource: { id: penguins, type: 'table' }, queries })
  return body.result[0].data
}
const is = (col: string, val: string) => ({ col, op: '==', val })

/** Moves the keyboard focus to the mark whose description contains `mark`, then opens its menu. */
async function openMark(title: string, mark: string, key: 'd' | 'Enter', on = page): Promise<void> {
  const figure = at.tile(title, on).locator('[role="figure"][aria-describedby]')
  await figure.focus()
  const announcement = figure.locator('[aria-live="polite"]')
  for (let step = 0; step < 12; step++) {
    await on.keyboard.press('ArrowRight')
    await expect.poll(() => announcement.textContent()).not.toBe('')
    if ((await announcement.textContent())?.includes(mark)) break
  }
  await on.keyboard.press(key)
  await on.getByRole('menu', { name: new RegExp(`^Actions for .*${mark}`) }).waitFor()
}
const item = (name: string, on = page) => on.getByRole('menuitem', { name, exact: true })
const dialog = (name: string | RegExp, on = page) => on.getByRole('dialog', { name })
const waitForRowsText = (text: string, on = page) =>
  dialog(/^Rows for/, on)
    .getByText(text, { exact: true })
    .waitFor()

it('CHART-038: two keys lead from a mark to its rows, under the filters of the dashboard, which are shown', async () => {
  await at.open('penguins')
  await page.getByRole('combobox', { name: 'Island' }).click()
  await page.getByRole('option', { name: 'Dream' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => at.tile('Penguins').textContent()).not.toContain('344')
  await at.answered()
  await openMark('Penguins by species', 'Adelie', 'd')
  await item('Drill to rows').click()
  const [found] = await counted([is('species', 'Adelie'), is('island', 'Dream')])
  await waitForRowsText(`${String(found?.['n'])} rows`)
  const filters = dialog('Rows for Adelie').getByRole('list', { name: 'Filtered by' })
  expect(await filters.getByRole('listitem').allInnerTexts()).toEqual(['Island = Dream', 'Species = Adelie'])
  expect(await findAxeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
})

it('C074: a click on a period filters the other charts by its range, and drills into it', async () => {
  const { database } = (await client.get(`/api/v1/dataset/${penguins}`)).body.result
  const rows = [
    ['2024-01-10', 'a'],
    ['2024-01-20', 'b'],
    ['2024-02-05', 'a'],
  ]
  const sql = rows.map(([ts, g]) => `SELECT TIMESTAMP '${ts} 08:30:00' AS ts, '${g}' AS g`).join(' UNION ALL ')
  const made = await client.post('/api/v1/dataset/', { database: database.id, table_name: 'visits', sql })
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 })
  const chart = async (slice_name: string, form: object) => {
    const datasource_id = made.body.id
    const params = JSON.stringify({ datasource: `${datasource_id}__table`, ...form })
    const viz_type = (form as { viz_type: string }).viz_type
    await client.post('/api/v1/chart/', { slice_name, viz_type, datasource_id, datasource_type: 'table', params })
  }
  const monthly = { x_axis: 'ts', time_grain_sqla: 'P1M', metrics: [count] }
  await chart('Visits by month', { viz_type: 'echarts_timeseries_bar', ...monthly })
  await chart('Visits', { viz_type: 'big_number_total', metric: count })
  await chart('Visits by kind', { viz_type: 'echarts_timeseries_line', ...monthly, groupby: ['g'] })
  await at.open(await at.boardOf('Visits', ['Visits by month', 'Visits', 'Visits by kind']))
  const visits = (text: RegExp) => expect.poll(() => at.tile('Visits').textContent()).toMatch(text)
  await visits(/3/)
  await openMark('Visits by month', 'January 2024', 'd')
  await item('Filter other charts by this').click()
  await visits(/2/)
  await page.getByRole('complementary', { name: 'Filters' }).getByText('January 2024').waitFor()
  await at.answered()
  await openMark('Visits by month', 'January 2024', 'd')
  await item('Drill to rows').click()
  await waitForRowsText('2 rows')
  await page.keyboard.press('Escape')
  await openMark('Visits by month', 'January 2024', 'd')
  await item('Drill by').click()
  await item('g').click()
  const down = dialog('Drill by: Visits by month')
  await down.getByRole('radio', { name: 'Table' }).check({ force: true })
  await expect
    .poll(() =>
      down
        .getByRole('gridcell')
        .allInnerTexts()
        .then((cells) => cells.toSorted()),
    )
    .toEqual(['1', '1', 'a', 'b'])
  await page.keyboard.press('Escape')
  await openMark('Visits by month', 'January 2024', 'd')
  await item('Remove cross-filter').click()
  await visits(/3/)
  await at.answered()
  await openMark('Visits by kind', 'a', 'd')
  await item('Filter other charts by this').click()
  await visits(/2/)
})

it('rows are loaded in pages from the server, in chosen columns, and exported as queried', async () => {
  await at.open('penguins')
  await openMark('Penguins by species', 'Adelie', 'd')
  await item('Drill to rows').click()
  await waitForRowsText('152 rows')
  const rows = dialog('Rows for Adelie')
  const lines = () => rows.getByRole('grid').getAttribute('aria-rowcount')
  const full = Number(await lines())
  const pendingRequest = page.waitForRequest(
    (each) => each.method() === 'POST' && each.url().endsWith('/api/v1/chart/data'),
  )
  await rows.getByRole('button', { name: 'Page 2' }).click()
  expect((await pendingRequest).postDataJSON().queries[0]).toMatchObject({ row_limit: 100, row_offset: 100 })
  await expect.poll(async () => full - Number(await lines())).toBe(48)
  // Row numbers continue from the first page.
  expect(await rows.getByRole('rowheader').first().textContent()).toBe('101')
  await rows.getByRole('combobox', { name: 'Columns' }).click()
  await page.getByRole('option', { name: 'Sex' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => rows.getByRole('columnheader').allInnerTexts()).toEqual(expect.arrayContaining(['Sex']))
  await expect.poll(() => rows.getByRole('columnheader', { name: 'Species' }).count()).toBe(0)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    rows.getByRole('button', { name: 'Download as CSV' }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString().trim().split('\n')
  expect(text).toHaveLength(153)
  expect(new Set(text.slice(1).map((line) => line.trim()))).toEqual(new Set(['male', 'female', '""']))
  await page.keyboard.press('Escape')
})

it('drilling a mark by another column adds up to the mark; deeper drilling, going back and saving as a chart work', async () => {
  await at.open('penguins')
  await openMark('Penguins by species', 'Adelie', 'd')
  await item('Drill by').click()
  await item('Island').click()
  const down = dialog('Drill by: Penguins by species')
  const path = down.getByRole('navigation', { name: 'Drill path' })
  await path.getByText('Adelie by Island').waitFor()
  const parts = await counted([is('species', 'Adelie')], ['island'])
  expect(parts.map(({ n }) => Number(n)).reduce((sum, n) => sum + n, 0)).toBe(152)
  await down.getByRole('radio', { name: 'Table' }).check({ force: true })
  const cells = () => down.getByRole('gridcell').allInnerTexts()
  await expect
    .poll(cells)
    .toEqual(expect.arrayContaining(parts.flatMap(({ island, n }) => [String(island), String(n)])))
  await down.getByRole('radio', { name: 'Chart' }).check({ force: true })

  const [biggest] = parts
  await openMark('Adelie by Island', String(biggest?.['island']), 'Enter')
  await item('Drill by').click()
  await item('Sex').click()
  await path.getByText(`${String(biggest?.['island'])} by Sex`).waitFor()
  const filters = down.getByRole('list', { name: 'Filtered by' })
  await expect.poll(() => filters.getByRole('listitem').count()).toBe(2)
  expect(await findAxeViolations(page)).toEqual([])
  await path.getByRole('button', { name: 'Back' }).click()
  await expect.poll(() => filters.getByRole('listitem').count()).toBe(1)

  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    down.getByRole('button', { name: 'Open as new chart' }).click(),
  ])
  await tab.getByRole('heading', { level: 1, name: 'New chart' }).waitFor()
  const figure = tab.locator('figure[aria-busy=false] [role="figure"][aria-describedby]').first()
  await figure.waitFor()
  const words = await figure.evaluate(
    (each) => document.getElementById(each.getAttribute('aria-describedby')!)?.textContent,
  )
  for (const { island, n } of [parts[0]!, parts.at(-1)!]) expect(words).toContain(`${String(island)}, ${String(n)}`)
  await tab.close()
})

it('Explore offers the same for a mark, with Enter or a click, and for the whole chart', async () => {
  const id = await at.chartNamed('Penguins by island')
  await page.goto(`/explore/?slice_id=${id}`)
  await page.locator('figure[aria-busy=false] canvas').first().waitFor()
  await openMark('Penguins by island', 'Biscoe', 'Enter')
  await item('Drill to rows').click()
  const [found] = await counted([is('island', 'Biscoe'), is('species', 'Adelie')])
  await waitForRowsText(`${String(found?.['n'])} rows`)
  await page.keyboard.press('Escape')
  await dialog(/^Rows for/).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Chart actions' }).click()
  await item('Drill to rows').click()
  await waitForRowsText('344 rows')
  await page.keyboard.press('Escape')
  await dialog(/^Rows for/).waitFor({ state: 'detached' })
  // Drilling by for the whole chart begins with a column that it does not show, and offers others.
  await page.getByRole('button', { name: 'Chart actions' }).click()
  await item('Drill by…').click()
  const down = dialog('Drill by: Penguins by island')
  const way = down.getByRole('navigation', { name: 'Drill path' })
  await way.getByText('Penguins by island by Sex').waitFor()
  await down.locator('figure[aria-busy=false] canvas').waitFor()
  await page.getByRole('option', { name: 'Island', exact: true }).click()
  await way.getByText('Penguins by island by Island').waitFor()
  await page.keyboard.press('Escape')
})

it('CHART-038: a whole mixed chart can be drilled into by either of its queries', async () => {
  const id = await at.chartNamed('Rain and temperature by month')
  const { params } = (await client.get(`/api/v1/chart/${id}`)).body.result
  const filter = { clause: 'WHERE', expressionType: 'SIMPLE', subject: 'weather', operator: '==', comparator: 'snow' }
  const made = await client.post('/api/v1/chart/', {
    slice_name: 'Two queries',
    viz_type: 'mixed_timeseries',
    datasource_id: Number.parseInt(JSON.parse(params).datasource, 10),
    datasource_type: 'table',
    params: JSON.stringify({ ...JSON.parse(params), adhoc_filters_b: [filter] }),
  })
  await page.goto(`/explore/?slice_id=${made.body.id}`)
  await page.locator('figure[aria-busy=false] canvas').first().waitFor()
  await page.getByRole('button', { name: 'Chart actions' }).click()
  await item('Drill to rows').click()
  const rows = dialog('Rows for Two queries')
  const filters = rows.getByRole('list', { name: 'Filtered by' })
  await rows.getByRole('radio', { name: 'Query A' }).waitFor()
  expect(await filters.getByText('snow').count()).toBe(0)
  await rows.getByRole('radio', { name: 'Query B' }).check({ force: true })
  await filters.getByText('snow').waitFor()
  await waitForRowsText('26 rows')
  // The row count may arrive before the rows; the rows of the other query are dimmed until then.
  await rows.locator('[data-stale]').waitFor({ state: 'detached' })
  expect(await findAxeViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await rows.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Chart actions' }).click()
  await item('Drill by…').click()
  const down = dialog('Drill by: Two queries')
  await page.keyboard.press('Escape')
  await down.getByRole('radio', { name: 'Query B' }).check({ force: true })
  await down.getByRole('list', { name: 'Filtered by' }).getByText('snow').waitFor()
  await page.keyboard.press('Escape')
})

it('a reader sees only the rows that row-level security allows, in marks, drill-by charts and rows', async () => {
  const store = new DatabaseSync(join(product.home, 'parquetry.sqlite'), { timeout: 10_000 })
  store.exec(`
    INSERT OR IGNORE INTO row_rule (name, filter_type, clause, created_on, changed_on)
      VALUES ('no Biscoe', 'Regular', 'island <> ''Biscoe''', '2026-01-01T00:00:00.000', '2026-01-01T00:00:00.000');
    INSERT OR IGNORE INTO row_rule_dataset (row_rule_id, dataset_id) SELECT id, ${penguins} FROM row_rule WHERE name = 'no Biscoe';
    INSERT OR IGNORE INTO row_rule_role (row_rule_id, role_id)
      SELECT row_rule.id, role.id FROM row_rule, role WHERE row_rule.name = 'no Biscoe' AND role.name = 'Readers'`)
  store.close()
  const rita = await openSignedInPage(browser, product.url, { username: 'rita' })
  rita.setDefaultTimeout(20_000)
  await at.open('penguins', '', rita)
  await openMark('Penguins by species', 'Adelie', 'd', rita)
  await item('Drill to rows', rita).click()
  const [left] = await counted([is('species', 'Adelie'), { col: 'island', op: '!=', val: 'Biscoe' }])
  await waitForRowsText(`${String(left?.['n'])} rows`, rita)
  expect(await dialog('Rows for Adelie', rita).getByText('Biscoe').count()).toBe(0)
  await rita.keyboard.press('Escape')

  await openMark('Penguins by species', 'Adelie', 'd', rita)
  await item('Drill by', rita).click()
  await item('Island', rita).click()
  const down = dialog('Drill by: Penguins by species', rita)
  await down.locator('figure[aria-busy=false] canvas').waitFor()
  expect(await down.textContent()).not.toContain('Biscoe')
  await rita.keyboard.press('Escape')

  runCommand(product, ...readPenguins('revoke'))
  await openMark('Penguins by species', 'Adelie', 'd', rita)
  await item('Drill to rows', rita).click()
  await dialog('Rows for Adelie', rita).getByText('You don’t have access to this data').waitFor()
  expect(await dialog('Rows for Adelie', rita).getByRole('grid').count()).toBe(0)
  await rita.context().close()
})
