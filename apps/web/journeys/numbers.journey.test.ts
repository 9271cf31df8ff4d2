import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { dropFile } from './files.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'
import { findMismatches, readTile } from './tile-content.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-numbers-'))
const orders = `order_date,region,revenue\n${Array.from({ length: 400 }, (_, index) => {
  const day = new Date(Date.UTC(2024, 0, 1 + (index % 90))).toISOString().slice(0, 10)
  return `${day},${['North', 'South', 'East', 'West'][((index * index) % 7) % 4]},${(index * 7) % 113}.5`
}).join('\n')}\n`

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let at: ReturnType<typeof dashboardTools>
let runSql: RunSql
const datasets = new Map<number, Dataset>()

beforeAll(async () => {
  writeFileSync(join(folder, 'orders.csv'), orders)
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  runSql = await openTables(product.home, { orders: join(folder, 'orders.csv') })
  client = await createApiClient(product.url, 'admin')
  // Tall enough that every chart of a dashboard is visible.
  page = await openSignedInPage(browser, product.url, {
    viewport: { width: 1440, height: 3600 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  at = dashboardTools(page, client)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Filters {
  time: { name: string; typed: string; range: readonly [from: string, to: string] }
  value: { name: string; column: string; value: string }
  /** The reason why the value does not apply to charts of other datasets. */
  elsewhere: string
}

const noColumn = 'The dataset doesn’t have this column'
/** A filter created from a column applies to the charts of its dataset. */
const outOfScope = 'This chart is outside the filter’s scope'

interface Chart {
  name: string
  form: StoredForm
  dataset: Dataset
}

async function readCharts(dashboard: string | number): Promise<Chart[]> {
  const { result } = (await client.get(`/api/v1/dashboard/${dashboard}/charts`)).body
  return Promise.all(
    (result as { slice_name: string; form_data: StoredForm & { datasource: string } }[]).map(
      async ({ slice_name, form_data }) => {
        const id = Number.parseInt(form_data.datasource, 10)
        if (!datasets.has(id)) datasets.set(id, (await client.get(`/api/v1/dataset/${id}`)).body.result)
        return { name: slice_name, form: form_data, dataset: datasets.get(id)! }
      },
    ),
  )
}

/** Filters that apply to a chart, and those that do not with the reason: only the columns of its dataset decide it. */
function partitionFilters(
  { dataset }: Chart,
  inForce: ActiveFilters,
  { time, value, elsewhere }: Filters,
): { applied: string[]; not: string[] } {
  const isTimed = dataset.main_dttm_col !== null
  const hasColumn = dataset.columns.some(({ column_name }) => column_name === value.column)
  const all = [
    ...(inForce.time ? [{ name: time.name, is: isTimed, why: 'The dataset has no time column' }] : []),
    ...(inForce.values ? [{ name: value.name, is: hasColumn, why: elsewhere }] : []),
  ]
  return {
    applied: all.filter(({ is }) => is).map(({ name }) => name),
    not: all.filter(({ is }) => !is).map(({ name, why }) => `${name}: ${why}`),
  }
}

const sorted = (texts: readonly string[]): string[] => texts.toSorted((a, b) => a.localeCompare(b))

/** Expects the badges to count applied and other filters, and every chart to show the result of the engine for the same query. */
async function expectCorrectNumbers(charts: readonly Chart[], inForce: ActiveFilters, filters: Filters): Promise<void> {
  const wanted = charts.map((chart) => {
    const { applied, not } = partitionFilters(chart, inForce, filters)
    return `${chart.name}: ${applied.length} ${applied.length === 1 ? 'filter' : 'filters'} applied, ${not.length} not applied`
  })
  const badges = () =>
    page
      .locator('figure button[aria-label*=" applied, "]')
      .evaluateAll((all) => all.map((each) => each.ariaLabel ?? ''))
  await expect.poll(async () => sorted(await badges())).toEqual(sorted(wanted))
  await at.answered()
  const wrong: Record<string, string[]> = {}
  for (const { name, form, dataset } of charts) {
    const found = findMismatches(
      await readTile(at.tile(name)),
      await queryExpectedResult(runSql, form, dataset, inForce),
    )
    if (found.length > 0) wrong[name] = found
  }
  expect(wrong).toEqual({})
}

/** Expects the panels of the badges to name the filters. */
async function expectBadgeDetails(charts: readonly Chart[], inForce: ActiveFilters, filters: Filters): Promise<void> {
  for (const chart of charts) {
    await at.tile(chart.name).locator('button[aria-label*=" applied, "]').click()
    const panel = page.getByRole('dialog', { name: new RegExp(` applied, `) })
    await panel.waitFor()
    const said: Record<string, (string | undefined)[][]> = await panel.evaluate((element) =>
      Object.fromEntries(
        [...element.querySelectorAll('section')].map((section) => [
          (section.querySelector('h3')?.textContent ?? '').replace(/ \(\d+\)$/, ''),
          [...section.querySelectorAll('li')].map((item) => [
            item.querySelector('button, strong')?.textContent,
            item.querySelector('span')?.textContent,
          ]),
        ]),
      ),
    )
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    const { applied, not } = partitionFilters(chart, inForce, filters)
    const told = {
      applied: (said['Applied'] ?? []).map(([name = '']) => name),
      not: (said['Not applied'] ?? []).map((item) => item.join(': ')),
    }
    expect({ applied: sorted(told.applied), not: sorted(told.not) }, chart.name).toEqual({
      applied: sorted(applied),
      not: sorted(not),
    })
  }
}

/** Toggles the value. */
async function choose({ value }: Filters): Promise<void> {
  await page.getByRole('combobox', { name: value.name }).click()
  await page.keyboard.type(value.value)
  await page.getByRole('option', { name: new RegExp(`^${value.value}`) }).click()
  await page.keyboard.press('Escape')
}

async function setTime({ time }: Filters): Promise<void> {
  const field = page.getByRole('textbox', { name: time.name })
  await field.fill(time.typed)
  await field.press('Enter')
}

/** Filters by the value, then by the time as well, then by the time alone. */
async function expectFiltered(charts: readonly Chart[], filters: Filters): Promise<void> {
  const values = { [filters.value.column]: [filters.value.value] }
  const time = filters.time.range
  await at.answered()
  await choose(filters)
  await expectCorrectNumbers(charts, { values }, filters)
  await setTime(filters)
  await expectCorrectNumbers(charts, { values, time }, filters)
  await expectBadgeDetails(charts, { values, time }, filters)
  await choose(filters)
  await expectCorrectNumbers(charts, { time }, filters)
}

async function addFilter(column: RegExp): Promise<void> {
  await at.button('Add a filter').click()
  await page.getByRole('option', { name: column }).click()
}

describe('regression: filtered by a value and by time, each example shows the numbers of the engine', () => {
  const value = (name: string, column: string, chosen: string) => ({ name, column, value: chosen })

  it.each<[slug: string, charts: number, filters: Filters]>([
    [
      'flights',
      10,
      {
        elsewhere: noColumn,
        value: value('From', 'origin', 'SEA'),
        time: { name: 'Departure', typed: '2001-03', range: ['2001-03-01', '2001-04-01'] },
      },
    ],
    [
      'people-and-work',
      6,
      {
        elsewhere: noColumn,
        value: value('Region', 'region', 'America'),
        time: { name: 'Time', typed: '2000-01-01 : 2006-01-01', range: ['2000-01-01', '2006-01-01'] },
      },
    ],
    [
      'weather-and-earth',
      11,
      {
        elsewhere: noColumn,
        value: value('Weather', 'weather', 'rain'),
        time: { name: 'Day', typed: '2014', range: ['2014-01-01', '2015-01-01'] },
      },
    ],
  ])('%s', async (slug, count, filters) => {
    await at.open(slug)
    const charts = await readCharts(slug)
    expect(charts).toHaveLength(count)
    await expectFiltered(charts, filters)
  })

  it('penguins, which have no time: the range is listed as not applied', async () => {
    await at.open('penguins')
    await addFilter(/^Time range$/)
    await expectFiltered(await readCharts('penguins'), {
      elsewhere: noColumn,
      value: value('Species', 'species', 'Gentoo'),
      time: { name: 'Time range', typed: '2014', range: ['2014-01-01', '2015-01-01'] },
    })
  })
})

describe('regression: each dashboard that a newcomer creates shows the numbers of the engine too', () => {
  const filters: Filters = {
    elsewhere: outOfScope,
    value: { name: 'region', column: 'region', value: 'North' },
    time: { name: 'Time range', typed: '2024-02', range: ['2024-02-01', '2024-03-01'] },
  }
  const dialog = () => page.getByRole('dialog').last()

  /** Adds both filters to the dashboard that was just opened, and checks it. */
  async function expectFilteredByNewOnes(count: number): Promise<void> {
    await addFilter(/^region/)
    await page.getByRole('combobox', { name: filters.value.name }).waitFor()
    await addFilter(/^Time range$/)
    await page.getByRole('textbox', { name: filters.time.name }).waitFor()
    const id = Number(/dashboard\/(\d+)/.exec(page.url())?.[1])
    const charts = await readCharts(id)
    expect(charts).toHaveLength(count)
    await expectFiltered(charts, filters)
  }

  it('from the dialog that saves a chart', async () => {
    await page.goto('/superset/welcome/')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await dropFile(page, 'orders.csv', orders)
    await at.button('Add and create chart').click()
    await at.button('Open Revenue by day, by region in Explore').click()
    await page.getByRole('heading', { level: 1, name: 'New chart' }).waitFor()
    await page.locator('figure[aria-busy=false] canvas').first().waitFor()
    await page.keyboard.press('Control+s')
    await dialog().getByRole('combobox', { name: 'Add to dashboard' }).click()
    await page.getByRole('option', { name: '+ New dashboard' }).click()
    await dialog().getByRole('button', { name: 'Save & go to dashboard' }).click()
    await page.waitForURL('**/superset/dashboard/**')
    await expectFilteredByNewOnes(1)
  })

  it('from suggestions', async () => {
    const q = '(filters:!((col:table_name,opr:eq,value:orders)))'
    const [{ id }] = (await client.get(`/api/v1/dataset/?q=${q}`)).body.result
    await page.goto(`/chart/suggestions/?dataset_id=${id}`)
    const boxes = page.getByRole('checkbox', { name: /^Select / })
    await expect.poll(() => boxes.count()).toBe(6)
    for (const box of await boxes.all()) await box.check()
    await at.button('Create dashboard with 6 charts').click()
    await page.waitForURL('**/superset/dashboard/**')
    await expectFilteredByNewOnes(6)
  })

  it('by hand, with charts of datasets that a filter cannot reach', async () => {
    await page.goto('/superset/welcome/')
    await at.button('Create').click()
    await at.choose('Dashboard')
    await at.button('Save').waitFor()
    const names = ['Total revenue', 'Revenue by day', 'Penguins by island', 'Busiest airports']
    for (const name of names) {
      await page.getByRole('textbox', { name: 'Search charts' }).fill(name)
      await at.button(`Add ${name}`).click()
      await at.tile(name).waitFor()
    }
    await at.button('Save').click()
    await at.waitForText('This dashboard was saved successfully.')
    await expectFilteredByNewOnes(names.length)
  })
})
