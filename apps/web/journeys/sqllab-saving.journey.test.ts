import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'
import { sqllabTools } from './sqllab-tools.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let lab: ReturnType<typeof sqllabTools>

beforeAll(async () => {
  product = await startProduct({ env: { SUPERSET_FEATURE_TAGGING_SYSTEM: 'true' } })
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  page.setDefaultTimeout(30_000)
  lab = sqllabTools(page)
  await page.goto('/superset/sqllab/')
  await lab.editor().waitFor()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

async function examplesDatabase(): Promise<number> {
  const { body } = await client.get('/api/v1/database/?q=(filters:!((col:database_name,opr:eq,value:examples)))')
  return body.result[0].id
}

describe('saving and sharing', () => {
  it('SQL-010, SQL-069, SQL-114: a query is saved under a name, and the dot disappears', async () => {
    await lab.editor().click()
    await page.keyboard.press('Alt+t')
    await page.keyboard.insertText('select 10 as saved')
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Save query' })
    await dialog.getByLabel('Name').fill('Ten')
    await dialog.getByLabel('Description').fill('What ten is')
    expect(await findAxeViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await lab.message('Your query was saved').waitFor()
    await expect.poll(() => lab.activeTab().textContent()).toBe('Ten')
    const { body } = await client.get('/api/v1/saved_query/')
    expect(body.result[0]).toMatchObject({ label: 'Ten', sql: 'select 10 as saved', description: 'What ten is' })
  })

  it('SQL-115, SQL-083: a change is saved in place, and a failure has its own message', async () => {
    await lab.write('select 11 as saved')
    await expect.poll(() => lab.activeTab().textContent()).toContain('unsaved')
    await lab.withFailure(/\/api\/v1\/saved_query\/\d+$/, 'PUT', 500, async () => {
      await page.keyboard.press('Control+s')
      await lab.message('Your query could not be updated').waitFor()
    })
    await page.keyboard.press('Control+s')
    await lab.message('Your query was updated').waitFor()
    await expect.poll(() => lab.activeTab().textContent()).toBe('Ten')
    // Another window of the same user opens the tab as last sent.
    await expect
      .poll(async () => (await lab.storedTabs()).active_tab?.sql, { timeout: 20_000, interval: 500 })
      .toBe('select 11 as saved')
  })

  it('SQL-082, SQL-084: a query that cannot be saved is reported, and the dialog keeps the typed text', async () => {
    await lab.withFailure('**/api/v1/saved_query/', 'POST', 500, async () => {
      await page.keyboard.press('Control+Shift+s')
      const name = page.getByRole('dialog').getByLabel('Name')
      await name.fill('Eleven')
      await page.keyboard.press('Enter')
      await lab.message(/Your query could not be saved: Your query Eleven was not properly saved/).waitFor()
      expect(await name.inputValue()).toBe('Eleven')
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  })

  it('SHARE-005, SHARE-006, SQL-015, SQL-017: a link to a saved query opens it under its label elsewhere', async () => {
    await page.getByRole('button', { name: 'Copy link' }).click()
    await lab.message('Link Copied!').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(/\/sqllab\/p\/[\w-]+\/\?savedQueryId=\d+$/)
    const other = await openSignedInPage(browser, product.url)
    await other.goto(link)
    await expect.poll(() => lab.text(other)).toBe('select 11 as saved')
    await expect.poll(() => lab.activeTab(other).textContent()).toBe('Ten')
    await expect.poll(() => new URL(other.url()).search).toBe('')
    await other.context().close()
  })

  it('SQL-012, SQL-016: an unsaved text is shared by key and opens under its name', async () => {
    await lab.write('select 12 as shared')
    // The link of the last test would match as well.
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('/sqllab/p/')
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const title = ((await lab.activeTab().textContent()) ?? '').replace(/ ?•.*$/, '')
    const before = (await lab.tabNames()).length
    await page.goto(link)
    await expect.poll(() => lab.tabNames()).toHaveLength(before + 1)
    await expect.poll(() => lab.text()).toBe('select 12 as shared')
    await expect.poll(() => lab.activeTab().textContent()).toContain(title)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/superset/sqllab/')
  })

  it('SHARE-007: a browser that does not allow copying is reported', async () => {
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', {
        configurable: true,
        value: { writeText: () => Promise.reject(new Error('no')) },
      })
    })
    await page.getByRole('button', { name: 'Copy link' }).click()
    await lab.message('Sorry, your browser does not support copying.').waitFor()
    await page.evaluate(() => Reflect.deleteProperty(navigator, 'clipboard'))
  })

  it('SQL-011, SQL-081, SQL-116: a query is scheduled, and a failure has its own message', async () => {
    await lab.chooseMenuItem('More save options', 'Schedule')
    const dialog = page.getByRole('dialog', { name: 'Schedule query' })
    await dialog.getByLabel('Name').fill('Every day twelve')
    expect(await findAxeViolations(page)).toEqual([])
    await lab.withFailure('**/api/v1/saved_query/', 'POST', 500, async () => {
      await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
      await lab.message('Your query could not be scheduled').waitFor()
    })
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
    await lab.message('Your query has been scheduled. See its runs in Saved queries.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const listed = async () =>
      ((await client.get('/api/v1/saved_query/')).body.result as { label: string; extra: object }[])
        .filter(({ label }) => label.endsWith('twelve'))
        .map(({ label, extra }) => [label, (extra as { schedule_info?: { schedule_interval: string } }).schedule_info])
    expect(await listed()).toEqual([['Every day twelve', expect.objectContaining({ schedule_interval: '0 6 * * *' })]])
    // Scheduling again changes the same query.
    await lab.chooseMenuItem('More save options', 'Schedule')
    const edit = page.getByRole('dialog', { name: 'Edit schedule' })
    await edit.getByLabel('Time').fill('07:30')
    await edit.getByLabel('Name').fill('Early twelve')
    await edit.getByRole('button', { name: 'Save schedule' }).click()
    await edit.waitFor({ state: 'detached' })
    expect(await listed()).toEqual([['Early twelve', expect.objectContaining({ schedule_interval: '30 7 * * *' })]])
  })

  it('a schedule is seen, changed, paused, resumed and deleted in the list of saved queries', async () => {
    await page.goto('/savedqueryview/list/')
    const row = page.getByRole('row').filter({ hasText: 'Early twelve' })
    await row.getByRole('cell', { name: 'Daily at 07:30' }).waitFor()
    const choose = async (item: string) => {
      await row.getByRole('button', { name: /^Actions for/ }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Pause schedule')
    await row.getByRole('cell', { name: 'Paused' }).waitFor()
    await choose('Resume schedule')
    await row.getByRole('cell', { name: 'Daily at 07:30' }).waitFor()
    await choose('Edit schedule')
    const dialog = page.getByRole('dialog', { name: 'Edit schedule' })
    await dialog.getByRole('combobox', { name: 'Frequency' }).click()
    await page.getByRole('option', { name: 'Monday to Friday' }).click()
    await dialog.getByRole('button', { name: 'Save schedule' }).click()
    await row.getByRole('cell', { name: 'Monday to Friday at 07:30' }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await choose('Delete schedule')
    await row.getByRole('cell', { name: 'Monday to Friday at 07:30' }).waitFor({ state: 'detached' })
    await page.goto('/superset/sqllab/')
    await lab.editor().waitFor()
  })
})

describe('saved queries', () => {
  it('PERM-006: are previewed without opening them, tagged, found by their tag and exported', async () => {
    const id = await examplesDatabase()
    for (const label of ['Late flights', 'Early flights'])
      await client.post('/api/v1/saved_query/', {
        db_id: id,
        schema: 'main',
        label,
        description: 'by origin',
        sql: `select '${label}' from flights`,
      })
    await page.goto('/savedqueryview/list/')
    await page.getByRole('link', { name: 'Late flights' }).focus()
    await page.keyboard.press('Space')
    const drawer = page.getByRole('dialog', { name: 'Late flights' })
    await drawer.getByText("select 'Late flights' from flights").waitFor()
    await drawer.getByText('by origin').waitFor()
    await drawer.getByRole('combobox', { name: 'Tags' }).fill('delays')
    await page.getByRole('option', { name: 'delays' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await drawer.getByRole('button', { name: 'Remove delays' }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await page.goto('/savedqueryview/list/?tag=dela')
    await page.getByRole('link', { name: 'Late flights' }).waitFor()
    expect(await page.getByRole('link', { name: 'Early flights' }).count()).toBe(0)
    const row = page.getByRole('row', { name: /Late flights/ })
    await row.getByRole('button', { name: /Late flights/ }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.zip$/)
  })
})

describe('opening', () => {
  it('SQL-018: a past query opens as a copy of its tab', async () => {
    const past = {
      database_id: await examplesDatabase(),
      sql: 'select 18 as past',
      tab: 'Past query',
      runAsync: false,
    }
    expect((await client.post('/api/v1/sqllab/execute/', past)).status).toBe(200)
    const { body } = await client.get('/api/v1/query/')
    const { id, tab_name, sql } = body.result[0] as { id: number; tab_name: string; sql: string }
    await page.goto(`/superset/sqllab/?queryId=${id}`)
    await expect.poll(() => lab.activeTab().textContent()).toContain(`Copy of ${tab_name}`)
    await expect.poll(async () => (await lab.text()).replaceAll('\n', ' ')).toContain(sql.slice(0, 12))
  })

  it('SQL-019, SQL-020: a dataset opens as a query on it', async () => {
    const { body } = await client.get('/api/v1/dataset/')
    const { id, table_name } = body.result[0] as { id: number; table_name: string }
    await page.goto(`/superset/sqllab/?datasourceKey=${id}__table`)
    await expect.poll(() => lab.activeTab().textContent()).toContain(`Query ${table_name}`)
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  it('SQL-021, SQL-022: a posted form opens with its SQL', async () => {
    const { body } = await client.get('/api/v1/dataset/')
    const { id, table_name } = body.result[0] as { id: number; table_name: string }
    await page.evaluate(
      ([key, sql]) => {
        const form = document.createElement('form')
        form.method = 'POST'
        form.action = '/superset/sqllab/'
        const token = document.querySelector<HTMLInputElement>('#csrf_token')?.value ?? ''
        const form_data = JSON.stringify({ datasourceKey: key, sql })
        for (const [name, value] of Object.entries({ form_data, csrf_token: token })) {
          const field = document.createElement('input')
          field.name = name
          field.value = value
          form.append(field)
        }
        document.body.append(form)
        form.submit()
      },
      [`${id}__table`, 'select 21 as posted'],
    )
    await expect.poll(() => lab.text().catch(() => '')).toBe('select 21 as posted')
    await expect.poll(() => lab.activeTab().textContent()).toContain(`Query ${table_name}`)
  })

  it('SQL-030: a link with autorun runs immediately', async () => {
    await page.goto('/superset/sqllab/?sql=select%2031%20as%20by_itself&title=By%20itself&autorun=true')
    await page.getByRole('columnheader', { name: 'by_itself' }).waitFor()
    await expect.poll(() => lab.activeTab().textContent()).toContain('By itself')
  })

  it('SQL-079, SQL-080: an object that cannot be opened is reported, and nothing else happens', async () => {
    const before = await lab.tabNames()
    await expect
      .poll(async () => (await lab.storedTabs()).tab_state_ids.length, { timeout: 10_000, interval: 500 })
      .toBe(before.length)
    await page.goto('/superset/sqllab/?savedQueryId=99999')
    await lab.message("Query couldn't be loaded").waitFor()
    await page.goto('/superset/sqllab/?datasourceKey=99999__table')
    await lab.message("The datasource couldn't be loaded").waitFor()
    await expect.poll(() => lab.tabNames()).toEqual(before)
  })
})

describe('datasets and charts', () => {
  it('SQL-013, EXP-006, DSET-021, DSET-022, DSET-028, DSET-029, DSET-030: saves a query as a dataset and opens Explore on it', async () => {
    await lab.write('select origin, avg(delay) as mean_delay from flights group by origin')
    await lab.chooseMenuItem('More save options', 'Save as dataset')
    const dialog = page.getByRole('dialog', { name: 'Save as dataset' })
    expect(await dialog.getByRole('radio', { name: 'Save as new' }).isChecked()).toBe(true)
    const name = dialog.getByLabel('Name')
    expect(await name.inputValue()).toMatch(/^Untitled Dataset \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
    await name.fill('')
    expect(await dialog.getByRole('button', { name: 'Save and explore' }).getAttribute('aria-disabled')).toBe('true')
    await name.fill('Mean delays')
    expect(await findAxeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/explore/**')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Mean delays').first().waitFor()
  })

  it('DSET-027, DSET-033, DSET-035: a taken name is reported, and nothing typed is lost', async () => {
    await page.goto('/superset/sqllab/')
    await lab.write(
      'select destination, avg(delay) as mean_delay, count(*) as flights from flights group by destination',
    )
    await lab.chooseMenuItem('More save options', 'Save as dataset')
    const name = page.getByRole('dialog').getByLabel('Name')
    expect(await name.inputValue()).toMatch(/^Untitled Dataset/)
    await name.fill('Mean delays')
    await page.keyboard.press('Enter')
    await page.getByText(/^An error occurred saving dataset: .*already exists/).waitFor()
    expect(await name.inputValue()).toBe('Mean delays')
  })

  it('DSET-020, DSET-023 to DSET-026, DSET-032: overwrites a dataset of the user after a confirmation', async () => {
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
    await dialog.getByText('not used in any chart').waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await primary.click()
    await page.waitForURL('**/explore/**')
    await page.getByText('destination', { exact: true }).first().waitFor()
    expect(await page.getByText('origin', { exact: true }).count()).toBe(0)
  })

  it('SQL-053, SQL-109: a chart of a result opens Explore immediately, and saving it saves the query; a failure has its own message', async () => {
    await page.goto('/superset/sqllab/')
    await lab.write('select origin, count(*) as n from flights group by origin')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'origin' }).waitFor()
    await page.getByRole('button', { name: 'Create chart' }).click()
    await page.waitForURL(/explore\/\?datasource_type=query/)
    await page.locator('figure[aria-busy=false] canvas').first().waitFor()
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Save chart' })
    await dialog.getByLabel('Chart name').fill('Flights by origin')
    await dialog.getByLabel('Dataset name').fill('Origins of flights')
    await lab.withFailure('**/api/v1/dataset/', 'POST', 500, async () => {
      await page.keyboard.press('Enter')
      await lab.message('An error occurred while creating the data source: no room').waitFor()
    })
    await page.keyboard.press('Enter')
    await lab.message('Chart [Flights by origin] has been saved').waitFor()
    await page.waitForURL(/explore\/\?slice_id=\d+$/)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Flights by origin' }).waitFor()
    await page.getByRole('region', { name: 'Dataset' }).getByText('Origins of flights').waitFor()
  })

  it('a run that the server no longer knows is saved as a dataset first', async () => {
    await page.goto('/superset/sqllab/')
    await lab.write('select destination, count(*) as n from flights group by destination')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'destination' }).waitFor()
    const store = new DatabaseSync(join(product.home, 'parquetry.sqlite'), { timeout: 10_000 })
    store.exec('DELETE FROM query')
    store.close()
    await page.getByRole('button', { name: 'Create chart' }).click()
    await page.waitForURL(/explore\/\?datasource_type=table/)
    await page.getByRole('region', { name: 'Dataset' }).getByText('destination', { exact: true }).first().waitFor()
  })
})
