import pg from 'pg'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'
import { sqllabTools } from './sqllab-tools.ts'

const postgres = process.env['PARQUETRY_TEST_POSTGRES']
describe.skipIf(!postgres)('on PostgreSQL', () => {
  const made = `made_in_lab_${process.pid}`
  const actual = new pg.Client({ connectionString: postgres })
  let product: Product
  let browser: JourneyBrowser
  let page: Page
  let client: Awaited<ReturnType<typeof createApiClient>>
  let lab: ReturnType<typeof sqllabTools>
  let id: number

  beforeAll(async () => {
    product = await startProduct({
      env: { SUPERSET_FEATURE_ESTIMATE_QUERY_COST: 'true', SUPERSET_FEATURE_ENABLE_TEMPLATE_PROCESSING: 'true' },
    })
    browser = await openBrowser()
    await waitForExamples(product.url)
    client = await createApiClient(product.url, 'admin')
    await actual.connect()
    const { status, body } = await client.post('/api/v1/database/', {
      database_name: 'Warehouse',
      sqlalchemy_uri: postgres,
      allow_ctas: true,
      allow_cvas: true,
      extra: JSON.stringify({ cost_estimate_enabled: true }),
    })
    expect(status, JSON.stringify(body)).toBe(201)
    id = body.id as number
    page = await openSignedInPage(browser, product.url)
    page.setDefaultTimeout(30_000)
    lab = sqllabTools(page)
    const query = new URLSearchParams({ dbid: String(id), sql: 'select 6 * 7 as answer', title: 'On PostgreSQL' })
    await page.goto(`/superset/sqllab/?${query}`)
    await lab.activeTab().getByText('On PostgreSQL').waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await product?.stop()
    await actual.query(`DROP VIEW IF EXISTS ${made}_v; DROP TABLE IF EXISTS ${made}`)
    await actual.end()
  })

  it('SQL-026, SQL-028, SQL-037: a new tab uses the database of the one in front, and each has its own database and limit', async () => {
    const [database, limit] = ['Database', 'Row limit'].map((name) => page.getByRole('combobox', { name })) as [
      Locator,
      Locator,
    ]
    const choose = async (box: Locator, name: RegExp) => {
      await box.click()
      await page.getByRole('option', { name }).click()
    }
    const chosen = async () => [await database.inputValue(), await limit.inputValue()]
    await expect.poll(chosen).toEqual(['Warehouse', '1,000'])
    await lab.editor().click()
    await page.keyboard.press('Alt+t')
    await expect.poll(chosen).toEqual(['Warehouse', '1,000'])
    await choose(database, /^examples/)
    await choose(limit, /^50$/)
    await lab.tabList().getByRole('tab', { name: 'On PostgreSQL' }).click()
    await expect.poll(chosen).toEqual(['Warehouse', '1,000'])
    await lab.tabList().getByRole('tab').last().click()
    await expect.poll(chosen).toEqual(['examples', '50'])
    await lab.editor().click()
    await page.keyboard.press('Alt+w')
    await expect.poll(chosen).toEqual(['Warehouse', '1,000'])
  })

  it('SQL-089 to SQL-097: each change that the server does not store has its own message, and is stored once the server recovers', async () => {
    await lab.editor().click()
    await page.keyboard.press('Alt+t')
    await lab.write('select 1 as of_the_tab')
    await expect
      .poll(async () => (await lab.storedTabs()).active_tab?.sql, { timeout: 20_000, interval: 500 })
      .toContain('of_the_tab')
    const option = async (box: string, name: RegExp) => {
      await page.getByRole('combobox', { name: box }).click()
      await page.getByRole('option', { name }).click()
    }
    const changes: [thing: string, change: () => Promise<void>][] = [
      ['the tab', () => lab.write('select 2 as of_the_tab')],
      [
        "the tab's name",
        async () => {
          await page.keyboard.press('F2')
          await page.getByRole('dialog').getByLabel('Name').fill('Not stored')
          await page.keyboard.press('Enter')
          await page.getByRole('dialog').waitFor({ state: 'detached' })
        },
      ],
      ['the query limit', () => option('Row limit', /^50$/)],
      [
        'the template parameters',
        async () => {
          await page.getByRole('button', { name: '{} Params' }).click()
          await page.getByRole('textbox', { name: 'Template parameters' }).fill('{"a": 1}')
          await page.getByRole('button', { name: 'Close parameters' }).click()
        },
      ],
      [
        'autorun',
        async () => {
          await page
            .getByRole('toolbar', { name: 'Query actions' })
            .getByRole('button', { name: 'More query actions', exact: true })
            .click()
          await page.getByText('Run when tab opens').click()
          await page.keyboard.press('Escape')
        },
      ],
      [
        'the latest query id',
        async () => {
          await lab.editor().click()
          await page.keyboard.press('Control+Enter')
        },
      ],
      ['the schema', () => option('Schema', /^public$/)],
      ['the database', () => option('Database', /^examples/)],
      [
        'the left bar',
        async () => {
          await lab.editor().click()
          await page.keyboard.press('Control+b')
        },
      ],
    ]
    await lab.withFailure(/\/tabstateview\/\d+$/, 'PUT', 500, async () => {
      for (const [thing, change] of changes) {
        await change()
        await lab
          .message(
            `An error occurred while storing ${thing} on the server. Contact your administrator if this persists.`,
          )
          .waitFor()
      }
    })
    const stored = {
      sql: 'select 2 as of_the_tab',
      label: 'Not stored',
      query_limit: 50,
      template_params: '{"a": 1}',
      autorun: true,
      hide_left_bar: true,
      latest_query: { sql: 'select 2 as of_the_tab' },
    }
    await expect
      .poll(async () => (await lab.storedTabs()).active_tab, { timeout: 30_000, interval: 500 })
      .toMatchObject(stored)
    await lab.editor().click()
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Alt+w')
  })

  it('SQL-061: events of a background run are received only as long as it is awaited', async () => {
    const reopen = async () => {
      await page.reload()
      await expect.poll(() => page.getByRole('combobox', { name: 'Database' }).inputValue()).toBe('Warehouse')
    }
    expect((await client.put(`/api/v1/database/${id}`, { allow_run_async: true })).status).toBe(200)
    await reopen()
    await lab.write('select count(*) as behind from generate_series(1, 2000000)')
    const [stream] = await Promise.all([
      page.waitForRequest('**/api/v1/async_event/stream'),
      page.keyboard.press('Control+Enter'),
    ])
    const ended = page.waitForEvent('requestfailed', (request) => request === stream)
    await page.getByRole('columnheader', { name: 'behind' }).waitFor()
    await ended
    await client.put(`/api/v1/database/${id}`, { allow_run_async: false })
    await reopen()
  })

  it('SQL-008, SQL-051, SQL-087: the cost is estimated, shown in the text of the database, and a failure has its own message', async () => {
    await lab.write('select 6 * 7 as answer')
    const dialog = page.getByRole('dialog', { name: 'Estimated cost' })
    const ask = async () => {
      await page
        .getByRole('toolbar', { name: 'Query actions' })
        .getByRole('button', { name: 'More query actions', exact: true })
        .click()
      await page.getByRole('menuitem', { name: 'Estimate cost' }).click()
    }
    await lab.withFailure('**/api/v1/sqllab/estimate/', 'POST', 500, async () => {
      await ask()
      await dialog.getByText('Failed at retrieving results').waitFor()
      await page.keyboard.press('Escape')
    })
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await intercept(page, '**/api/v1/sqllab/estimate/', async (route) => held.then(() => route.continue()))
    await ask()
    await dialog.getByRole('progressbar', { name: 'Estimating cost…' }).waitFor()
    answer()
    await dialog.getByText('Total cost').waitFor()
    expect(await dialog.locator('dd').allTextContents()).toContain('0.01')
    expect(await findAxeViolations(page)).toEqual([])
    await page.unroute('**/api/v1/sqllab/estimate/')
    await page.keyboard.press('Escape')
  })

  it('a query becomes a table of the database, and that table a view', async () => {
    const openDialog = async (sql: string, entry: RegExp, name: string) => {
      await lab.write(sql)
      await lab.chooseMenuItem('More run options', entry)
      await page.getByRole('dialog').getByLabel(/ name/).fill(name)
    }
    const create = async (...query: Parameters<typeof openDialog>) => {
      await openDialog(...query)
      expect(await findAxeViolations(page)).toEqual([])
      await page.keyboard.press('Enter')
    }
    await create('select 6 * 7 as answer', /^CREATE TABLE AS/, made)
    await page.getByText(`Table ${made} created`).waitFor()
    await create(`select answer + 1 as more from ${made}`, /^CREATE VIEW AS/, `${made}_v`)
    await page.getByText(`View ${made}_v created`).waitFor()
    const { rows } = await actual.query(`SELECT answer, more FROM ${made}, ${made}_v`)
    expect(rows).toEqual([{ answer: 42, more: 43 }])
    await openDialog('select 1 as again', /^CREATE TABLE AS/, made)
    await page.keyboard.press('Enter')
    await page
      .getByText(/already exists/)
      .first()
      .waitFor()
  })
})
