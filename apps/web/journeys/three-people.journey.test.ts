import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import {
  queryExpectedResult,
  openTables,
  type RunSql,
  type Dataset,
  type StoredForm,
  type ActiveFilters,
} from './expected-result.ts'
import { dashboardTools } from './dashboard-tools.ts'
import { addUserArgs, runCommands, waitForExamples, createApiClient, startProduct, type Product } from './product.ts'
import { findMismatches, readTile } from './tile-content.ts'

let product: Product
let browser: JourneyBrowser
let runSql: RunSql
let client: Awaited<ReturnType<typeof createApiClient>>
let dataset: Dataset & { id: number }
/** One user builds it, one reads it, and one changes it at the same time. */
let [eda, vic, sam]: Page[] = []
let at: ReturnType<typeof dashboardTools>
const forms = new Map<string, StoredForm>()

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  runSql = await openTables(product.home)
  const admin = await createApiClient(product.url, 'admin')
  const found = await admin.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:penguins)))')
  const { id } = found.body.result[0] as { id: number }
  runCommands(
    product,
    ['role', 'add', 'Readers'],
    ['role', 'grant', 'Readers', 'datasource_access', `[examples].[penguins](id:${id})`],
    addUserArgs('eda', 'Alpha'),
    addUserArgs('sam', 'Alpha'),
    addUserArgs('vic', 'Gamma', 'Readers'),
  )
  client = await createApiClient(product.url, 'eda')
  dataset = (await client.get(`/api/v1/dataset/${id}`)).body.result
  const open = (username: string) =>
    openSignedInPage(browser, product.url, {
      username,
      viewport: { width: 1440, height: 2000 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
  ;[eda, vic, sam] = [await open('eda'), await open('vic'), await open('sam')]
  for (const page of [eda, vic, sam]) page.setDefaultTimeout(8000)
  at = dashboardTools(eda, client)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const metric = (sqlExpression: string) => ({ expressionType: 'SQL', sqlExpression, label: sqlExpression })
const number = (sql: string) => ({ viz_type: 'big_number_total', metric: metric(sql) })
const table = (...groupby: string[]) => ({
  viz_type: 'table',
  query_mode: 'aggregate',
  groupby,
  metrics: [metric('COUNT(*)'), metric('max(body_mass)')],
  row_limit: 100,
})
const pie = (column: string) => ({ viz_type: 'pie', groupby: [column], metric: metric('COUNT(*)'), row_limit: 100 })

const first = {
  'All birds': number('COUNT(*)'),
  'The heaviest': number('max(body_mass)'),
  'Kinds of birds': number('count(distinct species)'),
  'By kind': table('species'),
  'By home': table('island'),
  'Kinds in parts': pie('species'),
}
const second = {
  'The lightest': number('min(body_mass)'),
  'By sex': table('sex'),
  'By kind and home': table('species', 'island'),
  'Homes in parts': pie('island'),
}
/** Added by hand. */
const added = { 'By kind and sex': table('species', 'sex'), 'Homes of birds': pie('island') }

async function makeCharts(charts: Record<string, object>): Promise<number[]> {
  const ids: number[] = []
  for (const [slice_name, form] of Object.entries(charts)) {
    const params = { ...form, datasource: `${dataset.id}__table` }
    const viz_type = (form as StoredForm).viz_type
    const body = { slice_name, viz_type, datasource_id: dataset.id, datasource_type: 'table' }
    const made = await client.post('/api/v1/chart/', { ...body, params: JSON.stringify(params) })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    ids.push(made.body.id)
    forms.set(slice_name, params as unknown as StoredForm)
  }
  return ids
}

/** Tabs with rows of two charts each. */
function buildPositions(tabs: Record<string, number[]>): object {
  const nodes: Record<string, object> = {
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['TABS-1'] },
    'TABS-1': { id: 'TABS-1', type: 'TABS', children: Object.keys(tabs).map((name) => `TAB-${name}`), meta: {} },
  }
  for (const [name, charts] of Object.entries(tabs)) {
    const rows = charts.flatMap((_, index) => (index % 2 === 0 ? [`ROW-${name}-${index}`] : []))
    nodes[`TAB-${name}`] = { id: `TAB-${name}`, type: 'TAB', children: rows, meta: { text: name } }
    rows.forEach((row, index) => {
      const both = charts.slice(index * 2, index * 2 + 2)
      nodes[row] = { id: row, type: 'ROW', children: both.map((id) => `CHART-${id}`), meta: {} }
      for (const chartId of both)
        nodes[`CHART-${chartId}`] = {
          id: `CHART-${chartId}`,
          type: 'CHART',
          children: [],
          meta: { chartId, width: 6, height: 30 },
        }
    })
  }
  return nodes
}

/** Expects exactly the named charts, each with the result of the engine for the same query. */
async function expectTrue(page: Page, names: readonly string[], values: ActiveFilters['values'] = {}): Promise<void> {
  await at.answered(page)
  const shown = () => page.locator('main figure').evaluateAll((all) => all.map((each) => each.ariaLabel ?? ''))
  await expect.poll(async () => (await shown()).toSorted()).toEqual(names.toSorted())
  const wrong: Record<string, string[]> = {}
  for (const name of names) {
    const answer = await queryExpectedResult(runSql, forms.get(name)!, dataset, { values })
    const found = findMismatches(await readTile(at.tile(name, page)), answer)
    if (found.length > 0) wrong[name] = found
  }
  expect(wrong).toEqual({})
}

async function pick(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name }).click()
  await page.getByRole('option', { name: new RegExp(`^${option}`) }).click()
  await page.keyboard.press('Escape')
}

async function removeTile(page: Page, name: string): Promise<void> {
  await at.button(`More actions for ${name}`, page).click()
  await page.locator('[role^="menuitem"]', { hasText: 'Remove' }).first().click()
  await expect.poll(() => at.tile(name, page).count()).toBe(0)
}

let id: number
let link: string
const inFirst = [...Object.keys(first), ...Object.keys(added)]

it('an editor puts twelve charts into two tabs with filters, publishes and shares them', async () => {
  const people = (await client.get('/api/v1/dashboard/related/owners')).body.result as { value: number; text: string }[]
  const owners = people.filter(({ text }) => /^(eda|sam)\b/.test(text)).map(({ value }) => value)
  const tabs = { Birds: await makeCharts(first), Details: await makeCharts(second) }
  await makeCharts(added)
  const json_metadata = JSON.stringify({ positions: buildPositions(tabs) })
  const made = await client.post('/api/v1/dashboard/', {
    dashboard_title: 'Birds of three people',
    owners,
    json_metadata,
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  id = made.body.id

  await at.open(id, '?edit=true')
  for (const name of Object.keys(added)) {
    await eda!.getByRole('textbox', { name: 'Search charts' }).fill(name)
    await at.button(`Add ${name}`).click()
    await at.tile(name).waitFor()
  }
  await at.button('Save').click()
  await at.waitForText('This dashboard was saved successfully.')
  await at.button('Edit').waitFor()
  for (const column of ['island', 'species']) {
    await at.button(/^Add( a)? filter$/).click()
    await eda!.getByRole('option', { name: new RegExp(`^${column}`, 'i') }).click()
    await eda!.getByRole('combobox', { name: column }).waitFor()
  }
  await at.button(/^Draft/).click()
  await at.choose('Published')
  await at.waitForText('This dashboard is now published')
  await pick(eda!, 'Island', 'Dream')
  await expectTrue(eda!, inFirst, { island: ['Dream'] })
  await at.button('Share').click()
  await eda!.getByRole('dialog', { name: 'Share' }).getByRole('button', { name: /Copy/ }).click()
  await at.waitForText('Link Copied!')
  link = await eda!.evaluate(() => navigator.clipboard.readText())
})

it('a viewer opens the link, sees the filtered charts and filters further: every number is that of the engine', async () => {
  await vic!.goto(link)
  await expectTrue(vic!, inFirst, { island: ['Dream'] })
  expect(await at.button('Edit', vic!).count()).toBe(0)
  await pick(vic!, 'Species', 'Chinstrap')
  await expectTrue(vic!, inFirst, { island: ['Dream'], species: ['Chinstrap'] })
  await vic!.getByRole('tab', { name: 'Details' }).click()
  await at.tile('By sex', vic!).waitFor()
  await expectTrue(vic!, Object.keys(second), { island: ['Dream'], species: ['Chinstrap'] })
})

it('two editors change it at the same time and nothing is lost; the viewer sees both changes under their own filters', async () => {
  await at.open(id, '?edit=true')
  await at.open(id, '?edit=true', sam)
  await removeTile(eda!, 'By home')
  await sam!.getByRole('tab', { name: 'Details' }).click()
  await removeTile(sam!, 'Homes in parts')
  await at.button('Save', sam).click()
  await at.waitForText('This dashboard was saved successfully.', sam)
  await at.button('Save').click()
  await eda!.getByRole('alertdialog').getByRole('button', { name: 'Merge and save' }).click()
  await at.waitForText('This dashboard was saved successfully.')

  await vic!.reload()
  const values = { island: ['Dream'], species: ['Chinstrap'] }
  const without = (names: readonly string[], name: string) => names.filter((each) => each !== name)
  await vic!.getByRole('tab', { name: 'Birds' }).click()
  await at.tile('By kind', vic!).waitFor()
  await expectTrue(vic!, without(inFirst, 'By home'), values)
  await vic!.getByRole('tab', { name: 'Details' }).click()
  await at.tile('By sex', vic!).waitFor()
  await expectTrue(vic!, without(Object.keys(second), 'Homes in parts'), values)
  const { json_metadata } = await at.stored(id)
  const { native_filter_configuration } = JSON.parse(json_metadata) as {
    native_filter_configuration: { name: string }[]
  }
  expect(native_filter_configuration.map(({ name }) => name)).toEqual(['Island', 'Species'])
  const { result } = (await client.get(`/api/v1/dashboard/${id}/versions/`)).body as {
    result: { author: { first_name: string } }[]
  }
  expect(result.slice(0, 2).map(({ author }) => author.first_name)).toEqual(['eda', 'sam'])
})
