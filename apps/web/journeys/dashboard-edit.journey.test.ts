import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { axeFindings, intercept, openBrowser, signedIn } from './browser.ts'
import { dashboardTools } from './dashboards.ts'
import { addUser, examplesLoaded, signIn, startProduct, type Product } from './product.ts'

let product: Product
let browser: Browser
let page: Page
let client: Awaited<ReturnType<typeof signIn>>
let at: ReturnType<typeof dashboardTools>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await examplesLoaded(product.url)
  client = await signIn(product.url, 'admin')
  page = await signedIn(browser, product.url)
  at = dashboardTools(page, client)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const three = ['Penguins', 'Penguins by species', 'Penguins by island']
const save = async () => {
  await at.button('Save').click()
  await at.said('This dashboard was saved successfully.')
}
const edit = async (id: number) => {
  await at.open(id, '?edit=true')
  await at.button('Save').waitFor()
}
const whole = /api\/v1\/dashboard\/\d+$/

it('DASH-003, DASH-008, DASH-020, DASH-022, DASH-058, CHART-014, CHART-015: charts are added from the panel, undone and redone', async () => {
  const id = await at.boardOf('Built by hand', [])
  await at.openEmpty(id)
  await at.button('Add your first chart').click()
  await at.button('Add Penguins').click()
  await at.tile('Penguins').waitFor()
  await at.button('Add Penguins by species').click()
  await at.tile('Penguins by species').waitFor()
  await at.button('Undo').click()
  await expect.poll(() => at.tile('Penguins by species').count()).toBe(0)
  await at.button('Redo').click()
  await at.tile('Penguins by species').waitFor()
  await at.answered()
  expect(await axeFindings(page)).toEqual([])

  await at.said('Unsaved changes')
  await save()
  expect(await at.rows(id)).toEqual(['Penguins 4 | Penguins by species 4'])
})

it('DASH-041, regression: a chart that an empty dashboard leads to is saved onto it from Explore, with a name that says what it shows', async () => {
  const id = await at.boardOf('Waiting for its first', [])
  await at.openEmpty(id)
  await page.getByRole('link', { name: 'Create a chart' }).click()
  await page
    .getByRole('link', { name: /^penguins/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Start on my own' }).click()
  await page.waitForURL(/\/explore\//)
  await page.getByRole('heading', { level: 1, name: 'New chart' }).waitFor()
  await at.answered()
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Save chart' })
  const goal = dialog.getByRole('combobox', { name: 'Add to dashboard' })
  await expect.poll(() => goal.inputValue()).toBe('Waiting for its first')
  expect(await dialog.getByLabel('Chart name').inputValue()).not.toBe('')
  await at.button('Save & go to dashboard').click()
  await page.waitForURL(`**/superset/dashboard/${id}/`)
  await at.answered()
  expect(await page.locator('main figure').count()).toBe(1)
})

it('regression: the filters leave their room to the layout while it is edited, and can be opened beside it', async () => {
  const bar = page.getByRole('complementary', { name: 'Filters', exact: true })
  const id = await at.boardOf('Room', three)
  await at.open(id)
  await bar.waitFor()
  await at.button('Edit').click()
  await at.button('Save').waitFor()
  expect(await bar.count()).toBe(0)
  await at.button('Filters').click()
  await bar.waitFor()
  await at.button('Hide filters').click()
  await at.button('Stop editing').click()
  await bar.waitFor()
})

it('DASH-011, DASH-014, DASH-055, DASH-056, DASH-057, DASH-086: saving tells so, shows that it runs, and starts a new history', async () => {
  const id = await at.boardOf('Saved', three)
  await edit(id)
  await at.button('More actions for Penguins').click()
  await at.choose('Remove')
  await at.said('Unsaved changes')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await intercept(page, whole, async (route) => {
    if (route.request().method() === 'PUT') await held
    await route.continue()
  })
  await at.button('Save').click()
  await at.said('Saving…')
  release()
  await at.said('This dashboard was saved successfully.')
  await page.unroute(whole)
  expect(new URL(page.url()).pathname).toBe(`/superset/dashboard/${id}/`)
  expect(await page.getByText('Unsaved changes').count()).toBe(0)
  await at.button('Edit').click()
  await expect.poll(() => at.button('Undo').getAttribute('aria-disabled')).toBe('true')
  expect(await at.rows(id)).toEqual(['Penguins by species 4 | Penguins by island 4'])
})

it('DASH-061: a chart is dragged from the panel, between rows, and made wider at its edge; each is one step back', async () => {
  const id = await at.boardOf('Dragged', ['Penguins', 'Penguins by species'])
  await edit(id)
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.move(to.x, to.y, { steps: 8 })
    await page.mouse.up()
  }
  const middle = async (locator: ReturnType<Page['locator']>) => {
    const { x, y, width, height } = (await locator.boundingBox())!
    return { x: x + width / 2, y: y + height / 2, left: x, right: x + width, bottom: y + height }
  }
  const item = page.getByRole('listitem').filter({ hasText: 'Measures by species' })
  await item.scrollIntoViewIfNeeded()
  const first = await middle(at.tile('Penguins'))
  await drag(await middle(item), { x: first.x, y: first.bottom + 40 })
  await at.tile('Measures by species').waitFor()

  const species = await middle(at.tile('Penguins by species'))
  const handle = await middle(at.button('Move Penguins', page))
  await drag(handle, { x: species.right - 4, y: species.y })
  await expect
    .poll(async () => (await at.tile('Penguins').boundingBox())!.x)
    .toBeGreaterThan((await at.tile('Penguins by species').boundingBox())!.x)

  const moved = await middle(at.tile('Penguins'))
  const before = (await at.tile('Penguins').boundingBox())!.width
  await drag({ x: moved.right - 2, y: moved.y }, { x: moved.right + 180, y: moved.y })
  await expect.poll(async () => (await at.tile('Penguins').boundingBox())!.width).toBeGreaterThan(before + 100)
  await save()
  const rows = await at.rows(id)
  expect(rows[0]).toMatch(/^Penguins by species 4 \| Penguins [67]$/)
  expect(rows[1]).toMatch(/^Measures by species \d+$/)
})

it('the keyboard does the same: Space picks up, arrows move, Shift and arrows resize, Enter drops, Escape puts back', async () => {
  const id = await at.boardOf('By keyboard', three)
  await edit(id)
  const handle = page.getByRole('button', { name: 'Move Penguins', exact: true })
  await handle.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  expect(await at.button('Undo').getAttribute('aria-disabled')).toBe('true')
  await handle.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await page
    .getByRole('status')
    .getByText(/Penguins/)
    .first()
    .waitFor({ state: 'attached' })
  await page.keyboard.press('Control+s')
  await at.said('This dashboard was saved successfully.')
  expect(await at.rows(id)).toEqual(['Penguins by species 4 | Penguins 3 | Penguins by island 4'])
})

it('DASH-004, DASH-006, DASH-049: headers and dividers stand between rows', async () => {
  const id = await at.boardOf('With a header', ['Penguins'])
  await edit(id)
  await page.getByText('Layout', { exact: true }).click()
  await at.button('Add Header').click()
  await at.button('Add Divider').click()
  const text = page.getByRole('textbox', { name: 'Header text' })
  expect(await text.inputValue()).toBe('New header')
  await text.fill('About penguins')
  await text.press('Enter')
  await save()
  expect(await at.rows(id)).toEqual(['Penguins 4', 'About penguins', 'DIVIDER'])
  await page.getByRole('heading', { name: 'About penguins' }).waitFor()
})

it('discarding asks with the number of changes, and then gives back what was saved', async () => {
  const id = await at.boardOf('Discarded', three)
  await edit(id)
  await at.button('More actions for Penguins').click()
  await at.choose('Remove')
  await at.button('Discard').click()
  await page.getByRole('alertdialog').getByText('Discard 1 change?').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard 1 change' }).click()
  await at.tile('Penguins').waitFor()
  await at.button('Edit').waitFor()
})

it('DASH-053: leaving asks, a reload offers the changes again, and restoring them loses nothing', async () => {
  const id = await at.boardOf('Kept', three)
  await edit(id)
  await at.button('More actions for Penguins').click()
  await at.choose('Remove')
  await page.getByRole('navigation').getByRole('link', { name: 'Charts' }).first().click()
  const ask = page.getByRole('alertdialog')
  await ask.getByText('Leave with unsaved changes?').waitFor()
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await at.said('Unsaved changes')

  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(`/superset/dashboard/${id}/`)
  await at.answered()
  await at.said(/Restore changes from/)
  expect(await page.locator('figure').count()).toBe(3)
  await at.button('Restore').click()
  await expect.poll(() => page.locator('figure').count()).toBe(2)
  await save()
  expect(await at.rows(id)).toEqual(['Penguins by species 4 | Penguins by island 4'])
})

it('restored changes do not silently overwrite what somebody saved in between', async () => {
  const id = await at.boardOf('Kept too long', three)
  await edit(id)
  await at.button('More actions for Penguins').click()
  await at.choose('Remove')
  await at.said('Unsaved changes')
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, `parquetry.dashboard.draft.${id}.1`)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto('/superset/welcome/')
  expect((await client.put(`/api/v1/dashboard/${id}`, { dashboard_title: 'Of somebody else' })).status).toBe(200)
  await at.open(id)
  await at.said(/The dashboard was saved since then/)
  await at.button('Restore').click()
  await at.button('Save').click()
  const dialog = page.getByRole('alertdialog', { name: 'This dashboard has changed' })
  await dialog.getByText('Of somebody else').first().waitFor()
  await dialog.getByRole('button', { name: 'Take theirs' }).click()
  await expect.poll(() => page.locator('figure').count()).toBe(3)
  await page.getByRole('heading', { level: 1, name: 'Of somebody else' }).waitFor()
})

it('DASH-071: who saves over another’s changes is shown both and asked; nothing is lost either way', async () => {
  const id = await at.boardOf('Shared work', three)
  await edit(id)
  await at.button('More actions for Penguins').click()
  await at.choose('Remove')
  expect((await client.put(`/api/v1/dashboard/${id}`, { dashboard_title: 'Renamed meanwhile' })).status).toBe(200)
  await at.button('Save').click()
  const dialog = page.getByRole('alertdialog', { name: 'This dashboard has changed' })
  await dialog.getByText('Renamed meanwhile').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await at.said('Unsaved changes')
  expect((await at.stored(id)).dashboard_title).toBe('Renamed meanwhile')
  await at.button('Save').click()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await at.said('Please confirm the overwrite values.')
  await at.button('Overwrite').click()
  await at.said('This dashboard was saved successfully.')
  expect(await at.rows(id)).toEqual(['Penguins by species 4 | Penguins by island 4'])
})

it('DASH-077, DASH-078, DASH-080: a save that fails says why, and keeps what was edited', async () => {
  const id = await at.boardOf('Fails', three)
  await edit(id)
  await at.button('More actions for Penguins').click()
  await at.choose('Remove')
  await at.refuse(whole, 'PUT', 422, { message: 'the disk is full' })
  await at.button('Save').click()
  await at.said('Sorry, there was an error saving this dashboard: the disk is full')
  await at.refuse(whole, 'PUT', 403, { message: 'Forbidden' })
  await at.button('Save').click()
  await at.said('You do not have permission to edit this dashboard')
  await intercept(page, whole, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { nothing: true } }) : route.fulfill({ json: {} }),
  )
  await at.button('Save').click()
  await at.said('Sorry, there was an error saving this dashboard: Sorry, an unknown error occurred')
  await page.unroute(whole)
  await at.said('Unsaved changes')
  await save()
})

it('DASH-033, DASH-034, DASH-035, DASH-037, DASH-038, DASH-039, DASH-040: properties are changed in a dialog', async () => {
  const id = await at.boardOf('Before', ['Penguins'])
  await at.open(id)
  await at.button('More actions').click()
  await at.choose('Properties')
  const dialog = page.getByRole('dialog', { name: 'Dashboard properties' })
  await dialog.getByLabel('Title').fill('After')
  await dialog.getByLabel('Short address').fill('after')
  await dialog.getByLabel('Certified by').fill('The birds')
  await dialog.getByLabel('Certification details').fill('Counted twice')
  await dialog.getByRole('combobox', { name: 'Color scheme' }).click()
  await page.getByRole('option', { name: 'Superset Colors', exact: true }).click()
  expect(await dialog.getByLabel('Roles').count(), 'only with DASHBOARD_RBAC').toBe(0)
  await dialog.getByText('Advanced').click()
  await dialog.getByLabel('CSS').fill('.header { color: red }')
  const metadata = dialog.getByLabel('JSON metadata')
  const text = JSON.parse(await metadata.inputValue()) as object
  await metadata.fill(JSON.stringify({ ...text, refresh_frequency: 300 }))
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.said('The properties were saved')
  const after = await at.stored(id)
  expect(after).toMatchObject({
    dashboard_title: 'After',
    slug: 'after',
    certified_by: 'The birds',
    certification_details: 'Counted twice',
    css: '.header { color: red }',
  })
  expect(after.owners).toHaveLength(1)
  expect(JSON.parse(after.json_metadata)).toMatchObject({ color_scheme: 'supersetColors', refresh_frequency: 300 })
  await at.button('Every 5 minutes').waitFor()
})

it('DASH-081, DASH-082, DASH-094: the panel asks for 200 charts a page, and says why it has none', async () => {
  const id = await at.boardOf('Panel', ['Penguins'])
  await at.refuse(/api\/v1\/chart\/\?/, 'GET', 500, { message: 'the store is away' })
  const asked = page.waitForRequest((request) => /api\/v1\/chart\/\?/.test(request.url()))
  await at.open(id, '?edit=true')
  expect(decodeURIComponent((await asked).url())).toContain('page_size:200')
  await at.said('Could not fetch all saved charts')
  await at.said(/Sorry there was an error fetching saved charts: the store is away/)
  await at.button('Try again').click()
  await at.button('Add Measures by species').waitFor()
})

it('DASH-070: a chart without a definition is refused', async () => {
  const id = await at.boardOf('No definition', ['Penguins'])
  await intercept(page, /api\/v1\/chart\/\?/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { result: object[] }
    await route.fulfill({
      response: answer,
      json: { ...body, result: body.result.map((c) => ({ ...c, viz_type: null })) },
    })
  })
  await at.open(id, '?edit=true')
  await at.button('Add Measures by species').click()
  await at.said('Sorry, there is no chart definition associated with the chart trying to be added.')
  await page.unroute(/api\/v1\/chart\/\?/)
})

it('NATF-004, NATF-006, NATF-008, NATF-012, NATF-015: filters are added, edited and removed in a dialog', async () => {
  const id = await at.boardOf('To be filtered', three)
  await at.open(id)
  await at.button('Add and edit filters').click()
  const dialog = page.getByRole('dialog', { name: 'Filters' })
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
  await at.choose('Value')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Choose a column').or(dialog.getByText('Choose a dataset')).first().waitFor()
  await dialog.getByRole('combobox', { name: 'Dataset' }).click()
  await page
    .getByRole('option', { name: /penguins/ })
    .first()
    .click()
  await dialog.getByRole('combobox', { name: 'Column' }).click()
  await page
    .getByRole('option', { name: /[Ii]sland/ })
    .first()
    .click()
  await dialog.getByLabel('Name').fill('Where')
  await dialog.getByRole('button', { name: 'Divider' }).click()
  await dialog.getByLabel('Title').fill('Places')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.said('The filters were saved')
  await page.getByRole('heading', { name: 'Places' }).waitFor()
  await page.getByRole('combobox', { name: 'Where' }).click()
  await page.getByRole('option', { name: /^Dream/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => at.tile('Penguins').textContent()).toContain('124')

  await at.button('Add and edit filters').click()
  await dialog.getByRole('button', { name: 'Remove Places' }).click()
  await dialog.getByText('Places removed').waitFor()
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await dialog.getByRole('button', { name: 'Remove Places' }).click()
  await expect.poll(() => dialog.getByText('Places').count(), { timeout: 8000 }).toBe(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByRole('heading', { name: 'Places' }).count()).toBe(0)
  const { native_filter_configuration } = JSON.parse((await at.stored(id)).json_metadata)
  expect(native_filter_configuration.map(({ name }: { name: string }) => name)).toEqual(['Where'])
})

it('regression: a filter is two clicks, of a column or of time, and the field of a time opens by a click', async () => {
  const id = await at.boardOf('Two clicks', three)
  await at.open(id)
  await at.button('Add a filter').click()
  await page.getByRole('option', { name: /^island/i }).click()
  await at.said('The filters were saved')
  await page.getByRole('combobox', { name: 'Island' }).click()
  await page.getByRole('option', { name: /^Dream/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => at.tile('Penguins').textContent()).toContain('124')

  await at.button('Add a filter').click()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('option', { name: 'Time range' }).click()
  const field = page.getByRole('textbox', { name: 'Time range' })
  await field.click()
  const range = page.getByRole('dialog', { name: 'Time range' })
  await range.getByRole('radio', { name: /last quarter/i }).waitFor()
  await page.keyboard.type('2024-05')
  await range.getByText('2024-05-01 ≤ time < 2024-06-01 UTC').waitFor()
  await page.keyboard.press('Enter')
  await range.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('2024-05-01 : 2024-06-01')
  const { native_filter_configuration } = JSON.parse((await at.stored(id)).json_metadata)
  expect(native_filter_configuration).toMatchObject([
    { name: 'Island', filterType: 'filter_select', targets: [{ column: { name: 'island' } }] },
    { name: 'Time range', filterType: 'filter_time' },
  ])
})

it('NATF-016: the scope lists a chart that was just added and not saved yet', async () => {
  const id = await at.boardOf('To grow', ['Penguins'])
  await edit(id)
  await at.button('Add Penguins by species').click()
  await at.tile('Penguins by species').waitFor()
  await at.button('Filters').click()
  await at.button('Add and edit filters').click()
  const dialog = page.getByRole('dialog', { name: 'Filters' })
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
  await at.choose('Time range')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('When')
  await dialog.getByRole('checkbox', { name: 'Penguins', exact: true }).click()
  await dialog.getByText('1 of 2').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.said('The filters take effect when the dashboard is saved')
  await save()
  const { native_filter_configuration } = JSON.parse((await at.stored(id)).json_metadata)
  const penguins = await at.chartNamed('Penguins')
  expect(native_filter_configuration).toMatchObject([{ name: 'When', scope: { excluded: [penguins] } }])
})

it('regression: a dataset was shown as chosen that a filter did not have, and saving asked for it', async () => {
  const id = await at.boardOf('Grains', ['Penguins'])
  await at.open(id)
  await at.button('Add and edit filters').click()
  const dialog = page.getByRole('dialog', { name: 'Filters' })
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
  await at.choose('Time grain')
  expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Time grain')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.said('The filters were saved')
  const { native_filter_configuration } = JSON.parse((await at.stored(id)).json_metadata)
  const dataset = (await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:penguins)))')).body
  expect(native_filter_configuration).toMatchObject([
    { name: 'Time grain', filterType: 'filter_timegrain', targets: [{ datasetId: dataset.result[0].id }] },
  ])
})

it('NATF-011: a filter that others depend on is not removed, and the reason is said', async () => {
  const { id: dataset } = (await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:penguins)))'))
    .body.result[0]
  const filter = (id: string, name: string, column: string, parents: string[]) => ({
    id: `NATIVE_FILTER-${id}`,
    type: 'NATIVE_FILTER',
    name,
    filterType: 'filter_select',
    targets: [{ datasetId: dataset, column: { name: column } }],
    cascadeParentIds: parents.map((parent) => `NATIVE_FILTER-${parent}`),
    scope: { rootPath: ['ROOT_ID'], excluded: [] },
    controlValues: {},
    defaultDataMask: {},
  })
  const native_filter_configuration = [filter('a', 'Island', 'island', []), filter('b', 'Species', 'species', ['a'])]
  await at.open(await at.boardOf('Dependent', ['Penguins'], { native_filter_configuration }))
  await at.button('Add and edit filters').click()
  await page.getByRole('dialog', { name: 'Filters' }).getByRole('button', { name: 'Remove Island' }).click()
  const warning = page.getByRole('alertdialog', { name: 'This filter cannot be removed' })
  await warning.getByText('The values of Species depend on this filter. Remove that dependence first.').waitFor()
  await warning.getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Remove Species' }).click()
  await page.getByText('Species removed').waitFor()
  await page.getByRole('button', { name: 'Remove Island' }).click()
  await page.getByText('Island removed').waitFor()
})

it('NATF-010, NATF-013, DASH-084: a filter configuration that cannot be saved says so, saves nothing and stays open', async () => {
  const id = await at.boardOf('Not saved', ['Penguins'])
  await at.open(id)
  await at.button('Add and edit filters').click()
  const dialog = page.getByRole('dialog', { name: 'Filters' })
  await dialog.getByRole('button', { name: 'Divider' }).click()
  await dialog.getByLabel('Title').fill('Places')
  await at.refuse(whole, 'PUT', 422, { message: 'no room' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.said(/no room/)
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Places')
  expect((await at.stored(id)).json_metadata).not.toContain('Places')
})

it('DASH-017, DASH-018: edit=true opens editing for those who may, and nobody else', async () => {
  const id = await at.boardOf('Whose', ['Penguins'])
  await edit(id)
  addUser(product, 'analyst', 'Alpha')
  const other = await signedIn(browser, product.url, { username: 'analyst' })
  await at.open(id, '?edit=true', other)
  await expect.poll(() => at.tile('Penguins', other).textContent()).toContain('344')
  expect(await other.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  expect(await other.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
  await other.context().close()
})

it('a new dashboard opens untitled and empty, for editing, and goes when nothing is done to it', async () => {
  await page.goto('/dashboard/new/')
  await page.getByRole('heading', { name: '[ untitled dashboard ]' }).waitFor()
  await at.said('Drag charts here')
  const id = /^\/superset\/dashboard\/(\d+)\/$/.exec(new URL(page.url()).pathname)?.[1]
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'Dashboards' }).first().click()
  await page.waitForURL(/\/dashboard\/list\//)
  await expect.poll(async () => (await client.get(`/api/v1/dashboard/${id}`)).status).toBe(404)
  await page.goBack()
  await at.said('Drag charts here')
})

it('DASH-005: text is put between charts, written in its place and moved; HTML in it is cleaned, foreign pictures are links', async () => {
  const id = await at.boardOf('With words', ['Penguins'])
  await edit(id)
  await page.getByText('Layout', { exact: true }).first().click()
  await at.button('Add Text').click()
  await at.button('Write text').click()
  const field = page.getByLabel('Text, written in Markdown')
  await field.fill('## Read me\n\nA <b>bold</b> word <img src="https://img.example.org/x.png" alt="Plan">')
  await field.press('Control+Enter')
  await page.getByRole('heading', { name: 'Read me' }).waitFor()
  await page.getByRole('link', { name: 'Plan (img.example.org)' }).waitFor()
  expect(await page.locator('main b', { hasText: 'bold' }).count()).toBe(1)
  await at.button('Edit text').click()
  await field.press('End')
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' **kept by Escape**')
  await page.keyboard.press('Escape')
  await page.locator('main strong', { hasText: 'kept by Escape' }).waitFor()
  expect(await at.button('Edit text').evaluate((button) => button === document.activeElement)).toBe(true)
  const handle = at.button('Move Text')
  await handle.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await save()
  const nodes = JSON.parse((await at.stored(id)).position_json) as Record<string, { type: string; children: string[] }>
  const kinds = nodes['GRID_ID']!.children.flatMap((row) => nodes[row]!.children.map((child) => nodes[child]!.type))
  expect(kinds).toContain('MARKDOWN')
  expect(kinds[0] === 'MARKDOWN' || kinds.length === 2).toBe(true)
  // A save by keys has what is being written.
  await edit(id)
  await at.button('Edit text').click()
  await field.fill('Written and saved')
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  expect((await at.stored(id)).position_json).toContain('Written and saved')
})

it('DASH-007: tabs are added, named, moved and closed by menu, mouse and keys; closing one is undone', async () => {
  const id = await at.boardOf('With tabs', ['Penguins'])
  await edit(id)
  await page.getByText('Layout', { exact: true }).first().click()
  await at.button('Add Tabs').click()
  const hint = page.getByRole('tabpanel').getByText('Drag charts and text here')
  await hint.waitFor()
  await at.button('Add Text').click()
  await page.getByRole('tabpanel').getByRole('button', { name: 'Write text' }).waitFor()
  await page.keyboard.press('Control+z')
  await hint.waitFor()
  await at.button('Close the Add panel').click()
  await at.button('Add to this tab').focus()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.getByLabel('Find a chart').evaluate((field) => field === document.activeElement))
    .toBe(true)
  await page.keyboard.type('Flights per week')
  await at.button('Add Flights per week').click()
  await page.getByRole('tabpanel').locator('figure[aria-label="Flights per week"]').waitFor()
  expect(await hint.count()).toBe(0)
  await page.keyboard.press('Control+z')
  await hint.waitFor()
  const tabs = page.getByRole('tab', { name: /Tab title|First|Second/ })
  await at.button('Add a tab').click()
  await expect.poll(() => tabs.count()).toBe(2)
  await at.button('Actions for the tab Tab title').click()
  await at.choose('Rename')
  await page.getByLabel('Name of the tab').fill('Second')
  await page.getByLabel('Name of the tab').press('Enter')
  await page.getByRole('tab', { name: 'Second' }).waitFor()
  await at.button('Actions for the tab Second').click()
  await at.choose('Move to the left')
  await expect.poll(() => tabs.allInnerTexts()).toEqual(['Second', 'Tab title'])
  await at.button('Actions for the tab Second').click()
  await at.choose('Close with all in it')
  await expect.poll(() => tabs.count()).toBe(1)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => tabs.allInnerTexts()).toEqual(['Second', 'Tab title'])
  const first = page.getByRole('tab', { name: 'First' })
  await page.getByRole('tab', { name: 'Tab title' }).dblclick()
  await page.getByLabel('Name of the tab').fill('First')
  await page.keyboard.press('Enter')
  await expect.poll(() => first.evaluate((tab) => tab === document.activeElement)).toBe(true)
  await page.keyboard.press('F2')
  await page.getByLabel('Name of the tab').fill('Something else')
  await page.keyboard.press('Escape')
  await expect.poll(() => first.evaluate((tab) => tab === document.activeElement)).toBe(true)
  for (const key of ['Space', 'ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await expect.poll(() => tabs.allInnerTexts()).toEqual(['First', 'Second'])
  const { x, y, width, height } = (await page.getByRole('tab', { name: 'Second' }).boundingBox())!
  await first.hover()
  await page.mouse.down()
  await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 })
  await page.mouse.move(x + width * 0.8, y + height / 2)
  await page.mouse.up()
  await expect.poll(() => tabs.allInnerTexts()).toEqual(['Second', 'First'])
  expect(await axeFindings(page)).toEqual([])
  await save()
  await page.getByText('There is nothing on this tab yet.').waitFor()
  expect(await at.button('Add to this tab').count()).toBe(0)
})
