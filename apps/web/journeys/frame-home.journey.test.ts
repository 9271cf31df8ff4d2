import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
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
const section = (name: string) => main().getByRole('region', { name })
const cards = (name: string) => section(name).getByRole('article')

describe('signing in', () => {
  it('says that username or password is incorrect without saying which, and keeps the username', async () => {
    const guest = await browser.newPage({ baseURL: product.url })
    await guest.goto('/login/')
    await expect.poll(() => guest.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('username')
    expect(await guest.locator('input[type=hidden]#csrf_token[name=csrf_token]').inputValue()).not.toBe('')
    await guest.keyboard.type('admin')
    await guest.keyboard.press('Tab')
    await guest.keyboard.type('wrong')
    await guest.keyboard.press('Enter')
    await guest.getByText('Username or password is incorrect.').waitFor()
    const name = guest.getByRole('textbox', { name: 'Username' })
    const password = guest.getByRole('textbox', { name: 'Password' })
    expect([await name.inputValue(), await password.getAttribute('aria-invalid')]).toEqual(['admin', 'true'])
    await expect.poll(() => guest.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('password')
    expect(await findAxeViolations(guest)).toEqual([])
    await guest.context().close()
  })

  it('leads to the requested URL, and never to another site', async () => {
    const guest = await browser.newPage({ baseURL: product.url })
    await guest.goto('/chart/list/?q=Penguins')
    await guest.waitForURL('**/login/?next=**')
    await guest.getByRole('textbox', { name: 'Username' }).fill('admin')
    await guest.getByRole('textbox', { name: 'Password' }).fill('admin')
    await guest.keyboard.press('Enter')
    await guest.waitForURL('**/chart/list/?q=Penguins')
    await guest.goto('/logout/')
    await guest.goto('/login/?next=https://example.com/')
    await guest.getByRole('textbox', { name: 'Username' }).fill('admin')
    await guest.getByRole('textbox', { name: 'Password' }).fill('admin')
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

  it('LIST-014, LIST-015, LIST-018: shows at most five dashboards and charts, the latest change first', async () => {
    const calls = await homeCalls(async () => {
      await page.goto('/superset/welcome/')
      await cards('Charts').nth(4).waitFor()
      await cards('Dashboards').nth(3).waitFor()
    })
    for (const kind of ['dashboard', 'chart']) {
      const listCalls = calls.filter((url) => url.includes(`/api/v1/${kind}/?`) && !url.includes('is_favorite'))
      expect(listCalls.length).toBeGreaterThan(0)
      for (const url of listCalls) {
        expect(url).toContain('page_size:5')
        expect(url).toMatch(/order_column:changed_on_delta_humanized,order_direction:desc/)
      }
    }
    expect(await cards('Charts').count()).toBe(5)
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('LIST-016, LIST-017: shows viewed, edited and owned objects, the first three of the edited ones', async () => {
    const admin = await createApiClient(product.url, 'admin')
    const { body } = await admin.get('/api/v1/chart/?q=(page:0,page_size:4)')
    for (const { id, slice_name } of body.result as { id: number; slice_name: string }[])
      expect((await admin.put(`/api/v1/chart/${id}`, { slice_name })).status).toBe(200)
    const { id: me } = (await admin.get('/api/v1/me/')).body.result as { id: number }
    expect((await admin.put(`/api/v1/chart/${body.result[0].id}`, { owners: [me] })).status).toBe(200)
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
    // Home places the drop zone by whether the user owns anything, so it has sent this request already.
    expect(opened.join('\n')).toContain('owned_or_created_by_me')
    await section(recents).getByText('Owned', { exact: true }).click()
    await expect.poll(() => cards(recents).count()).toBe(1)
    await cards(recents).getByRole('link', { name: body.result[0].slice_name }).waitFor()
    await section(recents).getByText('Viewed', { exact: true }).click()
  })

  it('shows chart cards from cached results, and dashboard cards as images that the server draws, without moving anything', async () => {
    const admin = await createApiClient(product.url, 'admin')
    const latest = '(page:0,page_size:1,order_column:changed_on_delta_humanized,order_direction:desc)'
    const [chart] = (await admin.get(`/api/v1/chart/?q=${latest}`)).body.result as { id: number }[]
    await page.goto(`/explore/?slice_id=${chart!.id}`)
    await page.locator('figure[aria-busy=false]').locator('canvas, [role=grid]').first().waitFor()
    const asked: Request[] = []
    const note = (request: Request) => void (/chart\/(data|picture)/.test(request.url()) && asked.push(request))
    page.on('request', note)
    await page.goto('/superset/welcome/')
    const picture = cards('Charts').first().locator('img')
    // The first image starts the rendering process, which takes seconds.
    await picture.waitFor()
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(480)
    const board = cards('Dashboards').first()
    const drawn = board.locator('img')
    await drawn.waitFor()
    await expect.poll(() => drawn.evaluate((img: HTMLImageElement) => img.naturalHeight)).toBeGreaterThan(0)
    const heights = await cards('Dashboards').evaluateAll((all) => all.map(({ clientHeight }) => clientHeight))
    expect(Math.max(...heights)).toBe(
      await cards('Charts')
        .first()
        .evaluate(({ clientHeight }) => clientHeight),
    )
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

  it('CONST-032, CONST-033: chosen filters and collapsed sections are stored in this browser', async () => {
    await section('Dashboards').getByText('Favorites', { exact: true }).click()
    await section('Charts').getByRole('button', { name: 'Charts', expanded: true }).click()
    await page.reload()
    await section('Dashboards').getByText('No favorites yet.').waitFor()
    await section('Charts').getByRole('button', { name: 'Charts', expanded: false }).click()
    await cards('Charts').first().waitFor()
    await section('Dashboards').getByText('Recent', { exact: true }).click()
  })

  it('cards are navigated with the arrow keys', async () => {
    await cards('Charts').nth(1).waitFor()
    await cards('Charts').first().getByRole('link').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => focused()).toBe(await cards('Charts').nth(1).getByRole('link').textContent())
  })
})

describe('the action log', () => {
  let board: string
  beforeAll(async () => {
    const admin = await createApiClient(product.url, 'admin')
    const { body } = await admin.post('/api/v1/dashboard/', { dashboard_title: 'Logged' })
    board = `/superset/dashboard/${body.id}/`
  })

  it('LOG-001, LOG-002, LOG-004, LOG-005: opened objects are sent to the server by beacon, in one batch, a second after the last', async () => {
    const beacon = page.waitForRequest((request) => request.url().includes('/superset/log/'))
    await page.goto(board)
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
        source_id: Number(/\d+/.exec(board)?.[0]),
        impression_id: expect.any(String),
        version: 'v2',
        visibility: 'visible',
      },
    ])
    expect(Date.now() - events[0].ts).toBeGreaterThanOrEqual(1000)
  })

  it('LOG-007: without a beacon, the events are posted', async () => {
    const blind = await openSignedInPage(browser, product.url)
    await blind.addInitScript(() => Object.defineProperty(navigator, 'sendBeacon', { value: () => false }))
    const posted = blind.waitForRequest((request) => request.url().includes('/superset/log/'))
    await blind.goto(board)
    expect((await posted).resourceType()).toBe('fetch')
    expect((await (await posted).response())?.status()).toBe(200)
    await blind.context().close()
  })
})
