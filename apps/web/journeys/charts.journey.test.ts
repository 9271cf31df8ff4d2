import { readFile } from 'node:fs/promises'
import {
  chartEntries,
  buildFieldGroups,
  loadStoredForm,
  type AnyChart,
  type ChartForm,
  type DatasetFacts,
  type Field,
} from '@parquetry/charts'
import { datasetFor } from '@parquetry/charts/testing/dataset-for'
import { formsByType } from '@parquetry/charts/testing/stored-forms'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'
import { monitorPage, type PageMonitor } from './page-monitor.ts'

/** Every `viz_type` that a form can have: each type, and each legacy type that is read as it. */
const all = [...new Set(chartEntries.flatMap(({ viz_type, replaces }) => [viz_type, ...replaces]))]
/** One type for each kind of drawing, since a run of all types takes minutes: `PARQUETRY_EVERY_CHART=1`. */
const some = [
  'echarts_timeseries_bar',
  'dist_bar',
  'pie',
  'table',
  'pivot_table_v2',
  'sankey_v2',
  'world_map',
  'gantt_chart',
]
const keys = process.env['PARQUETRY_EVERY_CHART'] === '1' ? all : some

/** Form keys of other tools and later releases; nothing here reads them. */
const unheard = { unheard_of: { by: ['this', 'release'] }, druid_time_origin: null }

let product: Product
let browser: JourneyBrowser
let client: Awaited<ReturnType<typeof createApiClient>>
let database: number
/** Two windows of one user, each with its recorded errors and its requests to other hosts. */
const windows: { page: Page; witness: PageMonitor; foreign: string[] }[] = []

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  const { body } = await client.get('/api/v1/database/?q=(page_size:1)')
  database = body.result[0].id
  for (let index = 0; index < 2; index += 1) {
    const page = await openSignedInPage(browser, product.url)
    // Maps are drawn in software here, two at a time: one step takes longer than 20 s on a busy machine, and a page that is stuck
    // in it fails all later tests.
    page.setDefaultTimeout(60_000)
    const foreign: string[] = []
    page.on('request', (each) => {
      if (!each.url().startsWith(product.url) && !/^(data|blob):/.test(each.url())) foreign.push(each.url())
    })
    windows.push({ page, witness: monitorPage(page), foreign })
    await page.goto('/explore/')
  }
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

let createdCharts = 0

/** Stores a chart with the sample form of this key, over a dataset that fits it. */
async function storedChart(key: string): Promise<{ id: number; params: string }> {
  const { form, frames } = formsByType()[key]!
  const opened = await loadStoredForm(form)
  const { sql, metrics } = datasetFor(opened!.chart, opened!.form, frames)
  const table_name = `for ${key} ${(createdCharts += 1)}`
  const dataset = await client.post('/api/v1/dataset/', { database, table_name, sql })
  expect(dataset, key).toMatchObject({ status: 201 })
  const address = `/api/v1/dataset/${dataset.body.id}`
  const { body: facts } = await client.get(address)
  const [{ id, metric_name, expression }] = facts.result.metrics
  const all = [{ id, metric_name, expression }, ...metrics]
  expect(await client.put(address, { metrics: all })).toMatchObject({ status: 200 })
  const params = JSON.stringify({ ...form, ...unheard, viz_type: key, datasource: `${dataset.body.id}__table` })
  const stored = await client.post('/api/v1/chart/', {
    slice_name: `A stored ${key}`,
    viz_type: key,
    datasource_id: dataset.body.id,
    datasource_type: 'table',
    params,
  })
  expect(stored, key).toMatchObject({ status: 201 })
  return { id: stored.body.id, params }
}

/** Navigates to a URL as a link of the page would. */
const follow = (page: Page, address: string) => page.evaluate((to) => history.pushState({}, '', to), address)

/** Waits until the saved chart is drawn: a chart with a text alternative, or a table. */
async function drawn(page: Page, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  const frame = page
    .locator('figure[aria-busy=false]')
    .filter({ has: page.locator('[role=figure], [role=grid], [role=region], table, form') })
  // Validation messages of fields inside a chart are not chart errors.
  const refused = page.locator('figure div[role=alert]').first()
  await frame.or(refused).first().waitFor()
  if (await refused.isVisible()) throw new Error(`${title} is refused: ${await refused.innerText()}`)
  const words = await frame
    .locator('[aria-describedby]')
    .evaluateAll((all) =>
      all.map((each) => document.getElementById(each.getAttribute('aria-describedby')!)?.textContent),
    )
  expect(words.join(' '), title).not.toMatch(/without data|NaN|undefined/)
}

interface Edit {
  name: string
  value: unknown
  act(): Promise<void>
}

/**
 * Returns a change to one control that hides no other control: a checkbox if the chart has one, otherwise a text, an option or a
 * number.
 */
function findEdit(page: Page, chart: AnyChart, form: ChartForm, dataset: DatasetFacts): Edit {
  const fieldsOf = (of: ChartForm) =>
    buildFieldGroups(chart.form, of, dataset)
      .flatMap((group) => group.fields)
      .filter(({ visible }) => visible)
  const namesOf = (of: ChartForm) => fieldsOf(of).map(({ name }) => name)
  const otherOf = ({ control, effective }: Field) =>
    Object.entries(control.options ?? {}).find(([option]) => option !== effective)
  const hidesNone = (field: Field) => {
    const other = otherOf(field)
    return !other || namesOf({ ...form, [field.name]: other[0] }).join() === namesOf(form).join()
  }
  const fields = fieldsOf(form)
    .filter(({ control }) => control.group !== 'compare')
    .filter(hidesNone)
    .filter(({ control }, _, all) => all.filter((other) => other.control.label.startsWith(control.label)).length === 1)
  const isOf = (type: string) => (field: Field) =>
    (field.schema as { type?: string }).type === type && !field.control.as
  const box = fields.find(isOf('boolean'))
  const text = fields.find((field) => isOf('string')(field) && !field.control.options && !field.control.presets)
  const choice = fields.find(({ control }) => control.options && !control.as)
  const number = fields.find((field) => isOf('integer')(field) && !field.control.presets)
  const field = box ?? text ?? choice ?? number
  if (!field) throw new Error(`nothing to change in ${String(form['viz_type'])}`)
  const { label, group } = field.control
  const [other, words] = otherOf(field) ?? []
  const controls = page.getByRole('region', { name: 'Controls' })
  return {
    name: field.name,
    value: box ? field.effective !== true : text ? 'Other words' : (other ?? 3),
    act: async () => {
      await page.getByRole('tab', { name: group === 'look' ? 'Style' : 'Data', exact: true }).click()
      if (box) return controls.getByRole('checkbox', { name: label }).setChecked(field.effective !== true)
      if (text) return controls.getByRole('textbox', { name: label }).fill('Other words')
      if (!choice) return controls.getByRole('spinbutton', { name: label }).fill('3')
      await controls.getByRole('combobox', { name: label }).click()
      await page.getByRole('option', { name: words, exact: true }).click()
    },
  }
}

async function download(page: Page, ...way: string[]): Promise<Buffer> {
  await page.getByRole('button', { name: 'Chart actions' }).click()
  const file = page.waitForEvent('download')
  for (const name of way) await page.getByRole('menuitem', { name, exact: true }).click()
  return readFile(await (await file).path())
}

describe.concurrent('a stored chart', () => {
  it.each(keys)('CHART-001, EXP-001, EXP-088: %s opens, is changed, saved, reopened and exported', async (key) => {
    const { id, params } = await storedChart(key)
    const one = await acquireWindow()
    const { page, witness, foreign } = one
    const before = witness.pageErrors.length
    try {
      await follow(page, `/explore/?slice_id=${id}`)
      await drawn(page, `A stored ${key}`)
      const { body: explored } = await client.get(`/api/v1/explore/?slice_id=${id}`)
      const { form_data, dataset } = explored.result
      const { chart, form } = (await loadStoredForm(form_data, dataset))!
      const edit = findEdit(page, chart, form, dataset)
      await edit.act()
      await page.getByText('Unsaved changes').waitFor()
      const name = `A changed ${key}`
      await page.keyboard.press('Control+Shift+s')
      const dialog = page.getByRole('dialog', { name: 'Save chart' })
      await dialog.getByLabel('Chart name').fill(name)
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await page.waitForURL((url) => ![null, String(id)].includes(url.searchParams.get('slice_id')))
      const savedAt = page.url()

      const stored = await client.get(`/api/v1/chart/${id}`)
      expect(stored.body.result).toMatchObject({ params, viz_type: key })
      const saved = Number(new URL(savedAt).searchParams.get('slice_id'))
      const { body } = await client.get(`/api/v1/chart/${saved}`)
      const kept = JSON.parse(body.result.params) as ChartForm
      const { slice_id: _, url_params: _u, applied_time_extras: _a, ...settings } = JSON.parse(JSON.stringify(form))
      expect(kept).toEqual({ ...settings, viz_type: chart.viz_type, [edit.name]: edit.value })
      expect(kept).toMatchObject(unheard)

      await follow(page, `/explore/?slice_id=${id}`)
      await page.getByRole('heading', { level: 1, name: `A stored ${key}`, exact: true }).waitFor()
      await follow(page, new URL(savedAt).pathname + new URL(savedAt).search)
      await drawn(page, name)
      expect(await page.getByText('Unsaved changes').count()).toBe(0)

      const picture = (await download(page, 'Download image', 'SVG')).toString()
      expect(picture).toContain(`<title>${name}</title>`)
      expect(picture).not.toMatch(/NaN|undefined/)
      const lines = (await download(page, 'Download as CSV')).toString().trim().split('\n')
      expect(lines.length).toBeGreaterThan(1)
      if (keys.indexOf(key) % 8 === 0) expect(await findAxeViolations(page)).toEqual([])
      expect([...witness.pageErrors.slice(before), ...foreign]).toEqual([])
    } finally {
      releaseWindow(one)
    }
  })
})

const waiting: ((one: (typeof windows)[number]) => void)[] = []
const acquireWindow = async () => windows.pop() ?? new Promise<(typeof windows)[number]>((take) => waiting.push(take))
function releaseWindow(one: (typeof windows)[number]): void {
  const next = waiting.shift()
  if (next) next(one)
  else windows.push(one)
}
