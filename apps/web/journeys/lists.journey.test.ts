import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { axeFindings, intercept, openBrowser, signedIn } from './browser.ts'
import { addUser, examplesLoaded, signIn, startProduct, type Product } from './product.ts'
import { witnessOf } from './witness.ts'

let product: Product
let browser: Browser
let page: Page
let admin: Awaited<ReturnType<typeof signIn>>
let userIds: Record<string, number>
let flights: number

const addChart = async (slice_name: string, more: object = {}): Promise<number> => {
  const body = { slice_name, viz_type: 'pie', datasource_id: flights, datasource_type: 'table', ...more }
  const answer = await admin.post('/api/v1/chart/', body)
  expect(answer.status).toBe(201)
  return answer.body.id as number
}

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await examplesLoaded(product.url)
  admin = await signIn(product.url, 'admin')
  for (const [name, role] of Object.entries({
    alpha: 'Alpha',
    gamma: 'Gamma',
    bea: 'Alpha',
    carl: 'Alpha',
    dora: 'Alpha',
  }))
    addUser(product, name, role)
  const people = await admin.get('/api/v1/chart/related/owners?q=(page:0,page_size:100)')
  userIds = Object.fromEntries(
    people.body.result.map(({ text, value }: { text: string; value: number }) => [text.trim().toLowerCase(), value]),
  )
  const datasets = await admin.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:flights)))')
  flights = datasets.body.result[0].id as number
  for (let n = 1; n <= 30; n++) await addChart(`Filler ${String(n).padStart(2, '0')}`)
  page = await signedIn(browser, product.url)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})
beforeEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))

const link = (name: string | RegExp): Locator => page.getByRole('table').getByRole('link', { name, exact: true })
const names = (): Promise<string[]> => page.locator('tbody a[data-row]').allTextContents()
const search = (): Locator => page.getByRole('search').getByRole('searchbox')
const toast = (text: string | RegExp): Promise<void> =>
  page.getByRole('region', { name: 'Messages' }).getByText(text).first().waitFor()
/** All in one step: a message that leaves on its own in between is not waited for. */
const closeToasts = (): Promise<void> =>
  page.getByRole('button', { name: 'Close message' }).evaluateAll((buttons) => {
    for (const button of buttons as HTMLElement[]) button.click()
  })
const menuOf = async (name: string): Promise<void> =>
  page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
const choose = (entry: string): Promise<void> => page.getByRole('menuitem', { name: entry }).click()
/** The next call whose path and unescaped question contain these texts. */
const call = (...parts: string[]) =>
  page.waitForRequest((request) =>
    parts.every((part) => decodeURIComponent(request.url().replaceAll('+', ' ')).includes(part)),
  )
const fail = (url: string | RegExp, message: string, method = 'GET') =>
  intercept(page, url, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 500, contentType: 'application/json', body: JSON.stringify({ message }) })
      : route.fallback(),
  )

const lists = {
  Dashboards: '/dashboard/list/',
  Charts: '/chart/list/',
  Datasets: '/tablemodelview/list/',
  'Saved queries': '/savedqueryview/list/',
  Databases: '/databaseview/list/',
}

describe('every list', () => {
  it('LIST-001: dashboards, charts, datasets, saved queries and databases share one page, accessible in both themes', async () => {
    await admin.post('/api/v1/saved_query/', { label: 'Kept', sql: 'select 1', db_id: 1, schema: 'main' })
    const { look, barriers } = witnessOf(page)
    for (const [title, path] of Object.entries(lists)) {
      await page.goto(path)
      await page.locator('tbody tr').first().waitFor()
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title)
      expect(await search().count()).toBe(1)
      await look()
    }
    expect([...barriers]).toEqual([])
  })

  it('LIST-002: what is typed is searched by the server, in the whole list', async () => {
    await page.goto('/chart/list/')
    await link('Filler 30').waitFor()
    const asked = call('/api/v1/chart/', '(col:slice_name,opr:chart_all_text,value:', 'Filler 01')
    await search().fill('Filler 01')
    await asked
    await expect.poll(names).toEqual(['Filler 01'])
    expect(new URL(page.url()).searchParams.get('q')).toBe('Filler 01')
    await search().fill('no such chart')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await link('Filler 30').waitFor()
    expect(await search().inputValue()).toBe('')
  })

  it('CONST-023: asks once, 250 ms after the last key', async () => {
    const own = await signedIn(browser, product.url)
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
    // What the page had asked before this would have been seen before its answer.
    await own.evaluate(() => fetch('/health'))
    expect(asked).toEqual([])
    await own.clock.runFor(1)
    await expect.poll(() => asked).toEqual([expect.stringMatching(/value:Filler\b/)])
    await own.context().close()
  })

  it('API-097, API-098: filters offer what the server knows, and narrow the list', async () => {
    await page.goto('/tablemodelview/list/')
    await link('flights').waitFor()
    const schemas = call('/api/v1/dataset/distinct/schema', 'filter:', 'page:0')
    await page.getByRole('combobox', { name: 'Schema' }).click()
    await schemas
    await page.getByRole('option', { name: 'main' }).click()
    expect(new URL(page.url()).searchParams.get('schema')).toBe('main')
    const owners = call('/api/v1/dataset/related/owners', 'filter:', 'page:0')
    await page.getByRole('combobox', { name: 'Owner' }).click()
    await owners
    await page.getByRole('option', { name: 'dora' }).click()
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.reload()
    await expect.poll(() => page.getByRole('combobox', { name: 'Owner' }).inputValue()).toMatch(/dora/)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await link('flights').waitFor()
  })

  it('CONST-026 to CONST-029: states of queries have a word, an icon and the colour of their kind', async () => {
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
    expect(await axeFindings(page)).toEqual([])
  })

  it('DSET-020: the list of datasets is searched by what names contain', async () => {
    await page.goto('/tablemodelview/list/')
    await link('flights').waitFor()
    const asked = call('/api/v1/dataset/', '(col:table_name,opr:ct,value:light)')
    await search().fill('light')
    await asked
    await expect.poll(async () => (await names()).toSorted()).toEqual(['flights', 'flights_with_airports'])
  })

  it('LIST-003, LIST-011: the latest change comes first, until a header is asked for', async () => {
    const first = call('/api/v1/chart/', 'order_column:changed_on_delta_humanized', 'order_direction:desc')
    await page.goto('/chart/list/')
    await first
    await link('Filler 30').waitFor()
    expect((await names())[0]).toBe('Filler 30')
    const changed = page.getByRole('columnheader', { name: 'Changed' })
    expect(await changed.getAttribute('aria-sort')).toBe('descending')
    const byName = page.getByRole('columnheader', { name: 'Name' })
    await byName.getByRole('button').click()
    await expect.poll(async () => (await names())[0]).not.toBe('Filler 30')
    expect(await byName.getAttribute('aria-sort')).toBe('ascending')
    expect(await names()).toEqual((await names()).toSorted((a, b) => (a < b ? -1 : 1)))
  })

  it('LIST-004, LIST-010: 25 rows a page, the rest by number, and Back returns', async () => {
    await page.goto('/chart/list/')
    await link('Filler 30').waitFor()
    const before = await names()
    expect(before).toHaveLength(25)
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await expect.poll(async () => (await names())[0]).not.toBe('Filler 30')
    expect((await names()).filter((name) => before.includes(name))).toEqual([])
    expect(new URL(page.url()).searchParams.get('pageIndex')).toBe('1')
    await page.goBack()
    await expect.poll(names).toEqual(before)
    await page.getByRole('button', { name: 'Rows per page: 25' }).click()
    await page.getByRole('menuitemradio', { name: '100' }).click()
    await expect.poll(async () => (await names()).length).toBeGreaterThan(50)
  })

  it('LIST-013: shows up to four owners, then how many more', async () => {
    const owners = ['alpha', 'gamma', 'bea', 'carl', 'dora'].map((name) => userIds[name])
    await addChart('Owned by five', { owners })
    await page.goto('/chart/list/?q=Owned+by+five')
    const row = page.getByRole('row', { name: /Owned by five/ })
    await row.waitFor()
    expect(await row.getByRole('img', { name: /^(alpha|gamma|bea|carl|dora)/ }).count()).toBe(4)
    expect(await row.textContent()).toContain('+1')
  })

  it('LIST-008: copies the link of a row', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/dashboard/list/')
    await menuOf('Three million flights')
    await choose('Copy link')
    await toast('Link Copied!')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(new RegExp(`^${product.url}/superset/dashboard/[^/]+/$`))
  })

  it('is walked by keys: J and K, arrows, Space, Enter, and the row keys', async () => {
    await page.goto('/chart/list/?q=Filler&sortColumn=slice_name&sortOrder=asc')
    await link('Filler 01').waitFor()
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

  it('says what exists not yet, and offers the first step', async () => {
    await intercept(page, /\/api\/v1\/(chart|dataset)\/\?/, (route) =>
      route.fulfill({ json: { count: 0, ids: [], result: [] } }),
    )
    await page.goto('/chart/list/')
    await page.getByRole('heading', { name: 'No charts yet' }).waitFor()
    expect(await page.getByRole('main').getByRole('table').count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
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

describe('one’s own and favourites', () => {
  it('LIST-012: Mine is what one owns or made', async () => {
    const alpha = await signIn(product.url, 'alpha')
    await addChart('Given to alpha', { owners: [userIds['alpha']] })
    const made = await alpha.post('/api/v1/chart/', {
      slice_name: 'Made by alpha',
      viz_type: 'pie',
      datasource_id: flights,
      datasource_type: 'table',
    })
    await admin.put(`/api/v1/chart/${made.body.id}`, { owners: [userIds['bea']] })
    const own = await signedIn(browser, product.url, { username: 'alpha' })
    await own.goto('/chart/list/?q=alpha')
    await own.locator('tbody tr').first().waitFor()
    await own.getByRole('button', { name: 'Mine' }).click()
    const rows = () => own.locator('tbody a[data-row]').allTextContents()
    await expect.poll(async () => (await rows()).toSorted()).toEqual(['Given to alpha', 'Made by alpha'])
    await own.getByRole('button', { name: 'Mine', pressed: true }).waitFor()
    await own.goto('/chart/list/?mine=true&q=Filler')
    await own.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await own.context().close()
  })

  const star = (pressed: boolean): Locator => page.getByRole('button', { name: 'Favorite Palmer penguins', pressed })

  const changed = (method: string) =>
    page.waitForResponse(
      (answer) =>
        /\/api\/v1\/dashboard\/\d+\/favorites\/$/.test(answer.url()) &&
        answer.request().method() === method &&
        answer.ok(),
    )

  it('LIST-006, API-092, API-093: a star is kept, filters the list and stands in the sidebar', async () => {
    const status = call('/api/v1/dashboard/favorite_status/')
    await page.goto('/dashboard/list/')
    await status
    const saved = changed('POST')
    await star(false).click()
    await saved
    await page.goto('/dashboard/list/?favorite=true')
    await expect.poll(names).toEqual(['Palmer penguins'])
    const sidebar = page.getByRole('navigation', { name: 'Main', exact: true })
    await sidebar.getByRole('region', { name: 'Favorites' }).getByRole('link', { name: 'Palmer penguins' }).waitFor()
    const removed = changed('DELETE')
    await star(true).click()
    await removed
  })

  it('LIST-033: says that the stars could not be read', async () => {
    await fail(/favorite_status/, 'no stars tonight')
    await page.goto('/dashboard/list/')
    await toast('There was an error fetching the favorite status: no stars tonight')
  })

  it('LIST-034: puts a star back that could not be saved, and says so', async () => {
    await fail(/\/favorites\//, 'clouds', 'POST')
    await page.goto('/dashboard/list/')
    await star(false).click()
    await toast('There was an error saving the favorite status: clouds')
    await star(false).waitFor()
  })
})

describe('deleting', () => {
  it('LIST-005, LIST-036, API-101: names the thing and what depends on it, deletes, and says what', async () => {
    await addChart('To go')
    await page.goto('/chart/list/?q=To+go')
    await menuOf('To go')
    await choose('Delete')
    const question = page.getByRole('alertdialog', { name: 'Delete chart To go?' })
    await question.getByText('It is on no dashboard.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await link('To go').waitFor()
    await menuOf('To go')
    await choose('Delete')
    const gone = page.waitForRequest((request) => request.method() === 'DELETE')
    await question.getByRole('button', { name: 'Delete chart' }).click()
    expect(new URL((await gone).url()).pathname).toMatch(/^\/api\/v1\/chart\/\d+$/)
    await toast('Deleted: To go')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    expect(
      (await admin.get('/api/v1/chart/?q=(filters:!((col:slice_name,opr:eq,value:%27To%20go%27)))')).body.count,
    ).toBe(0)
  })

  it('a dataset that charts use asks for its name, and says how many break', async () => {
    await page.goto('/tablemodelview/list/?q=penguins')
    await menuOf('penguins')
    await choose('Delete')
    const question = page.getByRole('alertdialog', { name: 'Delete dataset penguins?' })
    await question.getByText(/\d+ charts on 1 dashboard will have no data/).waitFor()
    expect(await question.getByRole('button', { name: 'Delete dataset' }).getAttribute('aria-disabled')).toBe('true')
    await question.getByLabel('Type penguins to go on').fill('penguins')
    expect(await question.getByRole('button', { name: 'Delete dataset' }).getAttribute('aria-disabled')).not.toBe(
      'true',
    )
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
  })

  it('many at once, beyond the page', async () => {
    for (let n = 0; n < 27; n++) await addChart(`Batch ${n}`)
    await page.goto('/chart/list/?q=Batch')
    await link('Batch 26').waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
    await page.getByText('25 selected').waitFor()
    await page.getByRole('button', { name: 'Select all 27' }).click()
    await page.getByText('27 selected').waitFor()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 27 charts' }).click()
    await toast('Deleted: 27 charts')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  })

  it('LIST-037, LIST-038: says what could not be deleted, by its name when it is one', async () => {
    await fail(/\/api\/v1\/chart\//, 'it is held', 'DELETE')
    await page.goto('/chart/list/?q=Filler+0')
    await menuOf('Filler 01')
    await choose('Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete chart' }).click()
    await toast('There was an issue deleting Filler 01: it is held')
    await closeToasts()
    await page.getByRole('checkbox', { name: 'Select Filler 01' }).check()
    await page.getByRole('checkbox', { name: 'Select Filler 02' }).check()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 2 charts' }).click()
    await toast('There was an issue deleting: it is held')
    await page.getByText('2 selected').waitFor()
  })
})

describe('failures', () => {
  it('LIST-027: a failed info fetch', async () => {
    await fail(/\/api\/v1\/chart\/_info/, 'closed')
    await page.goto('/chart/list/')
    await toast('An error occurred while fetching chart info: closed')
    await link('Filler 30').waitFor()
  })

  it('LIST-028: a failed fetch of a list stands in its place and can be tried again', async () => {
    await fail(/\/api\/v1\/chart\/\?/, 'the store is away')
    await page.goto('/chart/list/')
    const alert = page.getByRole('main').getByRole('alert')
    await alert.getByText('An error occurred while fetching charts: the store is away').waitFor()
    expect(await search().isVisible()).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await link('Filler 30').waitFor()
  })

  it('LIST-029: a failed fetch of one thing', async () => {
    const id = await addChart('Odd one')
    await fail(new RegExp(`/api/v1/chart/${id}$`), 'not today')
    await page.goto('/chart/list/?q=Odd+one')
    await menuOf('Odd one')
    await choose('Properties')
    await page.getByRole('dialog').getByText('An error occurred while fetching charts: not today').waitFor()
  })

  it('LIST-030: a failed update keeps the dialog and what was typed', async () => {
    const id = await addChart('Stubborn')
    await fail(new RegExp(`/api/v1/chart/${id}$`), 'read only', 'PUT')
    await page.goto('/chart/list/?q=Stubborn')
    await menuOf('Stubborn')
    await choose('Properties')
    const dialog = page.getByRole('dialog', { name: 'Properties' })
    await dialog.getByLabel('Name').fill('Renamed')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('An error occurred while fetching charts: read only').waitFor()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Renamed')
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await toast('Saved: Renamed')
  })

  it('LIST-031: a failed creation', async () => {
    await fail(/\/api\/v1\/dataset\/$/, 'no more room', 'POST')
    await page.goto('/dataset/add/')
    const dialog = page.getByRole('dialog', { name: 'Add dataset' })
    await dialog.getByRole('tab', { name: 'SQL' }).click()
    await dialog.getByLabel('Name').fill('one more')
    await dialog.getByLabel('SQL', { exact: true }).fill('SELECT 1 AS one')
    await dialog.getByRole('button', { name: 'Add and make a chart' }).click()
    await dialog.getByText('An error occurred while creating datasets: no more room').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })
})

describe('datasets', () => {
  it('DSET-004: a table becomes a dataset with the metric COUNT(*), and Explore opens on it', async () => {
    const known = await admin.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:airports)))')
    for (const { id } of known.body.result) await admin.delete(`/api/v1/dataset/${id}`)
    await page.goto('/tablemodelview/list/')
    await page.getByRole('main').getByRole('link', { name: 'Dataset', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Add dataset' })
    await dialog.getByRole('combobox', { name: 'Table' }).fill('airp')
    await page.getByRole('option', { name: 'airports' }).waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Add and make a chart' }).click()
    await page.waitForURL('**/explore/?**')
    const id = new URL(page.url()).searchParams.get('datasource_id')
    const { result } = (await admin.get(`/api/v1/dataset/${id}`)).body
    expect(result.metrics.map(({ expression }: { expression: string }) => expression)).toEqual(['COUNT(*)'])
  })

  it('PERM-023: who does not own a dataset reads why it cannot be edited', async () => {
    const own = await signedIn(browser, product.url, { username: 'alpha' })
    await own.goto('/tablemodelview/list/?q=penguins')
    await own.getByRole('button', { name: 'Actions for penguins' }).click()
    const entry = own.getByRole('menuitem', { name: 'Edit dataset' })
    expect(await entry.getAttribute('aria-disabled')).toBe('true')
    await entry.hover()
    await own
      .getByRole('tooltip')
      .filter({
        hasText:
          'You must be a dataset owner in order to edit. Please reach out to a dataset owner to request modifications or edit access.',
      })
      .waitFor()
    await own.context().close()
  })

  it('PERM-024: what is managed externally cannot be saved, with the reason', async () => {
    const { body } = await admin.post('/api/v1/dataset/', {
      database: 1,
      schema: 'main',
      table_name: 'kept elsewhere',
      sql: 'select 1 as one',
      is_managed_externally: true,
    })
    onTestFinished(async () => void (await admin.delete(`/api/v1/dataset/${body.id}`)))
    await page.goto('/tablemodelview/list/?q=kept+elsewhere')
    await menuOf('kept elsewhere')
    await choose('Edit dataset')
    const reason = "This dataset is managed externally, and can't be edited in Parquetry"
    await page.getByRole('main').getByText(reason).waitFor()
    const save = page.getByRole('button', { name: 'Save', exact: true })
    expect([await save.getAttribute('aria-disabled'), await save.getAttribute('aria-description')]).toEqual([
      'true',
      reason,
    ])
  })

  it('PERM-005: only who may use SQL Lab is offered View in SQL Lab', async () => {
    const entries = async (username: string): Promise<string[]> => {
      const own = await signedIn(browser, product.url, { username })
      await own.goto(`/explore/?datasource_type=table&datasource_id=${flights}`)
      await own.getByRole('button', { name: 'Actions on the dataset' }).click()
      const texts = await own.getByRole('menuitem').allTextContents()
      await own.context().close()
      return texts
    }
    expect(await entries('admin')).toContain('View in SQL Lab')
    const others = await entries('alpha')
    expect(others).toContain('Query preview')
    expect(others).not.toContain('View in SQL Lab')
  })
})

describe('annotation layers', () => {
  const dialog = (name: string): Locator => page.getByRole('dialog', { name })
  const question = (): Locator => page.getByRole('alertdialog')
  const heading = (name: string): Promise<void> => page.getByRole('heading', { name, exact: true }).waitFor()
  const times = async (form: Locator, start: string, end: string): Promise<void> => {
    await form.getByLabel('Start (UTC)').fill(start)
    await form.getByLabel('End (UTC)').fill(end)
  }
  const chosenInExplore = async (): Promise<Locator> => {
    const { body } = await admin.get(
      '/api/v1/chart/?q=(filters:!((col:slice_name,opr:eq,value:%27Temperature%20by%20week%27)))',
    )
    await page.goto(`/explore/?slice_id=${body.result[0].id}`)
    await page.getByRole('tab', { name: 'Look' }).click()
    await page.getByRole('button', { name: 'Add an annotation layer' }).click()
    const editor = page.getByRole('dialog').last()
    await editor.getByRole('combobox', { name: 'Annotation layer type' }).click()
    await page.getByRole('option', { name: 'Event' }).click()
    return editor
  }

  it('are made, filled, corrected, chosen in Explore and deleted, by keys and by mouse', async () => {
    const { look, barriers, complaints } = witnessOf(page)
    // What a try of this journey that failed has left behind.
    const { body: left } = await admin.get('/api/v1/annotation_layer/')
    for (const id of left.ids) {
      const layer = `/api/v1/annotation_layer/${id}`
      const { body: marks } = await admin.get(`${layer}/annotation/`)
      for (const mark of marks.ids) await admin.delete(`${layer}/annotation/${mark}`)
      await admin.delete(layer)
    }
    const editor = await chosenInExplore()
    await editor.getByText('There is no annotation layer yet.').waitFor()
    expect(await editor.getByRole('link', { name: 'Make one' }).getAttribute('href')).toBe(
      '/annotationlayer/list/?new=true',
    )

    await page.goto('/chart/list/')
    await page
      .getByRole('navigation', { name: 'Main', exact: true })
      .getByRole('link', { name: 'Annotation layers' })
      .click()
    await heading('No annotation layers yet')
    await look()
    await page.getByRole('main').getByRole('link', { name: 'Annotation layer' }).last().click()
    await dialog('New annotation layer').getByLabel('Name').waitFor()
    await page.keyboard.type('Releases')
    await page.keyboard.press('Tab')
    await page.keyboard.type('What went out, and when')
    await look()
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(/\/annotationlayer\/\d+\/annotation\/$/)
    await heading('Releases')
    await heading('No annotations yet')
    await page.getByText('What went out, and when').waitFor()
    await look()

    await page.getByRole('main').getByRole('link', { name: 'Annotation', exact: true }).last().click()
    const made = dialog('New annotation')
    await made.getByRole('button', { name: 'Create' }).click()
    await made.getByText('Say when it begins').waitFor()
    await made.getByLabel('Name').fill('Version 1')
    await times(made, '2014-03-01T08:00', '2014-02-01T08:00')
    await made.getByText('The end is before the start').waitFor()
    await made.getByLabel('JSON metadata').fill('{"by":')
    await made.getByLabel('Description').fill('The first one')
    await made.getByText('This is not valid JSON').waitFor()
    await look()
    await made.getByLabel('JSON metadata').fill('{"by": "shop"}')
    await made.getByLabel('End (UTC)').fill('2014-03-01T09:30')
    await made.getByLabel('Name').press('Enter')
    await toast('Saved: Version 1')
    await expect.poll(names).toEqual(['Version 1'])

    await page.getByRole('main').getByRole('link', { name: 'Annotation', exact: true }).click()
    await made.getByLabel('Name').fill('Version 1')
    await made.getByLabel('Start (UTC)').fill('2014-09-01T08:00')
    expect(await made.getByLabel('End (UTC)').inputValue()).toBe('2014-09-01T08:00')
    await made.getByLabel('Name').press('Enter')
    await made.getByText('Short description must be unique for this layer').waitFor()
    await made.getByLabel('Name').fill('Version 2')
    await made.getByLabel('Name').press('Enter')
    await toast('Saved: Version 2')
    await expect.poll(names).toEqual(['Version 2', 'Version 1'])
    await closeToasts()
    await look()

    await page.keyboard.press('j')
    await page.keyboard.press('e')
    const edited = dialog('Edit annotation')
    await edited.getByLabel('Name').fill('Version 2.0')
    await edited.getByLabel('Name').press('Enter')
    await toast('Saved: Version 2.0')
    await expect.poll(names).toEqual(['Version 2.0', 'Version 1'])
    await search().fill('first one')
    await expect.poll(names).toEqual(['Version 1'])
    await page.goto('/annotationlayer/list/')
    await link('Releases').waitFor()
    await look()

    const again = await chosenInExplore()
    await again.getByRole('combobox', { name: /^Annotation layer( required)?$/ }).click()
    await page.getByRole('option', { name: 'Releases' }).click()
    await again.getByRole('textbox', { name: 'Name' }).fill('Went out')
    await again.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('group', { name: 'Legend' }).getByRole('button', { name: 'Went out' }).waitFor()
    await page.locator('figure[aria-busy=false]').first().waitFor()
    expect(await page.getByRole('button', { name: /could not be drawn/ }).count()).toBe(0)

    await page.goto('/annotationlayer/list/')
    await link('Releases').click()
    await menuOf('Version 1')
    await choose('Delete')
    await question().getByText('Charts that show the layer Releases no longer mark it.').waitFor()
    await question().getByRole('button', { name: 'Delete annotation' }).click()
    await toast('Deleted: Version 1')
    const here = page.url()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Annotation layers' }).click()
    await page.getByRole('checkbox', { name: 'Select Releases' }).check()
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
    await question().getByText('1 annotation goes with it.').waitFor()
    await question().getByLabel('Type Releases to go on').fill('Releases')
    await question().getByRole('button', { name: 'Delete annotation layer' }).click()
    await toast('Deleted: Releases')
    await heading('No annotation layers yet')
    // The name that the layer had already.
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([])

    await page.goto(here)
    await heading('This annotation layer is gone')
    await look()
    await page.getByRole('link', { name: 'All annotation layers' }).click()
    await heading('No annotation layers yet')
    expect([...barriers]).toEqual([])
  })
})
