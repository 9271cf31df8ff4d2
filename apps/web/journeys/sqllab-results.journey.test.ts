import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { axeFindings, intercept, openBrowser, setSize, signedIn } from './browser.ts'
import { examplesLoaded, signIn, startProduct, type Product } from './product.ts'

let product: Product
let browser: Browser
let page: Page

beforeAll(async () => {
  const home = mkdtempSync(join(tmpdir(), 'parquetry-results-'))
  const config = join(home, 'config.json')
  writeFileSync(config, JSON.stringify({ FEATURE_FLAGS: { TAGGING_SYSTEM: true, SQLLAB_BACKEND_PERSISTENCE: true } }))
  product = await startProduct({ home, env: { PARQUETRY_CONFIG: config } })
  browser = await openBrowser()
  await examplesLoaded(product.url)
  page = await signedIn(browser, product.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/superset/sqllab/')
  await editor().waitFor()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (product) rmSync(product.home, { recursive: true, force: true })
})

const editor = () => page.locator('.cm-content')
const isInEditor = () => editor().evaluate((element) => element.contains(document.activeElement))
const results = () => page.getByRole('region', { name: 'Results' })
const facts = () => results().getByRole('status').first()
const grid = () => page.getByRole('grid', { name: 'Result', exact: true })
const tab = (name: string | RegExp) => results().getByRole('tab', { name, exact: true })
const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
const panel = (name: string) => page.getByRole('region', { name, exact: true })

async function run(sql: string, keys = 'Control+Enter'): Promise<void> {
  await editor().click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(sql)
  await page.keyboard.press('Escape')
  await page.keyboard.press(keys)
}
async function choose(button: string, item: string | RegExp): Promise<void> {
  await results().getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Whether this browser holds a result with this word. */
const isInBrowser = (word: string): Promise<boolean> =>
  page.evaluate(
    (wanted) =>
      new Promise<boolean>((resolve) => {
        const opened = indexedDB.open('parquetry.results')
        opened.onsuccess = () => {
          const all = opened.result.transaction('bytes').objectStore('bytes').getAll()
          all.onsuccess = () => {
            opened.result.close()
            resolve(all.result.some((bytes) => new TextDecoder().decode(bytes).includes(wanted)))
          }
        }
      }),
    word,
  )

describe('a result', () => {
  it('SQL-033, SQL-058: tells its rows, time and limit over three million rows, and the focus stays in the editor', async () => {
    await run('select origin, count(*) as n from flights group by origin order by n desc, origin limit 3')
    await expect.poll(() => facts().textContent()).toMatch(/^3 rows · [\d.]+ s · limit 3 in the query$/)
    expect(await isInEditor()).toBe(true)
    expect(await axeFindings(page)).toEqual([])
  })

  it('that a limit cut says so, and the limit is raised by a click', async () => {
    await run('select * from flights')
    await expect.poll(() => facts().textContent()).toMatch(/^1,000 rows shown, more exist/)
    await results().getByRole('button', { name: 'Raise limit to 5,000' }).click()
    await expect.poll(() => facts().textContent()).toMatch(/^5,000 rows shown, more exist/)
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe('5001')
  })

  it('is reached from the editor by F6, left by Shift-F6, and read by keys', async () => {
    await editor().click()
    const isInGrid = () => grid().evaluate((element) => element === document.activeElement)
    await page.keyboard.press('F6')
    await expect.poll(isInGrid).toBe(true)
    await page.keyboard.press('Shift+F6')
    await expect.poll(isInEditor).toBe(true)
    await page.keyboard.press('F6')
    await expect.poll(isInGrid).toBe(true)
    await page.keyboard.press('Control+End')
    await grid().locator('[aria-rowindex="5001"]').waitFor()
  })

  it('regression: on a phone what can be done with it stood in two lines', async () => {
    onTestFinished(() => setSize(page, 1440, 900))
    await setSize(page, 390, 844)
    await page.getByRole('button', { name: 'Result', exact: true }).click()
    await results().getByRole('button', { name: 'Create chart' }).waitFor()
    const places = await facts().evaluate((element) =>
      [...(element.parentElement?.querySelectorAll('button') ?? [])].map((each) => each.getBoundingClientRect()),
    )
    const middles = places.map(({ top, bottom }) => (top + bottom) / 2)
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(2)
    expect(Math.max(...places.map(({ right }) => right))).toBeLessThanOrEqual(390)
    await results().getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Raise limit to 10,000' }).waitFor()
    await page.getByRole('menuitem', { name: 'Search the fetched rows' }).click()
    await results().getByRole('textbox', { name: 'Search the fetched rows' }).press('Escape')
  })

  it('is copied whole as JSON and Markdown, and its column names', async () => {
    await run("select 9007199254740993 as big, null as nothing, '' as empty, 'a|b' as text")
    await expect.poll(() => facts().textContent()).toMatch(/^1 row/)
    await choose('Copy', 'As JSON')
    await expect.poll(clipboard).toBe('[\n  {"big": 9007199254740993, "nothing": null, "empty": "", "text": "a|b"}\n]')
    await choose('Copy', 'As Markdown')
    await expect.poll(clipboard).toContain('| 9007199254740993 |  |  | a\\|b |')
    await choose('Copy', 'Column names')
    await expect.poll(clipboard).toBe('big, nothing, empty, text')
    await choose('Copy', 'Rows with headers')
    await expect.poll(clipboard).toBe('big\tnothing\tempty\ttext\n9007199254740993\t\t\ta|b')
  })

  it('is downloaded as a file', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), choose('Download', /^CSV$/)])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toContain('9007199254740993')
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
  })

  it('SQL-062: is cleared, and SQL-061: is fetched again by its key', async () => {
    await choose('More', 'Clear the results')
    await results().getByText('The results are not shown').waitFor()
    await results().getByRole('button', { name: 'Show the results' }).click()
    await expect.poll(() => facts().textContent()).toMatch(/^1 row/)
  })

  it('without rows still shows its columns', async () => {
    await run('select origin, delay from flights where delay > 100000000')
    await results().getByText('The query returned no rows').waitFor()
    await grid().getByRole('columnheader', { name: 'delay' }).waitFor()
  })

  it('is drawn in place, without a dataset', async () => {
    await run('select origin, avg(delay) as mean_delay from flights group by origin order by 2 desc limit 8')
    await expect.poll(() => facts().textContent()).toMatch(/^8 rows/)
    await results().getByText('Chart', { exact: true }).click()
    await results().getByRole('combobox', { name: 'Kind' }).waitFor()
    await results()
      .getByRole('img', { name: /Quick chart of origin/ })
      .or(results().locator('canvas'))
      .first()
      .waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  it('of each statement stands in a tab of its own when all are run', async () => {
    await run('select 1 as first_answer;\nselect 2 as second_answer', 'Control+Shift+Enter')
    await tab('Results 2').waitFor()
    await grid().getByRole('columnheader', { name: 'second_answer' }).waitFor()
    await tab('Results 1').click()
    await grid().getByRole('columnheader', { name: 'first_answer' }).waitFor()
  })

  it('that failed shows the message whole and the way to its place', async () => {
    await run('select origin,\n  no_such_column\nfrom flights')
    await results().getByText('Line 2, column 3').waitFor()
    await results().getByRole('button', { name: 'Show the statement' }).click()
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('no_such_column')
    expect(await axeFindings(page)).toEqual([])
  })

  it('stays in this browser over a reload', async () => {
    await run('select 42 as kept_answer')
    await grid().getByRole('columnheader', { name: 'kept_answer' }).waitFor()
    await expect.poll(() => isInBrowser('kept_answer')).toBe(true)
    const asked: string[] = []
    page.on('request', (request) => request.url().includes('/sqllab/results/') && asked.push(request.url()))
    await page.reload()
    await grid().getByRole('columnheader', { name: 'kept_answer' }).waitFor()
    expect(asked).toEqual([])
  })

  it('SQL-088: that the server has no more says how long results are kept', async () => {
    await intercept(page, '**/api/v1/sqllab/results/**', (route) =>
      route.fulfill({
        status: 410,
        json: { errors: [{ message: 'gone', error_type: 'RESULTS_BACKEND_ERROR', level: 'error', extra: null }] },
      }),
    )
    await choose('More', 'Clear the results')
    await results().getByRole('button', { name: 'Show the results' }).click()
    await results().getByText('Results are kept for 24 hours.').waitFor()
    await page.getByText(/Failed at retrieving results/).waitFor()
    await page.unroute('**/api/v1/sqllab/results/**')
    await results().getByRole('button', { name: 'Run again' }).click()
    await grid().getByRole('columnheader', { name: 'kept_answer' }).waitFor()
  })
})

describe('the tables', () => {
  const tree = () => page.getByRole('tree', { name: 'Tables' })
  const node = (name: RegExp) => tree().getByRole('treeitem', { name })

  it('open by arrows to their columns, and Enter inserts the name', async () => {
    await run('SELECT ...')
    await node(/^flights/).waitFor()
    await tree().focus()
    await page.keyboard.press('f')
    await page.keyboard.press('ArrowRight')
    await node(/^distance/).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => editor().textContent()).toBe('date')
  })

  it('SQL-031, SQL-032, SQL-070, SQL-071, SQL-074: open as a panel with columns, keys and a preview', async () => {
    await tree().focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('f')
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Open panel and preview' }).press('Enter')
    await panel('flights')
      .getByRole('button', { name: /^distance/ })
      .waitFor()
    await panel('flights')
      .getByText(/^3,000,000 rows/)
      .waitFor()
    await tab('Preview: flights').waitFor()
    await expect.poll(() => tab('Preview: flights').getAttribute('aria-selected')).toBe('true')
    await expect.poll(() => facts().textContent()).toMatch(/^100 rows/)
    expect(await axeFindings(page)).toEqual([])
  })

  it('SQL-072, SQL-073: panels collapse and are removed, with their preview', async () => {
    const head = panel('flights').getByRole('button', { name: 'flights', exact: true })
    await head.click()
    await expect.poll(() => head.getAttribute('aria-expanded')).toBe('false')
    await panel('flights').getByRole('button', { name: 'Remove flights' }).click()
    await panel('flights').waitFor({ state: 'detached' })
    await tab('Preview: flights').waitFor({ state: 'detached' })
  })

  it('SQL-045: keep their panels on the server, collapsed as they were, until they are removed', async () => {
    const head = () => panel('gapminder').getByRole('button', { name: 'gapminder', exact: true })
    await node(/^gapminder/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open panel and preview' }).click()
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

  it('SQL-105, SQL-106, SQL-107: say when the server does not keep how their panels are', async () => {
    await node(/^gapminder/).click({ button: 'right' })
    const [kept] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/tableschemaview/')),
      page.getByRole('menuitem', { name: 'Open panel and preview' }).click(),
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
    expect((await (await signIn(product.url, 'admin')).delete(`/tableschemaview/${id}`)).status).toBe(200)
  })

  it('SQL-104: say when nothing can be learned of them', async () => {
    await intercept(page, '**/table_metadata/?**', (route) =>
      route.fulfill({ status: 422, json: { message: 'no luck' } }),
    )
    await node(/^penguins/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open panel and preview' }).click()
    await page.getByText('An error occurred while fetching table metadata: no luck').waitFor()
    await page.unroute('**/table_metadata/?**')
    await panel('penguins').getByRole('button', { name: 'Remove penguins' }).click()
  })

  it('20,000 of them are searched by the server and scroll to their end with few in the document', async () => {
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
    await page.reload()
    await node(/^penguins/).waitFor()
  })

  it('SQL-074: a database that allows no preview gets none', async () => {
    const admin = await signIn(product.url, 'admin')
    const { body } = await admin.get('/api/v1/database/')
    const { id } = body.result.find(({ database_name }: { database_name: string }) => database_name === 'examples')
    const before = (await admin.get(`/api/v1/database/${id}/connection`)).body.result.extra
    const extra = JSON.stringify({ ...JSON.parse(before || '{}'), disable_data_preview: true })
    expect((await admin.put(`/api/v1/database/${id}`, { extra })).status).toBe(200)
    onTestFinished(async () => void (await admin.put(`/api/v1/database/${id}`, { extra: before || '{}' })))
    await page.reload()
    await node(/^penguins/).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Open panel', exact: true }).click()
    await panel('penguins')
      .getByRole('button', { name: /^species/i })
      .waitFor()
    expect(await tab('Preview: penguins').count()).toBe(0)
  })
})

describe('the history', () => {
  const rows = () => results().getByRole('row')

  it('lists the runs of this tab, shows earlier results and opens a run as a copy', async () => {
    await run('select 7 as seven')
    await grid().getByRole('columnheader', { name: 'seven' }).waitFor()
    await tab('History').click()
    await rows().filter({ hasText: 'kept_answer' }).first().getByRole('button').first().click()
    await tab('Earlier result').waitFor()
    await grid().getByRole('columnheader', { name: 'kept_answer' }).waitFor()
    await tab('History').click()
    expect(await axeFindings(page)).toEqual([])
    await rows()
      .filter({ hasText: 'select 7' })
      .first()
      .getByRole('button', { name: /^Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Open in a new tab' }).click()
    await page.getByRole('tab', { name: /Copy of Untitled Query 1/ }).waitFor()
    await expect.poll(() => editor().textContent()).toBe('select 7 as seven')
  })

  it('lists the runs of all tabs and finds one by its text', async () => {
    await tab('History').click()
    await results().getByText('All tabs').click()
    await rows().filter({ hasText: 'select 7 as seven' }).first().waitFor()
    await results().getByRole('textbox', { name: 'Search in SQL' }).fill('mean_delay')
    await expect.poll(() => rows().count()).toBe(2)
  })

  it('SQL-018, SQL-050: has a page with a drawer, from which a run opens as a copy', async () => {
    await page.goto('/superset/sqllab/history/')
    const link = page.getByRole('link', { name: /no_such_column/ }).first()
    await link.focus()
    await page.keyboard.press('Space')
    const drawer = page.getByRole('dialog')
    await drawer.getByText(/no_such_column" not found/).waitFor()
    await drawer.getByText('Failed').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await expect.poll(() => new URL(page.url()).searchParams.get('preview')).not.toBeNull()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'select 7 as seven' }).first().focus()
    await page.keyboard.press('Space')
    await drawer.getByRole('button', { name: 'Show the results' }).click()
    await drawer.getByRole('grid', { name: 'Results' }).getByRole('columnheader', { name: 'seven' }).waitFor()
    await drawer.getByRole('link', { name: 'Open in SQL Lab' }).click()
    await page
      .getByRole('tab', { name: /^Copy of / })
      .first()
      .waitFor()
  })
})

describe('saved queries', () => {
  it('PERM-006: are looked at without opening them, tagged, found by their tag and exported', async () => {
    const admin = await signIn(product.url, 'admin')
    const { body } = await admin.get('/api/v1/database/')
    const { id } = body.result.find(({ database_name }: { database_name: string }) => database_name === 'examples')
    for (const label of ['Late flights', 'Early flights'])
      await admin.post('/api/v1/saved_query/', {
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
    await drawer.getByRole('textbox', { name: 'New tag' }).fill('delays')
    await page.keyboard.press('Enter')
    await drawer.getByRole('button', { name: 'Remove delays' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
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

describe('what goes wrong around it', () => {
  it("SQL-079: a past query that is not there says that it couldn't be loaded", async () => {
    await page.goto('/superset/sqllab/?queryId=999999')
    await page.getByText(/^Query couldn't be loaded/).waitFor()
  })

  it('API-010: a database that knows no names of functions has none, and nothing is said', async () => {
    await intercept(page, '**/function_names/', (route) => route.fulfill({ status: 404, json: { message: 'no luck' } }))
    await Promise.all([page.waitForResponse('**/function_names/'), page.goto('/superset/sqllab/')])
    await run('select 404 as still_runs')
    await grid().getByRole('columnheader', { name: 'still_runs' }).waitFor()
    expect(await page.getByText(/An error occurred while fetching function names/).count()).toBe(0)
    await page.unroute('**/function_names/')
  })

  it('SQL-108: names of functions that cannot be fetched say so', async () => {
    await intercept(page, '**/function_names/', (route) => route.fulfill({ status: 500, json: { message: 'no luck' } }))
    await page.goto('/superset/sqllab/')
    await page
      .getByText(/An error occurred while fetching function names/)
      .first()
      .waitFor()
    await page.unroute('**/function_names/')
  })

  it('CONST-031: the browser keeps how wide the panes are', async () => {
    await page.goto('/superset/sqllab/')
    const grip = page.getByRole('separator', { name: 'Width of the tables' })
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
