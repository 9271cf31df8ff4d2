import type { Browser, Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeFindings, intercept, openBrowser, signedIn } from './browser.ts'
import { examplesLoaded, signIn, startProduct, type Product } from './product.ts'

let product: Product
let browser: Browser
let page: Page
let client: Awaited<ReturnType<typeof signIn>>
const charts = new Map<string, number>()
const datasets = new Map<string, number>()

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await examplesLoaded(product.url)
  client = await signIn(product.url, 'admin')
  const { body: chartList } = await client.get('/api/v1/chart/?q=(page_size:100)')
  for (const { id, slice_name } of chartList.result) charts.set(slice_name, id)
  const { body: datasetList } = await client.get('/api/v1/dataset/?q=(page_size:100)')
  for (const { id, table_name } of datasetList.result) datasets.set(table_name, id)
  page = await signedIn(browser, product.url)
  page.setDefaultTimeout(15_000)
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
})

const drawn = () => page.locator('figure[aria-busy=false] canvas, figure[aria-busy=false] [role=grid]').first()
const controls = () => page.getByRole('region', { name: 'Controls' })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = () => page.getByRole('dialog').last()
const toast = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
const control = (name: string) => controls().getByRole('group', { name })
const unsaved = () => page.getByText('Unsaved changes')

async function openChart(name: string): Promise<void> {
  await page.goto(`/explore/?slice_id=${charts.get(name)}`)
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.locator('figure[aria-busy=false]').first().waitFor()
}

async function openDataset(name: string, more = ''): Promise<void> {
  await page.goto(`/explore/?datasource_type=table&datasource_id=${datasets.get(name)}${more}`)
  await page.getByRole('heading', { level: 1, name: 'New chart' }).waitFor()
}

/** Picks an option of a Select by its words. */
async function choose(field: Locator, words: string): Promise<void> {
  await field.click()
  await page
    .getByRole('option', { name: new RegExp(`^${words.replace(/[()]/g, String.raw`\$&`)}`) })
    .first()
    .click()
}

/** The next question of the page for data, as it was sent. */
const asked = async (act: () => Promise<unknown>) => {
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/api/v1/chart/data')),
    act(),
  ])
  return request.postDataJSON()
}

describe('opening', () => {
  it('EXP-015: says which parameters are missing', async () => {
    await page.goto('/explore/')
    await page.getByRole('heading', { name: 'Missing URL parameters' }).waitFor()
    await page.getByText('The URL is missing the dataset_id or slice_id parameters.').waitFor()
  })

  it('EXP-009: opens the chart that the address names, with nothing unsaved', async () => {
    await openChart('Rain by month')
    await drawn().waitFor()
    expect(await unsaved().count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })

  it('EXP-010, EXP-031: opens the dataset that the address names, and draws a first guess', async () => {
    await openDataset('seattle_weather')
    await page.getByRole('region', { name: 'Dataset' }).getByText('seattle_weather').waitFor()
    await drawn().waitFor()
  })

  it('EXP-012, EXP-072: opens with the chart type that the address names', async () => {
    await openDataset('seattle_weather', '&viz_type=pie')
    await expect.poll(() => button('Pie Chart').getAttribute('aria-pressed')).toBe('true')
  })

  it('EXP-013: shows nothing but the picture in a frame of another page', async () => {
    await page.goto(`/explore/?slice_id=${charts.get('Rain by month')}&standalone=1`)
    await drawn().waitFor()
    expect(await controls().count()).toBe(0)
  })

  it('EXP-014: asks the database although the answer is cached', async () => {
    const body = await asked(() => page.goto(`/explore/?slice_id=${charts.get('Rain by month')}&force=true`))
    expect(body.force).toBe(true)
  })

  it('EXP-016: says that the dataset is gone, and offers another one', async () => {
    await page.goto('/explore/?datasource_type=table&datasource_id=99999')
    await page.getByRole('heading', { name: 'Missing dataset' }).waitFor()
    await page.getByText('The dataset linked to this chart may have been deleted.').waitFor()
    await button('Swap dataset').click()
    await page.getByRole('dialog', { name: 'Swap dataset' }).waitFor()
  })
})

describe('asking', () => {
  it('EXP-068: sends datasource, force, queries, form data, format and type', async () => {
    const body = await asked(() => openChart('Busiest airports'))
    expect(body).toMatchObject({
      datasource: { id: datasets.get('flights'), type: 'table' },
      force: false,
      result_format: 'json',
      result_type: 'full',
    })
    expect(body.queries).toHaveLength(1)
    expect(body.form_data.viz_type).toBe('echarts_timeseries_bar')
  })

  it('CHART-016, CHART-017: Ctrl-Enter asks past the cache, and a change of the look asks nothing', async () => {
    await openChart('Busiest airports')
    await drawn().waitFor()
    expect((await asked(() => page.keyboard.press('Control+Enter'))).force).toBe(true)
    await page.getByRole('tab', { name: 'Look' }).click()
    let questions = 0
    const count = () => (questions += 1)
    page.on('request', (each) => each.url().endsWith('/api/v1/chart/data') && count())
    await controls().getByLabel('Data zoom').check()
    await unsaved().waitFor()
    expect(questions).toBe(0)
    page.removeAllListeners('request')
  })

  it('CHART-002, CHART-003, CHART-006: a question that runs can be stopped, and says so', async () => {
    const held: Route[] = []
    await intercept(page, '**/api/v1/chart/data', (route) => void held.push(route))
    await openChartHeld('Rain by month')
    await page.locator('figure[aria-busy=true]').first().waitFor()
    await button('Stop').click()
    await page.getByText('Updating chart was stopped').waitFor()
    await page.unroute('**/api/v1/chart/data')
    await button('Run again').click()
    await drawn().waitFor()
  })

  it('CHART-019: a question that another one overtook says nothing', async () => {
    let isHeld = true
    await intercept(page, '**/api/v1/chart/data', (route) => (isHeld ? undefined : route.fallback()))
    await openChartHeld('Rain by month')
    await page.locator('figure[aria-busy=true]').first().waitFor()
    isHeld = false
    await button('Table').click()
    await page.getByRole('figure').getByRole('grid').waitFor()
    expect(await page.getByRole('figure').getByRole('alert').count()).toBe(0)
    await page.unroute('**/api/v1/chart/data')
  })

  it('CHART-004, CHART-005, CHART-018: a question without an answer says Network error., and one with an answer takes that back', async () => {
    await intercept(page, '**/api/v1/chart/data', (route) => route.abort())
    await openChartHeld('Rain by month')
    await page.getByRole('alert').getByText('Network error.').waitFor()
    await page.unroute('**/api/v1/chart/data')
    await button('Try again').click()
    await drawn().waitFor()
    expect(await page.getByText('Network error.').count()).toBe(0)
  })

  it("CHART-009, CHART-020: a question that fails shows the engine's own words in the frame", async () => {
    await openChart('Rain by month')
    await addSqlMetric('SUM(CAST(weather AS INTEGER))')
    await page
      .getByRole('figure')
      .getByText(/Could not convert/)
      .first()
      .waitFor()
    await button('Try again').waitFor()
    await page.keyboard.press('Escape')
    await button('Undo').click()
    await drawn().waitFor()
    expect(await unsaved().count()).toBe(0)
  })

  it('EXP-094: the number of rows is marked when it reaches the limit', async () => {
    const form = { viz_type: 'table', query_mode: 'raw', all_columns: ['date', 'precipitation'], row_limit: 20 }
    const { body } = await client.post('/api/v1/chart/', {
      slice_name: 'Some days',
      viz_type: 'table',
      datasource_id: datasets.get('seattle_weather'),
      datasource_type: 'table',
      params: JSON.stringify(form),
    })
    charts.set('Some days', body.id)
    await openChart('Some days')
    await page.getByText(/^\d+ rows \(Limit reached\)/).hover()
    await page.getByRole('tooltip', { name: 'Limit reached' }).waitFor()
  })

  it('regression: a limit that was meant is no warning', async () => {
    await openChart('Wettest days')
    await page.getByText('Top 20', { exact: true }).waitFor()
    expect(await page.getByText('Limit reached').count()).toBe(0)
  })

  it('CTRL-002, CTRL-021: what a control lacks is said and blocks running', async () => {
    await openChart('Rain by month')
    await control('Metrics')
      .getByRole('button', { name: /^Remove/ })
      .click()
    await controls().getByText('Metrics cannot be empty').waitFor()
    await controls().getByText('To fix first: Metrics').waitFor()
    expect(await button('Update chart').first().getAttribute('aria-disabled')).toBe('true')
  })
})

const openChartHeld = async (name: string): Promise<void> => {
  await page.goto(`/explore/?slice_id=${charts.get(name)}`)
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

async function addSqlMetric(expression: string): Promise<void> {
  await control('Metrics').getByRole('button', { name: 'Add a metric' }).click()
  await dialog().getByRole('tab', { name: 'Custom SQL' }).click()
  await dialog().getByLabel('SQL expression').fill(expression)
  await dialog().getByRole('button', { name: 'Save' }).click()
}

describe('the controls', () => {
  it('EXP-032 to EXP-035, EXP-037 to EXP-041: a chart over time has these', async () => {
    await openChart('Rain by month')
    await page.getByRole('group', { name: 'Chart type' }).waitFor()
    for (const name of ['Metrics', 'Dimensions', 'Filters']) await control(name).waitFor()
    for (const name of ['Row limit', 'Series limit', 'Time grain'])
      await controls().getByRole('combobox', { name }).waitFor()
    await page.getByRole('tab', { name: 'Look' }).click()
    for (const name of ['Y-axis format', 'X-axis time format'])
      await controls().getByRole('combobox', { name }).waitFor()
    await control('Color scheme').waitFor()
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

  it('CTRL-004: the direction is asked only where a metric ranks the series', async () => {
    await page.getByRole('tab', { name: 'Data' }).click()
    expect(await controls().getByLabel('Sort descending').count()).toBe(0)
    await control('Sort by').getByRole('button', { name: 'Add a metric' }).click()
    await choose(dialog().getByRole('combobox', { name: 'Metric' }), 'Days')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await controls().getByLabel('Sort descending').waitFor()
  })

  it('CTRL-005: the time grain is asked only where the x axis is a time', async () => {
    await openChart('Busiest airports')
    expect(await controls().getByRole('combobox', { name: 'Time grain' }).count()).toBe(0)
  })

  it('CTRL-023, CTRL-024: a limit is a whole number', async () => {
    const limit = controls().getByRole('combobox', { name: 'Row limit' })
    await limit.fill('12.5')
    await page.keyboard.press('Enter')
    await controls().getByText('Row limit is expected to be an integer').waitFor()
    await button('Undo').click()
    await controls().getByRole('combobox', { name: 'Series limit' }).fill('2.5')
    await page.keyboard.press('Enter')
    await controls().getByText('Series limit is expected to be an integer').waitFor()
    await button('Undo').click()
  })

  it('CTRL-051: a slot for one metric takes no second one', async () => {
    await openChart('Penguins by species')
    await control('Metric').getByRole('button', { name: 'Penguins', exact: true }).waitFor()
    expect(await control('Metric').getByRole('button', { name: 'Add a metric' }).count()).toBe(0)
  })

  it('CTRL-014: says that a dataset has no temporal columns', async () => {
    await openDataset('penguins', '&viz_type=big_number')
    await control('Time column').getByRole('button', { name: 'Pick a column' }).click()
    await dialog().getByText('No temporal columns found').waitFor()
    await page.keyboard.press('Escape')
  })

  it('EXP-091, EXP-092, CTRL-016: says what is inherited, overridden or gone', async () => {
    const own = { expressionType: 'SIMPLE', clause: 'WHERE', operator: '==', operatorId: 'EQUALS', comparator: 'fog' }
    const form = {
      viz_type: 'pie',
      datasource: `${datasets.get('seattle_weather')}__table`,
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
      datasource_id: datasets.get('seattle_weather'),
      datasource_type: 'table',
      form_data: JSON.stringify(form),
    })
    await openDataset('seattle_weather', `&form_data_key=${body.key}`)
    await page.getByTitle('This filter might be incompatible with current dataset').waitFor()
    await control('Filters')
      .getByRole('button', { name: /^Weather equals/ })
      .click()
    await dialog()
      .getByText("This filter was inherited from the dashboard's context. It won't be saved when saving the chart.")
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Look' }).click()
    await controls().getByText('This color scheme is overridden by custom label colors.').waitFor()
  })

  it('sorts the categories of an axis by their name or by a metric', async () => {
    await openChart('Busiest airports')
    const by = controls().getByRole('combobox', { name: 'X-axis sort by' })
    await by.click()
    await expect.poll(() => page.getByRole('option').allTextContents()).toHaveLength(2)
    expect(await page.getByRole('option').first().textContent()).toMatch(/From/)
    await page.keyboard.press('Escape')
  })

  it('the two questions of a mixed chart stand under headings, are asked together and shown as one table', async () => {
    await openDataset('seattle_weather', '&viz_type=mixed_timeseries')
    await drawn().waitFor()
    const second = controls().getByRole('region', { name: 'Query B' })
    await controls().getByRole('region', { name: 'Query A' }).getByRole('group', { name: 'Metrics' }).waitFor()
    await second.getByRole('group', { name: 'Metrics' }).getByRole('button', { name: 'Add a metric' }).click()
    await dialog().getByRole('tab', { name: 'Saved' }).click()
    await choose(dialog().getByRole('combobox', { name: 'Metric' }), 'Rain (mm)')
    const body = await asked(() => dialog().getByRole('button', { name: 'Save' }).click())
    expect(body.queries).toHaveLength(2)
    await page.getByRole('tab', { name: 'Look' }).click()
    await choose(second.getByLabel('Y axis'), 'Secondary')
    await controls().getByRole('region', { name: 'Secondary y-axis' }).waitFor()
    const headings = page.getByRole('region', { name: 'Behind the picture' }).getByRole('columnheader')
    await expect.poll(() => headings.allTextContents()).toEqual(['Row', 'Day', 'COUNT(*)', 'Rain (mm)'])
    expect(await axeFindings(page)).toEqual([])
  })

  it('CTRL-006, CTRL-007, CTRL-008: another type takes metrics, columns and filters along and gives back what it lacks', async () => {
    await openChart('Rain by month')
    await button('Pie Chart').click()
    await control('Metric').getByText('Rain (mm)').waitFor()
    await button('Bar Chart').click()
    await control('X axis').getByText('Day').waitFor()
    await control('Metrics').getByText('Rain (mm)').waitFor()
    expect(await controls().getByRole('combobox', { name: 'Time grain' }).inputValue()).toBe('Month')
  })

  it('a table over a time has a row for each step of its grain, also when its saved form does not name the times', async () => {
    const { body } = await client.post('/api/v1/chart/', {
      slice_name: 'Days of each year',
      viz_type: 'table',
      datasource_id: datasets.get('seattle_weather'),
      datasource_type: 'table',
      params: JSON.stringify({
        viz_type: 'table',
        groupby: ['date'],
        metrics: [{ expressionType: 'SQL', sqlExpression: 'count(*)', label: 'Days' }],
        time_grain_sqla: 'P1Y',
        row_limit: 1000,
      }),
    })
    charts.set('Days of each year', body.id)
    await openChart('Days of each year')
    const grid = page.getByRole('figure').getByRole('grid')
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('5')
    expect(await grid.getByRole('gridcell').allTextContents()).toContain('366')
    expect(await unsaved().count()).toBe(0)
    await choose(controls().getByRole('combobox', { name: 'Time grain' }), 'Month')
    const question = await asked(() => page.keyboard.press('Control+Enter'))
    expect(question.form_data.temporal_columns_lookup).toEqual({ date: true })
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('49')
  })

  it('EXP-042, EXP-043: beyond twelve columns ten are listed until all are asked for', async () => {
    const columns = Array.from({ length: 13 }, (_, at) => ({
      expressionType: 'SQL',
      sqlExpression: `precipitation + ${at}`,
      label: `plus ${at}`,
    }))
    const params = { viz_type: 'table', query_mode: 'raw', all_columns: columns, row_limit: 10 }
    const { body } = await client.post('/api/v1/chart/', {
      slice_name: 'Thirteen columns',
      viz_type: 'table',
      datasource_id: datasets.get('seattle_weather'),
      datasource_type: 'table',
      params: JSON.stringify(params),
    })
    charts.set('Thirteen columns', body.id)
    await openChart('Thirteen columns')
    await page.getByRole('tab', { name: 'Look' }).click()
    const listed = control('Customize columns').getByRole('button', { name: /^plus/ })
    await expect.poll(() => listed.count()).toBe(10)
    await button('Show all columns').click()
    expect(await listed.count()).toBe(13)
    await button('Show less columns').click()
    expect(await listed.count()).toBe(10)
  })

  it('names a column, and the table shows the name', async () => {
    await control('Customize columns').getByRole('button', { name: 'plus 0' }).click()
    await dialog().getByLabel('Shown name').fill('Rain')
    await page.keyboard.press('Escape')
    await page.getByRole('figure').getByRole('columnheader', { name: 'Rain', exact: true }).waitFor()
  })
})

describe('the popovers', () => {
  it('EXP-023, CTRL-046: a metric is a saved one, an aggregate or SQL, and is saved when it has changed', async () => {
    await openChart('Rain by month')
    await control('Metrics').getByRole('button', { name: 'Rain (mm)', exact: true }).click()
    expect(await dialog().getByRole('tab').allTextContents()).toEqual(['Saved', 'Simple', 'Custom SQL'])
    expect(await dialog().getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('CTRL-042, CTRL-045, CTRL-048: column and aggregate make a metric', async () => {
    await dialog().getByRole('tab', { name: 'Simple' }).click()
    await choose(dialog().getByRole('combobox', { name: 'Column' }), 'Wind (m/s)')
    await dialog().getByRole('combobox', { name: 'Aggregate' }).click()
    await expect
      .poll(async () => (await page.getByRole('option').allTextContents()).toSorted())
      .toEqual(['AVG', 'COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN', 'SUM'])
    await page.getByRole('option', { name: 'MAX', exact: true }).click()
    const body = await asked(() => dialog().getByRole('button', { name: 'Save' }).click())
    expect(body.queries[0].metrics).toEqual([
      expect.objectContaining({ expressionType: 'SIMPLE', aggregate: 'MAX', label: 'MAX(wind)' }),
    ])
  })

  it('CTRL-044, CTRL-049: SQL makes it a metric of SQL', async () => {
    await control('Metrics').getByRole('button', { name: 'MAX(wind)', exact: true }).click()
    await dialog().getByRole('tab', { name: 'Custom SQL' }).click()
    await dialog().getByLabel('SQL expression').fill('MAX(wind) * 3.6')
    const body = await asked(() => dialog().getByRole('button', { name: 'Save' }).click())
    expect(body.queries[0].metrics[0]).toMatchObject({
      expressionType: 'SQL',
      sqlExpression: 'MAX(wind) * 3.6',
      column: null,
      aggregate: null,
    })
  })

  it('CTRL-043: a saved metric takes the place of all that', async () => {
    await control('Metrics').getByRole('button', { name: 'MAX(wind) * 3.6', exact: true }).click()
    await dialog().getByRole('tab', { name: 'Saved' }).click()
    await choose(dialog().getByRole('combobox', { name: 'Metric' }), 'Days')
    const body = await asked(() => dialog().getByRole('button', { name: 'Save' }).click())
    expect(typeof body.queries[0].metrics[0]).toBe('string')
  })

  it('EXP-024, CTRL-013, CTRL-054: a column is a saved expression, a column or SQL', async () => {
    await control('Dimensions').getByRole('button', { name: 'Add a column' }).click()
    expect(await dialog().getByRole('tab').allTextContents()).toEqual(['Saved', 'Simple', 'Custom SQL'])
    await dialog().getByRole('tab', { name: 'Saved' }).click()
    await dialog().getByText('No saved expressions found').waitFor()
    await dialog().getByRole('tab', { name: 'Custom SQL' }).click()
    await dialog().getByLabel('SQL expression').fill('upper(weather)')
    await dialog().getByLabel('Name').fill('Loud')
    const body = await asked(() => dialog().getByRole('button', { name: 'Save' }).click())
    expect(body.queries[0].columns).toContainEqual({
      expressionType: 'SQL',
      sqlExpression: 'upper(weather)',
      label: 'Loud',
    })
  })

  it('EXP-025, CTRL-055, CTRL-056, CTRL-058, CTRL-059, CTRL-062, CTRL-093 to CTRL-095: a filter has two ways, and is saved when it is whole', async () => {
    await control('Filters').getByRole('button', { name: 'Add a filter' }).click()
    expect(await dialog().getByRole('tab').allTextContents()).toEqual(['Simple', 'Custom SQL'])
    await dialog().getByRole('button', { name: 'Close' }).waitFor()
    const box = await dialog().boundingBox()
    expect(box?.width).toBeGreaterThanOrEqual(320)
    expect(box?.height).toBeGreaterThanOrEqual(240)
    expect((await dialog().locator('form').boundingBox())?.width).toBeCloseTo(296, 0)
    const save = dialog().getByRole('button', { name: 'Save' })
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await choose(dialog().getByRole('combobox', { name: 'Column' }), 'Rain (mm)')
    await choose(dialog().getByRole('combobox', { name: 'Operator' }), 'is at least')
    await choose(dialog().getByRole('combobox', { name: 'Column' }), 'Weather')
    expect(await dialog().getByRole('combobox', { name: 'Operator' }).inputValue()).toBe('is one of')
    expect(await save.getAttribute('aria-disabled')).toBe('true')
  })

  it('CTRL-069: another operator turns a list into its first value', async () => {
    await dialog().getByRole('combobox', { name: 'Values' }).click()
    await page.getByRole('option', { name: 'fog', exact: true }).click()
    await page.keyboard.press('Escape')
    await choose(dialog().getByRole('combobox', { name: 'Operator' }), 'equals')
    expect(await dialog().getByLabel('Value').inputValue()).toBe('fog')
    const body = await asked(() => dialog().getByRole('button', { name: 'Save' }).click())
    expect(body.queries[0].filters).toContainEqual({ col: 'weather', op: '==', val: 'fog' })
  })

  it('CTRL-060: a filter that has not changed is not saved', async () => {
    await control('Filters')
      .getByRole('button', { name: /^Weather equals/ })
      .click()
    expect(await dialog().getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
    await dialog().getByRole('button', { name: 'Close' }).click()
  })

  it('CTRL-057: the editor of a filter is made larger by its corner', async () => {
    await control('Filters').getByRole('button', { name: 'Add a filter' }).click()
    const before = (await dialog().boundingBox())!
    const corner = { x: before.x + before.width - 3, y: before.y + before.height - 3 }
    await page.mouse.move(corner.x, corner.y)
    await page.mouse.down()
    await page.mouse.move(corner.x + 90, corner.y + 60, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await dialog().boundingBox())!.width).toBeGreaterThan(before.width + 60)
    expect((await dialog().boundingBox())!.height).toBeGreaterThan(before.height + 30)
    await dialog().getByRole('button', { name: 'Close' }).click()
  })

  it('a pasted name becomes a metric, a dimension or a filter, and what names nothing is said', async () => {
    await openDataset('seattle_weather')
    await drawn().waitFor()
    const paste = async (slot: Locator, text: string) => {
      await slot.locator('button').last().focus()
      await slot.evaluate((each, words) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text', words)
        each
          .querySelector('button')
          ?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, text)
    }
    await paste(control('Metrics'), 'MAX(precipitation)')
    await control('Metrics').getByRole('button', { name: 'MAX(precipitation)', exact: true }).waitFor()
    await paste(control('Dimensions'), 'weather')
    await control('Dimensions').getByRole('button', { name: 'Weather', exact: true }).waitFor()
    await paste(control('Dimensions'), 'nothing of this')
    await page.getByText('nothing of this does not fit here').waitFor()
    await paste(control('Filters'), 'weather')
    await expect.poll(() => dialog().getByRole('combobox', { name: 'Column' }).inputValue()).toBe('Weather')
    await dialog().getByRole('button', { name: 'Close' }).click()
  })

  it('EXP-044: View in SQL Lab posts dataset and SQL to its page', async () => {
    await openDataset('seattle_weather')
    await button('Actions on the dataset').click()
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === 'POST' && new URL(each.url()).pathname === '/superset/sqllab/'),
      page.getByRole('menuitem', { name: 'View in SQL Lab' }).click(),
    ])
    const fields = new URLSearchParams(request.postData() ?? '')
    expect(fields.get('datasourceKey')).toBe(`${datasets.get('seattle_weather')}__table`)
    expect(fields.get('sql')).toMatch(/^SELECT/)
    await page.waitForURL(/sqllab/)
    await expect.poll(() => page.locator('.cm-content').first().textContent()).toContain('SELECT')
  })

  it('EXP-030, CTRL-097 to CTRL-100, CTRL-102: a format says what it lacks', async () => {
    await openChart('Wettest days')
    await page.getByRole('tab', { name: 'Look' }).click()
    await button('Add a rule').click()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog().getByText('Required', { exact: true }).first().waitFor()
    await dialog().getByRole('combobox', { name: 'Operator' }).click()
    // those of every rule, and two for cells without a value
    await expect.poll(() => page.getByRole('option').count()).toBe(11 + 2)
    await page.getByRole('option', { name: '< x <', exact: true }).click()
    await dialog().getByLabel('Left value').fill('9')
    await dialog().getByLabel('Right value').fill('5')
    await dialog().getByLabel('Right value').blur()
    await dialog().getByText('This value should be smaller than the right target value').waitFor()
    await dialog().getByText('This value should be greater than the left target value').waitFor()
    await dialog().getByLabel('Right value').fill('20')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await button('9 < Rain (mm) < 20').waitFor()
  })

  it('EXP-026, CHART-021, CHART-027, CHART-029 to CHART-036: layers are added, asked for, named when they fail and taken away', async () => {
    const { body: layer } = await client.post('/api/v1/annotation_layer/', { name: 'Seasons' })
    const spring = { short_descr: 'Spring', start_dttm: '2014-03-20T00:00:00', end_dttm: '2014-06-20T00:00:00' }
    const { body: made } = await client.post(`/api/v1/annotation_layer/${layer.id}/annotation/`, spring)
    await openChart('Temperature by week')
    await page.getByRole('tab', { name: 'Look' }).click()
    const layers = control('Annotation layers')
    const legend = page.getByRole('group', { name: 'Legend' })
    const add = async (name: string) => {
      await layers.getByRole('button', { name: 'Add an annotation layer' }).click()
      await dialog().getByRole('textbox', { name: 'Name' }).fill(name)
    }
    const save = () => dialog().getByRole('button', { name: 'Save' }).click()

    await add('Mild')
    await dialog().getByRole('textbox', { name: 'Formula' }).fill('10 +')
    await save()
    await dialog().getByText('This is no formula of x').waitFor()
    await dialog().getByRole('textbox', { name: 'Formula' }).fill('10 + 5')
    await save()
    await legend.getByRole('button', { name: 'Mild' }).waitFor()

    await add('Calendar')
    await choose(dialog().getByRole('combobox', { name: 'Annotation layer type' }), 'Interval')
    await choose(dialog().getByRole('combobox', { name: /^Annotation layer( required)?$/ }), 'Seasons')
    const { queries } = await asked(save)
    expect(queries[0].annotation_layers).toMatchObject([
      { name: 'Calendar', annotationType: 'INTERVAL', sourceType: 'NATIVE', value: layer.id, force: true },
    ])
    await legend.getByRole('button', { name: 'Calendar' }).waitFor()
    expect(await axeFindings(page)).toEqual([])

    await client.delete(`/api/v1/annotation_layer/${layer.id}/annotation/${made.id}`)
    await client.delete(`/api/v1/annotation_layer/${layer.id}`)
    await asked(() => button('Update chart').click())
    await layers.getByText('The annotation layer does not exist').waitFor()
    await button('1 annotation layer could not be drawn').waitFor()
    await drawn().waitFor()

    let isHeld = true
    await intercept(page, '**/api/v1/chart/data', (route) => (isHeld ? undefined : route.fallback()))
    const overtaken = page.waitForEvent('requestfailed', (each) => each.url().endsWith('/api/v1/chart/data'))
    await button('Update chart').click()
    await page.locator('figure[aria-busy=true]').first().waitFor()
    isHeld = false
    await asked(() => layers.getByRole('button', { name: 'Remove Calendar' }).click())
    const { queries: cancelled } = (await overtaken).postDataJSON() as { queries: { annotation_layers: object[] }[] }
    expect(cancelled[0]?.annotation_layers).toMatchObject([{ name: 'Calendar' }])
    await page.unroute('**/api/v1/chart/data')
    await layers.getByRole('alert').waitFor({ state: 'detached' })
    expect(await page.getByRole('figure').getByRole('alert').count()).toBe(0)
    expect(await legend.getByRole('button').allTextContents()).toContain('Mild')
  })
})

it('regression: a name that was typed before "+ New dashboard" is the title of the new one', async () => {
  await openDataset('penguins')
  await page.keyboard.press('Control+s')
  await dialog().getByRole('combobox', { name: 'Add to dashboard' }).click()
  await page.keyboard.type('Birds')
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.getByRole('option', { name: '+ New dashboard' }).click()
  const title = dialog().getByRole('textbox', { name: 'Title of the new dashboard' })
  expect(await title.inputValue()).toBe('Birds')
  await dialog().getByRole('button', { name: 'Cancel' }).click()
})

describe('the range of time', () => {
  it('TIME-001, TIME-003, EXP-019: has five modes in 600 px', async () => {
    await openChart('Rain by month')
    await control('Filters').getByRole('button', { name: 'Add a filter' }).click()
    await choose(dialog().getByRole('combobox', { name: 'Column' }), 'Day')
    await button('Choose a range for Time range').click()
    const modes = dialog().getByRole('radiogroup', { name: 'Kind of range' }).getByRole('radio')
    expect(await modes.evaluateAll((all) => all.map((each) => each.parentElement?.textContent))).toEqual([
      'Last',
      'Previous',
      'Custom',
      'Advanced',
      'No filter',
    ])
    expect((await dialog().boundingBox())?.width).toBe(600)
  })

  it('TIME-008, TIME-009, TIME-023: Apply is off while the range means nothing, and the error is shown', async () => {
    await dialog().getByText('Advanced', { exact: true }).click()
    const help = dialog().locator('details')
    for (const name of ['DATETIME', 'DATEADD', 'DATETRUNC', 'LASTDAY', 'HOLIDAY'])
      expect((await help.textContent())?.toUpperCase()).toContain(name)
    await dialog().getByRole('textbox').first().fill('the day of doom')
    await dialog().getByRole('alert').waitFor()
    await expect.poll(() => dialog().getByRole('button', { name: 'Apply' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('TIME-007: nothing is asked before Apply', async () => {
    await dialog().getByText('Last', { exact: true }).click()
    await dialog()
      .getByRole('radio', { name: /last year/i })
      .check()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByRole('textbox', { name: 'Time range' }).inputValue()).toBe('')
    await button('Choose a range for Time range').click()
    await dialog().getByText('Last', { exact: true }).click()
    await dialog()
      .getByRole('radio', { name: /last year/i })
      .check()
    await dialog().getByRole('button', { name: 'Apply' }).click()
    const body = await asked(() => dialog().getByRole('button', { name: 'Save' }).click())
    expect(JSON.stringify(body.queries[0])).toContain('Last year')
  })
})

describe('the gallery', () => {
  const section = (name: string) => dialog().getByRole('navigation').getByRole('button', { name, exact: true }).first()
  const types = () => dialog().getByRole('group', { name: 'Chart types' }).getByRole('button')
  const type = (name: string) => types().filter({ has: page.getByText(name, { exact: true }) })

  it('EXP-018, EXP-045 to EXP-050, EXP-061: shows all types by section, 1090 wide', async () => {
    await openChart('Rain by month')
    await button('View all charts').click()
    await page.getByRole('dialog', { name: 'Select a visualization type' }).waitFor()
    expect((await dialog().boundingBox())?.width).toBe(1090)
    for (const name of ['All charts', 'Popular', 'ECharts', 'Advanced-Analytics', 'KPI', 'Report'])
      await section(name).waitFor()
    expect(await dialog().getByRole('heading', { level: 3 }).allTextContents()).toEqual(
      expect.arrayContaining(['Recommended tags', 'Category', 'Tags']),
    )
    await dialog().getByRole('textbox', { name: 'Search all charts' }).waitFor()
    expect(await types().count()).toBeGreaterThan(9)
    const pictures = types().locator('img')
    const shown = () => pictures.evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth > 0))
    await expect.poll(shown).toEqual(Array(await types().count()).fill(true))
    expect(await axeFindings(page)).toEqual([])
  })

  it('EXP-052: a double click confirms', async () => {
    await type('Big Number').dblclick()
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => button('Big Number').getAttribute('aria-pressed')).toBe('true')
  })

  it('a type that has no tile of its own is shown as chosen as well', async () => {
    await button('View all charts').click()
    await dialog().getByRole('textbox', { name: 'Search all charts' }).fill('pivot')
    await type('Pivot Table').dblclick()
    await dialog().waitFor({ state: 'detached' })
    const chosen = page.getByRole('group', { name: 'Chart type' }).getByRole('button', { pressed: true })
    await expect.poll(() => chosen.allTextContents()).toEqual(['Pivot Table'])
  })
})

describe('keeping', () => {
  it('EXP-002, EXP-088, CHART-013: a new chart is saved under a name, and stands in the address', async () => {
    await openDataset('penguins', '&viz_type=pie')
    await drawn().waitFor()
    await page.keyboard.press('Control+s')
    await dialog().getByLabel('Chart name').fill('Penguins of the journey')
    await dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await toast('Chart [Penguins of the journey] has been saved')
    await page.waitForURL(/slice_id=\d+/)
    const id = Number(new URL(page.url()).searchParams.get('slice_id'))
    charts.set('Penguins of the journey', id)
    const { body } = await client.get(`/api/v1/chart/${id}`)
    expect(JSON.parse(body.result.params)).toMatchObject({
      viz_type: 'pie',
      datasource: `${datasets.get('penguins')}__table`,
    })
    expect(JSON.parse(body.result.params).url_params).toBeUndefined()
  })

  it('EXP-089: an owner overwrites it, and nothing stays unsaved', async () => {
    await openChart('Penguins of the journey')
    await page.getByRole('tab', { name: 'Look' }).click()
    await controls().getByLabel('Donut').check()
    await unsaved().waitFor()
    await page.keyboard.press('Control+s')
    expect(await dialog().getByRole('radio', { name: 'Save (Overwrite)' }).isChecked()).toBe(true)
    await dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await toast('Chart [Penguins of the journey] has been overwritten')
    await unsaved().waitFor({ state: 'detached' })
  })

  it('EXP-011: is put on the dashboard that it was opened from', async () => {
    const { body } = await client.post('/api/v1/dashboard/', { dashboard_title: 'Of the journey' })
    await page.goto(`/explore/?slice_id=${charts.get('Penguins of the journey')}&dashboard_id=${body.id}`)
    await drawn().waitFor()
    await page.keyboard.press('Control+Shift+s')
    await dialog().getByLabel('Chart name').fill('Penguins on a dashboard')
    await dialog().getByRole('button', { name: 'Save', exact: true }).click()
    await toast('Chart [Penguins on a dashboard] has been saved')
    const { body: on } = await client.get(`/api/v1/dashboard/${body.id}/charts`)
    expect(on.result.map(({ slice_name }: { slice_name: string }) => slice_name)).toEqual(['Penguins on a dashboard'])
  })

  it('EXP-086: a save that fails is said in the dialog, and nothing is lost', async () => {
    await openChart('Penguins of the journey')
    await intercept(page, '**/api/v1/chart/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, body: '{"message":"full disk"}' })
        : route.fallback(),
    )
    await page.keyboard.press('Control+s')
    await dialog().getByRole('button', { name: 'Save', exact: true }).click()
    const alert = dialog().getByRole('alert')
    await alert.getByText('Failed to save slice').waitFor()
    await alert.getByText('full disk').waitFor()
    await page.unroute('**/api/v1/chart/*')
    await page.keyboard.press('Escape')
  })

  it('EXP-087: dashboards that cannot be listed are said in the dialog', async () => {
    await intercept(page, '**/api/v1/dashboard/?*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.keyboard.press('Control+s')
    await dialog().getByRole('combobox', { name: 'Add to dashboard' }).click()
    await dialog().getByRole('alert').getByText('Could not load your dashboards.').waitFor()
    await page.unroute('**/api/v1/dashboard/?*')
  })

  it('EXP-006, EXP-020, DSET-029, DSET-031: the question is kept as a dataset of its own, which Explore opens', async () => {
    await openChart('Busiest airports')
    await button('Actions on the dataset').click()
    await page.getByRole('menuitem', { name: 'Save as dataset' }).click()
    await page.getByRole('dialog', { name: 'Save as dataset' }).getByLabel('Name').fill('busy airports')
    await dialog().getByRole('button', { name: 'Save and explore' }).click()
    await page.waitForURL(/explore\/\?datasource_id=\d+/)
    await page.getByRole('region', { name: 'Dataset' }).getByText('busy airports').waitFor()
    const { body } = await client.get(
      '/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:%27busy airports%27)))',
    )
    expect(body.count).toBe(1)
  })

  it('EXP-003, EXP-081 to EXP-084: the star is set and taken away', async () => {
    await openChart('Penguins of the journey')
    const star = button(/^Favorite Penguins/)
    await star.click()
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true')
    const status = () =>
      client
        .get(`/api/v1/chart/favorite_status/?q=!(${charts.get('Penguins of the journey')})`)
        .then(({ body }) => body.result[0].value)
    await expect.poll(status).toBe(true)
    await page.reload()
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true')
    await star.click()
    await expect.poll(status).toBe(false)
  })

  it('EXP-085: a star that is refused goes back and says so', async () => {
    await intercept(page, '**/favorites/', (route) => route.fulfill({ status: 500, body: '{}' }))
    const star = button(/^Favorite Penguins/)
    await star.click()
    await toast('An error occurred while starring this chart')
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('false')
    await page.unroute('**/favorites/')
  })

  it('an unsaved change survives a reload at once, and one by its address in another window', async () => {
    await openChart('Rain by month')
    await page.getByRole('tab', { name: 'Look' }).click()
    await controls().getByLabel('Show values').check()
    await page.reload()
    await unsaved().waitFor()
    await page.getByRole('tab', { name: 'Look' }).click()
    expect(await controls().getByLabel('Show values').isChecked()).toBe(true)
    await controls().getByLabel('Data zoom').check()
    await page.waitForURL(/form_data_key=/)
    const other = await signedIn(browser, product.url)
    await other.goto(page.url())
    await other.getByText('Unsaved changes').waitFor()
    await other.context().close()
  })

  it('EXP-008: a link that is shared opens the same chart', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button('Share').click()
    await page.getByRole('button', { name: /Copy/ }).first().click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('/superset/explore/p/')
    const link = await page.evaluate(() => navigator.clipboard.readText())
    await page.goto(link)
    await unsaved().waitFor()
    await page.getByRole('heading', { level: 1, name: 'Rain by month' }).waitFor()
  })

  it('EXP-004, EXP-022, CTRL-015, CTRL-017: another dataset is put under the chart, and what it lacks is marked', async () => {
    await openChart('Rain by month')
    await button('Actions on the chart').click()
    await page.getByRole('menuitem', { name: 'Swap dataset' }).click()
    await dialog().getByRole('textbox', { name: 'Find a dataset' }).fill('penguins')
    await dialog().getByRole('button', { name: 'penguins', exact: true }).click()
    await dialog().getByRole('button', { name: 'Proceed' }).click()
    await toast('Dataset changed to penguins')
    await page.getByRole('region', { name: 'Dataset' }).getByText('penguins', { exact: true }).waitFor()
    await page.getByTitle('This column might be incompatible with current dataset').first().waitFor()
    await page.getByTitle('This metric might be incompatible with current dataset').first().waitFor()
  })

  it('EXP-007, DASH-083: the rows behind the picture, the samples, the SQL for the SQL editor and a file', async () => {
    await openChart('Busiest airports')
    await drawn().waitFor()
    await page.getByRole('grid', { name: 'Results' }).waitFor()
    const unread = { status: 200, body: '' }
    await intercept(page, '**/api/v1/chart/data', (route) => route.fulfill(unread), { times: 1 })
    await page.getByRole('tab', { name: 'Samples' }).click()
    await page.getByText('Sorry, an error occurred', { exact: true }).waitFor()
    await button('Try again').click()
    const samples = page.getByRole('grid', { name: 'Samples' })
    // times read as times, in the order of days as of a table
    await samples
      .getByRole('gridcell', { name: /^\d{4}-\d\d-\d\d/ })
      .first()
      .waitFor()
    await button('Actions on the chart').click()
    await page.getByRole('menuitem', { name: 'View query' }).click()
    await page.locator('pre', { hasText: 'GROUP BY' }).waitFor()
    const link = page.getByRole('link', { name: 'Open in SQL Lab' })
    expect(decodeURIComponent((await link.getAttribute('href')) ?? '')).toContain('GROUP BY')
    for (const [name, ending] of [
      ['CSV', 'csv'],
      ['Excel', 'xlsx'],
      ['Parquet', 'parquet'],
    ] as const) {
      await button('Actions on the chart').click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: `Download as ${name}` }).click(),
      ])
      expect(file.suggestedFilename()).toBe(`Busiest airports.${ending}`)
    }
  })

  it('the properties of a chart are edited where it is made, its time in the cache among them', async () => {
    const { body } = await client.post('/api/v1/chart/', {
      slice_name: 'To be described',
      viz_type: 'table',
      datasource_id: datasets.get('seattle_weather'),
      datasource_type: 'table',
      params: JSON.stringify({ viz_type: 'table', query_mode: 'raw', all_columns: ['date'], row_limit: 5 }),
    })
    charts.set('To be described', body.id)
    await openChart('To be described')
    await button('Actions on the chart').click()
    await page.getByRole('menuitem', { name: 'Edit chart properties' }).click()
    const properties = page.getByRole('dialog', { name: 'Properties' })
    await properties.getByRole('textbox', { name: 'Name' }).fill('Described')
    await properties.getByRole('textbox', { name: 'Description' }).fill('Days of **rain**')
    await properties.getByRole('spinbutton', { name: 'Cache timeout' }).fill('90')
    await properties.getByRole('textbox', { name: 'Certified by' }).fill('Ada')
    await properties.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Described' }).waitFor()
    expect(await unsaved().count()).toBe(0)
    expect((await client.get(`/api/v1/chart/${body.id}`)).body.result).toMatchObject({
      slice_name: 'Described',
      description: 'Days of **rain**',
      cache_timeout: 90,
      certified_by: 'Ada',
    })
  })
})
