import pg from 'pg'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

const url = process.env['PARQUETRY_TEST_POSTGRES']
const name = `ten_${process.pid}_${Date.now().toString(36)}`
const weatherSql = `
  CREATE TABLE weather_days AS SELECT timestamp '2024-01-01' + n * interval '1 day' AS date,
    (ARRAY['sun', 'rain', 'fog', 'snow'])[1 + n % 4] AS weather, (n % 37)::numeric(6,1) AS precipitation
    FROM generate_series(0, 500) n;`

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>

beforeAll(async () => {
  if (url) {
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${name}`)
    await admin.end()
    const shop = new pg.Client({ connectionString: ownUrl() })
    await shop.connect()
    await shop.query(weatherSql)
    await shop.end()
  }
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(20_000)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  if (!url) return
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await admin.end()
})

const ownUrl = (): string => Object.assign(new URL(url ?? ''), { pathname: `/${name}` }).href

const controls = () => page.getByRole('region', { name: 'Controls' })
const controlGroup = (words: string) => controls().getByRole('group', { name: new RegExp(`^${words}`) })
const field = (words: string) =>
  page.getByRole('region', { name: 'Dataset' }).getByRole('button', { name: `Add ${words}`, exact: true })
const dialog = () => page.getByRole('dialog').last()
const unsaved = () => page.getByText('Unsaved changes')
const drawn = async (): Promise<void> => {
  await page.locator('figure[aria-busy=false]').first().waitFor()
  await gone(page.getByRole('figure').getByRole('alert'))
}
/** Waits until there are no such elements. */
const gone = (what: Locator): Promise<void> => expect.poll(() => what.count()).toBe(0)

interface Source {
  dataset: number
  /** Labels of its columns on the screen, by column name. */
  words: Record<string, string>
}

async function embedded(): Promise<Source> {
  const { body } = await client.get('/api/v1/dataset/?q=(page_size:100)')
  return described(body.result.find((each: { table_name: string }) => each.table_name === 'seattle_weather').id)
}

async function postgres(): Promise<Source> {
  const sqlalchemy_uri = ownUrl().replace('postgres://', 'postgresql://')
  const made = await client.post('/api/v1/database/', { database_name: name, sqlalchemy_uri })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const dataset = { database: made.body.id, schema: 'public', table_name: 'weather_days' }
  const { status, body } = await client.post('/api/v1/dataset/', dataset)
  expect(status, JSON.stringify(body)).toBe(201)
  return described(body.id)
}

async function described(dataset: number): Promise<Source> {
  const { body } = await client.get(`/api/v1/dataset/${dataset}`)
  const columns = body.result.columns as { column_name: string; verbose_name: string | null }[]
  return {
    dataset,
    words: Object.fromEntries(columns.map((each) => [each.column_name, each.verbose_name || each.column_name])),
  }
}

/** Opens a new chart: the first one by loading the page, the others inside it, as its links do. */
const open = async ({ dataset }: Source): Promise<void> => {
  const address = `/explore/?datasource_type=table&datasource_id=${dataset}`
  if (page.url().startsWith(product.url)) await page.evaluate((to) => history.pushState({}, '', to), address)
  else await page.goto(address)
  await page.getByRole('heading', { level: 1, name: 'New chart' }).waitFor()
  await drawn()
}

/** Parameters that the server stores for the chart of the page. */
async function stored(): Promise<Record<string, unknown>> {
  await expect.poll(() => new URL(page.url()).searchParams.get('slice_id')).not.toBeNull()
  const id = new URL(page.url()).searchParams.get('slice_id')
  return JSON.parse((await client.get(`/api/v1/chart/${id}`)).body.result.params)
}

interface Recipe {
  /** Name in the gallery, and type in forms. */
  type: string
  viz_type: string
  /** Has the weather as its dimension. */
  grouped: boolean
}

const byMouse: Recipe[] = [
  { type: 'Line Chart', viz_type: 'echarts_timeseries_line', grouped: true },
  { type: 'Bar Chart', viz_type: 'echarts_timeseries_bar', grouped: true },
  { type: 'Area Chart', viz_type: 'echarts_area', grouped: true },
  { type: 'Table', viz_type: 'table', grouped: true },
  { type: 'Pie Chart', viz_type: 'pie', grouped: true },
]
const byKeys: Recipe[] = [
  { type: 'Big Number', viz_type: 'big_number_total', grouped: false },
  { type: 'Scatter Plot', viz_type: 'echarts_timeseries_scatter', grouped: true },
  { type: 'Funnel Chart', viz_type: 'funnel', grouped: true },
  { type: 'Radar Chart', viz_type: 'radar', grouped: true },
  { type: 'Treemap', viz_type: 'treemap_v2', grouped: true },
]

/** Presses Tab until a control has the focus. */
async function tabTo(target: Locator): Promise<void> {
  let element = await target.elementHandle()
  for (let steps = 0; steps < 150; steps++) {
    const is = await element?.evaluate((each) =>
      each === document.activeElement ? 'focused' : each.isConnected ? 'elsewhere' : 'replaced',
    )
    if (is === 'focused') return
    if (is === 'replaced') element = await target.elementHandle()
    else await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${String(target)}`)
}

describe.each([
  ['embedded data', embedded],
  ['PostgreSQL', postgres],
])('ten charts on %s', (where, find) => {
  const isOff = where === 'PostgreSQL' && !url
  let source: Source
  it.skipIf(isOff)('has its data', async () => {
    source = await find()
  })

  it.skipIf(isOff).each(byMouse)('PERM-036: $type by mouse alone, with undo across the save', async (recipe) => {
    await open(source)
    const tile = page.getByRole('group', { name: 'Chart type' }).getByRole('button', { name: recipe.type, exact: true })
    await tile.click()
    await expect.poll(() => tile.getAttribute('aria-pressed')).toBe('true')
    const dimensions = controlGroup('Dimensions')
    await field(source.words['weather']!).dragTo(dimensions)
    await dimensions.getByRole('button', { name: source.words['weather']!, exact: true }).waitFor()
    await drawn()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const title = `${recipe.type} of ${where}`
    await dialog()
      .getByRole('textbox', { name: /Chart name/ })
      .fill(title)
    await dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(`Chart [${title}] has been saved`).first().waitFor()
    expect(await stored()).toMatchObject({ viz_type: recipe.viz_type, groupby: expect.arrayContaining(['weather']) })
    await gone(unsaved())
    await page.getByRole('button', { name: 'Undo' }).click()
    await unsaved().waitFor()
    await gone(dimensions.getByRole('button', { name: source.words['weather']!, exact: true }))
    await page.getByRole('button', { name: 'Redo' }).click()
    await dimensions.getByRole('button', { name: source.words['weather']!, exact: true }).waitFor()
    await gone(unsaved())
  })

  it.skipIf(isOff).each(byKeys)('$type by keyboard alone, with undo across the save', async (recipe) => {
    await open(source)
    await page.keyboard.press('v')
    const gallery = page.getByRole('dialog', { name: 'Select a visualization type' })
    await gallery.waitFor()
    await page.keyboard.type(recipe.type)
    // The first Enter selects the first match, the second one confirms it.
    await gallery
      .getByRole('button', { name: new RegExp(`^${recipe.type}`) })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await gallery.getByRole('heading', { name: recipe.type, exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await gone(page.getByRole('dialog'))
    if (recipe.grouped) {
      const dimensions = controlGroup('Dimensions')
      await tabTo(dimensions.locator('button').last())
      await page.keyboard.press('Enter')
      await dialog().getByRole('tab', { name: 'Simple' }).waitFor()
      const column = dialog().getByRole('combobox', { name: 'Column' })
      await tabTo(column)
      await page.keyboard.type(source.words['weather']!)
      await page.getByRole('option', { name: source.words['weather']! }).first().waitFor()
      await page.keyboard.press('Enter')
      await dimensions.getByRole('button', { name: source.words['weather']!, exact: true }).waitFor()
    }
    await drawn()
    await page.keyboard.press('Control+s')
    const title = `${recipe.type} by keys of ${where}`
    const box = dialog().getByRole('textbox', { name: /Chart name/ })
    await box.waitFor()
    await tabTo(box)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(title)
    await page.keyboard.press('Enter')
    await page.getByText(`Chart [${title}] has been saved`).first().waitFor()
    expect(await stored()).toMatchObject({ viz_type: recipe.viz_type })
    await gone(page.getByRole('dialog'))
    await gone(unsaved())
    await page.keyboard.press('Control+z')
    await unsaved().waitFor()
    await page.keyboard.press('Control+Shift+z')
    await gone(unsaved())
  })
})
