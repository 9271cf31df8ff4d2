import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'
import { sqllabTools } from './sqllab-tools.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let lab: ReturnType<typeof sqllabTools>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(30_000)
  lab = sqllabTools(page)
  await page.goto('/superset/sqllab/')
  await lab.editor().waitFor()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const panel = (name: string) => page.getByRole('region', { name, exact: true })

describe('the tables', () => {
  const tree = () => page.getByRole('tree', { name: 'Tables' })
  const node = (name: RegExp) => tree().getByRole('treeitem', { name })

  it('expand with the arrow keys to show their columns, and Enter inserts the name', async () => {
    await node(/^flights/).waitFor()
    await tree().focus()
    await page.keyboard.press('f')
    await page.keyboard.press('ArrowRight')
    await node(/^distance/).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => lab.editor().textContent()).toBe('date')
  })

  it('SQL-031, SQL-032, SQL-070, SQL-071, SQL-074: open as a panel with columns, keys and a preview', async () => {
    await tree().focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('f')
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Show details and preview' }).press('Enter')
    await panel('flights')
      .getByRole('button', { name: /^distance/ })
      .waitFor()
    await panel('flights')
      .getByText(/^3,000,000 rows/)
      .waitFor()
    await lab.resultTab('Preview: flights').waitFor()
    await expect.poll(() => lab.resultTab('Preview: flights').getAttribute('aria-selected')).toBe('true')
    await expect.poll(() => lab.resultSummary().textContent()).toMatch(/^100 rows/)
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('SQL-044: list a table that a query has created, which leads to its rows', async () => {
    await lab.run('CREATE TABLE eights AS select 8 as eight')
    await lab.results().getByText('Table eights created').waitFor()
    await node(/^eights/).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await lab.results().getByRole('button', { name: 'Query in new tab' }).click()
    await lab.grid().getByRole('gridcell', { name: '8', exact: true }).waitFor()
    expect(await lab.text()).toBe('SELECT *\nFROM eights')
    await lab.tabList().getByRole('tab').first().click()
  })

  it('SQL-072, SQL-073: panels collapse and are removed, with their preview', async () => {
    const head = panel('flights').getByRole('button', { name: 'flights', exact: true })
    await head.click()
    await expect.poll(() => head.getAttribute('aria-expanded')).toBe('false')
    await panel('flights').getByRole('button', { name: 'Remove flights' }).click()
    await panel('flights').waitFor({ state: 'detached' })
    await lab.resultTab('Preview: flights').waitFor({ state: 'detached' })
  })

  it('SQL-045: store their panels on the server, collapsed or not, until they are removed', async () => {
    const head = () => panel('gapminder').getByRole('button', { name: 'gapminder', exact: true })
    await node(/^gapminder/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Show details and preview' }).click()
    await panel('gapminder')
      .getByRole('button', { name: /^life_expect/ })
      .waitFor()
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/expanded')),
      head().click(),
    ])
    expect(answer.status()).toBe(200)
    await page.reload()
    await head().waitFor()
    await expect.poll(() => head().getAttribute('aria-expanded')).toBe('false')
    await head().click()
    await panel('gapminder')
      .getByRole('button', { name: /^life_expect/ })
      .waitFor()
    await panel('gapminder').getByRole('button', { name: 'Remove gapminder' }).click()
    await panel('gapminder').waitFor({ state: 'detached' })
  })

  it('SQL-105, SQL-106, SQL-107: report when the server does not store the state of their panels', async () => {
    await node(/^gapminder/).click({ button: 'right' })
    const [kept] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/tableschemaview/')),
      page.getByRole('menuitem', { name: 'Show details and preview' }).click(),
    ])
    expect(kept.status()).toBe(200)
    await intercept(page, /\/tableschemaview\/\d+/, (route) =>
      route.fulfill({ status: 500, json: { message: 'no luck' } }),
    )
    const head = panel('gapminder').getByRole('button', { name: 'gapminder', exact: true })
    for (const what of ['collapsing', 'expanding']) {
      await head.click()
      await page.getByText(`An error occurred while ${what} table metadata: no luck`).waitFor()
    }
    await panel('gapminder').getByRole('button', { name: 'Remove gapminder' }).click()
    await page.getByText('An error occurred while removing table metadata: no luck').waitFor()
    await page.unroute(/\/tableschemaview\/\d+/)
    const { id } = (await kept.json()) as { id: number }
    expect((await (await createApiClient(product.url, 'admin')).delete(`/tableschemaview/${id}`)).status).toBe(200)
  })

  it('SQL-104: report when their metadata cannot be fetched', async () => {
    await intercept(page, '**/table_metadata/?**', (route) =>
      route.fulfill({ status: 422, json: { message: 'no luck' } }),
    )
    await node(/^penguins/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Show details and preview' }).click()
    await page.getByText('An error occurred while fetching table metadata: no luck').waitFor()
    await page.unroute('**/table_metadata/?**')
    await panel('penguins').getByRole('button', { name: 'Remove penguins' }).click()
  })

  it('20,000 of them are searched by the server and scroll to the end with few in the document', async () => {
    const all = Array.from({ length: 20_000 }, (_, index) => `t_${String(index).padStart(5, '0')}`)
    await intercept(page, '**/api/v1/database/*/tables/**', (route) => {
      const q = new URL(route.request().url()).searchParams.get('q') ?? ''
      const number = (name: string, usual: number): number => Number(new RegExp(`${name}:(\\d+)`).exec(q)?.[1] ?? usual)
      const search = /search:'?([^',)]+)/.exec(q)?.[1] ?? ''
      const found = all.filter((name) => name.includes(search))
      const size = number('page_size', found.length)
      const result = found
        .slice(number('page', 0) * size, (number('page', 0) + 1) * size)
        .map((value) => ({ value, type: 'table', extra: null }))
      return route.fulfill({ json: { count: found.length, result } })
    })
    await page.reload()
    await node(/^t_00000/).waitFor()
    await tree().focus()
    await page.keyboard.press('End')
    await node(/^t_19999/).waitFor()
    await expect.poll(() => tree().getByRole('treeitem').count()).toBeLessThan(100)
    await expect.poll(() => node(/^t_19999/).getAttribute('aria-setsize')).toBe('20000')
    await page.getByRole('textbox', { name: 'Search tables' }).fill('1234')
    await node(/^t_11234/).waitFor()
    await expect.poll(() => node(/^t_01234/).getAttribute('aria-setsize')).toBe('12')
    await page.getByRole('textbox', { name: 'Search tables' }).fill('')
    await page.unroute('**/api/v1/database/*/tables/**')
  })

  it('SQL-074: have no preview if the database does not allow one', async () => {
    const admin = await createApiClient(product.url, 'admin')
    const { body } = await admin.get('/api/v1/database/')
    const { id } = body.result.find(({ database_name }: { database_name: string }) => database_name === 'examples')
    const before = (await admin.get(`/api/v1/database/${id}/connection`)).body.result.extra
    const extra = JSON.stringify({ ...JSON.parse(before || '{}'), disable_data_preview: true })
    expect((await admin.put(`/api/v1/database/${id}`, { extra })).status).toBe(200)
    onTestFinished(async () => void (await admin.put(`/api/v1/database/${id}`, { extra: before || '{}' })))
    await page.reload()
    await node(/^penguins/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Show details', exact: true }).click()
    await panel('penguins')
      .getByRole('button', { name: /^species/i })
      .waitFor()
    expect(await lab.resultTab('Preview: penguins').count()).toBe(0)
  })
})

describe('errors', () => {
  it("SQL-079: a missing past query says that it couldn't be loaded", async () => {
    await page.goto('/superset/sqllab/?queryId=999999')
    await page.getByText(/^Query couldn't be loaded/).waitFor()
  })

  it('API-010: a database without function names has none, and no error is shown', async () => {
    await intercept(page, '**/function_names/', (route) => route.fulfill({ status: 404, json: { message: 'no luck' } }))
    await Promise.all([page.waitForResponse('**/function_names/'), page.goto('/superset/sqllab/')])
    await lab.run('select 404 as still_runs')
    await lab.grid().getByRole('columnheader', { name: 'still_runs' }).waitFor()
    expect(await page.getByText(/An error occurred while fetching function names/).count()).toBe(0)
    await page.unroute('**/function_names/')
  })

  it('SQL-108: function names that cannot be fetched are reported', async () => {
    await intercept(page, '**/function_names/', (route) => route.fulfill({ status: 500, json: { message: 'no luck' } }))
    await page.goto('/superset/sqllab/')
    await page
      .getByText(/An error occurred while fetching function names/)
      .first()
      .waitFor()
    await page.unroute('**/function_names/')
  })

  it('CONST-031: the browser stores the pane widths', async () => {
    const grip = page.getByRole('separator', { name: 'Resize table list' })
    const before = await grip.getAttribute('aria-valuenow')
    await grip.focus()
    await page.keyboard.press('ArrowRight')
    const width = String(Number(before) + 16)
    await expect.poll(() => grip.getAttribute('aria-valuenow')).toBe(width)
    await page.reload()
    await expect.poll(() => grip.getAttribute('aria-valuenow')).toBe(width)
    expect(await page.evaluate(() => localStorage.getItem('parquetry.pane.sqllab.schema'))).toBe(width)
  })
})
