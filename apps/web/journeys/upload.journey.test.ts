import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { dragFile, dropFile } from './files.ts'
import { addUser, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
const folder = mkdtempSync(join(tmpdir(), 'parquetry-files-'))

const orders = `order_date,region,revenue\n${Array.from({ length: 400 }, (_, index) => {
  const day = new Date(Date.UTC(2024, 0, 1 + (index % 90))).toISOString().slice(0, 10)
  return `${day},${['North', 'South', 'East', 'West'][index % 4]},${(index * 7) % 113}.5`
}).join('\n')}\n`

const createFile = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

beforeAll(async () => {
  product = await startProduct({ env: { PARQUETRY_EXAMPLES: '0' } })
  browser = await openBrowser()
  page = await openSignedInPage(browser, product.url)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const dialog = () => page.getByRole('dialog').last()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })

/** Opens Home, unless it is already open. */
async function home(): Promise<void> {
  if (new URL(page.url()).pathname !== '/superset/welcome/') await page.goto('/superset/welcome/')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
}

async function choose(name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button('Choose a file').first().click()])
  await chooser.setFiles(createFile(name, text))
}

/** Seconds that a user thinks at each step; counted, not waited for. */
const thoughtSeconds = 5

describe('from a file to a chart', () => {
  it('a dropped file becomes a saved chart within a minute, with five seconds of thought at each step', async () => {
    const begun = performance.now()
    await page.goto('/superset/welcome/')
    await page.getByRole('heading', { name: 'Start with your data' }).waitFor()
    await dragFile(page, 'orders.csv', orders)
    await page.getByText('Drop to upload the file').waitFor()
    let send = (): void => {}
    const held = new Promise<void>((resolve) => (send = resolve))
    await intercept(page, '**/api/v1/upload/**', async (route) => held.then(() => route.continue()))
    await dropFile(page, 'orders.csv', orders)
    // The browser reads the file without waiting for the server.
    await dialog().getByRole('columnheader').first().waitFor()
    send()
    expect(await dialog().getByLabel('Table name').inputValue()).toBe('orders')
    await expect.poll(() => dialog().getByRole('row').count()).toBe(21)
    await page.unroute('**/api/v1/upload/**')
    await button('Add and create chart').click()
    await page.getByRole('heading', { level: 1, name: 'Suggested charts' }).waitFor()
    await page.locator('figure[aria-busy=false] canvas').first().waitFor()
    await button('Open Revenue by day in Explore').click()
    await page.getByRole('heading', { level: 1, name: 'New chart' }).waitFor()
    await page.locator('figure[aria-busy=false] canvas').first().waitFor()
    await page.keyboard.press('Control+s')
    await dialog().getByRole('textbox').first().waitFor()
    expect(await dialog().getByRole('textbox').first().inputValue()).toBe('Revenue by day')
    await page.keyboard.press('Enter')
    await page.getByText('Chart [Revenue by day] has been saved').first().waitFor()
    const seconds = (performance.now() - begun) / 1000 + 4 * thoughtSeconds
    expect(seconds, 'seconds to a saved chart').toBeLessThan(60)

    const client = await createApiClient(product.url, 'admin')
    const { body } = await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:orders)))')
    const { body: dataset } = await client.get(`/api/v1/dataset/${body.result[0].id}`)
    const types = Object.fromEntries(
      dataset.result.columns.map(({ column_name, type }: Record<string, string>) => [column_name, type]),
    )
    expect(types).toEqual({ order_date: 'DATE', region: 'VARCHAR', revenue: 'DECIMAL(18,1)' })
  })

  it('regression: a new chart begins with its dataset, searched or used recently, and continues with suggestions for it', async () => {
    await page.goto('/chart/list/')
    await page.getByRole('link', { name: 'Chart', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'New chart' }).waitFor()
    const lately = page.getByRole('list', { name: 'Used in your recent charts' })
    await lately.getByRole('link', { name: /orders/ }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await page.getByRole('searchbox', { name: 'Search datasets' }).fill('nowhere')
    await page.getByText('No datasets match your search').waitFor()
    expect(await lately.count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search datasets' }).fill('ord')
    await page
      .getByRole('list', { name: '1 dataset' })
      .getByRole('link', { name: /^orders/ })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Suggested charts' }).waitFor()
    await page.getByText('Based on the dataset orders.').waitFor()
  })

  it('collected suggestions become a dashboard', async () => {
    const client = await createApiClient(product.url, 'admin')
    const { body } = await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:orders)))')
    await page.goto(`/chart/suggestions/?dataset_id=${body.result[0].id}`)
    await page.getByLabel('Select Total revenue for a dashboard').check()
    await button('Open Revenue by region in Explore').press(' ')
    await button('Create dashboard with 2 charts').click()
    await page.getByRole('heading', { level: 1, name: 'orders' }).waitFor()
    await page.getByRole('figure', { name: 'Total revenue' }).first().waitFor()
    await page.getByRole('figure', { name: 'Revenue by region' }).first().waitFor()
  })

  it('the table appears in the schema browser of SQL Lab', async () => {
    await page.goto('/superset/sqllab/')
    await page.getByText('orders', { exact: true }).first().waitFor()
  })

  it('Home still accepts files, and Enter adds the chosen one', async () => {
    await home()
    await choose('stock.csv', 'sku;price\nA1;1,5\nB2;2,75\n')
    await dialog().getByRole('columnheader').first().waitFor()
    expect(await dialog().getByLabel('Type of column price').inputValue()).toBe('decimal')
    expect(await findAxeViolations(page)).toEqual([])
    await dialog().getByLabel('Table name').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Suggested charts' }).waitFor()
    await page.locator('figure[aria-busy=false]').first().waitFor()
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('regression: a chosen file is added although the page moved its button meanwhile', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.evaluate(() => localStorage.setItem('parquetry.home.owns', 'nothing'))
    await intercept(page, /owned_or_created_by_me/, async (route) => released.then(() => route.continue()))
    await page.goto('/superset/welcome/')
    const chooses = button('Choose a file')
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), chooses.click()])
    const before = await chooses.elementHandle()
    release()
    await expect.poll(() => before?.evaluate(({ isConnected }) => isConnected)).toBe(false)
    await chooser.setFiles(createFile('moved.csv', 'n\n1\n'))
    await dialog().getByLabel('Table name').waitFor()
    await page.keyboard.press('Escape')
    await page.unroute(/owned_or_created_by_me/)
  })

  it('LIST-024: a table with a taken name is replaced only after the text is typed', async () => {
    await home()
    await choose('stock.csv', 'sku,price\nC3,9\n')
    await dialog().getByText('The table stock already exists.').waitFor()
    const add = dialog().getByRole('button', { name: 'Add', exact: true })
    expect(await add.getAttribute('aria-disabled')).toBe('true')
    await dialog().getByText('Replace', { exact: true }).click()
    expect(await add.getAttribute('aria-disabled')).toBe('true')
    await dialog().getByLabel('Type OVERWRITE to replace it').fill('OVERWRITE')
    await add.click()
    await page.getByText('stock added').first().waitFor()
  })

  it('values that do not fit are shown with line and value, and become empty only with consent', async () => {
    await home()
    const lines = Array.from({ length: 60 }, (_, index) => `${index},${index === 30 ? 'n.a.' : index / 2}`)
    await choose('dirty.csv', `n,revenue\n${lines.join('\n')}\n`)
    await dialog().getByText('1 of 60 values in revenue is not a number: n.a.').waitFor()
    await button('Show examples').click()
    await dialog().getByText('Line 32, revenue:').waitFor()
    // Without a choice, the column stays text.
    const add = dialog().getByRole('button', { name: 'Add', exact: true })
    expect(await add.getAttribute('aria-disabled')).toBeNull()
    expect(await dialog().getByLabel('Type of column revenue').inputValue()).toBe('text')
    await dialog().getByText('Leave empty').click()
    expect(await findAxeViolations(page)).toEqual([])
    await add.click()
    await page.getByText('dirty added: 1 value left empty').first().waitFor()
  })

  it('says in which order ambiguous dates are read, changes it with one click, and shows the values', async () => {
    await home()
    const days = 'Calls,\n\nday,phone,note\n1/2/2024,+4915112345678,""\n3/4/2024,+12025550123,\n'
    await choose('days.csv', days)
    await dialog().getByText('The column names are in line 3; the lines above are skipped').waitFor()
    await dialog().getByRole('cell', { name: '""', exact: true }).waitFor()
    await dialog().getByRole('radio', { name: 'Null' }).check({ force: true })
    await expect.poll(() => dialog().getByRole('cell', { name: '∅' }).count()).toBe(2)
    await dialog().getByText('day: read as day/month/year, but the other order fits too').waitFor()
    await dialog().getByText('phone: text, because numbers would lose the plus sign').waitFor()
    await dialog().getByRole('cell', { name: '2024-02-01' }).waitFor()
    await dialog().getByText('Month/day/year', { exact: true }).click()
    await dialog().getByRole('cell', { name: '2024-01-02' }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await dialog().getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('days added').first().waitFor()
  })

  it('regression: a refused upload shows the reason where the user waits', async () => {
    await home()
    const reason = '20 files are already waiting. Add or cancel some of them first.'
    await intercept(page, '**/api/v1/upload/', (route) => route.fulfill({ status: 429, json: { message: reason } }))
    await choose('refused.csv', 'a,b\n1,2\n')
    await dialog().getByText(`Waiting · ${reason}`).waitFor()
    await page.unroute('**/api/v1/upload/')
    await dialog().getByText('Uploaded', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('the owner renames and removes tables from files', async () => {
    await page.goto('/csvtodatabaseview/form')
    await button('Rename table days').click()
    await dialog().getByLabel('Table name').fill('calendar')
    await dialog().getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByText('Table renamed to calendar').first().waitFor()
    await page.getByRole('link', { name: 'calendar' }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await button('Remove table calendar').click()
    await button('Remove table').click()
    await page.getByText('Table calendar removed').first().waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'calendar' }).count()).toBe(0)
  })

  it('several files have one row each', async () => {
    await home()
    await dropFile(page, 'one.csv', 'a,b\n1,2\n')
    await dropFile(page, 'two.json', '[{"x":1,"y":"z"}]')
    await dialog().getByRole('button', { name: 'Add 2 files' }).click()
    await page.getByText('2 tables added').first().waitFor()
  })

  it('an upload waits for a lost connection, and resumes where it stopped', async () => {
    await home()
    const offsets: string[] = []
    let cuts = 2
    await intercept(page, '**/api/v1/upload/*?offset=*', (route) => {
      offsets.push(new URL(route.request().url()).searchParams.get('offset') ?? '')
      return offsets.length > 1 && cuts-- > 0 ? route.abort('connectionreset') : route.continue()
    })
    const lines = Array.from({ length: 150_000 }, (_, index) => `${index},some text of a line ${index}`)
    await choose('long.csv', `n,t\n${lines.join('\n')}\n`)
    await dialog().getByText('Waiting for connection').first().waitFor()
    await dialog().getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('long added').first().waitFor({ timeout: 40_000 })
    await page.unroute('**/api/v1/upload/*?offset=*')
    const [, cut] = offsets
    expect(offsets.filter((offset) => offset === cut).length).toBe(3)
    expect(new Set(offsets).size).toBe(offsets.length - 2)
  })

  it('LIST-025: users without permission to upload see no button for files, and a drop says whom to ask', async () => {
    addUser(product, 'gina', 'Gamma')
    const other = await openSignedInPage(browser, product.url, { username: 'gina' })
    await other.goto('/superset/welcome/')
    await other.getByRole('heading', { name: 'Home' }).waitFor()
    expect(await other.getByRole('button', { name: 'Choose a file' }).count()).toBe(0)
    await dropFile(other, 'orders.csv', orders)
    await other.getByText('You don’t have permission to upload files.').first().waitFor()
    expect(await other.getByRole('dialog').count()).toBe(0)
    await other.context().close()
  })
})
