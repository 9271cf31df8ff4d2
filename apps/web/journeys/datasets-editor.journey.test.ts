import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { datasetTools } from './datasets-tools.ts'
import { addUser, createApiClient, startProduct, type Product } from './product.ts'
import { rawColumnCount, rawColumnNames, buildRawCsv, uploadTable } from './raw-table.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let admin: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof datasetTools>
let raw: number
let sqlDataset: number
let chart: number

beforeAll(async () => {
  product = await startProduct({ env: { PARQUETRY_EXAMPLES: '0' } })
  addUser(product, 'bea', 'Alpha')
  browser = await openBrowser()
  admin = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url, { permissions: ['clipboard-read', 'clipboard-write'] })
  at = datasetTools(page, admin)
  raw = await uploadTable(page, admin, 'raw_orders', buildRawCsv())
  const sql = 'SELECT c01_day AS day, c02_rgn AS region, c03_amt AS amount FROM raw_orders'
  sqlDataset = await at.addSqlDataset(raw, 'by region', sql)
  const body = { viz_type: 'table', datasource_id: sqlDataset, datasource_type: 'table' }
  const params = { viz_type: 'table', datasource: `${sqlDataset}__table`, groupby: ['region'], metrics: ['count'] }
  chart = (await admin.post('/api/v1/chart/', { ...body, slice_name: 'Regions', params: JSON.stringify(params) })).body
    .id
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

/** Presses `key` until an element that matches `selector` has the focus. */
async function tabTo(selector: string, key = 'Tab'): Promise<void> {
  for (let n = 0; n < 40; n += 1) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} did not lead to ${selector}`)
}

it('an owner documents a raw table by keyboard alone: 40 columns and a metric', async () => {
  const typed = 5
  await at.edit(raw)
  await at.grid().waitFor()
  await expect.poll(() => at.grid().getAttribute('aria-rowcount')).toBe(String(rawColumnCount + 1))
  await tabTo('[role=grid]')
  // The first labels are typed ...
  for (let n = 1; n <= typed; n += 1) {
    await page.keyboard.type(`Label ${n}`)
    await page.keyboard.press('Enter')
  }
  // ... and the others are pasted from a spreadsheet, with descriptions.
  const cells = rawColumnNames
    .slice(typed)
    .map((_, index) => `Label ${index + typed + 1}\tWhat ${index + typed + 1} means`)
  await page.evaluate((text) => navigator.clipboard.writeText(text), cells.join('\n'))
  await page.keyboard.press('Control+v')
  await expect.poll(() => at.cell('c21_day', 2).textContent()).toBe('What 21 means')
  // One undo and one redo cover the entire paste.
  await page.keyboard.press('Control+z')
  await expect.poll(() => at.cell('c21_day', 1).textContent()).toBe('')
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(() => at.cell('c21_day', 1).textContent()).toBe('Label 21')
  // Space toggles a checkbox, and filling down sets a folder for three rows.
  await page.keyboard.press('Control+Home')
  for (let n = 0; n < 6; n += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect.poll(() => at.cell('c01_day', 5).getByRole('checkbox').getAttribute('aria-checked')).toBe('false')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('Sales/Days')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Control+d')
  await expect.poll(() => at.cell('c03_amt', 7).textContent()).toBe('Sales / Days')
  // A metric is tested on the data while it is typed.
  await tabTo('[role=tab]', 'Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tab', { name: /^Metrics/, selected: true }).waitFor()
  await page.keyboard.press('Tab')
  for (let n = 0; n < 4; n += 1) {
    if ((await page.evaluate(() => document.activeElement?.textContent?.trim())) === 'Add metric') break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Details of metric' }).waitFor()
  await page.getByRole('alert').filter({ hasText: 'Enter a SQL expression' }).waitFor()
  await page.keyboard.type('revenue')
  await page.keyboard.press('Tab')
  await page.keyboard.type('SUM(c03_amt) / 0 FROM')
  await page.getByRole('alert').filter({ hasText: /./ }).first().waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('SUM(c03_amt)')
  await page.getByText(/^Returns /).waitFor()
  // Closing the details returns the focus to the rows.
  await page.getByRole('button', { name: 'Close details' }).focus()
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Details of revenue' }).waitFor({ state: 'detached' })
  expect(await at.grid().evaluate((rows) => rows === document.activeElement)).toBe(true)
  await page.keyboard.press('Control+s')
  await at.alertDialog('Confirm save').getByText('No charts or dashboards use this dataset yet.').waitFor()
  await page.keyboard.press('Escape')
  await at.save()

  const { columns, metrics, folders } = await at.detailOf(raw)
  const labels = Object.fromEntries(
    columns.map((each: Record<string, string>) => [each['column_name'], [each['verbose_name'], each['description']]]),
  )
  expect(Object.keys(labels)).toHaveLength(rawColumnCount)
  rawColumnNames.forEach((name, index) =>
    expect(labels[name], name).toEqual([`Label ${index + 1}`, index < typed ? null : `What ${index + 1} means`]),
  )
  expect(columns.find((each: { column_name: string }) => each.column_name === 'c01_day').filterable).toBe(false)
  expect(metrics.find((each: { metric_name: string }) => each.metric_name === 'revenue').expression).toBe(
    'SUM(c03_amt)',
  )
  expect(folders[0]).toMatchObject({ name: 'Sales', children: [{ name: 'Days', children: [{}, {}, {}] }] })
})

describe('the editor', () => {
  it('shows data profiles, usage and every setting, and axe finds nothing', async () => {
    await at.edit(raw, 'overview')
    await page.getByText(/^300 rows as of /).waitFor()
    const row = page.getByRole('row', { name: /c03_amt/ })
    expect(await row.getByRole('cell').nth(1).textContent()).toBe('10%')
    await row.getByRole('img', { name: /^Distribution of values from/ }).waitFor()
    for (const tab of ['Columns', 'Metrics', 'Source', 'Usage', 'Settings']) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
      await page.getByRole('tabpanel').waitFor()
      expect(await findAxeViolations(page), tab).toEqual([])
    }
  })

  it('keeps unsaved work after a reload, asks before leaving, and can discard it', async () => {
    await at.edit(raw, 'settings')
    await page.getByLabel('Description').fill('Orders as they come')
    await page.getByText('Unsaved changes').waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('Your unsaved changes were restored.').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Orders as they come')
    await page.getByRole('link', { name: 'Datasets' }).first().click()
    await at.alertDialog('Leave with unsaved changes?').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('')
    expect(await page.getByText('Unsaved changes').count()).toBe(0)
  })

  it('merges edits with changes that another user saved meanwhile', async () => {
    await at.edit(raw, 'settings')
    await page.getByLabel('Description').fill('Mine')
    const other = await admin.put(`/api/v1/dataset/${raw}`, { cache_timeout: 77 })
    expect(other.status).toBe(200)
    await page.keyboard.press('Control+s')
    await at.alertDialog('Confirm save').getByRole('button', { name: 'Save' }).click()
    await at.alertDialog('This dataset has changed').getByRole('button', { name: 'Merge my changes' }).click()
    await at.save()
    expect(await at.detailOf(raw)).toMatchObject({ description: 'Mine', cache_timeout: 77 })
  })

  it('lists what a rename breaks, and applies the new name to the charts of the user who saves', async () => {
    await at.edit(sqlDataset)
    await at.grid().focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('area')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    const ask = at.alertDialog('Confirm save')
    await ask.getByText('region will be renamed to area').waitFor()
    await ask.getByRole('link', { name: 'Regions' }).waitFor()
    await ask.getByRole('button', { name: 'Save' }).click()
    await at.toast('The dataset has been saved. The new names are now used in 1 chart or dashboard.')
    const { params } = (await admin.get(`/api/v1/chart/${chart}`)).body.result
    expect(JSON.parse(params)).toMatchObject({ groupby: ['area'] })
    expect(await at.columnOf(sqlDataset, 'area')).toBeTruthy()
  })

  it('shows how the source differs before anything changes, and carries labels over to a renamed column', async () => {
    await admin.put(`/api/v1/dataset/${sqlDataset}`, {
      columns: (await at.detailOf(sqlDataset)).columns.map(
        ({ id, column_name }: { id: number; column_name: string }) => ({
          id,
          column_name: column_name === 'area' ? 'region' : column_name,
          ...(column_name === 'amount' && { verbose_name: 'Amount paid' }),
        }),
      ),
    })
    await at.edit(sqlDataset, 'source')
    await page
      .getByLabel('SQL', { exact: true })
      .fill('SELECT c02_rgn AS region, c03_amt AS paid, c04_cd AS code FROM raw_orders')
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('Returns 3 columns: region, paid, code').waitFor()
    await page.getByRole('button', { name: 'Sync from source' }).click()
    const sync = page.getByRole('dialog', { name: 'Sync columns from source' })
    await sync.getByText('2 new columns').waitFor()
    await sync.getByText('2 columns no longer in the source').waitFor()
    expect(await at.columnOf(sqlDataset, 'amount')).toBeTruthy()
    await sync.getByRole('combobox', { name: 'Action for amount' }).click()
    await page.getByRole('option', { name: 'Renamed to paid' }).click()
    await sync.getByRole('button', { name: 'Apply changes' }).click()
    await at.save()
    expect(await at.columnOf(sqlDataset, 'paid')).toMatchObject({ verbose_name: 'Amount paid' })
    expect(await at.columnOf(sqlDataset, 'code')).toBeTruthy()
    expect(await at.columnOf(sqlDataset, 'amount')).toBeUndefined()
  })

  it('tells the owner of a chart who renamed a column it uses, on a dashboard and in Explore, and applies the new name', async () => {
    const put = async (path: string, body: object) => expect(await admin.put(path, body)).toMatchObject({ status: 200 })
    const filter = { clause: 'WHERE', expressionType: 'SIMPLE', operator: '!=', comparator: 'x', subject: 'area' }
    const form = { viz_type: 'table', datasource: `${sqlDataset}__table`, groupby: ['area'], metrics: ['count'] }
    await put(`/api/v1/chart/${chart}`, { params: JSON.stringify({ ...form, adhoc_filters: [filter] }) })
    const position_json = JSON.stringify({
      ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
      GRID_ID: { id: 'GRID_ID', type: 'GRID', children: ['ROW-1'] },
      'ROW-1': { id: 'ROW-1', type: 'ROW', children: ['CHART-1'], meta: {} },
      'CHART-1': { id: 'CHART-1', type: 'CHART', children: [], meta: { chartId: chart, width: 6, height: 50 } },
    })
    const board = await admin.post('/api/v1/dashboard/', { dashboard_title: 'Regions', position_json })
    await put(`/api/v1/chart/${chart}`, { dashboards: [board.body.id] })
    const words = /area was renamed to region by .+ on .+\./
    await page.goto(`/superset/dashboard/${board.body.id}/`)
    const tile = page.getByRole('figure', { name: 'Regions' })
    await tile.getByText(words).waitFor()
    await tile.getByRole('link', { name: 'Fix in Explore' }).click()

    await page.getByRole('status').filter({ hasText: words }).waitFor()
    const pill = (name: string) => page.locator('[data-item]').filter({ hasText: new RegExp(`^${name}$`) })
    expect(await pill('area').getAttribute('title')).toMatch(words)
    await page.getByRole('button', { name: 'Use region' }).click()
    await pill('region').waitFor()
    await page.locator('[data-item]').filter({ hasText: 'region' }).nth(1).waitFor()
    await page.getByRole('columnheader', { name: 'region' }).first().waitFor()
    expect(await page.getByText(words).count()).toBe(0)
    const stored = async () => JSON.parse((await admin.get(`/api/v1/chart/${chart}`)).body.result.params)
    expect(await stored()).toMatchObject({ groupby: ['area'] })
    await page.keyboard.press('Control+z')
    await page.getByRole('button', { name: 'Use region' }).waitFor()
    await page.keyboard.press('Control+Shift+z')
    await pill('region').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(stored).toMatchObject({ groupby: ['region'], adhoc_filters: [{ subject: 'region' }] })
  })

  it('tells editors of dashboard filters who renamed a column they use, and applies the new name', async () => {
    const named = { col: 'area', op: 'IN', val: ['north'] }
    const native = {
      id: 'NATIVE_FILTER-area',
      type: 'NATIVE_FILTER',
      name: 'Area',
      filterType: 'filter_select',
      targets: [{ datasetId: sqlDataset, column: { name: 'area' } }],
      scope: { rootPath: ['ROOT_ID'], excluded: [] },
      defaultDataMask: { extraFormData: { filters: [named] }, filterState: { value: ['north'], label: 'north' } },
    }
    const { result: boards } = (
      await admin.get('/api/v1/dashboard/?q=(filters:!((col:dashboard_title,opr:eq,value:Regions)))')
    ).body
    const board = `/api/v1/dashboard/${boards[0].id}`
    const json_metadata = JSON.stringify({ native_filter_configuration: [native] })
    expect(await admin.put(board, { json_metadata })).toMatchObject({ status: 200 })

    const words = /area was renamed to region by .+ on .+\./
    await page.goto(`/superset/dashboard/${boards[0].id}/`)
    await page.getByRole('button', { name: 'Edit filters' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add and edit filters' })
    await dialog.getByRole('status').filter({ hasText: words }).waitFor()
    await dialog.getByRole('img', { name: words }).waitFor()
    await dialog.getByRole('button', { name: 'Use region' }).click()
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Column' }).inputValue()).toBe('region')
    expect(await dialog.getByText(words).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { native_filter_configuration } = JSON.parse((await admin.get(board)).body.result.json_metadata)
    expect(native_filter_configuration).toMatchObject([
      {
        name: 'Area',
        targets: [{ column: { name: 'region' } }],
        defaultDataMask: { extraFormData: { filters: [{ ...named, col: 'region' }] } },
      },
    ])
  })

  it('PERM-023: can be read by other users, who are told why they cannot edit', async () => {
    const reader = await openSignedInPage(browser, product.url, { username: 'bea', password: 'bea' })
    await reader.goto(`/dataset/${raw}?tab=columns`)
    await reader.getByText('You must be a dataset owner in order to edit.').first().waitFor()
    await reader.getByRole('grid').focus()
    await reader.keyboard.type('no')
    // The grid has handled all keys when its active cell has moved.
    await reader.keyboard.press('ArrowDown')
    await expect.poll(() => reader.getByRole('grid').getAttribute('aria-activedescendant')).toMatch(/-1-\d+$/)
    expect(await reader.getByRole('grid').getByRole('textbox').count()).toBe(0)
    await reader.context().close()
  })
})

describe('the list', () => {
  it('a dataset is created from SQL that is checked while it is typed, and a taken name is reported', async () => {
    await page.goto('/dataset/add/')
    const add = page.getByRole('dialog', { name: 'Add dataset' })
    await add.getByRole('combobox', { name: 'Table' }).click()
    await page.getByRole('option', { name: 'raw_orders' }).click()
    await add.getByText('This dataset already exists.').waitFor()
    await add.getByText('40 columns').waitFor()
    const rows = add.getByRole('group', { name: 'First rows' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(9)
    await add.getByRole('tab', { name: 'SQL' }).click()
    await add.getByLabel('Name').fill('codes')
    await add.getByLabel('SQL', { exact: true }).fill('SELECT nothing FROM raw_orders')
    await add
      .getByText(/nothing/i)
      .last()
      .waitFor()
    await add.getByLabel('SQL', { exact: true }).fill('SELECT c04_cd AS code, c03_amt AS amount FROM raw_orders')
    await add.getByText('2 columns').waitFor()
    await add.getByRole('button', { name: 'Show first rows' }).click()
    await expect.poll(() => rows.first().textContent()).toBe('codeamount')
    await add.getByRole('button', { name: 'Add and edit' }).click()
    await page.getByRole('heading', { level: 1, name: 'codes' }).waitFor()
    await at.grid().waitFor()
  })

  it('a virtual dataset is duplicated with its labels, and opens', async () => {
    await page.goto('/tablemodelview/list/')
    await page.getByRole('button', { name: 'Actions for by region', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    const copy = page.getByRole('dialog', { name: 'Duplicate dataset' })
    await expect.poll(() => copy.getByLabel('Name').inputValue()).toBe('Copy of by region')
    await copy.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { level: 1, name: 'Copy of by region' }).waitFor()
    await expect.poll(() => at.cell('paid', 1).textContent()).toBe('Amount paid')
  })
})
