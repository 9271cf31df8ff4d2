import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  findAxeViolations,
  intercept,
  openBrowser,
  setOffline,
  setWindowSize,
  openSignedInPage,
  type JourneyBrowser,
} from './browser.ts'
import { addUser, waitForExamples, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  addUser(product, 'gamma', 'Gamma')
  page = await openSignedInPage(browser, product.url)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

const focused = (): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? null)
const main = () => page.getByRole('main')

describe('the command palette', () => {
  const palette = () => page.getByRole('dialog', { name: 'Search and commands' })

  it('opens with Ctrl-K, finds by a few letters, and Enter opens', async () => {
    await page.goto('/chart/list/')
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('Control+k')
    await palette().waitFor()
    await page.keyboard.type('palmer')
    await palette()
      .getByRole('option', { name: /^Palmer penguins/ })
      .waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/superset/dashboard/**')
  })

  it('creates objects, and Esc returns the focus', async () => {
    await page.goto('/chart/list/')
    const search = page.getByRole('searchbox', { name: 'Search charts' })
    await search.fill('weather')
    await page.keyboard.press('Control+k')
    await palette().waitFor()
    await page.keyboard.type('>')
    await palette().getByRole('group', { name: 'Create' }).getByRole('option', { name: 'Dashboard' }).waitFor()
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    await expect.poll(() => search.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+k')
    await palette().waitFor()
    await page.keyboard.type('> sql query')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/superset/sqllab/**')
  })
})

describe('keyboard shortcuts', () => {
  it('? lists the shortcuts of the page, / searches, G and a letter navigates, C creates', async () => {
    await page.goto('/chart/list/')
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const words of ['Toggle favorite', 'Next row', 'Dashboards', 'Search this page'])
      await keys.getByText(words, { exact: true }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('gd?')
    expect(await page.getByRole('searchbox').inputValue()).toBe('gd?')
    await page.keyboard.press('Escape')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    // Both keys are pressed within a second, however long each call takes.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('d')])
    await page.waitForURL('**/dashboard/list/')
    await page.keyboard.press('c')
    await page.getByRole('menu', { name: 'Create' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused()).toContain('Create')
  })

  it('the first Tab offers to skip to the content', async () => {
    await page.goto('/dashboard/list/')
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => focused()).toBe('Skip to content')
    const box = await page.getByRole('link', { name: 'Skip to content' }).boundingBox()
    expect(box && box.x >= 0 && box.y >= 0 && box.width > 40).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  it('the focus is visible on every element of a list page', async () => {
    await page.getByRole('link', { name: 'Skip to content' }).focus()
    for (let n = 0; n < 30; n++) {
      if (n > 0) await page.keyboard.press('Tab')
      const hidden = await page.evaluate(() => {
        const element = document.activeElement
        if (!element || element === document.body) return null
        for (let one: Element | null = element, up = 0; one && up < 3; one = one.parentElement, up++) {
          const { outlineStyle, outlineWidth } = getComputedStyle(one)
          if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) return null
        }
        return element.outerHTML.slice(0, 200)
      })
      expect(hidden).toBe(null)
    }
  })
})

describe('the appearance', () => {
  it('follows the system until the user chooses, and the choice stays', async () => {
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/dashboard/list/')
    await expect.poll(theme).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(theme).toBe('light')
    await page.getByRole('button', { name: /Admin/ }).click()
    await page.getByRole('menuitem', { name: 'Theme' }).click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await expect.poll(theme).toBe('dark')
    await page.reload()
    await expect.poll(theme).toBe('dark')
    expect(await findAxeViolations(page)).toEqual([])
    await page.evaluate(() => localStorage.clear())
  })

  it('CONST-024: changes its frame at the breakpoints, and never scrolls sideways', async () => {
    const bar = () => page.getByRole('navigation', { name: 'Main (compact)' }).isVisible()
    const sidebar = page.getByRole('navigation', { name: 'Main', exact: true })
    const isWide = async () => (await sidebar.isVisible()) && ((await sidebar.boundingBox())?.width ?? 0) > 100
    const penguins = page.getByRole('link', { name: /Penguins/ }).first()
    await page.goto('/chart/list/')
    await penguins.waitFor()
    for (const [width, isPhone] of [
      [1440, false],
      [1200, false],
      [992, false],
      [768, false],
      [767, true],
      [576, true],
      [390, true],
    ] as const) {
      await setWindowSize(page, width, 844)
      const frame = async () => [width, await bar(), await isWide()]
      await expect.poll(frame).toEqual([width, isPhone, width >= 1200])
      await penguins.waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      expect(await findAxeViolations(page)).toEqual([])
    }
    // A page that loads on a phone has the same frame.
    await page.reload()
    await penguins.waitFor()
    expect([await bar(), await isWide()]).toEqual([true, false])
    await setWindowSize(page, 1440, 900)
  })
})

describe('errors', () => {
  it('an unknown URL shows a message inside the frame', async () => {
    const answer = await page.goto('/nowhere/at/all/')
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await main().getByRole('link', { name: 'Go home' }).click()
    await page.waitForURL('**/superset/welcome/')
  })

  it('a page without access says so, and reveals no names', async () => {
    const gamma = await openSignedInPage(browser, product.url, { username: 'gamma' })
    const answer = await gamma.goto('/superset/sqllab/')
    expect(answer?.status()).toBe(403)
    await gamma.getByRole('heading', { level: 1, name: 'You don’t have access to this page' }).waitFor()
    await gamma.getByRole('link', { name: 'Dashboards', exact: true }).waitFor()
    expect(await gamma.getByRole('link', { name: 'SQL Lab' }).count()).toBe(0)
    expect(await findAxeViolations(gamma)).toEqual([])
    await gamma.getByRole('link', { name: 'Dashboards', exact: true }).click()
    await gamma.getByRole('heading', { level: 1, name: 'Dashboards' }).waitFor()
    await gamma.context().close()
  })

  it('ERR-001: a page that crashes shows the error panel, and the frame stays', async () => {
    await page.goto('/dashboard/list/')
    await page.locator('tbody tr').first().waitFor()
    await intercept(page, /ChartListPage|chart-list/, (route) => route.abort())
    await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Charts' }).click()
    const alert = main().getByRole('alert')
    await alert.getByRole('heading', { name: 'Unexpected error' }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Charts' }).waitFor()
  })

  it('regression: a part that fails to load is reported without breaking the page, and loads on retry', async () => {
    const missing = page.getByRole('status').filter({ hasText: 'Could not load part of this page.' })
    await page.goto('/superset/sqllab/')
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('select 1 as kept')
    let attempts = 0
    await intercept(page, /HistoryPane-/, (route) => {
      attempts += 1
      return route.abort()
    })
    await page.getByRole('tab', { name: 'History' }).click()
    await missing.waitFor()
    expect(await page.locator('.cm-content').innerText()).toBe('select 1 as kept')
    expect(await findAxeViolations(page)).toEqual([])
    const retry = missing.getByRole('button', { name: 'Try again' })
    const before = attempts
    await retry.click()
    await expect.poll(() => attempts).toBeGreaterThan(before)
    await page.unrouteAll()
    // Rendering the pane again also fetches its file, so the button may be gone before it is clicked.
    const loaded = page.getByText('No queries yet')
    await expect
      .poll(async () => {
        await retry.click({ timeout: 1000 }).catch(() => undefined)
        return loaded.isVisible()
      })
      .toBe(true)
    await missing.waitFor({ state: 'detached' })

    const frame = page.getByRole('navigation', { name: 'Main', exact: true })
    await frame.getByRole('link', { name: 'Dashboards', exact: true }).click()
    await page.getByRole('table').getByRole('link', { name: 'Chart gallery' }).click()
    await page.getByRole('figure').first().waitFor()
    await intercept(page, /LinkForm-/, (route) => route.abort())
    const share = page.getByRole('button', { name: 'Share', exact: true })
    const dialog = page.getByRole('dialog', { name: 'Share' })
    await share.click()
    await missing.waitFor()
    // The banner may appear before the popover, which would then miss the key.
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('figure').count()).toBeGreaterThan(0)
    await page.unrouteAll()
    await share.click()
    await dialog.getByRole('button', { name: 'Copy link' }).waitFor()
    await missing.waitFor({ state: 'detached' })
  })

  it('ERR-002: an error with a link to request access offers it', async () => {
    const error = {
      message: 'Closed',
      error_type: 'TABLE_SECURITY_ACCESS_ERROR',
      level: 'error',
      extra: { link: 'https://example.com/ask' },
    }
    await intercept(page, /\/api\/v1\/chart\/\?/, (route) => route.fulfill({ status: 403, json: { errors: [error] } }))
    await page.goto('/chart/list/')
    const ask = main().getByRole('alert').getByRole('link', { name: 'Request access' })
    expect(await ask.getAttribute('href')).toBe('https://example.com/ask')
  })

  it('offline mode shows since when, and ends automatically', async () => {
    await page.goto('/dashboard/list/')
    await page.locator('tbody tr').first().waitFor()
    await setOffline(page, true)
    await page
      .getByRole('status')
      .getByText(/^You are offline\. Showing data from \d/)
      .waitFor()
    expect(await page.locator('tbody tr').count()).toBe(5)
    await setOffline(page, false)
    await page.getByText(/^You are offline/).waitFor({ state: 'detached' })
  })

  it('an expired session is signed in again over the page, and the typed input is saved', async () => {
    await page.getByRole('button', { name: 'Actions for Palmer penguins' }).click()
    await page.getByRole('menuitem', { name: 'Properties' }).click()
    const dialog = page.getByRole('dialog', { name: 'Properties' })
    await dialog.getByLabel('Name').fill('Penguins of Palmer')
    await page.context().clearCookies()
    await dialog.getByRole('button', { name: 'Save' }).click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByText('Your session has timed out. Sign in again; your work is kept.').waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    expect(await again.getByRole('textbox', { name: 'Username' }).inputValue()).toBe('admin')
    await again.getByRole('textbox', { name: 'Password' }).fill('wrong')
    await page.keyboard.press('Enter')
    await again.getByText('Username or password is incorrect.').waitFor()
    await again.getByRole('textbox', { name: 'Password' }).fill('admin')
    await page.keyboard.press('Enter')
    await page.getByText('Saved: Penguins of Palmer').waitFor()
    await page.getByRole('table').getByRole('link', { name: 'Penguins of Palmer' }).waitFor()
  })
})
