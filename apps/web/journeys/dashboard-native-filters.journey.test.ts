import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { dashboardApiUrl, editTools } from './dashboard-edit-tools.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof dashboardTools>
let editor: ReturnType<typeof editTools>
let flights: number

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  at = dashboardTools(page, client)
  editor = editTools(page, at)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

it('NATF-001, NATF-003: one value and one time filter change the charts in their scope, and Clear removes both', async () => {
  flights = await at.filteredFlights('Filtered flights')
  await at.open(flights)
  const number = at.tile('Flights')
  await expect.poll(() => number.textContent()).toContain('3M')
  await page.getByRole('combobox', { name: 'From' }).click()
  await page.keyboard.type('SEA')
  await page.getByRole('option', { name: /^SEA/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => number.textContent()).not.toContain('3M')
  const bySea = await number.textContent()

  const time = page.getByRole('textbox', { name: 'Departure' })
  await time.fill('2001-03')
  await time.press('Enter')
  await expect.poll(() => number.textContent()).not.toBe(bySea)
  await at.button('Clear').click()
  await expect.poll(() => number.textContent()).toContain('3M')
})

it('NATF-021, NATF-022: pasted text becomes values, split at commas, semicolons, tabs and lines, without duplicates', async () => {
  const from = page.getByRole('combobox', { name: 'From' })
  await from.click()
  await page.evaluate(() => navigator.clipboard.writeText('SEA,JFK;SEA\tORD\nLAX'))
  await from.press('Control+v')
  await page.keyboard.press('Escape')
  const bar = page.getByRole('complementary', { name: 'Filters' })
  for (const code of ['SEA', 'JFK', 'ORD', 'LAX'])
    await expect.poll(() => bar.getByText(code, { exact: true }).count()).toBe(1)
  await at.button('Clear').click()
})

it('NATF-033, NATF-038: a filter box filters other charts by its default, and by the chosen value once it is applied', async () => {
  const { body } = await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:penguins)))')
  const datasource_id = body.result[0].id as number
  const params = {
    viz_type: 'filter_box',
    datasource: `${datasource_id}__table`,
    date_filter: false,
    filter_configs: [{ column: 'species', label: 'Species', defaultValue: 'Gentoo', multiple: false }],
  }
  const made = await client.post('/api/v1/chart/', {
    slice_name: 'Box of species',
    viz_type: 'filter_box',
    datasource_id,
    datasource_type: 'table',
    params: JSON.stringify(params),
  })
  expect(made.status).toBe(201)
  await at.open(await at.boardOf('By a box', ['Box of species', 'Penguins']))
  const number = at.tile('Penguins')
  await expect.poll(() => number.textContent()).toContain('124')
  await page.getByRole('combobox', { name: 'Species' }).click()
  await page.getByRole('option', { name: 'Chinstrap' }).click()
  await at.tile('Box of species').getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => number.textContent()).toContain('68')
  expect(await findAxeViolations(page)).toEqual([])
  await page.getByRole('button', { name: /^Remove Box of species/ }).click()
  await expect.poll(() => number.textContent()).toContain('344')
})

it('DASH-015: filters in the URL are applied from the start', async () => {
  const mask = `(NATIVE_FILTER-flights-origin:(extraFormData:(filters:!((col:origin,op:IN,val:!(SEA)))),filterState:(value:!(SEA)),id:NATIVE_FILTER-flights-origin,ownState:()))`
  await at.open(flights, `?native_filters=${encodeURIComponent(mask)}`)
  expect(await at.tile('Flights').textContent()).not.toContain('3M')
  await page.getByRole('complementary', { name: 'Filters' }).getByText('SEA', { exact: true }).waitFor()
})

it('regression: the filters make space for the layout in edit mode, and can be opened beside it', async () => {
  const bar = page.getByRole('complementary', { name: 'Filters', exact: true })
  const id = await at.boardOf('Room', ['Penguins'])
  await at.open(id)
  // Without filters the bar is an edge with a button.
  expect((await at.button('Add a filter').boundingBox())!.width).toBeLessThanOrEqual(32)
  expect(await bar.count()).toBe(0)
  await at.button('Add a filter').click()
  await page.getByRole('option', { name: /^island/i }).click()
  await at.waitForText('Filters saved')
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

it('NATF-004, NATF-006, NATF-008, NATF-012, NATF-015: filters are added, edited and removed in a dialog', async () => {
  const id = await at.boardOf('To be filtered', ['Penguins'])
  await at.open(id)
  await at.button('Add and edit filters').click()
  const dialog = page.getByRole('dialog', { name: 'Add and edit filters' })
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
  expect(await findAxeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.waitForText('Filters saved')
  await page.getByRole('heading', { name: 'Places' }).waitFor()
  await page.getByRole('combobox', { name: 'Where' }).click()
  await page.getByRole('option', { name: /^Dream/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => at.tile('Penguins').textContent()).toContain('124')

  await at.button('Add and edit filters').click()
  await dialog.getByRole('button', { name: 'Remove Places' }).click()
  await dialog.getByText('Places removed').waitFor()
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await page.clock.install()
  await dialog.getByRole('button', { name: 'Remove Places' }).click()
  await dialog.getByText('Places removed').waitFor()
  // Undo is offered for five seconds.
  await page.clock.runFor(5000)
  await expect.poll(() => dialog.getByText('Places').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByRole('heading', { name: 'Places' }).count()).toBe(0)
  const { native_filter_configuration } = JSON.parse((await at.stored(id)).json_metadata)
  expect(native_filter_configuration.map(({ name }: { name: string }) => name)).toEqual(['Where'])
})

it('regression: a column or time filter is added with two clicks, and its time field opens with one', async () => {
  const id = await at.boardOf('Two clicks', ['Penguins', 'Flights'])
  await at.open(id)
  await at.button('Add a filter').click()
  await page.getByRole('option', { name: /^island/i }).click()
  await at.waitForText('Filters saved')
  await page.getByRole('combobox', { name: 'Island' }).click()
  await page.getByRole('option', { name: /^Dream/ }).click()
  await page.keyboard.press('Escape')
  await expect.poll(() => at.tile('Penguins').textContent()).toContain('124')

  await at.button('Add a filter').click()
  expect(await findAxeViolations(page)).toEqual([])
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

  // Fractions are a range, and so are more numbers than a list loads.
  for (const name of ['Beak length (mm)', 'Distance (miles)']) {
    await at.button('Add a filter').click()
    await page.getByRole('option', { name }).click()
    await page.getByRole('spinbutton', { name: `${name}: From` }).waitFor()
  }
  const { native_filter_configuration } = JSON.parse((await at.stored(id)).json_metadata)
  expect(native_filter_configuration).toMatchObject([
    { name: 'Island', filterType: 'filter_select', targets: [{ column: { name: 'island' } }] },
    { name: 'Time range', filterType: 'filter_time' },
    { name: 'Beak length (mm)', filterType: 'filter_range' },
    { name: 'Distance (miles)', filterType: 'filter_range' },
  ])
})

it('NATF-016: the scope lists a chart that was just added and is not saved yet', async () => {
  const id = await at.boardOf('To grow', ['Penguins'])
  await editor.edit(id)
  await at.button('Add Penguins by species').click()
  await at.tile('Penguins by species').waitFor()
  await at.button('Add and edit filters').click()
  const dialog = page.getByRole('dialog', { name: 'Add and edit filters' })
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
  await at.choose('Time range')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('When')
  await dialog.getByRole('checkbox', { name: 'Penguins', exact: true }).click()
  await dialog.getByText('1 of 2').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.waitForText('Filter changes take effect when you save the dashboard')
  await editor.save()
  const { native_filter_configuration } = JSON.parse((await at.stored(id)).json_metadata)
  const penguins = await at.chartNamed('Penguins')
  expect(native_filter_configuration).toMatchObject([{ name: 'When', scope: { excluded: [penguins] } }])
})

it('regression: a new filter has the dataset that is shown as selected, and can be saved', async () => {
  const id = await at.boardOf('Grains', ['Penguins'])
  await at.open(id)
  await at.button('Add and edit filters').click()
  const dialog = page.getByRole('dialog', { name: 'Add and edit filters' })
  await dialog.getByRole('button', { name: 'Filter', exact: true }).click()
  await at.choose('Time grain')
  expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Time grain')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.waitForText('Filters saved')
  const { native_filter_configuration } = JSON.parse((await at.stored(id)).json_metadata)
  const dataset = (await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:penguins)))')).body
  expect(native_filter_configuration).toMatchObject([
    { name: 'Time grain', filterType: 'filter_timegrain', targets: [{ datasetId: dataset.result[0].id }] },
  ])
})

it('NATF-011: a filter that others depend on cannot be removed, and the reason is shown', async () => {
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
  await page
    .getByRole('dialog', { name: 'Add and edit filters' })
    .getByRole('button', { name: 'Remove Island' })
    .click()
  const warning = page.getByRole('alertdialog', { name: 'Can’t remove this filter' })
  await warning.getByText('The values of Species depend on this filter. Remove the dependency first.').waitFor()
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
  const dialog = page.getByRole('dialog', { name: 'Add and edit filters' })
  await dialog.getByRole('button', { name: 'Divider' }).click()
  await dialog.getByLabel('Title').fill('Places')
  await at.refuse(dashboardApiUrl, 'PUT', 422, { message: 'no room' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await at.waitForText(/no room/)
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Places')
  expect((await at.stored(id)).json_metadata).not.toContain('Places')
})
