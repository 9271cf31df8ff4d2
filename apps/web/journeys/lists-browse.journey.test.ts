import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { listTools } from './lists-tools.ts'
import { addUsers, waitForExamples, createApiClient, startProduct, type Product } from './product.ts'
import { monitorPage } from './page-monitor.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let admin: Awaited<ReturnType<typeof createApiClient>>
let list: Awaited<ReturnType<typeof listTools>>
let userIds: Record<string, number>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  admin = await createApiClient(product.url, 'admin')
  addUsers(product, Object.fromEntries(['alpha', 'bea', 'carl', 'dora'].map((name) => [name, ['Alpha']])))
  const people = await admin.get('/api/v1/chart/related/owners?q=(page:0,page_size:100)')
  userIds = Object.fromEntries(
    people.body.result.map(({ text, value }: { text: string; value: number }) => [text.trim().toLowerCase(), value]),
  )
  page = await openSignedInPage(browser, product.url)
  list = await listTools(page, admin)
  for (let n = 1; n <= 30; n++) await list.addChart(`Filler ${String(n).padStart(2, '0')}`)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

const lists = {
  'Saved queries': '/savedqueryview/list/',
  Dashboards: '/dashboard/list/',
  Charts: '/chart/list/',
  Datasets: '/tablemodelview/list/',
  Databases: '/databaseview/list/',
}

describe('every list', () => {
  it('LIST-001: dashboards, charts, datasets, saved queries and databases share one page, accessible in both themes', async () => {
    await admin.post('/api/v1/saved_query/', { label: 'Kept', sql: 'select 1', db_id: 1, schema: 'main' })
    const { checkAccessibility, violations } = monitorPage(page)
    const sidebar = page.getByRole('navigation', { name: 'Main', exact: true })
    // The sidebar leads from one list to the next.
    await page.goto(lists['Saved queries'])
    for (const [title, path] of Object.entries(lists)) {
      await sidebar.getByRole('link', { name: title, exact: true }).click()
      await page.waitForURL(`**${path}`)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      await page.locator('tbody tr').first().waitFor()
      expect(await list.search().count()).toBe(1)
      await checkAccessibility()
    }
    expect([...violations]).toEqual([])
  })

  it('LIST-002: typed text is searched by the server, in the whole list', async () => {
    await page.goto('/chart/list/')
    await list.link('Filler 30').waitFor()
    const pendingCall = list.call('/api/v1/chart/', '(col:slice_name,opr:chart_all_text,value:', 'Filler 01')
    await list.search().fill('Filler 01')
    await pendingCall
    await expect.poll(list.names).toEqual(['Filler 01'])
    expect(new URL(page.url()).searchParams.get('q')).toBe('Filler 01')
    await list.search().fill('no such chart')
    await page.getByRole('heading', { name: 'No matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await list.link('Filler 30').waitFor()
    expect(await list.search().inputValue()).toBe('')
  })

  it('CONST-023: sends one request, 250 ms after the last key', async () => {
    const own = await openSignedInPage(browser, product.url)
    await own.clock.install()
    await own.goto('/chart/list/')
    await own.getByRole('table').getByRole('link', { name: 'Filler 30', exact: true }).waitFor()
    const asked: string[] = []
    own.on('request', (request) => {
      const url = decodeURIComponent(request.url())
      if (url.includes('chart_all_text')) asked.push(url)
    })
    await own.clock.pauseAt(Date.now() + 5000)
    const field = own.getByRole('search').getByRole('searchbox')
    await field.pressSequentially('Fill')
    await own.clock.runFor(249)
    await field.pressSequentially('er')
    await own.clock.runFor(249)
    // A request that the page sent before this one would have been seen before its response.
    await own.evaluate(() => fetch('/health'))
    expect(asked).toEqual([])
    await own.clock.runFor(1)
    await expect.poll(() => asked).toEqual([expect.stringMatching(/value:Filler\b/)])
    await own.context().close()
  })

  it('API-097, API-098: filters offer the values that the server knows, and narrow the list', async () => {
    await page.goto('/tablemodelview/list/')
    await list.link('flights').waitFor()
    const schemas = list.call('/api/v1/dataset/distinct/schema', 'filter:', 'page:0')
    await page.getByRole('combobox', { name: 'Schema' }).click()
    await schemas
    await page.getByRole('option', { name: 'main' }).click()
    expect(new URL(page.url()).searchParams.get('schema')).toBe('main')
    const owners = list.call('/api/v1/dataset/related/editors', 'filter:', 'page:0')
    await page.getByRole('combobox', { name: 'Owner' }).click()
    await owners
    await page.getByRole('option', { name: 'dora' }).click()
    await page.getByRole('heading', { name: 'No matches' }).waitFor()
    await page.reload()
    await expect.poll(() => page.getByRole('combobox', { name: 'Owner' }).inputValue()).toMatch(/dora/)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await list.link('flights').waitFor()
  })

  it('DSET-020: the list of datasets is searched by parts of names', async () => {
    const asked = list.call('/api/v1/dataset/', '(col:table_name,opr:ct,value:light)')
    await list.search().fill('light')
    await asked
    await expect.poll(async () => (await list.names()).toSorted()).toEqual(['flights', 'flights_with_airports'])
  })

  it('CONST-026 to CONST-029: query states have a name, an icon and the color of their kind', async () => {
    const kinds = {
      danger: ['failed', 'stopped', 'offline'],
      info: ['pending', 'fetching'],
      warning: ['running'],
      success: ['success'],
    }
    const states = Object.values(kinds).flat()
    const result = states.map((status, index) => ({ id: index + 1, sql: `select ${index}`, status, start_time: 0 }))
    await intercept(page, /\/api\/v1\/query\/\?/, (route) =>
      route.fulfill({ json: { count: result.length, ids: [], result } }),
    )
    await page.goto('/superset/sqllab/history/')
    for (const [kind, members] of Object.entries(kinds))
      for (const state of members) {
        const row = page.getByRole('row').nth(states.indexOf(state) + 1)
        const chip = row.getByText(new RegExp(`^${state}$`, 'i')).locator('xpath=..')
        await chip.waitFor()
        const [shown, wanted] = await chip.evaluate((element, token) => {
          const probe = document.body.appendChild(document.createElement('i'))
          probe.style.color = `var(--${token}-text)`
          const colour = getComputedStyle(probe).color
          probe.remove()
          return [getComputedStyle(element).color, colour]
        }, kind)
        expect([state, shown]).toEqual([state, wanted])
        expect(await chip.locator('svg').count()).toBe(1)
      }
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('LIST-003, LIST-011: the latest change comes first, until a header is clicked', async () => {
    const first = list.call('/api/v1/chart/', 'order_column:changed_on_delta_humanized', 'order_direction:desc')
    await page.goto('/chart/list/')
    await first
    await list.link('Filler 30').waitFor()
    expect((await list.names())[0]).toBe('Filler 30')
    const changed = page.getByRole('columnheader', { name: 'Modified' })
    expect(await changed.getAttribute('aria-sort')).toBe('descending')
    const byName = page.getByRole('columnheader', { name: 'Name' })
    await byName.getByRole('button').click()
    await expect.poll(async () => (await list.names())[0]).not.toBe('Filler 30')
    expect(await byName.getAttribute('aria-sort')).toBe('ascending')
    expect(await list.names()).toEqual((await list.names()).toSorted((a, b) => (a < b ? -1 : 1)))
  })

  it('LIST-004, LIST-010: shows 25 rows a page, the others by page number, and Back returns', async () => {
    await page.goto('/chart/list/')
    await list.link('Filler 30').waitFor()
    const before = await list.names()
    expect(before).toHaveLength(25)
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await expect.poll(async () => (await list.names())[0]).not.toBe('Filler 30')
    expect((await list.names()).filter((name) => before.includes(name))).toEqual([])
    expect(new URL(page.url()).searchParams.get('pageIndex')).toBe('1')
    await page.goBack()
    await expect.poll(list.names).toEqual(before)
    await page.getByRole('button', { name: 'Rows per page: 25' }).click()
    await page.getByRole('menuitemradio', { name: '100' }).click()
    await expect.poll(async () => (await list.names()).length).toBeGreaterThan(50)
  })

  it('LIST-013: shows up to four owners, then the number of others', async () => {
    const owners = ['admin', 'alpha', 'bea', 'carl', 'dora'].map((name) => userIds[name])
    await list.addChart('Owned by five', { owners })
    await page.goto('/chart/list/?q=Owned+by+five')
    const row = page.getByRole('row', { name: /Owned by five/ })
    await row.waitFor()
    expect(await row.getByRole('img', { name: /^(admin|alpha|bea|carl|dora)/i }).count()).toBe(4)
    expect(await row.textContent()).toContain('+1')
  })

  it('LIST-008: copies the link of a row', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/dashboard/list/')
    await list.menuOf('Three million flights')
    await list.choose('Copy link')
    await list.toast('Link Copied!')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(new RegExp(`^${product.url}/superset/dashboard/[^/]+/$`))
  })

  it('is navigated by keyboard: J and K, arrows, Space, Enter, and the row keys', async () => {
    await page.goto('/chart/list/?q=Filler&sortColumn=slice_name&sortOrder=asc')
    await list.link('Filler 01').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(() => focused()).toBe('Filler 01')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 selected').waitFor()
    await expect.poll(() => focused()).toBe('Filler 02')
    await page.keyboard.press('s')
    await expect.poll(() => page.getByRole('button', { name: /Filler 02/, pressed: true }).count()).toBe(1)
    await page.keyboard.press('s')
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Properties' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused()).toBe('Filler 02')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/explore/?slice_id=*')
  })

  it('an empty list says so, and offers the first step', async () => {
    await intercept(page, /\/api\/v1\/(chart|dataset)\/\?/, (route) =>
      route.fulfill({ json: { count: 0, ids: [], result: [] } }),
    )
    await page.goto('/chart/list/')
    await page.getByRole('heading', { name: 'No charts yet' }).waitFor()
    expect(await page.getByRole('main').getByRole('table').count()).toBe(0)
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('LIST-009: the empty state of databases links to /databaseview/list', async () => {
    await intercept(page, /\/api\/v1\/database\/\?/, (route) =>
      route.fulfill({ json: { count: 0, ids: [], result: [] } }),
    )
    await page.goto('/databaseview/list/')
    await page.getByRole('heading', { name: 'No databases yet' }).waitFor()
    const action = page.getByRole('main').getByRole('link', { name: 'Connect a database' })
    expect(await action.getAttribute('href')).toMatch(/^\/databaseview\/list\//)
  })
})

describe('own objects and favorites', () => {
  it('LIST-012: Mine shows what the user owns or created', async () => {
    const alpha = await createApiClient(product.url, 'alpha')
    await list.addChart('Given to alpha', { owners: [userIds['alpha']] })
    const made = await alpha.post('/api/v1/chart/', {
      slice_name: 'Made by alpha',
      viz_type: 'pie',
      datasource_id: list.flights,
      datasource_type: 'table',
    })
    await admin.put(`/api/v1/chart/${made.body.id}`, { owners: [userIds['bea']] })
    const own = await openSignedInPage(browser, product.url, { username: 'alpha' })
    await own.goto('/chart/list/?q=alpha')
    await own.locator('tbody tr').first().waitFor()
    await own.getByRole('button', { name: 'Mine' }).click()
    const rows = () => own.locator('tbody a[data-row]').allTextContents()
    await expect.poll(async () => (await rows()).toSorted()).toEqual(['Given to alpha', 'Made by alpha'])
    await own.getByRole('button', { name: 'Mine', pressed: true }).waitFor()
    await own.goto('/chart/list/?mine=true&q=Filler')
    await own.getByRole('heading', { name: 'No matches' }).waitFor()
    await own.context().close()
  })

  const star = (pressed: boolean): Locator => page.getByRole('button', { name: 'Favorite Palmer penguins', pressed })

  const changed = (method: string) =>
    page.waitForResponse(
      (response) =>
        /\/api\/v1\/dashboard\/\d+\/favorites\/$/.test(response.url()) &&
        response.request().method() === method &&
        response.ok(),
    )

  it('LIST-006, API-092, API-093: a star is saved, filters the list and appears in the sidebar', async () => {
    const status = list.call('/api/v1/dashboard/favorite_status/')
    await page.goto('/dashboard/list/')
    await status
    const saved = changed('POST')
    await star(false).click()
    await saved
    await page.goto('/dashboard/list/?favorite=true')
    await expect.poll(list.names).toEqual(['Palmer penguins'])
    const sidebar = page.getByRole('navigation', { name: 'Main', exact: true })
    await sidebar.getByRole('region', { name: 'Favorites' }).getByRole('link', { name: 'Palmer penguins' }).waitFor()
    const removed = changed('DELETE')
    await star(true).click()
    await removed
  })

  it('LIST-033: reports that the stars could not be read', async () => {
    await list.fail(/favorite_status/, 'no stars tonight')
    await page.goto('/dashboard/list/')
    await list.toast('There was an error fetching the favorite status: no stars tonight')
  })

  it('LIST-034: resets a star that could not be saved, and says so', async () => {
    await list.fail(/\/favorites\//, 'clouds', 'POST')
    await page.goto('/dashboard/list/')
    await star(false).click()
    await list.toast('There was an error saving the favorite status: clouds')
    await star(false).waitFor()
  })
})
