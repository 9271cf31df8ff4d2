import type { Locator, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { waitForExamples, startProduct, type Product } from './product.ts'
import { sqllabTools } from './sqllab-tools.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let lab: ReturnType<typeof sqllabTools>

beforeAll(async () => {
  product = await startProduct({ env: { SUPERSET_FEATURE_ENABLE_TEMPLATE_PROCESSING: 'true' } })
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

/** The completion that Tab and Enter accept. */
const selectedCompletion = (word: string): Locator =>
  page.locator('.cm-tooltip-autocomplete li[aria-selected=true]').getByText(word, { exact: true })

describe('the editor', () => {
  it('a script of 10,000 lines is pasted, edited and run statement by statement', async () => {
    const script = Array.from(
      { length: 10_000 },
      (_, index) => `select ${index} as n from flights where delay > ${index};`,
    )
    await lab.editor().click()
    await page.keyboard.press('Alt+t')
    await expect.poll(() => lab.tabNames()).toHaveLength(2)
    await page.evaluate((text) => navigator.clipboard.writeText(text), script.join('\n'))
    await lab.editor().click()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+v')
    await page.getByRole('button', { name: 'Run statement 10000' }).waitFor()
    await page.keyboard.press('Control+Home')
    await page.getByRole('button', { name: 'Run statement 1', exact: true }).waitFor()
    await page.keyboard.type('select 7 as seven;')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'seven' }).waitFor()
    await page.keyboard.press('Alt+w')
  })

  it('SQL-003: completes tables, then the columns of the table in use', async () => {
    await lab.write('')
    await page.keyboard.type('select * from fli')
    await selectedCompletion('flights').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.type(' f where d')
    // The list is long enough to scroll.
    await page.locator('.cm-tooltip-autocomplete').getByText('destination').waitFor()
    const list = page.locator('.cm-tooltip-autocomplete > ul')
    expect(await list.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true)
    expect(await findAxeViolations(page)).toEqual([])
    await page.keyboard.press('Backspace')
    await page.keyboard.type('f.')
    await selectedCompletion('date').waitFor()
    await page.keyboard.type('dist')
    await selectedCompletion('distance').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => lab.text()).toBe('select * from flights f where f.distance')
  })

  it('SQL-003: Tab accepts the selected completion, even while the list is rebuilt', async () => {
    const columns = '**/table_metadata/?*'
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await intercept(page, columns, async (route) => {
      await released
      await route.continue()
    })
    await page.reload()
    await lab.write('')
    await page.getByRole('treeitem', { name: /^flights/ }).waitFor()
    await page.keyboard.type('select origin from flights limi')
    await selectedCompletion('limit').waitFor()
    // Tab is pressed within that moment, however busy the machine is; the observer starts before the names can arrive.
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
    await expect.poll(() => lab.text()).toBe('select origin from flights limit')
  })

  it('SQL-009, SQL-052, SQL-076, SQL-077: a mistake is marked without running, and the mark disappears with it', async () => {
    const marks = page.locator('.cm-lintRange')
    const checked = async (sql: string) => {
      const isOfText = (response: Response) =>
        /\/api\/v1\/database\/\d+\/validate_sql\/$/.test(response.url()) &&
        response.request().postDataJSON().sql === sql
      const [answer] = await Promise.all([page.waitForResponse(isOfText), lab.write(sql)])
      return answer.request().postDataJSON() as object
    }
    expect(await checked('select origin fro flights')).toMatchObject({ template_params: {} })
    await marks.first().waitFor()
    await lab.write('select origin from flights')
    await marks.first().waitFor({ state: 'detached' })
    await lab.withFailure('**/validate_sql/', 'POST', 500, async () => {
      await checked('select origin frm flights')
    })
    await checked('select origin fom flights')
    await marks.first().waitFor()
    await lab.write('select origin from flights')
    await marks.first().waitFor({ state: 'detached' })
  })

  it('formats, finds and replaces, and comments out', async () => {
    await lab.write('select origin,count(*) from flights group by origin')
    await page.keyboard.press('Control+Shift+KeyF')
    await expect.poll(() => lab.text()).toContain('\n')
    await lab.write('select one, one')
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).fill('one')
    await page.getByRole('textbox', { name: 'Replace with' }).fill('two')
    await page.getByRole('button', { name: 'replace all' }).click()
    await expect.poll(() => lab.text()).toBe('select two, two')
    await page.keyboard.press('Escape')
    await lab.editor().focus()
    await page.keyboard.press('Control+/')
    await expect.poll(() => lab.text()).toBe('-- select two, two')
  })

  it('Tab indents, and Escape before it leaves the editor', async () => {
    await lab.write('select 1')
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Tab')
    await expect.poll(() => lab.text()).toBe('  select 1')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect.poll(() => lab.editor().evaluate((element) => element.contains(document.activeElement))).toBe(false)
  })
})

describe('running', () => {
  it('SQL-005, SQL-055: runs over three million rows and shows what the database answers', async () => {
    await lab.write('select origin, count(*) as n from flights group by origin order by n desc, origin limit 3')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => lab.resultSummary().textContent()).toMatch(/^3 rows/)
  })

  it('runs the statement at the cursor and names it on the button, or runs all, each with its own result', async () => {
    await lab.write('select 1 as first_answer;\nselect 2 as second_answer')
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
    await lab.write('select 1 as one -- not for the database')
    const [sent] = await Promise.all([
      page.waitForRequest('**/api/v1/sqllab/execute/'),
      page.keyboard.press('Control+Enter'),
    ])
    expect((sent.postDataJSON() as { sql: string }).sql).toBe('select 1 as one')
  })

  it('SQL-059: a database error is underlined at its position', async () => {
    await lab.write('select origin,\n  no_such_column\nfrom flights')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Line 2, column 3').waitFor()
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('no_such_column')
    // The message of the database comes first, the possible cause below it.
    expect(await page.getByRole('region', { name: 'Results' }).getByRole('alert').innerText()).toMatch(
      /column 3\s+Binder Error: .*no_such_column[^]*Issue 1003 - /,
    )
  })

  it('SQL-060, SQL-085, SQL-086: stops a long-running query, down to the database, and says when that fails', async () => {
    await lab.write('select count(*) from flights a, flights b where a.delay + b.delay > a.distance * b.distance')
    await page.keyboard.press('Control+Enter')
    await page
      .getByRole('toolbar', { name: 'Query actions' })
      .getByText(/^Running/)
      .waitFor()
    await lab.withFailure('**/api/v1/query/stop', 'POST', 500, async () => {
      await page.keyboard.press('Control+.')
      await lab.message('Failed at stopping query: no room').waitFor()
    })
    await page.getByRole('button', { name: 'Stop' }).first().waitFor()
    await page.keyboard.press('Control+.')
    await lab.message('Query was stopped.').waitFor()
    await lab.write('select 42 as after_stop')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'after_stop' }).waitFor()
  })

  it('SQL-029: template parameters are JSON and fill in the names in the text', async () => {
    await page.getByRole('button', { name: '{} Params' }).click()
    const params = page.getByRole('textbox', { name: 'Template parameters' })
    await params.fill('{"wanted"')
    await page.getByText(/^Line 1, column 10: /).waitFor()
    await params.fill('{"wanted": 5}')
    await lab.write('select {{ wanted }} as filled')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'filled' }).waitFor()
    await page.getByRole('gridcell', { name: '5', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Close parameters' }).click()
  })

  it('regression: a running query survives a reload, since queries of the examples run in the background', async () => {
    await lab.write(
      'select count(*) as survivors from flights a, (from flights limit 400) b where a.delay > b.distance',
    )
    const [answer] = await Promise.all([
      page.waitForResponse('**/api/v1/sqllab/execute/'),
      page.keyboard.press('Control+Enter'),
    ])
    expect(answer.status()).toBe(202)
    await page.reload()
    await page.getByRole('columnheader', { name: 'survivors' }).waitFor()
  })

  it('a run whose response is cut off is found on the server, and one that never arrived says so', async () => {
    await lab.write('select 77 as cut_off')
    await intercept(page, '**/api/v1/sqllab/execute/', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    let look = (): void => {}
    const looking = new Promise<void>((resolve) => (look = resolve))
    await intercept(page, '**/query/updated_since*', async (route) => looking.then(() => route.continue()))
    await page.keyboard.press('Control+Enter')
    await page
      .getByText(/^Connection lost\. Checking for the result…/)
      .first()
      .waitFor()
    look()
    await page.getByRole('columnheader', { name: 'cut_off' }).waitFor()
    await page.unroute('**/query/updated_since*')
    await page.unroute('**/api/v1/sqllab/execute/')
    await expect.poll(() => lab.resultSummary().textContent()).toMatch(/^1 row/)
    await lab.editor().click()
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
