import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { createApiClient, waitForExamples, startProduct, type Product } from './product.ts'
import { skipAfterFailure, monitorPage, type PageMonitor } from './page-monitor.ts'

// All numbers were computed with DuckDB directly on the file of the three million flights.
const byOrigin = [
  ['LAX', '115245'],
  ['SEA', '50231'],
  ['JFK', '31270'],
]
const seattleInMarch = ['SEA', '8267']
const seattleDaysInMarch =
  /^Line Chart of COUNT\(\*\), Thu, Mar 1, 2001 to Sat, Mar 31, 2001\. Highest: 280 \(Mon, Mar 12, 2001\)\./

let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  page = await context.newPage()
  page.setDefaultTimeout(30_000)
  monitor = monitorPage(page)
  await waitForExamples(product.url)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
skipAfterFailure(() => page)

it('signs in', async () => {
  await page.goto('/')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await monitor.checkAccessibility()
  await page.getByRole('textbox', { name: 'Username' }).fill('admin')
  await page.getByRole('textbox', { name: 'Password' }).fill('admin')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/superset/welcome/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await monitor.checkAccessibility()
})

it('queries three million rows in SQL Lab and reads the result in the grid', async () => {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'SQL Lab' }).click()
  await write(
    'SELECT origin, count(*) AS flights, sum(count(*)) OVER () AS total FROM flights GROUP BY origin ORDER BY 2 DESC',
  )
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^229 rows · /).waitFor()
  const result = page.getByRole('grid', { name: 'Result' })
  expect(await cells(result.getByRole('row').nth(1))).toEqual(['ORD', '166341', '3000000'])
  await monitor.checkAccessibility()
})

it('saves a query as a dataset and opens it in Explore', async () => {
  await write("SELECT date, origin, destination, delay FROM flights WHERE origin IN ('LAX', 'SEA', 'JFK')")
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^1,000 rows shown, more available/).waitFor()
  const results = page.getByRole('region', { name: 'Results' })
  await results.getByRole('button', { name: 'More result actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save as dataset' }).click()
  await page.getByRole('dialog').waitFor()
  await monitor.checkAccessibility()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('flights of three airports')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/explore\//)
  // Half a year is drawn by week until the user chooses days.
  await waitForDescription(/^Line Chart of COUNT\(\*\), Jan 1, 2001 to Jun 25, 2001/)
  await choose(page.getByRole('combobox', { name: 'Time grain' }), 'Day')
  await page.keyboard.press('Control+Enter')
  await waitForDescription(/^Line Chart of COUNT\(\*\), Mon, Jan 1, 2001 to Sat, Jun 30, 2001/)
  await page.getByText('181 rows').waitFor()
  await monitor.checkAccessibility()
})

it('saves a line chart and a table of it', async () => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Flights per day')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Flights per day' }).waitFor()

  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await page.getByRole('button', { name: 'Remove date', exact: true }).click()
  await page.getByRole('button', { name: 'Add origin' }).click()
  await expectTableRows('Flights per day', byOrigin)
  await monitor.checkAccessibility()
  await page.keyboard.press('Control+s')
  await page.getByRole('radio', { name: 'Save as…' }).check()
  await page.getByRole('textbox', { name: /^Chart name/ }).fill('Flights by origin')
  await monitor.checkAccessibility()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Flights by origin' }).waitFor()
  expect(await page.getByText('Unsaved changes').count()).toBe(0)
})

it('adds both to a new dashboard, one by mouse and one by keyboard', async () => {
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Dashboard' }).click()
  await page.waitForURL('**/dashboard/new/**')
  await page.getByRole('button', { name: '[ untitled dashboard ]', exact: true }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Three airports')
  await page.keyboard.press('Enter')

  const panel = page.getByRole('complementary', { name: 'Add', exact: true })
  await drag(panel.getByRole('listitem').filter({ hasText: 'Flights by origin' }), page.getByText('Drag charts here'))
  await expectTableRows('Flights by origin', byOrigin)
  await panel.getByRole('button', { name: 'Add Flights per day' }).press('Enter')
  await waitForDescription(/^Line Chart of COUNT/)
  await monitor.checkAccessibility()

  await page.keyboard.press('Control+s')
  await page.getByText('This dashboard was saved successfully.').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
})

it('adds a value filter and a time filter', async () => {
  await page.getByRole('button', { name: 'Add and edit filters' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add and edit filters' })
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Value' }).click()
  await choose(dialog.getByRole('combobox', { name: 'Column' }), 'origin')
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Time range' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('When')
  await monitor.checkAccessibility()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await choose(page.getByRole('combobox', { name: 'origin' }), 'SEA')
  await expectTableRows('Flights by origin', [['SEA', '50231']])
  await page.getByRole('textbox', { name: 'When' }).fill('2001-03-01 : 2001-04-01')
  await page.keyboard.press('Enter')
  await expectTableRows('Flights by origin', [seattleInMarch])
  await waitForDescription(seattleDaysInMarch)
  await monitor.checkAccessibility()
})

it('shares the filtered dashboard with a user who opens it in another browser', async () => {
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link Copied!').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toMatch(new RegExp(`^${product.url}/superset/dashboard/p/[^/]+/$`))

  const other = await openSignedInPage(browser, product.url)
  const { pageErrors } = monitorPage(other)
  await other.goto(link)
  await expectTableRows('Flights by origin', [seattleInMarch], other)
  await waitForDescription(seattleDaysInMarch, other)
  expect(await other.getByRole('textbox', { name: 'When' }).inputValue()).toBe('2001-03-01 : 2001-04-01')
  expect(pageErrors).toEqual([])
  await other.context().close()
})

it('previews and creates a row-level security rule', async () => {
  await page.goto('/superset/welcome/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Row-level security' }).click()
  await page.getByRole('heading', { name: 'No row-level security rules yet' }).waitFor()
  await page
    .getByRole('link', { name: 'Rule', exact: true })
    .or(page.getByRole('button', { name: 'Rule', exact: true }))
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Seattle only')
  for (const [field, option] of [
    ['Datasets', 'main.flights'],
    ['Applies to', 'Gamma Role'],
  ] as const) {
    await dialog.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
    await page.keyboard.press('Escape')
  }
  const clause = dialog.getByRole('textbox', { name: 'Clause' })
  await clause.fill(`airport = 'SEA'`)
  const preview = dialog.getByRole('button', { name: 'Preview' })
  await preview.click()
  await dialog.getByText(/^flights, line 1, column 1: .*airport/).waitFor()
  await clause.fill(`origin = 'SEA'`)
  await preview.click()
  await dialog.getByRole('row', { name: 'flights Gamma Role 3,000,000 50,231' }).waitFor()
  await dialog.getByRole('row', { name: 'flights All other users 3,000,000 3,000,000' }).waitFor()
  await monitor.checkAccessibility()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('cell', { name: `For Gamma: only rows where origin = 'SEA'` }).waitFor()
  await monitor.checkAccessibility()
})

it('does not overwrite a row-level security rule that has changed, and reloads it', async () => {
  await page.getByRole('link', { name: 'Seattle only' }).click()
  const clause = page.getByRole('dialog').getByRole('textbox', { name: 'Clause' })
  await clause.fill(`origin = 'LAX'`)
  const client = await createApiClient(product.url, 'admin')
  const [{ id }] = (await client.get('/api/v1/rowlevelsecurity/')).body.result
  await client.put(`/api/v1/rowlevelsecurity/${id}`, { clause: `origin = 'JFK'` })
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'This rule has changed' }).waitFor()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => clause.inputValue()).toBe(`origin = 'JFK'`)
  await page.keyboard.press('Escape')
  await page.getByRole('cell', { name: `For Gamma: only rows where origin = 'JFK'` }).waitFor()
})

it('has no serious or critical axe findings, in light or dark, and no console errors', () => {
  expect([...monitor.violations]).toEqual([])
  expect(monitor.pageErrors).toEqual([expect.stringContaining('409 (Conflict)')])
})

/** Replaces the text of the editor, key by key. */
async function write(sql: string): Promise<void> {
  await page.getByRole('textbox', { name: /^SQL editor/ }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.type(sql)
}

/** Waits for the text alternative of a chart. */
const waitForDescription = (words: RegExp, where = page): Promise<void> =>
  where.getByText(words).waitFor({ state: 'attached' })

/** Values of cells, in full where they are shown shortened. */
const cells = (row: Locator): Promise<string[]> =>
  row
    .getByRole('gridcell')
    .evaluateAll((all) => all.map((cell) => (cell as HTMLElement).title || (cell as HTMLElement).innerText))

/** Waits until the table of a chart has these rows and no others. */
const expectTableRows = (chart: string, rows: string[][], where = page): Promise<void> =>
  expect
    .poll(
      () =>
        where.locator(`figure[aria-label="${chart}"]`).evaluateAll((figures) =>
          figures
            .filter((figure) => figure.checkVisibility())
            .flatMap((figure) => [...figure.querySelectorAll('[role="row"]:has([role="gridcell"])')])
            .map((row) =>
              [...row.querySelectorAll<HTMLElement>('[role="gridcell"]')].map((cell) => cell.title || cell.innerText),
            ),
        ),
      { timeout: 30_000 },
    )
    .toEqual(rows)

async function choose(box: Locator, option: string): Promise<void> {
  await box.click()
  await page.getByRole('option', { name: new RegExp(`^${option}\\b`) }).click()
  await page.keyboard.press('Escape')
}

/** Drags with the mouse as a user does: press, move in steps, release. */
async function drag(what: Locator, where: Locator): Promise<void> {
  const [from, to] = [await what.boundingBox(), await where.boundingBox()]
  if (!from || !to) throw new Error('nothing to drag, or no place for it')
  await page.mouse.move(from.x + from.width / 3, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 })
  await page.mouse.up()
}
