import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  findAxeViolations,
  intercept,
  openBrowser,
  setOffline,
  setWindowSize,
  openSignedInPage,
  type JourneyBrowser,
} from './browser.ts'
import { addUsers, createApiClient, runCommand, startProduct, waitForExamples, type Product } from './product.ts'
import { sqllabTools } from './sqllab-tools.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let lab: ReturnType<typeof sqllabTools>

beforeAll(async () => {
  // These features give the toolbar all of its commands.
  product = await startProduct({
    env: { SUPERSET_FEATURE_ESTIMATE_QUERY_COST: 'true', SUPERSET_FEATURE_ENABLE_TEMPLATE_PROCESSING: 'true' },
  })
  browser = await openBrowser()
  await waitForExamples(product.url)
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(30_000)
  lab = sqllabTools(page)
  await page.goto('/superset/sqllab/')
  await lab.editor().waitFor()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('tabs', () => {
  it('SQL-002, SQL-014, SQL-024, SQL-040: opens with the placeholder SELECT ..., and Run is disabled with the reason', async () => {
    expect(await lab.text()).toBe('SELECT ...')
    expect(await lab.tabNames()).toEqual(['Untitled Query 1'])
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
    expect(await findAxeViolations(page)).toEqual([])
    await lab.editor().focus()
    await page.keyboard.type('select 1 as typed')
    expect(await lab.text()).toBe('select 1 as typed')
  })

  it('SQL-117, SQL-118: the limit is that of the server, and the choices are fixed', async () => {
    const limit = page.getByRole('combobox', { name: 'Row limit' })
    expect(await limit.inputValue()).toBe('1,000')
    await limit.click()
    const choices = ['10', '50', '100', '250', '500', '1,000', '5,000', '10,000', '50,000', 'Other limit…']
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(choices)
    await page.keyboard.insertText('999999')
    await page.getByText('Enter a whole number from 1 to').waitFor()
    await page.keyboard.press('Escape')
    await limit.click()
    await page.keyboard.insertText('1234')
    await page.keyboard.press('Enter')
    await expect.poll(() => limit.inputValue()).toBe('1,234')
    await limit.click()
    await page.getByRole('option', { name: '1,000', exact: true }).click()
  })

  it('wraps long lines where the user wants it, also after a reload', async () => {
    const wraps = () => lab.editor().evaluate((element) => element.classList.contains('cm-lineWrapping'))
    expect(await wraps()).toBe(false)
    await page.getByRole('button', { name: 'More query actions', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Wrap long lines' }).click()
    await expect.poll(wraps).toBe(true)
    await page.reload()
    await lab.editor().waitFor()
    expect(await wraps()).toBe(true)
    await lab.editor().focus()
    await page.keyboard.press('Alt+z')
    await expect.poll(wraps).toBe(false)
  })

  it('SQL-023, SQL-034: are created and duplicated by key and menu, each with the right name', async () => {
    await page.getByRole('button', { name: 'New tab', exact: true }).click()
    await expect.poll(() => lab.tabNames()).toEqual(['Untitled Query 1', 'Untitled Query 2'])
    // A new tab takes the focus, and its placeholder gives way to the first character.
    await page.keyboard.type('select 2 as second')
    expect(await lab.text()).toBe('select 2 as second')
    // Letters that miss the editor neither navigate nor open a menu.
    await lab.activeTab().focus()
    await page.keyboard.type('gdc')
    expect(new URL(page.url()).pathname).toBe('/superset/sqllab/')
    expect(await page.getByRole('menu').count()).toBe(0)
    await lab.chooseMenuItem('Tab actions', 'Duplicate tab')
    await expect
      .poll(() => lab.tabNames())
      .toEqual(['Untitled Query 1', 'Untitled Query 2', 'Copy of Untitled Query 2'])
    await expect.poll(() => lab.text()).toBe('select 2 as second')
    await page.keyboard.press('F2')
    await page.getByRole('dialog').getByLabel('Name').fill('Third')
    await page.keyboard.press('Enter')
    await expect.poll(() => lab.tabNames()).toEqual(['Untitled Query 1', 'Untitled Query 2', 'Third'])
  })

  it('are reordered by keyboard and by dragging, and switched by keyboard', async () => {
    await lab.editor().click()
    await page.keyboard.press('Alt+Shift+PageUp')
    await expect.poll(() => lab.tabNames()).toEqual(['Untitled Query 1', 'Third', 'Untitled Query 2'])
    await page.keyboard.press('Alt+PageUp')
    await expect.poll(() => lab.activeTab().textContent()).toContain('Untitled Query 1')
    const box = await lab.activeTab().boundingBox()
    const last = await lab.tabList().getByRole('tab').last().boundingBox()
    if (!box || !last) throw new Error('no tabs')
    await page.mouse.move(box.x + 20, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(last.x + last.width - 10, box.y + 10, { steps: 8 })
    await page.mouse.up()
    await expect.poll(() => lab.tabNames()).toEqual(['Third', 'Untitled Query 2', 'Untitled Query 1'])
  })

  it('SQL-035, SQL-036: are closed, one or all others, and can be reopened', async () => {
    await lab.editor().click()
    await page.keyboard.press('Alt+w')
    await expect.poll(() => lab.tabNames()).toEqual(['Third', 'Untitled Query 2'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => lab.tabNames()).toEqual(['Third', 'Untitled Query 2', 'Untitled Query 1'])
    await expect.poll(() => lab.text()).toBe('select 1 as typed')
    await lab.chooseMenuItem('Tab actions', 'Close other tabs')
    await expect.poll(() => lab.tabNames()).toEqual(['Untitled Query 1'])
    await lab.editor().click()
    await page.keyboard.press('Alt+Shift+t')
    await expect.poll(() => lab.tabNames()).toEqual(['Untitled Query 1', 'Untitled Query 2'])
    await expect.poll(() => lab.text()).toBe('select 2 as second')
  })

  it('SQL-025: the left bar is hidden and shown', async () => {
    const bar = page.getByRole('combobox', { name: 'Database' })
    await bar.waitFor()
    await lab.editor().click()
    await page.keyboard.press('Control+b')
    await bar.waitFor({ state: 'hidden' })
    await lab.tabList().getByRole('tab', { name: 'Untitled Query 1' }).click()
    await bar.waitFor()
    await lab.tabList().getByRole('tab', { name: 'Untitled Query 2' }).click()
    await bar.waitFor({ state: 'hidden' })
    await lab.editor().click()
    await page.keyboard.press('Control+b')
    await bar.waitFor()
  })

  it('on a tablet the tables are a drawer over the page, and on a phone no bar is cut off', async () => {
    await setWindowSize(page, 768, 900)
    await page
      .getByRole('toolbar', { name: 'Query actions' })
      .getByRole('button', { name: 'Show or hide tables' })
      .click()
    const drawer = page.getByRole('dialog', { name: 'Tables' })
    await drawer.getByRole('combobox', { name: 'Database' }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    // One line; what does not fit is in its menu.
    const bar = page.getByRole('toolbar', { name: 'Query actions' })
    expect((await bar.boundingBox())?.height).toBeLessThan(50)
    await bar.getByRole('button', { name: 'More query actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    await page.keyboard.press('Escape')
    await setWindowSize(page, 390, 844)
    for (const pane of ['Schema', 'Result', 'Query']) {
      await page.getByRole('button', { name: pane, exact: true }).click()
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    }
    const toolbar = page.getByRole('toolbar', { name: 'Query actions' })
    const ends = await toolbar
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().right))
    expect(Math.max(...ends)).toBeLessThanOrEqual(390)
    // Only the row of tabs and one toolbar are above the editor.
    const top = async (element: Locator) => (await element.boundingBox())?.y ?? Infinity
    const bars = (await lab.tabList().boundingBox())?.height ?? Infinity
    expect(await top(lab.editor())).toBeLessThanOrEqual(bars + ((await toolbar.boundingBox())?.height ?? 0) + 20)
    await toolbar.getByRole('button', { name: 'More query actions', exact: true }).click()
    expect(await findAxeViolations(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Row limit: 1,000' }).click()
    await page.getByRole('menuitemradio', { name: '50', exact: true }).click()
    await setWindowSize(page, 1440, 900)
    await expect.poll(() => page.getByRole('combobox', { name: 'Row limit' }).inputValue()).toBe('50')
    await page.getByRole('combobox', { name: 'Row limit' }).click()
    await page.getByRole('option', { name: '1,000' }).click()
  })

  it('regression: undo still works after a window becomes narrow and wide again', async () => {
    await lab.write('select 1 as before')
    await page.keyboard.press('End')
    await page.keyboard.type(', 2 as after')
    const toolbar = page.getByRole('toolbar', { name: 'Query actions' })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const tables = toolbar.getByRole('button', { name: 'Show or hide tables' })
    await setWindowSize(page, 1024, 900)
    await toolbar.getByRole('button', { name: 'Format' }).waitFor({ state: 'hidden' })
    for (const [width, ofThatWidth] of [
      [768, tables],
      [390, button('Schema')],
      [1440, toolbar.getByRole('combobox', { name: 'Row limit' })],
    ] as const) {
      await setWindowSize(page, width, 900)
      await ofThatWidth.waitFor()
    }
    await page.getByRole('combobox', { name: 'Database' }).waitFor()
    await lab.editor().focus()
    await page.keyboard.press('Control+z')
    await expect.poll(() => lab.text()).toBe('select 1 as before')
  })

  it('regression: nothing in the toolbar moves when Run names another statement or becomes Stop', async () => {
    const limit = page.getByRole('combobox', { name: 'Row limit' })
    const place = async () => (await limit.boundingBox())?.x
    const toolbar = page.getByRole('toolbar', { name: 'Query actions' })
    await lab.write('select 1')
    await toolbar.getByRole('button', { name: 'Run', exact: true }).waitFor()
    const before = await place()
    await lab.write('select 1;\nselect 2')
    await toolbar.getByRole('button', { name: 'Run statement 2' }).waitFor()
    expect(await place()).toBe(before)
    await page.keyboard.press('Control+a')
    await toolbar.getByRole('button', { name: 'Run selection' }).waitFor()
    expect(await place()).toBe(before)
    await lab.write('select count(*) from flights a, flights b where a.delay + b.delay > a.distance * b.distance')
    await page.keyboard.press('Control+Enter')
    await toolbar.getByRole('button', { name: 'Stop' }).waitFor()
    expect(await place()).toBe(before)
    await page.keyboard.press('Control+.')
    await toolbar.getByRole('button', { name: 'Run', exact: true }).waitFor()
  })

  it('a run without a network says so, keeps the text, and works once the network is back', async () => {
    await lab.write('select 41 + 1 as answer')
    await setOffline(page, true)
    await page
      .getByRole('status')
      .getByText(/^You are offline/)
      .waitFor()
    await page.keyboard.press('Control+Enter')
    const failed = page.getByRole('alert').filter({ hasText: 'The query was not sent.' })
    await failed.waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    expect(await lab.text()).toBe('select 41 + 1 as answer')
    await setOffline(page, false)
    await page
      .getByRole('status')
      .getByText(/^You are offline/)
      .waitFor({ state: 'detached' })
    await failed.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('columnheader', { name: 'answer' }).waitFor()
  })

  it('every key is listed under ?', async () => {
    await lab.tabList().getByRole('tab').first().focus()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const command of ['Run all', 'Close tab', 'Restore closed tab', 'Format', 'Find and replace'])
      await keys.getByText(command, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
  })
})

describe('access', () => {
  it('PERM-003, PERM-004: SQL Lab is for admins and the role sql_lab', async () => {
    addUsers(product, { lara: ['Gamma', 'sql_lab'], gus: ['Gamma'] })
    const lara = await openSignedInPage(browser, product.url, { username: 'lara' })
    expect((await lara.goto('/superset/sqllab/'))?.status()).toBe(200)
    await lara.getByRole('heading', { name: 'SQL Lab' }).waitFor({ state: 'attached' })
    await lara.context().close()
    const gus = await openSignedInPage(browser, product.url, { username: 'gus' })
    expect((await gus.goto('/superset/sqllab/'))?.status()).toBe(403)
    await gus.getByRole('heading', { name: 'You don’t have access to this page' }).waitFor()
    expect(await gus.locator('.cm-content').count()).toBe(0)
    await gus.context().close()
  })

  it('regression: a user with only the role sql_lab signs in, and no page makes a call that is refused', async () => {
    addUsers(product, { sam: ['sql_lab'] })
    const context = await browser.newContext({ baseURL: product.url })
    const sam = await context.newPage()
    const refused: string[] = []
    sam.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    await sam.goto('/login/')
    await sam.getByLabel('Username').fill('sam')
    await sam.getByLabel('Password', { exact: true }).fill('sam')
    refused.length = 0
    await sam.keyboard.press('Enter')
    await sam.waitForURL('**/superset/welcome/')
    await sam.getByText('No saved queries yet. Save one from SQL Lab.').waitFor()
    // An editor appears only once the page knows that there is a database.
    const requested = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await intercept(sam, /\/api\/v1\/database\/\?/, async (route) => {
      requested.resolve()
      await released.promise
      await route.continue()
    })
    const editor = sam.locator('.cm-content')
    await sam.goto('/superset/sqllab/')
    await requested.promise
    await sam.getByRole('progressbar', { name: 'Opening your tabs…' }).waitFor()
    expect(await lab.tabList(sam).count()).toBe(0)
    released.resolve()
    await sam.getByText('Ask an administrator for access to a database.').waitFor()
    const client = await createApiClient(product.url, 'admin')
    const { id } = (await client.get('/api/v1/database/')).body.result[0] as { id: number }
    runCommand(product, 'role', 'grant', 'sql_lab', 'database_access', `[examples].(id:${id})`)
    const none = sam.getByText('No databases available')
    await expect
      .poll(
        async () => {
          await sam.goto('/superset/sqllab/')
          await editor.or(none).first().waitFor()
          return editor.isVisible()
        },
        { timeout: 30_000 },
      )
      .toBe(true)
    await lab.write('select 3 as of_sam', sam)
    await sam.keyboard.press('Control+Enter')
    await sam.getByRole('columnheader', { name: 'of_sam' }).waitFor()
    for (const [path, title] of [
      ['/savedqueryview/list/', 'Saved queries'],
      ['/superset/sqllab/history/', 'Query history'],
      ['/databaseview/list/', 'Databases'],
    ] as const) {
      await sam.goto(path)
      await sam.getByRole('heading', { level: 1, name: title }).waitFor()
      await sam.waitForLoadState('networkidle')
    }
    expect(refused).toEqual([])
    await context.close()
  })
})
