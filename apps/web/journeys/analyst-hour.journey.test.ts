import pg from 'pg'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { addUser, startProduct, type Product } from './product.ts'
import { skipAfterFailure, monitorPage, type PageMonitor } from './page-monitor.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const name = `analyst_${process.pid}_${Date.now().toString(36)}`

let product: Product
let browser: JourneyBrowser
let page: Page
let monitor: PageMonitor
let shop: pg.Client
/** Page of a colleague. */
let lara: Page

/** 5000 orders, every fourth of them from the North. */
const shopSql = `
  CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, region text NOT NULL);
  INSERT INTO customers SELECT n, 'Customer ' || n, (ARRAY['North', 'South', 'East', 'West'])[1 + n % 4]
    FROM generate_series(1, 200) n;
  CREATE TABLE orders (
    id integer PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers, ordered_on date NOT NULL, amount numeric(10,2)
  );
  INSERT INTO orders SELECT n, 1 + n % 200, date '2026-01-01' + n % 90, n % 100 + 0.5 FROM generate_series(1, 5000) n;
  CREATE INDEX orders_by_day ON orders (ordered_on);
  ANALYZE;`

const targets = `region,target\nNorth,100000\nSouth,90000\nEast,80000\nWest,70000\n`

describe.skipIf(!url)("an analyst's hour", () => {
  beforeAll(async () => {
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${name}`)
    await admin.end()
    shop = new pg.Client({ connectionString: Object.assign(new URL(url ?? ''), { pathname: `/${name}` }).href })
    await shop.connect()
    await shop.query(shopSql)
    product = await startProduct({
      home: mkdtempSync(join(tmpdir(), 'parquetry-hour-')),
      env: { PARQUETRY_EXAMPLES: '0' },
    })
    addUser(product, 'lara', 'Alpha', 'sql_lab')
    browser = await openBrowser()
    page = await openSignedInPage(browser, product.url, { permissions: ['clipboard-read', 'clipboard-write'] })
    monitor = monitorPage(page)
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
    await shop?.end()
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.end()
  })
  skipAfterFailure(() => page)

  it('connects PostgreSQL with the dialog', async () => {
    const at = new URL(url ?? '')
    await page.goto('/databaseview/list/?show_database_modal=true')
    await page.getByRole('dialog').getByRole('button', { name: 'PostgreSQL' }).click()
    const dialog = page.getByRole('dialog', { name: 'PostgreSQL' })
    const field = (label: string) => dialog.getByRole('textbox', { name: new RegExp(`^${label}\\b`) })
    await field('Name').fill('Shop')
    await field('Host').fill(at.hostname)
    await dialog.getByRole('spinbutton', { name: /^Port/ }).fill(at.port)
    await field('Database').fill(name)
    await field('Username').fill(decodeURIComponent(at.username))
    await field('Password').fill(decodeURIComponent(at.password))
    await monitor.checkAccessibility()
    await page.keyboard.press('Enter')
    const done = page.getByRole('dialog', { name: 'Shop is connected' })
    await done.getByText('1 schema, 2 tables').waitFor()
    await monitor.checkAccessibility()
    await done.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('row').filter({ hasText: 'Shop' }).getByText('Passed').waitFor()
  })

  it('adds a file by dropping it on the window', async () => {
    await drop('targets.csv', targets)
    const dialog = page.getByRole('dialog').last()
    await dialog.getByRole('columnheader').first().waitFor()
    await monitor.checkAccessibility()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await toast('targets added')
  })

  it('SQL-002, SQL-004: opens SQL Lab on the new connection', async () => {
    await page.goto('/superset/sqllab/')
    await editor().waitFor()
    await page.getByRole('combobox', { name: 'Database' }).click()
    await page.getByRole('option', { name: /^Shop/ }).click()
    await node(/^orders/).waitFor()
    await node(/^customers/).waitFor()
    await monitor.checkAccessibility()
  })

  it('SQL-003: completes names from the schema', async () => {
    await editor().click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('select c.reg from cust')
    await waitForCompletion('customers')
    await page.keyboard.press('Tab')
    await page.keyboard.type(' c join ord')
    await waitForCompletion('orders')
    await monitor.checkAccessibility()
    await page.keyboard.press('Tab')
    await page.keyboard.type(' o on o.custo')
    await waitForCompletion('customer_id')
    await page.keyboard.press('Tab')
    await page.keyboard.type(' = c.id group by 1')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Home')
    for (let step = 0; step < 'select c.reg'.length; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.type('i')
    await waitForCompletion('region')
    await page.keyboard.press('Tab')
    await page.keyboard.type(', sum(o.am')
    await waitForCompletion('amount')
    await page.keyboard.press('Tab')
    await page.keyboard.type(') as revenue')
    await expect
      .poll(() => text())
      .toMatch(
        /^select c\.region, sum\(o\.amount\) as revenue from customers c join orders o on o\.customer_id = c\.id group by 1$/,
      )
  })

  it('SQL-001, SQL-005: runs the statement at the cursor, on the connection', async () => {
    await page.keyboard.press('End')
    await page.keyboard.type(';\nselect 2 as not_meant')
    await page.keyboard.press('ArrowUp')
    await page.getByRole('button', { name: 'Run statement 1' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => facts().textContent()).toMatch(/^4 rows/)
    await grid().getByRole('columnheader', { name: 'revenue' }).waitFor()
    const { rows } = await shop.query(
      `select sum(amount)::text as north from orders join customers c on c.id = customer_id where region = 'North'`,
    )
    const north = Number(rows[0].north).toLocaleString('en-US', { minimumFractionDigits: 2 })
    await grid()
      .getByRole('row')
      .filter({ hasText: 'North' })
      .getByText(new RegExp(`^(${north}|${rows[0].north})$`))
      .waitFor()
    await monitor.checkAccessibility()
  })

  it('SQL-060, SQL-086: stops a long-running query, and its database session ends', async () => {
    await write('select count(*) as never from generate_series(1, 1000000) a, generate_series(1, 1000000) b')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => running('never')).toBe(1)
    await monitor.checkAccessibility()
    let send = (): void => {}
    const held = new Promise<void>((resolve) => (send = resolve))
    await intercept(page, '**/api/v1/query/stop', async (route) => held.then(() => route.continue()))
    await page.getByRole('button', { name: 'Stop' }).first().click()
    // Shown immediately, before the server receives the request.
    await results().getByText('Query was stopped.').waitFor()
    expect(await running('never')).toBe(1)
    send()
    await toast('Query was stopped.')
    await expect.poll(() => running('never')).toBe(0)
    await page.unroute('**/api/v1/query/stop')
    await monitor.checkAccessibility()
  })

  it('SQL-059: makes an error and fixes it at its mark', async () => {
    await write(
      'select region,\n  sum(amnt) as revenue\nfrom orders join customers c on c.id = customer_id\ngroup by region',
    )
    await page.keyboard.press('Control+Enter')
    await results().getByText('Line 2, column 7').waitFor()
    await results()
      .getByText(/column "amnt" does not exist/)
      .first()
      .waitFor()
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('amnt')
    await monitor.checkAccessibility()
    await results().getByRole('button', { name: 'Show statement' }).click()
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('amnt')
    await page.keyboard.type('amount')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => facts().textContent()).toMatch(/^4 rows/)
    expect(await page.locator('.cm-lintRange-error').count()).toBe(0)
  })

  it('SQL-006, SQL-007: views a table, its columns and keys, and its first rows', async () => {
    await node(/^orders/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Show details and preview' }).click()
    const panel = page.getByRole('region', { name: 'orders', exact: true })
    await panel.getByRole('button', { name: /^customer_id.*FK.*integer/ }).waitFor()
    await panel.getByRole('button', { name: /^amount.*numeric/ }).waitFor()
    await panel.getByText('customer_id → public.customers (id)').waitFor()
    await panel.getByText('ordered_on', { exact: true }).last().waitFor()
    await results().getByRole('tab', { name: 'Preview: orders', selected: true }).waitFor()
    await expect.poll(() => facts().textContent()).toMatch(/^100 rows/)
    await grid().getByRole('columnheader', { name: 'ordered_on' }).waitFor()
    await monitor.checkAccessibility()
  })

  it('SQL-010: saves the query', async () => {
    await editor().click()
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Save query' })
    await dialog.getByLabel('Name').fill('Revenue by region')
    await monitor.checkAccessibility()
    await page.keyboard.press('Enter')
    await toast('Your query was saved')
    await expect.poll(() => front().textContent()).toBe('Revenue by region')
  })

  it('SQL-011: schedules it', async () => {
    await page.getByRole('button', { name: 'More save options', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Schedule' }).click()
    const dialog = page.getByRole('dialog', { name: 'Schedule query' })
    await monitor.checkAccessibility()
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
    await toast('Your query has been scheduled. See its runs in Saved queries.')
    await dialog.waitFor({ state: 'detached' })
  })

  it('SQL-015, SQL-017, SHARE-005, SHARE-006: shares it; it opens under its name in another browser, and for a colleague', async () => {
    const link = await share()
    expect(new URL(link).searchParams.get('savedQueryId')).toMatch(/^\d+$/)
    for (const [username, title] of [
      ['admin', /^Revenue by region$/],
      ['lara', /^Revenue by region\W+unsaved/],
    ] as const) {
      const other = await openSignedInPage(browser, product.url, { username })
      await other.goto(link)
      await expect.poll(() => text(other)).toContain('sum(amount) as revenue')
      await expect.poll(() => front(other).textContent()).toMatch(title)
      if (username === 'lara') lara = other
      else await other.context().close()
    }
  })

  it('SQL-012, SQL-016: shares another query with a colleague, who runs it', async () => {
    await write('select region, count(*) as customers from customers group by region order by region')
    await lara.goto(await share())
    await expect.poll(() => text(lara)).toContain('count(*) as customers')
    await lara.getByRole('button', { name: 'Run', exact: true }).click()
    await lara.getByRole('grid', { name: 'Result', exact: true }).getByText('North').waitFor()
    await lara.context().close()
  })

  it('SQL-013, EXP-006: creates a dataset from the query', async () => {
    await page.getByRole('button', { name: 'More save options', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save as dataset' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as dataset' })
    await dialog.getByLabel('Name').fill('Customers by region')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/explore/**')
    await page.getByRole('region', { name: 'Dataset' }).getByText('Customers by region').waitFor()
    await drawn()
    await monitor.checkAccessibility()
  })

  it('SQL-053: creates a chart from a result, changes it, saves it and finds it again', async () => {
    await page.goto('/superset/sqllab/')
    await expect.poll(() => text()).toContain('count(*) as customers')
    await write(
      'select region, sum(amount) as revenue from orders join customers c on c.id = customer_id group by region',
    )
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => facts().textContent()).toMatch(/^4 rows/)
    await results().getByRole('button', { name: 'Create chart' }).click()
    await page.waitForURL(/explore\/\?datasource_type=query/)
    await drawn()
    await monitor.checkAccessibility()
    await page.getByRole('button', { name: 'Pie Chart' }).click()
    await drawn()
    await page.getByText('Unsaved changes').waitFor()
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Save chart' })
    await dialog.getByLabel('Chart name').fill('Where revenue comes from')
    await dialog.getByLabel('Dataset name').fill('Revenue by region')
    await monitor.checkAccessibility()
    await page.keyboard.press('Enter')
    await toast('Chart [Where revenue comes from] has been saved')
    await page.waitForURL(/explore\/\?slice_id=\d+$/)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Where revenue comes from' }).waitFor()
    await page.getByRole('region', { name: 'Dataset' }).getByText('Revenue by region').waitFor()
    await page.getByRole('button', { name: 'Pie Chart', pressed: true }).waitFor()
    await drawn()
    await monitor.checkAccessibility()
  })

  it('loses nothing when the server crashes in the middle of a word', async () => {
    await page.goto('/superset/sqllab/')
    await expect.poll(() => text()).toContain('sum(amount)')
    await write("select 'before it died, ")
    process.kill(product.pid, 'SIGKILL')
    await page.keyboard.insertText("and after'")
    await page.getByText('The server is not responding. Your changes are kept in this browser.').waitFor()
    await monitor.checkAccessibility()
    product = await startProduct({
      home: product.home,
      env: { PARQUETRY_EXAMPLES: '0', PARQUETRY_PORT: new URL(product.url).port },
    })
    await page.reload()
    await expect.poll(() => text()).toBe("select 'before it died, and after'")
    await page.keyboard.press('Control+Enter')
    await grid().getByText('before it died, and after').waitFor()
    const other = await openSignedInPage(browser, product.url)
    await other.goto('/superset/sqllab/')
    await expect.poll(() => text(other), { timeout: 10_000 }).toBe("select 'before it died, and after'")
    await other.context().close()
  })

  it('signs in again after the session expires, without losing the text', async () => {
    await page.context().clearCookies()
    await write("select 'kept' as word")
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill('admin')
    await monitor.checkAccessibility()
    await page.keyboard.press('Enter')
    await grid().getByRole('columnheader', { name: 'word' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => text()).toBe("select 'kept' as word")
  })

  it('has no serious or critical axe findings, in light or dark, and no script errors', () => {
    // The list of completions is scrolled from the editor, with the arrow keys.
    expect([...monitor.violations].filter((finding) => !finding.includes('aria-label="Completions"'))).toEqual([])
    expect(monitor.pageErrors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  })
})

const editor = (on = page) => on.locator('.cm-content')
const text = async (on = page): Promise<string> =>
  editor(on)
    .innerText()
    .catch(() => '')
const front = (on = page) => on.getByRole('tablist', { name: 'Query tabs' }).getByRole('tab', { selected: true })
const results = () => page.getByRole('region', { name: 'Results' })
const facts = () => results().getByRole('status').first()
const grid = () => page.getByRole('grid', { name: 'Result', exact: true })
const node = (words: RegExp) => page.getByRole('tree', { name: 'Tables' }).getByRole('treeitem', { name: words })
const toast = (words: string): Promise<void> =>
  page.getByRole('region', { name: 'Messages' }).getByText(words).first().waitFor()
const drawn = (): Promise<void> => page.locator('figure[aria-busy=false] canvas').first().waitFor()
const waitForCompletion = (word: string): Promise<void> =>
  page.locator('.cm-tooltip-autocomplete li[aria-selected=true]').getByText(word, { exact: true }).waitFor()

async function write(sql: string): Promise<void> {
  await editor().click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(sql)
  await page.keyboard.press('Escape')
}

async function share(): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await page.getByRole('button', { name: 'Copy link' }).click()
  await toast('Link Copied!')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain('/sqllab/')
  return copied()
}

/**
 * Returns the number of database sessions that have been running a query with this word for over a second; queries that only read
 * its columns are faster.
 */
async function running(word: string): Promise<number> {
  const { rows } = await shop.query(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = $1 AND pid <> pg_backend_pid() AND state = 'active'
       AND query_start < clock_timestamp() - interval '1 second' AND query LIKE '%' || $2 || '%'`,
    [name, word],
  )
  return rows[0].n
}

/** Drops a file on the window, as a file manager does. */
async function drop(fileName: string, content: string): Promise<void> {
  for (const type of ['dragover', 'drop'])
    await page.evaluate(
      (file) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([file.content], file.fileName))
        document.body.dispatchEvent(new DragEvent(file.type, { bubbles: true, cancelable: true, dataTransfer }))
      },
      { type, fileName, content },
    )
}
