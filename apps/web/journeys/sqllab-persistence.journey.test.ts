import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
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

describe('nothing is lost', () => {
  it('typed text is there after a reload, and on the server within seconds', async () => {
    await lab.write('select 7 as typed')
    await page.reload()
    await expect.poll(() => lab.text()).toBe('select 7 as typed')
    await expect
      .poll(async () => (await lab.storedTabs()).active_tab?.sql, { timeout: 10_000, interval: 500 })
      .toBe('select 7 as typed')
  })

  it('another browser opens the same tabs and fetches only the one in front', async () => {
    for (let tabs = (await lab.tabNames()).length; tabs < 30; tabs++) await page.keyboard.press('Alt+t')
    await lab.write('select 30 as last_one')
    await expect
      .poll(async () => (await lab.storedTabs()).tab_state_ids.length, { timeout: 20_000, interval: 500 })
      .toBe(30)
    await expect
      .poll(async () => (await lab.storedTabs()).active_tab?.sql, { timeout: 10_000, interval: 500 })
      .toContain('last_one')
    const other = await openSignedInPage(browser, product.url)
    const loads: string[] = []
    other.on('request', (request) => {
      if (request.method() === 'GET' && /\/tabstateview\/\d+/.test(request.url())) loads.push(request.url())
    })
    await other.goto('/superset/sqllab/')
    await expect.poll(() => lab.text(other)).toBe('select 30 as last_one')
    expect(await lab.tabNames(other)).toHaveLength(30)
    expect(loads).toEqual([])
    await lab.tabList(other).getByRole('tab').first().click()
    await expect.poll(() => loads.length).toBe(1)
    await other.context().close()
  })

  it('two browsers that edit one tab lose neither text', async () => {
    await lab.chooseMenuItem('Tab actions', 'Close other tabs')
    const other = await openSignedInPage(browser, product.url)
    await other.goto('/superset/sqllab/')
    await expect.poll(() => lab.text(other)).toBe('select 30 as last_one')
    await lab.write("select 'theirs'", other)
    await lab.write("select 'mine'")
    // The browser that saves second asks its user.
    await Promise.race([page, other].map(async (each) => each.getByRole('alertdialog').waitFor({ timeout: 15_000 })))
    const pageWithDialog = (await page.getByRole('alertdialog').count()) > 0 ? page : other
    await expect.poll(() => pageWithDialog.getByRole('alertdialog').textContent()).toContain("select 'mine'")
    expect(await pageWithDialog.getByRole('alertdialog').textContent()).toContain("select 'theirs'")
    expect(await findAxeViolations(pageWithDialog)).toEqual([])
    await pageWithDialog.getByRole('button', { name: 'Keep both' }).click()
    await pageWithDialog.getByRole('alertdialog').waitFor({ state: 'detached' })
    await expect.poll(() => lab.tabNames(pageWithDialog)).toHaveLength(2)
    await expect.poll(async () => (await lab.storedTabs()).tab_state_ids.length).toBe(2)
    await other.context().close()
    await page.reload()
    await expect.poll(() => lab.tabNames()).toHaveLength(2)
  })

  it('a page left before the server responds has its new tab only once', async () => {
    let isThere = (): void => {}
    const arrived = new Promise<void>((resolve) => (isThere = resolve))
    await intercept(page, '**/tabstateview/', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      isThere()
    })
    const before = await lab.tabNames()
    await lab.editor().click()
    await page.keyboard.press('Alt+t')
    await page.keyboard.type('select 5 as once')
    await arrived
    await page.unroute('**/tabstateview/')
    await page.keyboard.type(', 6 as and_more')
    await page.reload()
    await expect.poll(() => lab.text()).toBe('select 5 as once, 6 as and_more')
    await expect.poll(() => lab.tabNames()).toHaveLength(before.length + 1)
    const kept = async () => {
      const { tab_state_ids, active_tab } = await lab.storedTabs()
      return [tab_state_ids.length, active_tab?.sql]
    }
    await expect
      .poll(kept, { timeout: 10_000, interval: 500 })
      .toEqual([before.length + 1, 'select 5 as once, 6 as and_more'])
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await page.keyboard.press('Alt+w')
  })

  it('two windows of one browser stay in sync', async () => {
    const window = await page.context().newPage()
    await window.goto('/superset/sqllab/')
    await lab.editor(window).waitFor()
    await expect.poll(() => lab.text(window)).toBe(await lab.text())
    await lab.write('select 1 as of_both')
    await expect.poll(() => lab.text(window)).toBe('select 1 as of_both')
    await window.close()
  })

  it('SQL-090: a server that stores nothing is reported, and the text stays', async () => {
    await lab.withFailure(/\/tabstateview\/\d+$/, 'PUT', 500, async () => {
      await lab.write('select 8 as not_stored')
      await lab
        .message('An error occurred while storing the tab on the server. Contact your administrator if this persists.')
        .waitFor()
      await page.getByText('Your changes are kept in this browser.').waitFor()
    })
    await page.reload()
    await expect.poll(() => lab.text()).toBe('select 8 as not_stored')
    await expect
      .poll(async () => (await lab.storedTabs()).active_tab?.sql, { timeout: 15_000, interval: 500 })
      .toContain('not_stored')
  })

  it('SQL-110: a tab that the server rejects is reported, and can be edited', async () => {
    await lab.withFailure('**/tabstateview/', 'POST', 500, async () => {
      await lab.editor().click()
      await page.keyboard.press('Alt+t')
      await page.keyboard.type('select 9')
      await lab.message('Unable to add a new tab').waitFor()
      await expect.poll(() => lab.text()).toBe('select 9')
    })
  })

  it('SQL-102: a tab that cannot be fetched is reported', async () => {
    const other = await openSignedInPage(browser, product.url)
    await intercept(other, /\/tabstateview\/\d+$/, async (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 500, body: '{}' }) : route.fallback(),
    )
    await other.goto('/superset/sqllab/')
    await lab.editor(other).waitFor()
    await lab.tabList(other).getByRole('tab', { selected: false }).first().click()
    await lab.message('An error occurred while fetching tab state', other).waitFor()
    await other.context().close()
  })

  it('SQL-112: an expired token asks the user to sign in again, and says so if they do not', async () => {
    await lab.write('select 112 as kept_text')
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
    await expect.poll(() => lab.text()).toBe('select 112 as kept_text')
  })

  it('SQL-108: function names that cannot be fetched are reported', async () => {
    await lab.withFailure('**/function_names/', 'GET', 500, async () => {
      await page.reload()
      await lab.message('An error occurred while fetching function names').waitFor()
    })
  })
})
