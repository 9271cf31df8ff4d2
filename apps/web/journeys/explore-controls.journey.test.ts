import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
import { exploreTools } from './explore-tools.ts'
import { waitForExamples, createApiClient, startProduct, type Product } from './product.ts'

let product: Product
let browser: JourneyBrowser
let page: Page
let client: Awaited<ReturnType<typeof createApiClient>>
let explore: Awaited<ReturnType<typeof exploreTools>>

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await waitForExamples(product.url)
  client = await createApiClient(product.url, 'admin')
  page = await openSignedInPage(browser, product.url)
  page.setDefaultTimeout(15_000)
  explore = await exploreTools(page, client)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

describe('the controls', () => {
  it('EXP-032 to EXP-035, EXP-037 to EXP-041: a chart over time has these controls', async () => {
    await explore.openChart('Rain by month')
    await page.getByRole('group', { name: 'Chart type' }).waitFor()
    for (const name of ['Metrics', 'Dimensions', 'Filters']) await explore.control(name).waitFor()
    for (const name of ['Row limit', 'Series limit', 'Time grain'])
      await explore.controls().getByRole('combobox', { name }).waitFor()
    await page.getByRole('tab', { name: 'Style' }).click()
    for (const name of ['Y-axis format', 'X-axis time format'])
      await explore.controls().getByRole('combobox', { name }).waitFor()
    await explore.control('Color scheme').waitFor()
  })

  it('EXP-064: the quick tiles are line, bar, area, table, big number and pie', async () => {
    const tiles = page.getByRole('group', { name: 'Chart type' }).getByRole('button')
    expect((await tiles.allTextContents()).slice(0, 6)).toEqual([
      'Line Chart',
      'Bar Chart',
      'Area Chart',
      'Table',
      'Big Number',
      'Pie Chart',
    ])
  })

  it('CTRL-004: the sort direction is shown only when a metric ranks the series', async () => {
    await page.getByRole('tab', { name: 'Data' }).click()
    await explore.control('Sort by').waitFor()
    expect(await explore.controls().getByLabel('Sort descending').count()).toBe(0)
    await explore.control('Sort by').getByRole('button', { name: 'Add a metric' }).click()
    await explore.choose(explore.dialog().getByRole('combobox', { name: 'Metric' }), 'Days')
    await explore.dialog().getByRole('button', { name: 'Save' }).click()
    await explore.controls().getByLabel('Sort descending').waitFor()
  })

  it('CTRL-006, CTRL-007, CTRL-008: another chart type keeps metrics, columns and filters, and switching back restores the rest', async () => {
    await explore.button('Pie Chart').click()
    await explore.control('Metric').getByText('Rain (mm)').waitFor()
    await explore.button('Bar Chart').click()
    await explore.control('X axis').getByText('Day').waitFor()
    await explore.control('Metrics').getByText('Rain (mm)').waitFor()
    expect(await explore.controls().getByRole('combobox', { name: 'Time grain' }).inputValue()).toBe('Month')
  })

  it('CTRL-005: the time grain is shown only for a temporal x axis', async () => {
    await explore.openChart('Busiest airports')
    await explore.control('X axis').waitFor()
    expect(await explore.controls().getByRole('combobox', { name: 'Time grain' }).count()).toBe(0)
  })

  it('CTRL-023, CTRL-024: a limit is a whole number', async () => {
    const limit = explore.controls().getByRole('combobox', { name: 'Row limit' })
    await limit.fill('12.5')
    await page.keyboard.press('Enter')
    await explore.controls().getByText('Row limit is expected to be an integer').waitFor()
    await explore.button('Undo').click()
    await explore.controls().getByRole('combobox', { name: 'Series limit' }).fill('2.5')
    await page.keyboard.press('Enter')
    await explore.controls().getByText('Series limit is expected to be an integer').waitFor()
    await explore.button('Undo').click()
  })

  it('sorts the categories of an axis by name or by a metric', async () => {
    const by = explore.controls().getByRole('combobox', { name: 'Sort x-axis by' })
    await by.click()
    await expect.poll(() => page.getByRole('option').allTextContents()).toHaveLength(2)
    expect(await page.getByRole('option').first().textContent()).toMatch(/From/)
    await page.keyboard.press('Escape')
  })

  it('CTRL-051: a control for one metric accepts no second one', async () => {
    await explore.openChart('Penguins by species')
    await explore.control('Metric').getByRole('button', { name: 'Penguins', exact: true }).waitFor()
    expect(await explore.control('Metric').getByRole('button', { name: 'Add a metric' }).count()).toBe(0)
  })

  it('CTRL-014: says that a dataset has no temporal columns', async () => {
    await explore.openDataset('penguins', '&viz_type=big_number')
    await explore.control('Time column').getByRole('button', { name: 'Choose a column' }).click()
    await explore.dialog().getByText('No temporal columns found').waitFor()
    await page.keyboard.press('Escape')
  })

  it('EXP-091, EXP-092, CTRL-016: shows what is inherited, overridden or missing', async () => {
    const own = { expressionType: 'SIMPLE', clause: 'WHERE', operator: '==', operatorId: 'EQUALS', comparator: 'fog' }
    const form = {
      viz_type: 'pie',
      datasource: `${explore.datasets.get('seattle_weather')}__table`,
      groupby: ['weather'],
      metric: 'count',
      dashboardId: 1,
      label_colors: { fog: '#123456' },
      adhoc_filters: [
        { ...own, subject: 'weather', isExtra: true },
        { ...own, subject: 'no_such_column' },
      ],
    }
    const { body } = await client.post('/api/v1/explore/form_data', {
      datasource_id: explore.datasets.get('seattle_weather'),
      datasource_type: 'table',
      form_data: JSON.stringify(form),
    })
    await explore.openDataset('seattle_weather', `&form_data_key=${body.key}`)
    await page.getByTitle('This filter might be incompatible with current dataset').waitFor()
    await explore
      .control('Filters')
      .getByRole('button', { name: /^Weather equals/ })
      .click()
    await explore
      .dialog()
      .getByText("This filter was inherited from the dashboard's context. It won't be saved when saving the chart.")
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Style' }).click()
    await explore.controls().getByText('This color scheme is overridden by custom label colors.').waitFor()
  })

  it('the two queries of a mixed chart have headings, are requested together and are shown as one table', async () => {
    await explore.openDataset('seattle_weather', '&viz_type=mixed_timeseries')
    await explore.drawnChart().waitFor()
    const second = explore.controls().getByRole('region', { name: 'Query B' })
    await explore.controls().getByRole('region', { name: 'Query A' }).getByRole('group', { name: 'Metrics' }).waitFor()
    await second.getByRole('group', { name: 'Metrics' }).getByRole('button', { name: 'Add a metric' }).click()
    await explore.dialog().getByRole('tab', { name: 'Saved' }).click()
    await explore.choose(explore.dialog().getByRole('combobox', { name: 'Metric' }), 'Rain (mm)')
    const body = await explore.dataRequest(() => explore.dialog().getByRole('button', { name: 'Save' }).click())
    expect(body.queries).toHaveLength(2)
    await page.getByRole('tab', { name: 'Style' }).click()
    await explore.choose(second.getByLabel('Y axis'), 'Secondary')
    await explore.controls().getByRole('region', { name: 'Secondary y-axis' }).waitFor()
    const headings = page.getByRole('region', { name: 'Chart data' }).getByRole('columnheader')
    await expect.poll(() => headings.allTextContents()).toEqual(['Row', 'Day', 'COUNT(*)', 'Rain (mm)'])
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('a table over time has a row for each step of its time grain, even if its saved form does not name the temporal columns', async () => {
    await explore.createChart('Days of each year', 'seattle_weather', {
      viz_type: 'table',
      groupby: ['date'],
      metrics: [{ expressionType: 'SQL', sqlExpression: 'count(*)', label: 'Days' }],
      time_grain_sqla: 'P1Y',
      row_limit: 1000,
    })
    await explore.openChart('Days of each year')
    const grid = page.getByRole('figure').getByRole('grid')
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('5')
    expect(await grid.getByRole('gridcell').allTextContents()).toContain('366')
    expect(await explore.unsaved().count()).toBe(0)
    await explore.choose(explore.controls().getByRole('combobox', { name: 'Time grain' }), 'Month')
    const question = await explore.dataRequest(() => page.keyboard.press('Control+Enter'))
    expect(question.form_data.temporal_columns_lookup).toEqual({ date: true })
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('49')
  })

  it('EXP-042, EXP-043: ten of more than twelve columns are listed until all are requested', async () => {
    const columns = Array.from({ length: 13 }, (_, index) => ({
      expressionType: 'SQL',
      sqlExpression: `precipitation + ${index}`,
      label: `plus ${index}`,
    }))
    const params = { viz_type: 'table', query_mode: 'raw', all_columns: columns, row_limit: 10 }
    await explore.createChart('Thirteen columns', 'seattle_weather', params)
    await explore.openChart('Thirteen columns')
    await page.getByRole('tab', { name: 'Style' }).click()
    const listed = explore.control('Customize columns').getByRole('button', { name: /^plus/ })
    await expect.poll(() => listed.count()).toBe(10)
    await explore.button('Show all columns').click()
    expect(await listed.count()).toBe(13)
    await explore.button('Show less columns').click()
    expect(await listed.count()).toBe(10)
  })

  it('names a column, and the table shows the name', async () => {
    await explore.control('Customize columns').getByRole('button', { name: 'plus 0' }).click()
    await explore.dialog().getByLabel('Display name').fill('Rain')
    await page.keyboard.press('Escape')
    await page.getByRole('figure').getByRole('columnheader', { name: 'Rain', exact: true }).waitFor()
  })
})

describe('the gallery', () => {
  const section = (name: string) =>
    explore.dialog().getByRole('navigation').getByRole('button', { name, exact: true }).first()
  const types = () => explore.dialog().getByRole('group', { name: 'Chart types' }).getByRole('button')
  const type = (name: string) => types().filter({ has: page.getByText(name, { exact: true }) })

  it('EXP-018, EXP-045 to EXP-050, EXP-061: shows all types by section, 1090 px wide', async () => {
    await explore.button('View all charts').click()
    await page.getByRole('dialog', { name: 'Select a visualization type' }).waitFor()
    expect((await explore.dialog().boundingBox())?.width).toBe(1090)
    for (const name of ['All charts', 'Popular', 'ECharts', 'Advanced-Analytics', 'KPI', 'Report'])
      await section(name).waitFor()
    expect(await explore.dialog().getByRole('heading', { level: 3 }).allTextContents()).toEqual(
      expect.arrayContaining(['Recommended tags', 'Category', 'Tags']),
    )
    await explore.dialog().getByRole('textbox', { name: 'Search all charts' }).waitFor()
    expect(await types().count()).toBeGreaterThan(9)
    const pictures = types().locator('img')
    const shown = () => pictures.evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth > 0))
    await expect.poll(shown).toEqual(Array(await types().count()).fill(true))
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('EXP-052: a double-click confirms', async () => {
    await type('Big Number').dblclick()
    await explore.dialog().waitFor({ state: 'detached' })
    await expect.poll(() => explore.button('Big Number').getAttribute('aria-pressed')).toBe('true')
  })

  it('a type without its own tile is also shown as selected', async () => {
    await explore.button('View all charts').click()
    await explore.dialog().getByRole('textbox', { name: 'Search all charts' }).fill('pivot')
    await type('Pivot Table').dblclick()
    await explore.dialog().waitFor({ state: 'detached' })
    const chosen = page.getByRole('group', { name: 'Chart type' }).getByRole('button', { pressed: true })
    await expect.poll(() => chosen.allTextContents()).toEqual(['Pivot Table'])
  })
})
