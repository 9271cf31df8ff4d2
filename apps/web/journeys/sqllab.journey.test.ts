import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Locator, Page, Response } from 'playwright-core'
import { axeFindings, intercept, openBrowser, setOffline, setSize, signedIn } from './browser.ts'
import { addUser, examplesLoaded, signIn, startProduct, type Product } from './product.ts'
import { inOneGo } from './witness.ts'

let product: Product
let browser: Browser
let page: Page
let client: Awaited<ReturnType<typeof signIn>>

beforeAll(async () => {
  product = await startProduct({
    env: { SUPERSET_FEATURE_ESTIMATE_QUERY_COST: 'true', SUPERSET_FEATURE_ENABLE_TEMPLATE_PROCESSING: 'true' },
  })
  browser = await openBrowser()
  await examplesLoaded(product.url)
  client = await signIn(product.url, 'admin')
  page = await signedIn(browser, product.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  page.setDefaultTimeout(30_000)
  await page.goto('/superset/sqllab/')
  await editor().waitFor()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const editor = (on: Page = page) => on.locator('.cm-content')
const textOf = (on: Page = page) => editor(on).innerText()
const row = (on: Page = page) => on.getByRole('tablist', { name: 'Queries' })
const names = async (on: Page = page) =>
  (await row(on).getByRole('tab').allTextContents()).map((text) => text.replace(/ ?•.*$/, '').replace(/^running: /, ''))
const front = (on: Page = page) => row(on).getByRole('tab', { selected: true })
const facts = () => page.getByRole('region', { name: 'Results' }).getByRole('status').first()
const note = '-- Tabs are kept in this browser only. Save your query to keep it.'
const toastWith = (text: string | RegExp, on: Page = page) => on.getByText(text).first()
const keptOnServer = async (on: Page = page) =>
  on.evaluate(async () => {
    const { result } = await (await fetch('/api/v1/sqllab/')).json()
    return result as { tab_state_ids: { id: number; label: string }[]; active_tab: { sql: string } | null }
  })

async function write(sql: string, on: Page = page): Promise<void> {
  await editor(on).click()
  await on.keyboard.press('Control+a')
  if (sql === '') await on.keyboard.press('Delete')
  else await on.keyboard.insertText(sql)
  await on.keyboard.press('Escape')
}
/** What Tab and Enter take. */
const offered = (word: string): Locator =>
  page.locator('.cm-tooltip-autocomplete li[aria-selected=true]').getByText(word, { exact: true })
async function menu(button: string, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
/** Answers one call with a failure while `during` goes on. */
async function failing(pattern: string | RegExp, method: string, status: number, during: () => Promise<void>) {
  await intercept(page, pattern, async (route) =>
    route.request().method() === method
      ? route.fulfill({ status, contentType: 'application/json', body: '{"message": "no room"}' })
      : route.fallback(),
  )
  try {
    await during()
  } finally {
    await page.unroute(pattern)
  }
}

describe('tabs', () => {
  it('SQL-002, SQL-014, SQL-024, SQL-040: opens with SELECT ... chosen, and running it is off with the reason', async () => {
    expect(await textOf()).toBe('SELECT ...')
    expect(await names()).toEqual(['Untitled Query 1'])
    const run = page.getByRole('button', { name: 'Run', exact: true })
    expect(await run.getAttribute('aria-disabled')).toBe('true')
    const reason = page.getByText('Write a query first')
    await expect
      .poll(async () => {
        await page.mouse.move(0, 0)
        await run.hover()
        return reason
          .first()
          .waitFor({ timeout: 2000 })
          .then(
            () => true,
            () => false,
          )
      })
      .toBe(true)
    expect(await axeFindings(page)).toEqual([])
    await editor().focus()
    await page.keyboard.type('select 1 as typed')
    expect(await textOf()).toBe('select 1 as typed')
  })

  it('SQL-117, SQL-118: the limit is the server’s, and the choices are known', async () => {
    const limit = page.getByRole('combobox', { name: 'Row limit' })
    expect(await limit.inputValue()).toBe('1,000')
    await limit.click()
    const choices = ['10', '50', '100', '250', '500', '1,000', '5,000', '10,000', '50,000']
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(choices)
    await page.keyboard.press('Escape')
  })

  it('SQL-023, SQL-034: new ones and copies by key and menu, each named as it should be', async () => {
    await editor().click()
    await page.keyboard.press('Alt+t')
    await expect.poll(() => names()).toEqual(['Untitled Query 1', 'Untitled Query 2'])
    await page.keyboard.type('select 2 as second')
    await menu('This tab', 'Duplicate tab')
    await expect.poll(() => names()).toEqual(['Untitled Query 1', 'Untitled Query 2', 'Copy of Untitled Query 2'])
    await expect.poll(() => textOf()).toBe('select 2 as second')
    await page.keyboard.press('F2')
    await page.getByRole('dialog').getByLabel('Name').fill('Third')
    await page.keyboard.press('Enter')
    await expect.poll(() => names()).toEqual(['Untitled Query 1', 'Untitled Query 2', 'Third'])
  })

  it('change places by keys and by dragging, and go from one to the next by keys', async () => {
    await editor().click()
    await page.keyboard.press('Alt+Shift+PageUp')
    await expect.poll(() => names()).toEqual(['Untitled Query 1', 'Third', 'Untitled Query 2'])
    await page.keyboard.press('Alt+PageUp')
    await expect.poll(() => front().textContent()).toContain('Untitled Query 1')
    const box = await front().boundingBox()
    const last = await row().getByRole('tab').last().boundingBox()
    if (!box || !last) throw new Error('no tabs')
    await page.mouse.move(box.x + 20, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(last.x + last.width - 10, box.y + 10, { steps: 8 })
    await page.mouse.up()
    await expect.poll(() => names()).toEqual(['Third', 'Untitled Query 2', 'Untitled Query 1'])
  })

  it('SQL-035, SQL-036: are closed with a way back, one or all others', async () => {
    await editor().click()
    await page.keyboard.press('Alt+w')
    await expect.poll(() => names()).toEqual(['Third', 'Untitled Query 2'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => names()).toEqual(['Third', 'Untitled Query 2', 'Untitled Query 1'])
    await expect.poll(() => textOf()).toBe('select 1 as typed')
    await menu('This tab', 'Close other tabs')
    await expect.poll(() => names()).toEqual(['Untitled Query 1'])
    await editor().click()
    await page.keyboard.press('Alt+Shift+t')
    await expect.poll(() => names()).toEqual(['Untitled Query 1', 'Untitled Query 2'])
    await expect.poll(() => textOf()).toBe('select 2 as second')
  })

  it('SQL-025: the left bar is hidden and shown', async () => {
    const bar = page.getByRole('combobox', { name: 'Database' })
    await bar.waitFor()
    await editor().click()
    await page.keyboard.press('Control+b')
    await bar.waitFor({ state: 'hidden' })
    await row().getByRole('tab', { name: 'Untitled Query 1' }).click()
    await bar.waitFor()
    await row().getByRole('tab', { name: 'Untitled Query 2' }).click()
    await bar.waitFor({ state: 'hidden' })
    await editor().click()
    await page.keyboard.press('Control+b')
    await bar.waitFor()
  })

  it('on a tablet the tables are a drawer over the page, and on a phone nothing of the bars is cut off', async () => {
    await setSize(page, 768, 900)
    await page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'Show or hide the tables' }).click()
    const drawer = page.getByRole('dialog', { name: 'Tables' })
    await drawer.getByRole('combobox', { name: 'Database' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await setSize(page, 390, 844)
    for (const pane of ['Schema', 'Result', 'Query']) {
      await page.getByRole('button', { name: pane, exact: true }).click()
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    }
    const toolbar = page.getByRole('toolbar', { name: 'Query' })
    const ends = await toolbar
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().right))
    expect(Math.max(...ends)).toBeLessThanOrEqual(390)
    // The names of the tabs and one bar, no more, stand above the editor.
    const top = async (element: Locator) => (await element.boundingBox())?.y ?? Infinity
    const bars = (await row().boundingBox())?.height ?? Infinity
    expect(await top(editor())).toBeLessThanOrEqual(bars + ((await toolbar.boundingBox())?.height ?? 0) + 20)
    await toolbar.getByRole('button', { name: 'More', exact: true }).click()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Row limit: 1,000' }).click()
    await page.getByRole('menuitemradio', { name: '50', exact: true }).click()
    await setSize(page, 1440, 900)
    await expect.poll(() => page.getByRole('combobox', { name: 'Row limit' }).inputValue()).toBe('50')
    await page.getByRole('combobox', { name: 'Row limit' }).click()
    await page.getByRole('option', { name: '1,000' }).click()
  })

  it('regression: a window that becomes narrow and wide again keeps what can be undone', async () => {
    await write('select 1 as before')
    await page.keyboard.press('End')
    await page.keyboard.type(', 2 as after')
    const toolbar = page.getByRole('toolbar', { name: 'Query' })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const tables = toolbar.getByRole('button', { name: 'Show or hide the tables' })
    await setSize(page, 1024, 900)
    await toolbar.getByRole('button', { name: 'Format' }).waitFor({ state: 'hidden' })
    for (const [width, ofThatWidth] of [
      [768, tables],
      [390, button('Schema')],
      [1440, toolbar.getByRole('combobox', { name: 'Row limit' })],
    ] as const) {
      await setSize(page, width, 900)
      await ofThatWidth.waitFor()
    }
    await page.getByRole('combobox', { name: 'Database' }).waitFor()
    await editor().focus()
    await page.keyboard.press('Control+z')
    await expect.poll(() => textOf()).toBe('select 1 as before')
  })

  it('regression: nothing in the bar moves when Run names another statement or becomes Stop', async () => {
    const limit = page.getByRole('combobox', { name: 'Row limit' })
    const place = async () => (await limit.boundingBox())?.x
    const toolbar = page.getByRole('toolbar', { name: 'Query' })
    await write('select 1')
    await toolbar.getByRole('button', { name: 'Run', exact: true }).waitFor()
    const before = await place()
    await write('select 1;\nselect 2')
    await toolbar.getByRole('button', { name: 'Run statement 2' }).waitFor()
    expect(await place()).toBe(before)
    await page.keyboard.press('Control+a')
    await toolbar.getByRole('button', { name: 'Run selection' }).waitFor()
    expect(await place()).toBe(before)
    await write('select count(*) from flights a, flights b where a.delay + b.delay > a.distance * b.distance')
    await page.keyboard.press('Control+Enter')
    await toolbar.getByRole('button', { name: 'Stop' }).waitFor()
    expect(await place()).toBe(before)
    await page.keyboard.press('Control+.')
    await toolbar.getByRole('button', { name: 'Run', exact: true }).waitFor()
  })

  it('a run without a network says so, keeps the text, and runs when there is one again', async () => {
    await write('select 41 + 1 as answer')
    await setOffline(page, true)
    await page
      .getByRole('status')
      .getByText(/^You are offline/)
      .waitFor()
    await page.keyboard.press('Control+Enter')
    const failed = page.getByRole('alert').filter({ hasText: 'The query was not sent.' })
    await failed.waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await textOf()).toBe('select 41 + 1 as answer')
    await setOffline(page, false)
    await page
      .getByRole('status')
      .getByText(/^You are offline/)
      .waitFor({ state: 'detached' })
    await failed.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('columnheader', { name: 'answer' }).waitFor()
  })

  it('every key is listed under ?', async () => {
    await row().getByRole('tab').first().focus()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const command of ['Run all', 'Close tab', 'Restore closed tab', 'Format', 'Find and replace'])
      await keys.getByText(command, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
  })
})

describe('the editor', () => {
  it('a script of 10,000 lines is pasted, typed into and run statement by statement', async () => {
    const script = Array.from({ length: 10_000 }, (_, at) => `select ${at} as n from flights where delay > ${at};`)
    await page.keyboard.press('Alt+t')
    await page.evaluate((text) => navigator.clipboard.writeText(text), script.join('\n'))
    await editor().click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+v')
    await page.getByRole('button', { name: 'Run statement 10000' }).waitFor()
    await page.keyboard.press('Control+Home')
    await page.getByRole('button', { name: 'Run statement 1', exact: true }).waitFor()
    await page.keyboard.type('select distance from flights limit 3;')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'distance' }).waitFor()
    await page.keyboard.press('Alt+w')
  })

  it('SQL-003: completes tables, then the columns of the table that is read', async () => {
    await write('')
    await page.keyboard.type('select * from fli')
    await offered('flights').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type(' f where d')
    // Long enough to scroll.
    await page.locator('.cm-tooltip-autocomplete').getByText('destination').waitFor()
    const list = page.locator('.cm-tooltip-autocomplete > ul')
    expect(await list.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Backspace')
    await page.keyboard.type('f.')
    await offered('date').waitFor()
    await page.keyboard.type('dist')
    await offered('distance').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => textOf()).toBe('select * from flights f where f.distance')
  })

  it('SQL-003: Tab takes what stands selected, also while the list is made anew', async () => {
    const columns = '**/table_metadata/?*'
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await intercept(page, columns, async (route) => {
      await released
      await route.continue()
    })
    await page.reload()
    await write('')
    await page.getByRole('treeitem', { name: /^flights/ }).waitFor()
    await page.keyboard.type('select origin from flights limi')
    await offered('limit').waitFor()
    // Pressed within the moment, however busy the machine is; watched for before the names may come.
    const watch = await page.evaluateHandle(() => {
      const list = document.querySelector('.cm-tooltip-autocomplete')
      const isRemade = () => list?.classList.contains('cm-tooltip-autocomplete-disabled')
      const pressed = new Promise<boolean>((resolve) => {
        new MutationObserver(() => {
          if (!isRemade()) return
          const key = { key: 'Tab', code: 'Tab', keyCode: 9, bubbles: true, cancelable: true }
          document.querySelector('.cm-content')?.dispatchEvent(new KeyboardEvent('keydown', key))
          resolve(true)
        }).observe(list as Node, { attributes: true })
        setTimeout(() => resolve(false), 20_000)
      })
      return { pressed }
    })
    release()
    expect(await watch.evaluate(({ pressed }) => pressed)).toBe(true)
    await page.unroute(columns)
    await expect.poll(() => textOf()).toBe('select origin from flights limit')
  })

  it('SQL-009, SQL-052, SQL-076, SQL-077: a mistake is marked without running, and the mark goes with it', async () => {
    const marks = page.locator('.cm-lintRange')
    const checked = async (sql: string) => {
      const isOfText = (answer: Response) =>
        /\/api\/v1\/database\/\d+\/validate_sql\/$/.test(answer.url()) && answer.request().postDataJSON().sql === sql
      const [answer] = await Promise.all([page.waitForResponse(isOfText), write(sql)])
      return answer.request().postDataJSON() as object
    }
    expect(await checked('select origin fro flights')).toMatchObject({ template_params: {} })
    await marks.first().waitFor()
    await write('select origin from flights')
    await marks.first().waitFor({ state: 'detached' })
    await failing('**/validate_sql/', 'POST', 500, async () => {
      await checked('select origin frm flights')
    })
    await checked('select origin fom flights')
    await marks.first().waitFor()
    await write('select origin from flights')
    await marks.first().waitFor({ state: 'detached' })
  })

  it('formats, finds and replaces, and comments out', async () => {
    await write('select origin,count(*) from flights group by origin')
    await page.keyboard.press('Control+Shift+KeyF')
    await expect.poll(() => textOf()).toContain('\n')
    await write('select one, one')
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).fill('one')
    await page.getByRole('textbox', { name: 'Replace' }).fill('two')
    await page.getByRole('button', { name: 'replace all' }).click()
    await expect.poll(() => textOf()).toBe('select two, two')
    await page.keyboard.press('Escape')
    await editor().focus()
    await page.keyboard.press('Control+/')
    await expect.poll(() => textOf()).toBe('-- select two, two')
  })

  it('Tab indents, and Escape before it leaves the editor', async () => {
    await write('select 1')
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Tab')
    await expect.poll(() => textOf()).toBe('  select 1')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect.poll(() => editor().evaluate((element) => element.contains(document.activeElement))).toBe(false)
  })
})

describe('running', () => {
  it('SQL-005, SQL-055: runs over three million rows and shows what the database answers', async () => {
    await write('select origin, count(*) as n from flights group by origin order by n desc, origin limit 3')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => facts().textContent()).toMatch(/^3 rows/)
    expect(await axeFindings(page)).toEqual([])
  })

  it('runs the statement at the cursor and names it on the button, or all, each with a result of its own', async () => {
    await write('select 1 as first_answer;\nselect 2 as second_answer')
    await page.getByRole('button', { name: 'Run statement 2' }).waitFor()
    await expect.poll(() => page.locator('.cm-statement').textContent()).toBe('select 2 as second_answer')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'second_answer' }).waitFor()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Shift+End')
    await page.getByRole('button', { name: 'Run selection' }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'first_answer' }).waitFor()
    await page.keyboard.press('Control+Shift+Enter')
    await page.getByRole('columnheader', { name: 'second_answer' }).waitFor()
  })

  it('SQL-075: comments are not sent', async () => {
    await write('select 1 as one -- not for the database')
    const [sent] = await Promise.all([
      page.waitForRequest('**/api/v1/sqllab/execute/'),
      page.keyboard.press('Control+Enter'),
    ])
    expect((sent.postDataJSON() as { sql: string }).sql).toBe('select 1 as one')
  })

  it('SQL-059: an error of the database is underlined at its place', async () => {
    await write('select origin,\n  no_such_column\nfrom flights')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Line 2, column 3').waitFor()
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('no_such_column')
    // What the database says comes first, what may be the cause below it.
    expect(await page.getByRole('region', { name: 'Results' }).getByRole('alert').innerText()).toMatch(
      /column 3\s+Binder Error: .*no_such_column[^]*Issue 1003 - /,
    )
    expect(await axeFindings(page)).toEqual([])
  })

  it('SQL-060, SQL-085, SQL-086: stops a query that would run for long, down to the database, and says when that fails', async () => {
    await write('select count(*) from flights a, flights b where a.delay + b.delay > a.distance * b.distance')
    await page.keyboard.press('Control+Enter')
    await page
      .getByRole('toolbar', { name: 'Query' })
      .getByText(/^Running/)
      .waitFor()
    await failing('**/api/v1/query/stop', 'POST', 500, async () => {
      await page.keyboard.press('Control+.')
      await toastWith('Failed at stopping query: no room').waitFor()
    })
    await page.getByRole('button', { name: 'Stop' }).first().waitFor()
    await page.keyboard.press('Control+.')
    await toastWith('Query was stopped.').waitFor()
    await write('select 42 as after_stop')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'after_stop' }).waitFor()
  })

  it('SQL-029: template parameters are JSON and fill the names in the text', async () => {
    await page.getByRole('button', { name: '{} Params' }).click()
    const params = page.getByRole('textbox', { name: 'Template parameters' })
    await params.fill('{"wanted"')
    await page.getByText('This is not a JSON object').waitFor()
    await params.fill('{"wanted": 5}')
    await write('select {{ wanted }} as filled')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'filled' }).waitFor()
    await page.getByRole('gridcell', { name: '5', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Close parameters' }).click()
  })

  it('a run whose answer is cut off is found on the server, and one that never got there says so', async () => {
    await write('select 77 as cut_off')
    await intercept(page, '**/api/v1/sqllab/execute/', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    let look = (): void => {}
    const looking = new Promise<void>((resolve) => (look = resolve))
    await intercept(page, '**/query/updated_since*', async (route) => looking.then(() => route.continue()))
    await page.keyboard.press('Control+Enter')
    await page
      .getByText(/^Connection lost\. Looking for the result\./)
      .first()
      .waitFor()
    look()
    await page.getByRole('columnheader', { name: 'cut_off' }).waitFor()
    await page.unroute('**/query/updated_since*')
    await page.unroute('**/api/v1/sqllab/execute/')
    await expect.poll(() => facts().textContent()).toMatch(/^1 row/)
    await editor().click()
    await intercept(page, '**/api/v1/sqllab/execute/', async (route) => route.abort('connectionreset'))
    const [refused] = await Promise.all([
      page.waitForEvent('requestfailed', (request) => request.url().endsWith('/sqllab/execute/')),
      page.keyboard.press('Control+Enter'),
    ])
    expect(refused.postDataJSON()).toMatchObject({ sql: 'select 77 as cut_off' })
    await page.getByText('The query did not reach the server.').waitFor()
    await page.unroute('**/api/v1/sqllab/execute/')
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('columnheader', { name: 'cut_off' }).waitFor()
  })
})

const postgres = process.env['PARQUETRY_TEST_POSTGRES']
describe.skipIf(!postgres)('on PostgreSQL', () => {
  const made = `made_in_lab_${process.pid}`
  const actual = new pg.Client({ connectionString: postgres })
  let id = 0
  beforeAll(async () => {
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
    const query = new URLSearchParams({ dbid: String(id), sql: 'select 6 * 7 as answer', title: 'On PostgreSQL' })
    await page.goto(`/superset/sqllab/?${query}`)
    await front().getByText('On PostgreSQL').waitFor()
  })
  afterAll(async () => {
    await actual.query(`DROP VIEW IF EXISTS ${made}_v; DROP TABLE IF EXISTS ${made}`)
    await actual.end()
    await editor().click()
    await page.keyboard.press('Alt+w')
  })

  it('SQL-026, SQL-028, SQL-037: a new tab is on the database of the one in front, and each has its own, with its limit', async () => {
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
    await editor().click()
    await page.keyboard.press('Alt+t')
    await expect.poll(chosen).toEqual(['Warehouse', '1,000'])
    await choose(database, /^examples/)
    await choose(limit, /^50$/)
    await row().getByRole('tab', { name: 'On PostgreSQL' }).click()
    await expect.poll(chosen).toEqual(['Warehouse', '1,000'])
    await row().getByRole('tab').last().click()
    await expect.poll(chosen).toEqual(['examples', '50'])
    await editor().click()
    await page.keyboard.press('Alt+w')
    await expect.poll(chosen).toEqual(['Warehouse', '1,000'])
  })

  it('SQL-089 to SQL-097: each thing that the server does not store is said in its words, and is there when it stores again', async () => {
    await editor().click()
    await page.keyboard.press('Alt+t')
    await write('select 1 as of_the_tab')
    await expect.poll(async () => (await keptOnServer()).active_tab?.sql, { timeout: 20_000 }).toContain('of_the_tab')
    const option = async (box: string, name: RegExp) => {
      await page.getByRole('combobox', { name: box }).click()
      await page.getByRole('option', { name }).click()
    }
    const changes: [thing: string, change: () => Promise<void>][] = [
      ['the tab', () => write('select 2 as of_the_tab')],
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
          await page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'More', exact: true }).click()
          await page.getByText('Run when the tab opens').click()
          await page.keyboard.press('Escape')
        },
      ],
      [
        'the latest query id',
        async () => {
          await editor().click()
          await page.keyboard.press('Control+Enter')
        },
      ],
      ['the schema', () => option('Schema', /^public$/)],
      ['the database', () => option('Database', /^examples/)],
      [
        'the left bar',
        async () => {
          await editor().click()
          await page.keyboard.press('Control+b')
        },
      ],
    ]
    await failing(/\/tabstateview\/\d+$/, 'PUT', 500, async () => {
      for (const [thing, change] of changes) {
        await change()
        await toastWith(
          `An error occurred while storing ${thing} on the server. Contact your administrator if this goes on.`,
        ).waitFor()
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
    await expect.poll(async () => (await keptOnServer()).active_tab, { timeout: 30_000 }).toMatchObject(stored)
    await editor().click()
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Alt+w')
  })

  it('SQL-061: a run that goes on behind is heard of as long as it is waited for, and no longer', async () => {
    const reopen = async () => {
      await page.reload()
      await expect.poll(() => page.getByRole('combobox', { name: 'Database' }).inputValue()).toBe('Warehouse')
    }
    expect((await client.put(`/api/v1/database/${id}`, { allow_run_async: true })).status).toBe(200)
    await reopen()
    await write('select count(*) as behind from generate_series(1, 2000000)')
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

  it('SQL-008, SQL-051, SQL-087: the cost is asked for, told in the words of the database, and a failure has its own', async () => {
    await write('select 6 * 7 as answer')
    const dialog = page.getByRole('dialog', { name: 'Estimated cost' })
    const ask = async () => {
      await page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Estimate cost' }).click()
    }
    await failing('**/api/v1/sqllab/estimate/', 'POST', 500, async () => {
      await ask()
      await dialog.getByText('Failed at retrieving results').waitFor()
      await page.keyboard.press('Escape')
    })
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await intercept(page, '**/api/v1/sqllab/estimate/', async (route) => held.then(() => route.continue()))
    await ask()
    await dialog.getByRole('progressbar', { name: 'Asking the database' }).waitFor()
    answer()
    await dialog.getByText('Total cost').waitFor()
    expect(await dialog.locator('dd').allTextContents()).toContain('0.01')
    expect(await axeFindings(page)).toEqual([])
    await page.unroute('**/api/v1/sqllab/estimate/')
    await page.keyboard.press('Escape')
  })

  it('a query becomes a table, and that a view, of the database', async () => {
    const create = async (sql: string, entry: RegExp, name: string) => {
      await write(sql)
      await menu('More ways to run', entry)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(/ name/).fill(name)
      expect(await axeFindings(page)).toEqual([])
      await page.keyboard.press('Enter')
    }
    await create('select 6 * 7 as answer', /^CREATE TABLE AS/, made)
    await page.getByText(`The table ${made} was created`).waitFor()
    await create(`select answer + 1 as more from ${made}`, /^CREATE VIEW AS/, `${made}_v`)
    await page.getByText(`The view ${made}_v was created`).waitFor()
    const { rows } = await actual.query(`SELECT answer, more FROM ${made}, ${made}_v`)
    expect(rows).toEqual([{ answer: 42, more: 43 }])
    await create('select 1 as again', /^CREATE TABLE AS/, made)
    await page
      .getByText(/already exists/)
      .first()
      .waitFor()
  })
})

describe('nothing is lost', () => {
  it('what is typed is there after a reload, and on the server within seconds', async () => {
    await write('select 7 as typed')
    await page.reload()
    await expect.poll(() => textOf()).toBe('select 7 as typed')
    await expect.poll(async () => (await keptOnServer()).active_tab?.sql, { timeout: 10_000 }).toBe('select 7 as typed')
  })

  it('another browser opens the same tabs and fetches the one in front alone', async () => {
    for (let tabs = (await names()).length; tabs < 30; tabs++) await page.keyboard.press('Alt+t')
    await write('select 30 as last_one')
    await expect.poll(async () => (await keptOnServer()).tab_state_ids.length, { timeout: 20_000 }).toBe(30)
    await expect.poll(async () => (await keptOnServer()).active_tab?.sql, { timeout: 10_000 }).toContain('last_one')
    const other = await signedIn(browser, product.url)
    const loads: string[] = []
    other.on('request', (request) => {
      if (request.method() === 'GET' && /\/tabstateview\/\d+/.test(request.url())) loads.push(request.url())
    })
    await other.goto('/superset/sqllab/')
    await expect.poll(() => textOf(other)).toBe('select 30 as last_one')
    expect(await names(other)).toHaveLength(30)
    expect(loads).toEqual([])
    await row(other).getByRole('tab').first().click()
    await expect.poll(() => loads.length).toBe(1)
    await other.context().close()
  })

  it('two browsers that write one tab lose neither text', async () => {
    await menu('This tab', 'Close other tabs')
    const other = await signedIn(browser, product.url)
    await other.goto('/superset/sqllab/')
    await expect.poll(() => textOf(other)).toBe('select 30 as last_one')
    await write("select 'theirs'", other)
    await write("select 'mine'")
    // Whoever comes second is asked.
    await Promise.race([page, other].map(async (each) => each.getByRole('alertdialog').waitFor({ timeout: 15_000 })))
    const asked = (await page.getByRole('alertdialog').count()) > 0 ? page : other
    await expect.poll(() => asked.getByRole('alertdialog').textContent()).toContain("select 'mine'")
    expect(await asked.getByRole('alertdialog').textContent()).toContain("select 'theirs'")
    expect(await axeFindings(asked)).toEqual([])
    await asked.getByRole('button', { name: 'Keep both' }).click()
    await asked.getByRole('alertdialog').waitFor({ state: 'detached' })
    await expect.poll(() => names(asked)).toHaveLength(2)
    await expect.poll(async () => (await keptOnServer()).tab_state_ids.length).toBe(2)
    await other.context().close()
    await page.reload()
    await expect.poll(() => names()).toHaveLength(2)
  })

  it('a page that is left before the server answered has its new tab once', async () => {
    let isThere = (): void => {}
    const arrived = new Promise<void>((resolve) => (isThere = resolve))
    await intercept(page, '**/tabstateview/', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      isThere()
    })
    const before = await names()
    await editor().click()
    await page.keyboard.press('Alt+t')
    await page.keyboard.type('select 5 as once')
    await arrived
    await page.unroute('**/tabstateview/')
    await page.keyboard.type(', 6 as and_more')
    await page.reload()
    await expect.poll(() => textOf()).toBe('select 5 as once, 6 as and_more')
    await expect.poll(() => names()).toHaveLength(before.length + 1)
    const kept = async () => {
      const { tab_state_ids, active_tab } = await keptOnServer()
      return [tab_state_ids.length, active_tab?.sql]
    }
    await expect.poll(kept, { timeout: 10_000 }).toEqual([before.length + 1, 'select 5 as once, 6 as and_more'])
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await page.keyboard.press('Alt+w')
  })

  it('two windows of one browser follow each other', async () => {
    const window = await page.context().newPage()
    await window.goto('/superset/sqllab/')
    await editor(window).waitFor()
    await expect.poll(() => textOf(window)).toBe(await textOf())
    await write('select 1 as of_both')
    await expect.poll(() => textOf(window)).toBe('select 1 as of_both')
    await window.close()
  })

  it('SQL-090: a server that stores nothing is said, and the text stays', async () => {
    await failing(/\/tabstateview\/\d+$/, 'PUT', 500, async () => {
      await write('select 8 as not_stored')
      await toastWith(
        'An error occurred while storing the tab on the server. Contact your administrator if this goes on.',
      ).waitFor()
      await page.getByText('The text is kept in this browser.').waitFor()
    })
    await page.reload()
    await expect.poll(() => textOf()).toBe('select 8 as not_stored')
    await expect.poll(async () => (await keptOnServer()).active_tab?.sql, { timeout: 15_000 }).toContain('not_stored')
  })

  it('SQL-110: a tab that the server does not take is said, and can be written in', async () => {
    await failing('**/tabstateview/', 'POST', 500, async () => {
      await editor().click()
      await page.keyboard.press('Alt+t')
      await page.keyboard.type('select 9')
      await toastWith('Unable to add a new tab').waitFor()
      await expect.poll(() => textOf()).toBe('select 9')
    })
  })

  it('SQL-102: a tab that cannot be fetched is said', async () => {
    const other = await signedIn(browser, product.url)
    await intercept(other, /\/tabstateview\/\d+$/, async (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 500, body: '{}' }) : route.fallback(),
    )
    await other.goto('/superset/sqllab/')
    await editor(other).waitFor()
    await row(other).getByRole('tab', { selected: false }).first().click()
    await toastWith('An error occurred while fetching tab state', other).waitFor()
    await other.context().close()
  })

  it('SQL-112: a token that is over asks to sign in again, and says so when nobody does', async () => {
    await write('select 112 as kept_text')
    await intercept(page, '**/api/v1/security/csrf_token/', async (route) => route.fulfill({ status: 401, body: '{}' }))
    await intercept(page, '**/api/v1/sqllab/execute/', async (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/json',
        body: '{"errors": [{"message": "400 Bad Request: The CSRF token has expired.", "error_type": "X", "level": "error", "extra": {}}]}',
      }),
    )
    await page.keyboard.press('Control+Enter')
    const signIn = page.getByRole('dialog')
    await signIn.getByLabel('Password', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Your session has timed out. Sign in again; your work is kept.').first().waitFor()
    await page.unroute('**/api/v1/security/csrf_token/')
    await page.unroute('**/api/v1/sqllab/execute/')
    await page.reload()
    await expect.poll(() => textOf()).toBe('select 112 as kept_text')
  })

  it('SQL-108: function names that cannot be fetched are said', async () => {
    await failing('**/function_names/', 'GET', 500, async () => {
      await page.reload()
      await toastWith('An error occurred while fetching function names').waitFor()
    })
  })
})

describe('saving and sharing', () => {
  it('SQL-010, SQL-069, SQL-114: a query is saved under a name, and the dot goes', async () => {
    await editor().click()
    await page.keyboard.press('Alt+t')
    await page.keyboard.insertText('select 10 as saved')
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Save query' })
    await dialog.getByLabel('Name').fill('Ten')
    await dialog.getByLabel('Description').fill('What ten is')
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await toastWith('Your query was saved').waitFor()
    await expect.poll(() => front().textContent()).toBe('Ten')
    const { body } = await client.get('/api/v1/saved_query/')
    expect(body.result[0]).toMatchObject({ label: 'Ten', sql: 'select 10 as saved', description: 'What ten is' })
  })

  it('SQL-115, SQL-083: a change is saved in its place, and a failure has its words', async () => {
    await write('select 11 as saved')
    await expect.poll(() => front().textContent()).toContain('not saved')
    await failing(/\/api\/v1\/saved_query\/\d+$/, 'PUT', 500, async () => {
      await page.keyboard.press('Control+s')
      await toastWith('Your query could not be updated').waitFor()
    })
    await page.keyboard.press('Control+s')
    await toastWith('Your query was updated').waitFor()
    await expect.poll(() => front().textContent()).toBe('Ten')
    // Another window of the same person opens the tab as it was sent last.
    await expect
      .poll(async () => (await keptOnServer()).active_tab?.sql, { timeout: 20_000 })
      .toBe('select 11 as saved')
  })

  it('SQL-082, SQL-084: a query that cannot be saved is said, and the dialog keeps what was typed', async () => {
    await failing('**/api/v1/saved_query/', 'POST', 500, async () => {
      await page.keyboard.press('Control+Shift+s')
      const name = page.getByRole('dialog').getByLabel('Name')
      await name.fill('Eleven')
      await page.keyboard.press('Enter')
      await toastWith(/Your query could not be saved: Your query Eleven was not properly saved/).waitFor()
      expect(await name.inputValue()).toBe('Eleven')
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  })

  it('SHARE-005, SHARE-006, SQL-015, SQL-017: a link to a saved query opens it under its label elsewhere', async () => {
    await page.getByRole('button', { name: 'Copy link' }).click()
    await toastWith('Link Copied!').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(/\/sqllab\/p\/[\w-]+\/\?savedQueryId=\d+$/)
    const other = await signedIn(browser, product.url)
    await other.goto(link)
    await expect.poll(() => textOf(other)).toBe('select 11 as saved')
    await expect.poll(() => front(other).textContent()).toBe('Ten')
    await expect.poll(() => new URL(other.url()).search).toBe('')
    await other.context().close()
  })

  it('SQL-012, SQL-016: a text that is not saved is shared by key and opens as it is named', async () => {
    await write('select 12 as shared')
    // The link of the last test would do as well.
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('/sqllab/p/')
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const title = ((await front().textContent()) ?? '').replace(/ ?•.*$/, '')
    const before = (await names()).length
    await page.goto(link)
    await expect.poll(() => names()).toHaveLength(before + 1)
    await expect.poll(() => textOf()).toBe('select 12 as shared')
    await expect.poll(() => front().textContent()).toContain(title)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/superset/sqllab/')
  })

  it('SHARE-007: a browser that does not let us copy says so', async () => {
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('no')) } })
    })
    await page.getByRole('button', { name: 'Copy link' }).click()
    await toastWith('Sorry, your browser does not support copying.').waitFor()
    await page.reload()
    await editor().waitFor()
  })

  it('SQL-011, SQL-081, SQL-116: a query is scheduled in words, and a failure has its own', async () => {
    await menu('More ways to save', 'Schedule')
    const dialog = page.getByRole('dialog', { name: 'Schedule query' })
    await dialog.getByLabel('Name').fill('Every day twelve')
    expect(await axeFindings(page)).toEqual([])
    await failing('**/savedqueryviewapi/api/create', 'POST', 500, async () => {
      await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
      await toastWith('Your query could not be scheduled').waitFor()
    })
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
    await toastWith('Your query has been scheduled. See its runs in Saved queries.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await client.get('/api/v1/saved_query/')
    expect((body.result as { label: string }[]).some(({ label }) => label === 'Every day twelve')).toBe(true)
  })
})

describe('opening', () => {
  it('SQL-018: a past query opens as a copy of its tab', async () => {
    const { body } = await client.get('/api/v1/query/')
    const { id, tab_name, sql } = body.result[0] as { id: number; tab_name: string; sql: string }
    await page.goto(`/superset/sqllab/?queryId=${id}`)
    await expect.poll(() => front().textContent()).toContain(`Copy of ${tab_name}`)
    await expect.poll(async () => (await textOf()).replaceAll('\n', ' ')).toContain(sql.slice(0, 12))
  })

  it('SQL-019, SQL-020: a dataset opens as a query of it', async () => {
    const { body } = await client.get('/api/v1/dataset/')
    const { id, table_name } = body.result[0] as { id: number; table_name: string }
    await page.goto(`/superset/sqllab/?datasourceKey=${id}__table`)
    await expect.poll(() => front().textContent()).toContain(`Query ${table_name}`)
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
    await expect.poll(() => textOf().catch(() => '')).toBe('select 21 as posted')
    await expect.poll(() => front().textContent()).toContain(`Query ${table_name}`)
  })

  it('SQL-030: a link with autorun runs at once', async () => {
    await page.goto('/superset/sqllab/?sql=select%2031%20as%20by_itself&title=By%20itself&autorun=true')
    await page.getByRole('columnheader', { name: 'by_itself' }).waitFor()
    await expect.poll(() => front().textContent()).toContain('By itself')
  })

  it('SQL-079, SQL-080: what cannot be opened is said, and nothing else happens', async () => {
    const before = await names()
    await expect.poll(async () => (await keptOnServer()).tab_state_ids.length, { timeout: 10_000 }).toBe(before.length)
    await page.goto('/superset/sqllab/?savedQueryId=99999')
    await toastWith("Query couldn't be loaded").waitFor()
    await page.goto('/superset/sqllab/?datasourceKey=99999__table')
    await toastWith("The datasource couldn't be loaded").waitFor()
    await expect.poll(() => names()).toEqual(before)
  })
})

describe('datasets and charts', () => {
  it('SQL-013, EXP-006, DSET-021, DSET-022, DSET-028, DSET-029, DSET-030: keeps a query as a dataset and opens Explore on it', async () => {
    await write('select origin, avg(delay) as mean_delay from flights group by origin')
    await menu('More ways to save', 'Save as dataset')
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
    await menu('More ways to save', 'Save as dataset')
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

  it('SQL-053, SQL-109: a chart of a result opens Explore at once, and saving it keeps the query; a failure has its words', async () => {
    await page.goto('/superset/sqllab/')
    await write('select origin, count(*) as n from flights group by origin')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'origin' }).waitFor()
    await page.getByRole('button', { name: 'Create chart' }).click()
    await page.waitForURL(/explore\/\?datasource_type=query/)
    await page.locator('figure[aria-busy=false] canvas').first().waitFor()
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Save chart' })
    await dialog.getByLabel('Chart name').fill('Flights by origin')
    await dialog.getByLabel('Dataset name').fill('Origins of flights')
    await failing('**/api/v1/dataset/', 'POST', 500, async () => {
      await page.keyboard.press('Enter')
      await toastWith('An error occurred while creating the data source: no room').waitFor()
    })
    await page.keyboard.press('Enter')
    await toastWith('Chart [Flights by origin] has been saved').waitFor()
    await page.waitForURL(/explore\/\?slice_id=\d+$/)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Flights by origin' }).waitFor()
    await page.getByRole('region', { name: 'Dataset' }).getByText('Origins of flights').waitFor()
  })

  it('a run that the server no longer knows becomes a dataset first', async () => {
    await page.goto('/superset/sqllab/')
    await write('select destination, count(*) as n from flights group by destination')
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

describe('who may come in', () => {
  it('PERM-003, PERM-004: SQL Lab is for admins and the role sql_lab', async () => {
    addUser(product, 'lara', 'Gamma', 'sql_lab')
    const lara = await signedIn(browser, product.url, { username: 'lara' })
    expect((await lara.goto('/superset/sqllab/'))?.status()).toBe(200)
    await lara.getByRole('heading', { name: 'SQL Lab' }).waitFor({ state: 'attached' })
    await lara.context().close()
    addUser(product, 'gus', 'Gamma')
    const gus = await signedIn(browser, product.url, { username: 'gus' })
    await gus.goto('/superset/sqllab/')
    expect(await gus.locator('.cm-content').count()).toBe(0)
    await gus.context().close()
  })
})

describe('without persistence on the server', () => {
  let home: string
  let alone: Product
  let window: Page
  /** At the address of before, with the same home: the browser knows it again. */
  const start = async (persistence: boolean): Promise<void> => {
    const port = alone ? new URL(alone.url).port : '0'
    await alone?.stop()
    alone = await startProduct({
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
    home = mkdtempSync(join(tmpdir(), 'parquetry-alone-'))
    writeFileSync(join(home, 'config.json'), JSON.stringify({ DEFAULT_SQLLAB_LIMIT: 250 }))
    await start(true)
    window = await signedIn(browser, alone.url, { permissions: ['clipboard-read', 'clipboard-write'] })
    window.setDefaultTimeout(30_000)
  })
  afterAll(async () => {
    await window?.context().close()
    await alone?.stop()
    rmSync(home, { recursive: true, force: true })
  })

  inOneGo(() => window)

  it('SQL-117: without a database there is a way to connect one and to add a file, which can be asked at once, with the limit of the server', async () => {
    await window.goto('/superset/sqllab/')
    await window.getByRole('main').getByRole('link', { name: 'Connect a database' }).waitFor()
    expect(await axeFindings(window)).toEqual([])
    const upload = window.getByRole('main').getByRole('button', { name: 'Upload a file' })
    const [chooser] = await Promise.all([window.waitForEvent('filechooser'), upload.click()])
    const buffer = Buffer.from('region,revenue\nNorth,10\nSouth,20\n')
    await chooser.setFiles({ name: 'takings.csv', mimeType: 'text/csv', buffer })
    await window.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await window.getByRole('dialog').waitFor({ state: 'detached' })
    await editor(window).waitFor()
    expect(await window.getByRole('combobox', { name: 'Row limit' }).inputValue()).toBe('250')
    await write('select sum(revenue) as total from takings', window)
    await window.keyboard.press('Control+Enter')
    await window.getByRole('columnheader', { name: 'total' }).waitFor()
  })

  it('a query is saved with tags', async () => {
    await window.keyboard.press('Control+s')
    const dialog = window.getByRole('dialog', { name: 'Save query' })
    await dialog.getByLabel('Name').fill('Takings')
    await dialog.getByLabel('Tags').fill('monthly, sales')
    await window.keyboard.press('Enter')
    await toastWith('Your query was saved', window).waitFor()
    const { body } = await (await signIn(alone.url, 'admin')).get('/api/v1/saved_query/')
    expect(body.result[0].tags.map(({ name }: { name: string }) => name).toSorted()).toEqual(['monthly', 'sales'])
  })

  it('SQL-012, SQL-016: with the flags for it a text is shared by a key of /kv/', async () => {
    await write('select 14 as by_kv', window)
    await window.getByRole('button', { name: 'Copy link' }).click()
    await toastWith('Link Copied!', window).waitFor()
    const link = await window.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(/\/superset\/sqllab\/\?id=\d+$/)
    const other = await signedIn(browser, alone.url)
    await other.goto(link)
    // The tab of the first window says the same: what the link opens is there once the address is that of the page.
    await expect.poll(() => new URL(other.url()).search).toBe('')
    await expect.poll(() => textOf(other)).toBe('select 14 as by_kv')
    await expect.poll(() => front(other).textContent()).toContain('Takings')
    const rename = async (name: string) => {
      await other.keyboard.press('F2')
      await other.getByRole('dialog').getByLabel('Name').fill(name)
      await other.keyboard.press('Enter')
      await other.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(() => front(other).textContent()).toContain(name)
    }
    await editor(other).click()
    await rename('By link')
    await other.keyboard.press('Alt+t')
    await other.keyboard.type('select 15 as elsewhere')
    await rename('Elsewhere')
    const isKept = () =>
      other.evaluate(async () => {
        const { result } = await (await fetch('/api/v1/sqllab/')).json()
        const { sql, label } = result.active_tab as { sql: string; label: string }
        return sql === 'select 15 as elsewhere' && label === 'Elsewhere'
      })
    await expect.poll(isKept, { timeout: 10_000 }).toBe(true)
    await other.context().close()
  })

  it('SQL-016: a text that is shared without a name opens as Shared query', async () => {
    addUser(alone, 'reader', 'Admin')
    const reader = await signedIn(browser, alone.url, { username: 'reader' })
    await reader.goto('/superset/welcome/')
    const id = await reader.evaluate(async () => {
      const answer = await fetch('/kv/store/', {
        method: 'POST',
        headers: { 'X-CSRFToken': document.querySelector<HTMLInputElement>('#csrf_token')?.value ?? '' },
        body: new URLSearchParams({ data: JSON.stringify({ sql: 'select 16 as unnamed' }) }),
      })
      return ((await answer.json()) as { id: number }).id
    })
    await reader.goto(`/superset/sqllab/?id=${id}`)
    await expect.poll(() => textOf(reader)).toBe('select 16 as unnamed')
    await expect.poll(() => names(reader)).toEqual(['Shared query'])
    await reader.context().close()
  })

  it('SQL-041, SQL-066: switched off, tabs that were opened here are there, new ones say so in a note, and nothing is fetched', async () => {
    // The tab in front of the other browser is fetched with the list, the one from the link is a name.
    await window.reload()
    await expect.poll(() => names(window)).toEqual(['Takings', 'By link', 'Elsewhere'])
    await expect.poll(() => textOf(window)).toBe('select 14 as by_kv')
    await start(false)
    const calls: string[] = []
    window.on('request', (request) => {
      if (/tabstateview|\/api\/v1\/sqllab\/$/.test(request.url())) calls.push(request.url())
    })
    await window.goto('/superset/sqllab/')
    await expect.poll(() => textOf(window)).toBe('select 14 as by_kv')
    await expect.poll(() => names(window)).toEqual(['Takings', 'Elsewhere'])
    await write('select 16 as while_off', window)
    await editor(window).click()
    await window.keyboard.press('Alt+t')
    await expect.poll(() => textOf(window)).toBe(`${note}\nSELECT ...`)
    expect(await window.getByRole('button', { name: 'Run', exact: true }).getAttribute('aria-disabled')).toBe('true')
    await window.keyboard.type('select 1')
    await expect.poll(() => textOf(window)).toBe(`${note}\nselect 1`)
    const [sent] = await Promise.all([
      window.waitForRequest('**/api/v1/sqllab/execute/'),
      window.keyboard.press('Control+Enter'),
    ])
    expect((sent.postDataJSON() as { sql: string }).sql.trim()).toBe('select 1')
    await window.reload()
    await row(window).getByRole('tab').first().click()
    await row(window).getByRole('tab').last().click()
    await expect.poll(() => textOf(window)).toBe(`${note}\nselect 1`)
    expect(calls).toEqual([])
  })

  it('SQL-111: a text that the browser cannot give back is said, and is not lost by it', async () => {
    const large = `select '${'x'.repeat(600_000)}'`
    await window.evaluate((text) => navigator.clipboard.writeText(text), large)
    await editor(window).click()
    await window.keyboard.press('Control+a')
    await window.keyboard.press('Control+v')
    await expect.poll(() => window.evaluate(() => JSON.stringify(localStorage).includes('spilled'))).toBe(true)
    const damaged = await window.context().newPage()
    await damaged.addInitScript(() => {
      IDBObjectStore.prototype.get = () => {
        throw new Error('damaged')
      }
    })
    await damaged.goto('/superset/sqllab/')
    await toastWith('An error occurred while loading the SQL', damaged).waitFor()
    await damaged.close()
    await window.reload()
    await expect.poll(async () => (await textOf(window)).length, { timeout: 15_000 }).toBeGreaterThan(1000)
    await editor(window).click()
    await window.keyboard.press('Alt+w')
  })

  it('switched on again, what was written meanwhile goes to the server, and tabs never opened here come from there', async () => {
    await start(true)
    await window.goto('/superset/sqllab/')
    await expect.poll(async () => (await names(window)).toSorted()).toEqual(['By link', 'Elsewhere', 'Takings'])
    await row(window).getByRole('tab', { name: 'By link' }).click()
    await expect.poll(() => textOf(window)).toBe('select 14 as by_kv')
    await row(window).getByRole('tab', { name: 'Elsewhere' }).click()
    await expect.poll(() => textOf(window)).toBe('select 15 as elsewhere')
    await row(window).getByRole('tab', { name: 'Takings' }).click()
    await expect.poll(() => textOf(window)).toBe('select 16 as while_off')
    // A browser that comes before the text has been sent shows the one before, as it should.
    await expect.poll(async () => (await keptOnServer(window)).active_tab?.sql).toBe('select 16 as while_off')
    const other = await signedIn(browser, alone.url)
    await other.goto('/superset/sqllab/')
    await row(other).getByRole('tab', { name: 'Takings' }).click()
    await expect.poll(() => textOf(other), { timeout: 10_000 }).toBe('select 16 as while_off')
    expect(await names(other)).toHaveLength(3)
    await other.context().close()
  })
})
