import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  findAxeViolations,
  intercept,
  openBrowser,
  setWindowSize,
  openSignedInPage,
  type JourneyBrowser,
} from './browser.ts'
import { monitorPage } from './page-monitor.ts'
import { waitForExamples, startProduct, type Product } from './product.ts'
import { sqllabTools } from './sqllab-tools.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let lab: ReturnType<typeof sqllabTools>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
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

const isInEditor = () => lab.editor().evaluate((element) => element.contains(document.activeElement))
const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

async function choose(button: string, item: string | RegExp): Promise<void> {
  await lab.results().getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** True if this browser stores a result with this word. */
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
  it('SQL-033, SQL-058: shows its rows, time and limit over three million rows, and the focus stays in the editor', async () => {
    await lab.run('select origin, count(*) as n from flights group by origin order by n desc, origin limit 3')
    await expect.poll(() => lab.resultSummary().textContent()).toMatch(/^3 rows · [\d.]+ s · limit 3 in query$/)
    expect(await isInEditor()).toBe(true)
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('says when a limit cuts it, and a click raises the limit', async () => {
    await lab.run('select * from flights')
    await expect.poll(() => lab.resultSummary().textContent()).toMatch(/^1,000 rows shown, more available/)
    await lab.results().getByRole('button', { name: 'Raise limit to 5,000' }).click()
    await expect.poll(() => lab.resultSummary().textContent()).toMatch(/^5,000 rows shown, more available/)
    await expect.poll(() => lab.grid().getAttribute('aria-rowcount')).toBe('5001')
  })

  it('is reached from the editor with F6, left with Shift-F6, and read with the keyboard', async () => {
    await lab.editor().click()
    const isInGrid = () => lab.grid().evaluate((element) => element === document.activeElement)
    await page.keyboard.press('F6')
    await expect.poll(isInGrid).toBe(true)
    await page.keyboard.press('Shift+F6')
    await expect.poll(isInEditor).toBe(true)
    await page.keyboard.press('F6')
    await expect.poll(isInGrid).toBe(true)
    await page.keyboard.press('Control+End')
    await lab.grid().locator('[aria-rowindex="5001"]').waitFor()
  })

  it('regression: has its actions in one line on a phone', async () => {
    onTestFinished(() => setWindowSize(page, 1440, 900))
    await setWindowSize(page, 390, 844)
    await page.getByRole('button', { name: 'Result', exact: true }).click()
    await lab.results().getByRole('button', { name: 'Create chart' }).waitFor()
    const places = await lab
      .resultSummary()
      .evaluate((element) =>
        [...(element.parentElement?.querySelectorAll('button') ?? [])].map((each) => each.getBoundingClientRect()),
      )
    const middles = places.map(({ top, bottom }) => (top + bottom) / 2)
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(2)
    expect(Math.max(...places.map(({ right }) => right))).toBeLessThanOrEqual(390)
    await lab.results().getByRole('button', { name: 'More result actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Raise limit to 10,000' }).waitFor()
    await page.getByRole('menuitem', { name: 'Search loaded rows' }).click()
    await lab.results().getByRole('textbox', { name: 'Search loaded rows' }).press('Escape')
  })

  it('says when its query was changed since, until the text is as before', async () => {
    const sql = 'select 1 as one'
    await lab.run(sql)
    await expect.poll(() => lab.resultSummary().textContent()).toMatch(/^1 row/)
    const mark = lab.results().getByText('Query changed since this run')
    expect(await mark.count()).toBe(0)
    await lab.write('select 2 as two')
    await mark.waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await lab.write(sql)
    await mark.waitFor({ state: 'detached' })
  })

  it('of EXPLAIN is a tree whose steps collapse, and the text of the engine is one click away', async () => {
    await lab.run('explain select origin, count(*) from flights group by origin')
    const step = lab.results().getByRole('button', { name: /^HASH_GROUP_BY/ })
    await step.waitFor()
    await lab.results().getByText('Table:').waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await step.click()
    await lab.results().getByText('Table:').waitFor({ state: 'detached' })
    await lab.results().getByRole('radio', { name: 'Text' }).click()
    await lab.results().getByRole('button', { name: 'Copy plan' }).click()
    await expect.poll(clipboard).toContain('└')
  })

  it('is copied as JSON and Markdown, and so are its column names', async () => {
    await lab.run("select 9007199254740993 as big, null as nothing, '' as empty, 'a|b' as text")
    await expect.poll(() => lab.resultSummary().textContent()).toMatch(/^1 row/)
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
    await choose('More result actions', 'Clear results')
    await lab.results().getByText('Results not loaded').waitFor()
    await lab.results().getByRole('button', { name: 'Show results' }).click()
    await expect.poll(() => lab.resultSummary().textContent()).toMatch(/^1 row/)
  })

  it('without rows still shows its columns', async () => {
    await lab.run('select origin, delay from flights where delay > 100000000')
    await lab.results().getByText('The query returned no rows').waitFor()
    await lab.grid().getByRole('columnheader', { name: 'delay' }).waitFor()
  })

  it('is drawn as a chart in place, without a dataset', async () => {
    await lab.run('select origin, avg(delay) as mean_delay from flights group by origin order by 2 desc limit 8')
    await expect.poll(() => lab.resultSummary().textContent()).toMatch(/^8 rows/)
    await lab.results().getByText('Chart', { exact: true }).click()
    await lab.results().getByRole('combobox', { name: 'Chart type' }).waitFor()
    await lab
      .results()
      .getByRole('img', { name: /Quick chart of origin/ })
      .or(lab.results().locator('canvas'))
      .first()
      .waitFor()
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('has its own tab for each statement when all are run', async () => {
    await lab.run('select 1 as first_answer;\nselect 2 as second_answer', 'Control+Shift+Enter')
    await lab.resultTab('Results 2').waitFor()
    await lab.grid().getByRole('columnheader', { name: 'second_answer' }).waitFor()
    await lab.resultTab('Results 1').click()
    await lab.grid().getByRole('columnheader', { name: 'first_answer' }).waitFor()
  })

  it('shows the full message and a link to its position after a failure', async () => {
    await lab.run('select origin,\n  no_such_column\nfrom flights')
    await lab.results().getByText('Line 2, column 3').waitFor()
    await lab.results().getByRole('button', { name: 'Show statement' }).click()
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe('no_such_column')
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('is awaited after the server refused the run: the page says when it tries again, and tries now on request', async () => {
    const execute = '**/api/v1/sqllab/execute/'
    const extra = { retryAfter: 600, issue_codes: [{ code: 1027, message: '' }] }
    const error = { message: 'The database is busy.', error_type: 'GENERIC_DB_ENGINE_ERROR', level: 'error', extra }
    await intercept(page, execute, (route) => route.fulfill({ status: 503, json: { errors: [error] } }))
    await lab.run('select 5 as refused_at_first')
    await lab
      .results()
      .getByText(/^The database is busy. Trying again in \d+ s.$/)
      .waitFor()
    const monitor = monitorPage(page)
    await monitor.checkAccessibility()
    expect([...monitor.violations]).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.unroute(execute)
    await lab.results().getByRole('button', { name: 'Try again now' }).click()
    await lab.grid().getByRole('columnheader', { name: 'refused_at_first' }).waitFor()
  })

  it('stays in this browser after a reload', async () => {
    await lab.run('select 42 as kept_answer')
    await lab.grid().getByRole('columnheader', { name: 'kept_answer' }).waitFor()
    await expect.poll(() => isInBrowser('kept_answer')).toBe(true)
    const asked: string[] = []
    const listen = (request: Request) => void (request.url().includes('/sqllab/results/') && asked.push(request.url()))
    page.on('request', listen)
    onTestFinished(() => void page.off('request', listen))
    await page.reload()
    await lab.grid().getByRole('columnheader', { name: 'kept_answer' }).waitFor()
    expect(asked).toEqual([])
  })

  it('SQL-088: says how long results are stored when the server no longer has it', async () => {
    await intercept(page, '**/api/v1/sqllab/results/**', (route) =>
      route.fulfill({
        status: 410,
        json: { errors: [{ message: 'gone', error_type: 'RESULTS_BACKEND_ERROR', level: 'error', extra: null }] },
      }),
    )
    await choose('More result actions', 'Clear results')
    await lab.results().getByRole('button', { name: 'Show results' }).click()
    await lab.results().getByText('Results are kept for 24 hours.').waitFor()
    await page.getByText(/Failed at retrieving results/).waitFor()
    await page.unroute('**/api/v1/sqllab/results/**')
    await lab.results().getByRole('button', { name: 'Run again' }).click()
    await lab.grid().getByRole('columnheader', { name: 'kept_answer' }).waitFor()
  })
})

describe('the history', () => {
  const rows = () => lab.results().getByRole('row')

  it('lists the runs of this tab, shows earlier results and opens a run as a copy', async () => {
    await lab.run('select 7 as seven')
    await lab.grid().getByRole('columnheader', { name: 'seven' }).waitFor()
    await lab.resultTab('History').click()
    await rows().filter({ hasText: 'kept_answer' }).first().getByRole('button').first().click()
    await lab.resultTab('Earlier result').waitFor()
    await lab.grid().getByRole('columnheader', { name: 'kept_answer' }).waitFor()
    await lab.resultTab('History').click()
    expect(await findAxeViolations(page)).toEqual([])
    await rows()
      .filter({ hasText: 'select 7' })
      .first()
      .getByRole('button', { name: /^Actions/ })
      .click()
    await page.getByRole('menuitem', { name: 'Open in new tab' }).click()
    await page.getByRole('tab', { name: /Copy of Untitled Query 1/ }).waitFor()
    await expect.poll(() => lab.editor().textContent()).toBe('select 7 as seven')
  })

  it('lists the runs of all tabs and finds one by its text', async () => {
    await lab.resultTab('History').click()
    await lab.results().getByText('All tabs').click()
    await rows().filter({ hasText: 'select 7 as seven' }).first().waitFor()
    await lab.results().getByRole('textbox', { name: 'Search SQL' }).fill('mean_delay')
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
    expect(await findAxeViolations(page)).toEqual([])
    await expect.poll(() => new URL(page.url()).searchParams.get('preview')).not.toBeNull()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'select 7 as seven' }).first().focus()
    await page.keyboard.press('Space')
    await drawer.getByRole('button', { name: 'Show results' }).click()
    await drawer.getByRole('grid', { name: 'Results' }).getByRole('columnheader', { name: 'seven' }).waitFor()
    await drawer.getByRole('link', { name: 'Open in SQL Lab' }).click()
    await page
      .getByRole('tab', { name: /^Copy of / })
      .first()
      .waitFor()
  })
})
