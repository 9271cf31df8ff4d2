import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeFindings, intercept, openBrowser, setOffline, setSize, signedIn } from './browser.ts'
import { addUser, examplesLoaded, signIn, startProduct, type Product } from './product.ts'

let product: Product
let browser: Browser
let page: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await examplesLoaded(product.url)
  addUser(product, 'gamma', 'Gamma')
  page = await signedIn(browser, product.url)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

const focused = (): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? null)
const main = () => page.getByRole('main')
const section = (name: string) => main().getByRole('region', { name })
const cards = (name: string) => section(name).getByRole('article')

describe('signing in', () => {
  it('says that name or password is wrong without saying which, and keeps the name', async () => {
    const guest = await browser.newPage({ baseURL: product.url })
    await guest.goto('/login/')
    await expect.poll(() => guest.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username')
    expect(await guest.locator('input[type=hidden]#csrf_token[name=csrf_token]').inputValue()).not.toBe('')
    await guest.keyboard.type('admin')
    await guest.keyboard.press('Tab')
    await guest.keyboard.type('wrong')
    await guest.keyboard.press('Enter')
    await guest.getByText('User name or password is wrong.').waitFor()
    const name = guest.getByRole('textbox', { name: 'Username' })
    const password = guest.getByRole('textbox', { name: 'Password' })
    expect([await name.inputValue(), await password.getAttribute('aria-invalid')]).toEqual(['admin', 'true'])
    await expect.poll(() => guest.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password')
    expect(await axeFindings(guest)).toEqual([])
    await guest.context().close()
  })

  it('leads to the address that was asked for, and never to another site', async () => {
    const guest = await browser.newPage({ baseURL: product.url })
    await guest.goto('/chart/list/?q=Penguins')
    await guest.waitForURL('**/login/?next=**')
    await guest.getByRole('textbox', { name: 'Username' }).fill('gamma')
    await guest.getByRole('textbox', { name: 'Password' }).fill('gamma')
    await guest.keyboard.press('Enter')
    await guest.waitForURL('**/chart/list/?q=Penguins')
    await guest.goto('/logout/')
    await guest.goto('/login/?next=https://example.com/')
    await guest.getByRole('textbox', { name: 'Username' }).fill('gamma')
    await guest.getByRole('textbox', { name: 'Password' }).fill('gamma')
    await guest.keyboard.press('Enter')
    await guest.waitForURL(`${product.url}/superset/welcome/`)
    await guest.context().close()
  })
})

describe('Home', () => {
  const homeCalls = async (open: () => Promise<unknown>): Promise<string[]> => {
    const calls: string[] = []
    const note = (request: Request): void => {
      if (request.url().includes('/api/v1/')) calls.push(decodeURIComponent(request.url().replaceAll('+', ' ')))
    }
    page.on('request', note)
    await open()
    page.off('request', note)
    return calls
  }

  it('LIST-014, LIST-015, LIST-018: at most five dashboards and charts, the latest change first', async () => {
    const calls = await homeCalls(async () => {
      await page.goto('/superset/welcome/')
      await cards('Charts').nth(4).waitFor()
      await cards('Dashboards').nth(3).waitFor()
    })
    for (const kind of ['dashboard', 'chart']) {
      const asked = calls.filter((url) => url.includes(`/api/v1/${kind}/?`) && !url.includes('is_favorite'))
      expect(asked.length).toBeGreaterThan(0)
      for (const url of asked) {
        expect(url).toContain('page_size:5')
        expect(url).toMatch(/order_column:changed_on_delta_humanized,order_direction:desc/)
      }
    }
    expect(await cards('Charts').count()).toBe(5)
    expect(await axeFindings(page)).toEqual([])
  })

  it('LIST-016, LIST-017: what was seen, edited and owned, the first three of what was edited', async () => {
    const admin = await signIn(product.url, 'admin')
    const { body } = await admin.get('/api/v1/chart/?q=(page:0,page_size:4)')
    for (const { id, slice_name } of body.result as { id: number; slice_name: string }[])
      expect((await admin.put(`/api/v1/chart/${id}`, { slice_name })).status).toBe(200)
    const noted = page.waitForRequest((request) => request.url().includes('/superset/log/'))
    await page.goto(`/explore/?slice_id=${body.result[0].id}`)
    await noted

    const recents = 'Pick up where you left off'
    await expect
      .poll(async () => (await admin.get('/api/v1/log/recent_activity/')).body.result[0]?.item_title, {
        timeout: 10_000,
      })
      .toBe(body.result[0].slice_name)
    const opened = await homeCalls(async () => {
      await page.goto('/superset/welcome/')
      await cards(recents).getByRole('link', { name: body.result[0].slice_name }).waitFor()
    })
    const edited = await homeCalls(async () => {
      await section(recents).getByText('Edited', { exact: true }).click()
      await cards(recents).nth(2).waitFor()
    })
    expect(edited.join('\n')).toContain('col:changed_by,opr:rel_o_m')
    expect(await cards(recents).count()).toBe(3)
    // Whether there is anything decides where the drop zone stands, so that it was asked already.
    expect(opened.join('\n')).toContain('owned_or_created_by_me')
    await section(recents).getByText('Owned', { exact: true }).click()
    await expect.poll(() => cards(recents).count()).not.toBe(3)
    await section(recents).getByText('Viewed', { exact: true }).click()
  })

  it('draws the cards of charts from what is kept alone, and those of dashboards as they are laid out', async () => {
    const admin = await signIn(product.url, 'admin')
    const latest = '(page:0,page_size:1,order_column:changed_on_delta_humanized,order_direction:desc)'
    const [chart] = (await admin.get(`/api/v1/chart/?q=${latest}`)).body.result as { id: number }[]
    await page.goto(`/explore/?slice_id=${chart!.id}`)
    await page.locator('figure[aria-busy=false]').locator('canvas, [role=grid]').first().waitFor()
    const asked: Request[] = []
    const note = (request: Request) => void (/chart\/(data|picture)/.test(request.url()) && asked.push(request))
    page.on('request', note)
    await page.goto('/superset/welcome/')
    const picture = cards('Charts').first().locator('img')
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(480)
    await cards('Dashboards').first().locator('svg rect').nth(3).waitFor()
    page.off('request', note)
    expect(asked).not.toHaveLength(0)
    for (const request of asked) expect(request.headers()['cache-control']).toBe('only-if-cached')
    const files = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    expect(files.filter((name) => /plot|usual/.test(name))).toEqual([])
  })

  it('LIST-035: a failed recent activity fetch shows in its own section', async () => {
    await intercept(page, /recent_activity/, (route) => route.fulfill({ status: 500, json: { message: 'no memory' } }))
    await page.goto('/superset/welcome/')
    await section('Pick up where you left off')
      .getByText('There was an error fetching your recent activity: no memory')
      .waitFor()
    await cards('Charts').first().waitFor()
  })

  it('CONST-032, CONST-033: chosen filters and closed sections are kept in this browser', async () => {
    await page.goto('/superset/welcome/')
    await section('Dashboards').getByText('Favorites', { exact: true }).click()
    await section('Charts').getByRole('button', { name: 'Charts', expanded: true }).click()
    await page.reload()
    await section('Dashboards').getByText('Nothing starred yet.').waitFor()
    await section('Charts').getByRole('button', { name: 'Charts', expanded: false }).click()
    await cards('Charts').first().waitFor()
    await section('Dashboards').getByText('Recent', { exact: true }).click()
  })

  it('cards are walked by arrows', async () => {
    await page.goto('/superset/welcome/')
    await cards('Charts').nth(1).waitFor()
    await cards('Charts').first().getByRole('link').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focused()).toBe(await cards('Charts').nth(1).getByRole('link').textContent())
  })
})

describe('the command palette', () => {
  const palette = () => page.getByRole('dialog', { name: 'Search and commands' })

  it('opens by Ctrl-K, finds by a few letters, and Enter opens', async () => {
    await page.goto('/chart/list/')
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('Control+k')
    await palette().waitFor()
    await page.keyboard.type('palmer')
    await palette()
      .getByRole('option', { name: /^Palmer penguins/ })
      .waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/superset/dashboard/**')
  })

  it('creates, and Esc gives the focus back', async () => {
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

describe('keys', () => {
  it('? lists what works here, / searches, G and a letter go, C creates', async () => {
    await page.goto('/chart/list/')
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const words of ['Star the row', 'Next row', 'Dashboards', 'Search on this screen'])
      await keys.getByText(words, { exact: true }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('gd?')
    expect(await page.getByRole('searchbox').inputValue()).toBe('gd?')
    await page.keyboard.press('Escape')
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    // Within a second of each other, however long each takes to come back.
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
    await expect.poll(() => focused()).toBe('Skip to the content')
    const box = await page.getByRole('link', { name: 'Skip to the content' }).boundingBox()
    expect(box && box.x >= 0 && box.y >= 0 && box.width > 40).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  it('each focus is visible on the way through a list', async () => {
    await page.goto('/dashboard/list/')
    await page.locator('tbody tr').first().waitFor()
    for (let n = 0; n < 30; n++) {
      await page.keyboard.press('Tab')
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

describe('the log of actions', () => {
  it('LOG-001, LOG-002, LOG-004, LOG-005: what was opened goes to the server by beacon, together, a second after the last', async () => {
    const beacon = page.waitForRequest((request) => request.url().includes('/superset/log/'))
    const { result } = (await (await signIn(product.url, 'admin')).get('/api/v1/dashboard/')).body
    await page.goto(result[0].url)
    const request = await beacon
    expect([request.resourceType(), request.method()]).toEqual(['ping', 'POST'])
    const events = JSON.parse(new URLSearchParams(request.postData() ?? '').get('events') ?? '')
    expect(events).toEqual([
      {
        event_name: 'mount_dashboard',
        event_type: 'user',
        event_id: expect.any(String),
        ts: expect.any(Number),
        source: 'dashboard',
        source_id: result[0].id,
        impression_id: expect.any(String),
        version: 'v2',
        visibility: 'visible',
      },
    ])
    expect(Date.now() - events[0].ts).toBeGreaterThanOrEqual(1000)
  })

  it('LOG-007: without a beacon the events are posted', async () => {
    const blind = await signedIn(browser, product.url)
    await blind.addInitScript(() => Object.defineProperty(navigator, 'sendBeacon', { value: () => false }))
    const posted = blind.waitForRequest((request) => request.url().includes('/superset/log/'))
    await blind.goto('/superset/welcome/')
    await blind.getByRole('article').first().getByRole('link').click()
    expect((await posted).resourceType()).toBe('fetch')
    expect((await (await posted).response())?.status()).toBe(200)
    await blind.context().close()
  })
})

describe('the look', () => {
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
    expect(await axeFindings(page)).toEqual([])
    await page.evaluate(() => localStorage.clear())
  })

  it('CONST-024: has its frames at the breakpoints, and never scrolls sideways', async () => {
    const bar = () => page.getByRole('navigation', { name: 'Main, short' }).isVisible()
    const sidebar = page.getByRole('navigation', { name: 'Main', exact: true })
    for (const [width, isPhone] of [
      [1440, false],
      [1200, false],
      [992, false],
      [768, false],
      [767, true],
      [576, true],
      [390, true],
    ] as const) {
      await setSize(page, width, 844)
      await page.goto('/chart/list/')
      await page
        .getByRole('link', { name: /Penguins/ })
        .first()
        .waitFor()
      expect([width, await bar()]).toEqual([width, isPhone])
      const wide = (await sidebar.isVisible()) && ((await sidebar.boundingBox())?.width ?? 0) > 100
      expect([width, wide]).toEqual([width, width >= 1200])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      expect(await axeFindings(page)).toEqual([])
    }
    await setSize(page, 1440, 900)
  })
})

describe('when something is wrong', () => {
  it('an address that does not exist says so in the frame', async () => {
    const answer = await page.goto('/nowhere/at/all/')
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { level: 1, name: 'This page does not exist' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await main().getByRole('link', { name: 'Go home' }).click()
    await page.waitForURL('**/superset/welcome/')
  })

  it('a page without the right says so, and names nothing', async () => {
    const gamma = await signedIn(browser, product.url, { username: 'gamma' })
    await gamma.goto('/superset/welcome/')
    await gamma.getByRole('link', { name: 'Dashboards', exact: true }).waitFor()
    expect(await gamma.getByRole('link', { name: 'SQL Lab' }).count()).toBe(0)
    const answer = await gamma.goto('/superset/sqllab/')
    expect(answer?.status()).toBe(403)
    await gamma.getByRole('heading', { level: 1, name: 'You do not have access to this page' }).waitFor()
    expect(await axeFindings(gamma)).toEqual([])
    await gamma.getByRole('link', { name: 'Dashboards', exact: true }).click()
    await gamma.getByRole('heading', { level: 1, name: 'Dashboards' }).waitFor()
    await gamma.context().close()
  })

  it('ERR-001: a page that breaks shows the error panel, and the frame stays', async () => {
    await page.goto('/superset/welcome/')
    await intercept(page, /ChartListPage|chart-list/, (route) => route.abort())
    await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'Charts' }).click()
    const alert = main().getByRole('alert')
    await alert.getByRole('heading', { name: 'Unexpected error' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Charts' }).waitFor()
  })

  it('regression: a part whose file did not come took the page along; it is said, and comes when it is asked for again', async () => {
    const missing = page.getByRole('status').filter({ hasText: 'A part of this page could not be loaded.' })
    await page.goto('/superset/sqllab/')
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('select 1 as kept')
    await intercept(page, /HistoryPane-/, (route) => route.abort())
    await page.getByRole('tab', { name: 'History' }).click()
    await missing.waitFor()
    expect(await page.locator('.cm-content').innerText()).toBe('select 1 as kept')
    expect(await axeFindings(page)).toEqual([])
    await page.unrouteAll()
    await missing.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Nothing ran yet').waitFor()
    await missing.waitFor({ state: 'detached' })

    await page.goto('/dashboard/list/')
    await page.locator('tbody a').first().click()
    await page.getByRole('figure').first().waitFor()
    await intercept(page, /LinkForm-/, (route) => route.abort())
    const share = page.getByRole('button', { name: 'Share', exact: true })
    await share.click()
    await missing.waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('figure').count()).toBeGreaterThan(0)
    await page.unrouteAll()
    await share.click()
    await page.getByRole('dialog', { name: 'Share' }).getByRole('button', { name: 'Copy link' }).waitFor()
    await missing.waitFor({ state: 'detached' })
  })

  it('ERR-002: an error that says where access is asked for offers it', async () => {
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

  it('offline says since when, and goes on by itself', async () => {
    await page.goto('/dashboard/list/')
    await page.locator('tbody tr').first().waitFor()
    await setOffline(page, true)
    await page
      .getByRole('status')
      .getByText(/^You are offline\. What you see is from \d/)
      .waitFor()
    expect(await page.locator('tbody tr').count()).toBe(5)
    await setOffline(page, false)
    await page.getByText(/^You are offline/).waitFor({ state: 'detached' })
  })

  it('a session that ends meanwhile is signed in again over the page, and what was typed goes through', async () => {
    await page.goto('/dashboard/list/')
    await page.getByRole('button', { name: 'Actions for Palmer penguins' }).click()
    await page.getByRole('menuitem', { name: 'Properties' }).click()
    const dialog = page.getByRole('dialog', { name: 'Properties' })
    await dialog.getByLabel('Name').fill('Penguins of Palmer')
    await page.context().clearCookies()
    await dialog.getByRole('button', { name: 'Save' }).click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByText('Your session has timed out. Sign in again; your work is kept.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await again.getByRole('textbox', { name: 'Username' }).inputValue()).toBe('admin')
    await again.getByRole('textbox', { name: 'Password' }).fill('wrong')
    await page.keyboard.press('Enter')
    await again.getByText('User name or password is wrong.').waitFor()
    await again.getByRole('textbox', { name: 'Password' }).fill('admin')
    await page.keyboard.press('Enter')
    await page.getByText('Saved: Penguins of Palmer').waitFor()
    await page.getByRole('table').getByRole('link', { name: 'Penguins of Palmer' }).waitFor()
  })
})
