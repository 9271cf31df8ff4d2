import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { axeFindings, openBrowser, signedIn } from './browser.ts'
import { examplesLoaded, startProduct, type Product } from './product.ts'

let product: Product
let browser: Browser
let page: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await examplesLoaded(product.url)
  page = await signedIn(browser, product.url)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const editor = () => page.locator('.cm-content')
const status = () => page.getByRole('status').filter({ hasText: /rows? in/ })

async function write(sql: string): Promise<void> {
  await editor().click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(sql)
}

it('SQL-014, SQL-024: opens with SELECT ... chosen, and running it is off with the reason', async () => {
  await page.goto('/superset/sqllab/')
  await editor().waitFor()
  expect(await editor().textContent()).toBe('SELECT ...')
  expect(await page.getByRole('heading', { name: 'Untitled Query 1' }).isVisible()).toBe(true)
  const run = page.getByRole('button', { name: /^Run/ })
  expect(await run.getAttribute('aria-disabled')).toBe('true')
  expect(await axeFindings(page)).toEqual([])
})

it('SQL-005: runs over three million rows and shows what the database answers', async () => {
  await write('select origin, count(*) as n from flights group by origin order by n desc, origin limit 3')
  await page.keyboard.press('Control+Enter')
  await status().waitFor()
  expect(await status().textContent()).toMatch(/^3 rows in/)
  const grid = page.getByRole('grid', { name: 'Result' })
  expect(await grid.getByRole('columnheader').allTextContents()).toEqual(
    expect.arrayContaining([expect.stringContaining('origin'), expect.stringContaining('n')]),
  )
  expect(await axeFindings(page)).toEqual([])
})

it('runs the statement at the cursor, and names it on the button', async () => {
  await write('select 1 as first_answer;\nselect 2 as second_answer')
  await page.getByRole('button', { name: 'Run statement 2' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByRole('columnheader', { name: 'second_answer' }).waitFor()
})

it('50,000 rows scroll to their end in a grid that holds only what is seen', async () => {
  await page.getByRole('combobox', { name: 'Row limit' }).click()
  await page.getByRole('option', { name: '50,000' }).click()
  await write('select * from flights')
  await page.keyboard.press('Control+Enter')
  await status().filter({ hasText: '50,000 rows' }).waitFor()
  const grid = page.getByRole('grid', { name: 'Result' })
  expect(await grid.getAttribute('aria-rowcount')).toBe('50001')
  expect(await grid.getByRole('row').count()).toBeLessThan(200)
  await grid.focus()
  await page.keyboard.press('Control+End')
  await grid.locator('[aria-rowindex="50001"]').waitFor()
})

it('SQL-059: an error of the database shows whole, with line and column, and marks the word', async () => {
  await write('select origin,\n  no_such_column\nfrom flights')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Line 2, column 3').waitFor()
  expect(
    await page
      .getByText(/no_such_column.*not found/)
      .first()
      .isVisible(),
  ).toBe(true)
  expect(await page.locator('.cm-lintRange-error').textContent()).toBe('no_such_column')
  expect(await axeFindings(page)).toEqual([])
})

it('SQL-060, SQL-086: stops a query that would run for long, down to the database', async () => {
  await write('select count(*) from flights a, flights b where a.delay + b.delay > a.distance * b.distance')
  await page.keyboard.press('Control+Enter')
  const stop = page.getByRole('button', { name: 'Stop' }).first()
  await stop.click()
  await page.getByText('Query was stopped.').waitFor()
  await write('select 42 as after_stop')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('columnheader', { name: 'after_stop' }).waitFor()
})

it('what is typed survives a reload, and a link that brings other text gives it back on request', async () => {
  await write('select 7 as typed')
  await page.reload()
  await expect.poll(() => editor().textContent()).toBe('select 7 as typed')
  await page.goto('/superset/sqllab/?sql=select%208')
  await expect.poll(() => editor().textContent()).toBe('select 8')
  await page.getByRole('button', { name: 'Bring it back' }).click()
  await expect.poll(() => editor().textContent()).toBe('select 7 as typed')
})

it('SQL-013, DSET-021, DSET-022, DSET-028, DSET-029, DSET-030: keeps a query as a dataset and opens Explore on it', async () => {
  await write('select origin, avg(delay) as mean_delay from flights group by origin')
  await page.getByRole('button', { name: 'Save as dataset' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as dataset' })
  expect(await dialog.getByRole('radio', { name: 'Save new' }).isChecked()).toBe(true)
  const name = dialog.getByLabel('Name')
  expect(await name.inputValue()).toMatch(/^Untitled Dataset \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
  await name.fill('')
  expect(await dialog.getByRole('button', { name: 'Save and explore' }).getAttribute('aria-disabled')).toBe('true')
  await name.fill('Mean delays')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL('**/explore/**')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Mean delays').first().waitFor()
})

it('DSET-027, DSET-033, DSET-035: a name that is taken is said, and nothing typed is lost', async () => {
  await page.goto('/superset/sqllab/')
  await write('select destination, avg(delay) as mean_delay, count(*) as flights from flights group by destination')
  await page.getByRole('button', { name: 'Save as dataset' }).click()
  const name = page.getByRole('dialog').getByLabel('Name')
  expect(await name.inputValue()).toMatch(/^Untitled Dataset/)
  await name.fill('Mean delays')
  await page.keyboard.press('Enter')
  await page.getByText(/^An error occurred saving dataset: .*already exists/).waitFor()
  expect(await name.inputValue()).toBe('Mean delays')
})

it('DSET-020, DSET-023 to DSET-026, DSET-032: overwrites a dataset of ours after a second look', async () => {
  const dialog = page.getByRole('dialog', { name: 'Save as dataset' })
  await dialog.getByRole('radio', { name: 'Overwrite existing' }).check()
  const primary = dialog.getByRole('button', { name: 'Overwrite and explore' })
  expect(await primary.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByRole('combobox').click()
  await page.keyboard.type('ean del')
  await page.getByRole('option', { name: /^Mean delays/ }).click()
  await primary.click()
  await dialog.getByText('Are you sure you want to overwrite this dataset?').waitFor()
  await dialog.getByRole('button', { name: 'Back' }).click()
  await dialog.getByRole('combobox').waitFor()
  await primary.click()
  await dialog.getByText('no chart uses it').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await primary.click()
  await page.waitForURL('**/explore/**')
  await page.getByText('destination', { exact: true }).first().waitFor()
  expect(await page.getByText('origin', { exact: true }).count()).toBe(0)
})
