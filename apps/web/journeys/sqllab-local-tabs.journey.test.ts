import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { addUser, createApiClient, startProduct, type Product } from './product.ts'
import { sqllabTools } from './sqllab-tools.ts'
import { skipAfterFailure } from './page-monitor.ts'

let home: string
let product: Product
let browser: JourneyBrowser
let page: Page
let lab: ReturnType<typeof sqllabTools>

const note = '-- Tabs are kept in this browser only. Save your query to keep it.'

/** Starts the product, or restarts it at the same URL and with the same home, so that the browser recognizes it. */
async function start(persistence: boolean): Promise<void> {
  const port = product ? new URL(product.url).port : '0'
  await product?.stop()
  product = await startProduct({
    home,
    env: {
      PARQUETRY_HOME: home,
      PARQUETRY_CONFIG: join(home, 'config.json'),
      PARQUETRY_PORT: port,
      PARQUETRY_EXAMPLES: '0',
      SUPERSET_FEATURE_SQLLAB_BACKEND_PERSISTENCE: String(persistence),
      SUPERSET_FEATURE_TAGGING_SYSTEM: 'true',
      SUPERSET_FEATURE_KV_STORE: 'true',
      SUPERSET_FEATURE_SHARE_QUERIES_VIA_KV_STORE: 'true',
    },
  })
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'parquetry-local-tabs-'))
  writeFileSync(join(home, 'config.json'), JSON.stringify({ DEFAULT_SQLLAB_LIMIT: 250 }))
  await start(true)
  browser = await openBrowser()
  page = await openSignedInPage(browser, product.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  page.setDefaultTimeout(30_000)
  lab = sqllabTools(page)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (home) rmSync(home, { recursive: true, force: true })
})

describe('without persistence on the server', () => {
  skipAfterFailure(() => page)

  it('SQL-117: without a database, the user can connect one or add a file and query it immediately, with the limit of the server', async () => {
    await page.goto('/superset/sqllab/')
    await page.getByRole('main').getByRole('link', { name: 'Connect a database' }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    const upload = page.getByRole('main').getByRole('button', { name: 'Upload a file' })
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), upload.click()])
    const buffer = Buffer.from('region,revenue\nNorth,10\nSouth,20\n')
    await chooser.setFiles({ name: 'takings.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await lab.editor().waitFor()
    expect(await page.getByRole('combobox', { name: 'Row limit' }).inputValue()).toBe('250')
    await lab.write('select sum(revenue) as total from takings')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'total' }).waitFor()
  })

  it('a query is saved with tags', async () => {
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Save query' })
    await dialog.getByLabel('Name').fill('Takings')
    for (const tag of ['monthly', 'sales']) {
      await dialog.getByRole('combobox', { name: 'Tags' }).fill(tag)
      await page.getByRole('option', { name: tag }).waitFor()
      await page.keyboard.press('Enter')
    }
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await lab.message('Your query was saved').waitFor()
    const { body } = await (await createApiClient(product.url, 'admin')).get('/api/v1/saved_query/')
    expect(body.result[0].custom_tags.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'monthly',
      'sales',
    ])
  })

  it('SQL-012, SQL-016: with its feature flags, a text is shared by a key of /kv/', async () => {
    await lab.write('select 14 as by_kv')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await lab.message('Link Copied!').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(/\/superset\/sqllab\/\?id=\d+$/)
    const other = await openSignedInPage(browser, product.url)
    await other.goto(link)
    // The tab of the first window has the same text: the link has been opened once its parameters are no longer in the URL.
    await expect.poll(() => new URL(other.url()).search).toBe('')
    await expect.poll(() => lab.text(other)).toBe('select 14 as by_kv')
    await expect.poll(() => lab.activeTab(other).textContent()).toContain('Takings')
    const rename = async (name: string) => {
      await other.keyboard.press('F2')
      await other.getByRole('dialog').getByLabel('Name').fill(name)
      await other.keyboard.press('Enter')
      await other.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => lab.activeTab(other).textContent()).toContain(name)
    }
    await lab.editor(other).click()
    await rename('By link')
    await other.keyboard.press('Alt+t')
    await other.keyboard.type('select 15 as elsewhere')
    await rename('Elsewhere')
    await expect
      .poll(async () => (await lab.storedTabs(other)).active_tab)
      .toMatchObject({ sql: 'select 15 as elsewhere', label: 'Elsewhere' })
    await other.context().close()
  })

  it('SQL-016: a text shared without a name opens as Shared query', async () => {
    addUser(product, 'reader', 'Admin')
    const reader = await openSignedInPage(browser, product.url, { username: 'reader' })
    const { request } = reader.context()
    const { result: token } = await (await request.get('/api/v1/security/csrf_token/')).json()
    const response = await request.post('/kv/store/', {
      headers: { 'X-CSRFToken': token },
      form: { data: JSON.stringify({ sql: 'select 16 as unnamed' }) },
    })
    const { id } = (await response.json()) as { id: number }
    await reader.goto(`/superset/sqllab/?id=${id}`)
    await expect.poll(() => lab.text(reader)).toBe('select 16 as unnamed')
    await expect.poll(() => lab.tabNames(reader)).toEqual(['Shared query'])
    await reader.context().close()
  })

  it('SQL-041, SQL-066: when switched off, tabs opened here remain, new ones say so in a note, and nothing is fetched', async () => {
    // The front tab of the other browser is fetched with the list; of the one from the link only the name is.
    await page.reload()
    await expect.poll(() => lab.tabNames()).toEqual(['Takings', 'By link', 'Elsewhere'])
    await expect.poll(() => lab.text()).toBe('select 14 as by_kv')
    await start(false)
    const calls: string[] = []
    page.on('request', (request) => {
      if (/tabstateview|\/api\/v1\/sqllab\/$/.test(request.url())) calls.push(request.url())
    })
    await page.goto('/superset/sqllab/')
    await expect.poll(() => lab.text()).toBe('select 14 as by_kv')
    await expect.poll(() => lab.tabNames()).toEqual(['Takings', 'Elsewhere'])
    await lab.write('select 16 as while_off')
    await lab.editor().click()
    await page.keyboard.press('Alt+t')
    await expect.poll(() => lab.text()).toBe(`${note}\nSELECT ...`)
    expect(await page.getByRole('button', { name: 'Run', exact: true }).getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.type('select 1')
    await expect.poll(() => lab.text()).toBe(`${note}\nselect 1`)
    const [sent] = await Promise.all([
      page.waitForRequest('**/api/v1/sqllab/execute/'),
      page.keyboard.press('Control+Enter'),
    ])
    expect((sent.postDataJSON() as { sql: string }).sql.trim()).toBe('select 1')
    await page.reload()
    await lab.tabList().getByRole('tab').first().click()
    await lab.tabList().getByRole('tab').last().click()
    await expect.poll(() => lab.text()).toBe(`${note}\nselect 1`)
    // The reload would have sent anything that was still waiting to be stored.
    expect(calls).toEqual([])
  })

  it('SQL-111: a text that the browser cannot read back is reported, and is not lost by that', async () => {
    const large = `select '${'x'.repeat(600_000)}'`
    await page.evaluate((text) => navigator.clipboard.writeText(text), large)
    await lab.editor().click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+v')
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage).includes('spilled'))).toBe(true)
    const damaged = await page.context().newPage()
    await damaged.addInitScript(() => {
      IDBObjectStore.prototype.get = () => {
        throw new Error('damaged')
      }
    })
    await damaged.goto('/superset/sqllab/')
    await lab.message('An error occurred while loading the SQL', damaged).waitFor()
    await damaged.close()
    await page.reload()
    await expect.poll(async () => (await lab.text()).length, { timeout: 15_000 }).toBeGreaterThan(1000)
    await lab.editor().click()
    await page.keyboard.press('Alt+w')
  })

  it('switched on again, what was written meanwhile is sent to the server, and tabs never opened here come from there', async () => {
    await start(true)
    await page.goto('/superset/sqllab/')
    await expect.poll(async () => (await lab.tabNames()).toSorted()).toEqual(['By link', 'Elsewhere', 'Takings'])
    await lab.tabList().getByRole('tab', { name: 'By link' }).click()
    await expect.poll(() => lab.text()).toBe('select 14 as by_kv')
    await lab.tabList().getByRole('tab', { name: 'Elsewhere' }).click()
    await expect.poll(() => lab.text()).toBe('select 15 as elsewhere')
    await lab.tabList().getByRole('tab', { name: 'Takings' }).click()
    await expect.poll(() => lab.text()).toBe('select 16 as while_off')
    // A browser that loads the tabs before the text has been sent shows the previous text, as it should.
    await expect.poll(async () => (await lab.storedTabs()).active_tab?.sql).toBe('select 16 as while_off')
    const other = await openSignedInPage(browser, product.url)
    await other.goto('/superset/sqllab/')
    await lab.tabList(other).getByRole('tab', { name: 'Takings' }).click()
    await expect.poll(() => lab.text(other), { timeout: 10_000, interval: 500 }).toBe('select 16 as while_off')
    expect(await lab.tabNames(other)).toHaveLength(3)
    await other.context().close()
  })
})
