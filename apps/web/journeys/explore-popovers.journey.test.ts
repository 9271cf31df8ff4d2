import type { Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findAxeViolations, intercept, openBrowser, openSignedInPage, type JourneyBrowser } from './browser.ts'
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

describe('the popovers', () => {
  it('EXP-023, CTRL-046: a metric is saved, simple or custom SQL, and can be saved only after a change', async () => {
    await explore.openChart('Rain by month')
    await explore.control('Metrics').getByRole('button', { name: 'Rain (mm)', exact: true }).click()
    expect(await explore.dialog().getByRole('tab').allTextContents()).toEqual(['Saved', 'Simple', 'Custom SQL'])
    expect(await explore.dialog().getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('CTRL-042, CTRL-045, CTRL-048: a column and an aggregate make a metric', async () => {
    await explore.dialog().getByRole('tab', { name: 'Simple' }).click()
    await explore.choose(explore.dialog().getByRole('combobox', { name: 'Column' }), 'Wind (m/s)')
    await explore.dialog().getByRole('combobox', { name: 'Aggregate' }).click()
    await expect
      .poll(async () => (await page.getByRole('option').allTextContents()).toSorted())
      .toEqual([
        'AVG',
        'COUNT',
        'COUNT_DISTINCT',
        'MAX',
        'MEDIAN',
        'MIN',
        'P90',
        'P95',
        'P99',
        'PERCENTILE',
        'STDDEV',
        'SUM',
        'VARIANCE',
      ])
    await page.getByRole('option', { name: 'MAX', exact: true }).click()
    const body = await explore.dataRequest(() => explore.dialog().getByRole('button', { name: 'Save' }).click())
    expect(body.queries[0].metrics).toEqual([
      expect.objectContaining({ expressionType: 'SIMPLE', aggregate: 'MAX', label: 'MAX(wind)' }),
    ])
  })

  it('CTRL-044, CTRL-049: SQL makes a custom SQL metric', async () => {
    await explore.control('Metrics').getByRole('button', { name: 'Maximum of Wind (m/s)', exact: true }).click()
    await explore.dialog().getByRole('tab', { name: 'Custom SQL' }).click()
    await explore.dialog().getByLabel('SQL expression').fill('MAX(wind) * 3.6')
    const body = await explore.dataRequest(() => explore.dialog().getByRole('button', { name: 'Save' }).click())
    expect(body.queries[0].metrics[0]).toMatchObject({
      expressionType: 'SQL',
      sqlExpression: 'MAX(wind) * 3.6',
      column: null,
      aggregate: null,
    })
  })

  it('CTRL-043: a saved metric replaces all of that', async () => {
    await explore.control('Metrics').getByRole('button', { name: 'MAX(wind) * 3.6', exact: true }).click()
    await explore.dialog().getByRole('tab', { name: 'Saved' }).click()
    await explore.choose(explore.dialog().getByRole('combobox', { name: 'Metric' }), 'Days')
    const body = await explore.dataRequest(() => explore.dialog().getByRole('button', { name: 'Save' }).click())
    expect(typeof body.queries[0].metrics[0]).toBe('string')
  })

  it('EXP-024, CTRL-013, CTRL-054: a column is a saved expression, a column or SQL', async () => {
    await explore.control('Dimensions').getByRole('button', { name: 'Add a column' }).click()
    expect(await explore.dialog().getByRole('tab').allTextContents()).toEqual(['Saved', 'Simple', 'Custom SQL'])
    await explore.dialog().getByRole('tab', { name: 'Saved' }).click()
    await explore.dialog().getByText('No saved expressions found').waitFor()
    await explore.dialog().getByRole('tab', { name: 'Custom SQL' }).click()
    await explore.dialog().getByLabel('SQL expression').fill('upper(weather)')
    await explore.dialog().getByLabel('Name').fill('Loud')
    const body = await explore.dataRequest(() => explore.dialog().getByRole('button', { name: 'Save' }).click())
    expect(body.queries[0].columns).toContainEqual({
      expressionType: 'SQL',
      sqlExpression: 'upper(weather)',
      label: 'Loud',
    })
  })

  it('EXP-025, CTRL-055, CTRL-056, CTRL-058, CTRL-059, CTRL-062, CTRL-093 to CTRL-095: a filter has two tabs, and can be saved once it is complete', async () => {
    await explore.control('Filters').getByRole('button', { name: 'Add a filter' }).click()
    expect(await explore.dialog().getByRole('tab').allTextContents()).toEqual(['Simple', 'Custom SQL'])
    await explore.dialog().getByRole('button', { name: 'Close' }).waitFor()
    const box = await explore.dialog().boundingBox()
    expect(box?.width).toBeGreaterThanOrEqual(320)
    expect(box?.height).toBeGreaterThanOrEqual(240)
    expect((await explore.dialog().locator('form').boundingBox())?.width).toBeCloseTo(296, 0)
    const save = explore.dialog().getByRole('button', { name: 'Save' })
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await explore.choose(explore.dialog().getByRole('combobox', { name: 'Column' }), 'Rain (mm)')
    await explore.choose(explore.dialog().getByRole('combobox', { name: 'Operator' }), 'is at least')
    await explore.choose(explore.dialog().getByRole('combobox', { name: 'Column' }), 'Weather')
    expect(await explore.dialog().getByRole('combobox', { name: 'Operator' }).inputValue()).toBe('is one of')
    expect(await save.getAttribute('aria-disabled')).toBe('true')
  })

  it('CTRL-069: another operator reduces a list to its first value', async () => {
    await explore.dialog().getByRole('combobox', { name: 'Values' }).click()
    await page.getByRole('option', { name: 'fog', exact: true }).click()
    await page.keyboard.press('Escape')
    await explore.choose(explore.dialog().getByRole('combobox', { name: 'Operator' }), 'equals')
    expect(await explore.dialog().getByLabel('Value').inputValue()).toBe('fog')
    const body = await explore.dataRequest(() => explore.dialog().getByRole('button', { name: 'Save' }).click())
    expect(body.queries[0].filters).toContainEqual({ col: 'weather', op: '==', val: 'fog' })
  })

  it('CTRL-060: an unchanged filter cannot be saved', async () => {
    await explore
      .control('Filters')
      .getByRole('button', { name: /^Weather equals/ })
      .click()
    expect(await explore.dialog().getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
    await explore.dialog().getByRole('button', { name: 'Close' }).click()
  })

  it('CTRL-057: the filter editor is resized at its corner', async () => {
    await explore.control('Filters').getByRole('button', { name: 'Add a filter' }).click()
    const before = (await explore.dialog().boundingBox())!
    const corner = { x: before.x + before.width - 3, y: before.y + before.height - 3 }
    await page.mouse.move(corner.x, corner.y)
    await page.mouse.down()
    await page.mouse.move(corner.x + 90, corner.y + 60, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await explore.dialog().boundingBox())!.width).toBeGreaterThan(before.width + 60)
    expect((await explore.dialog().boundingBox())!.height).toBeGreaterThan(before.height + 30)
    await explore.dialog().getByRole('button', { name: 'Close' }).click()
  })

  it('a pasted name becomes a metric, a dimension or a filter, and an unknown name is reported', async () => {
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
    await paste(explore.control('Metrics'), 'MAX(precipitation)')
    await explore.control('Metrics').getByRole('button', { name: 'Maximum of Rain (mm)', exact: true }).waitFor()
    await paste(explore.control('Dimensions'), 'weather')
    await explore.control('Dimensions').getByRole('button', { name: 'Weather', exact: true }).waitFor()
    await paste(explore.control('Dimensions'), 'nothing of this')
    await page.getByText('Can’t add “nothing of this” here').waitFor()
    await paste(explore.control('Filters'), 'weather')
    await expect.poll(() => explore.dialog().getByRole('combobox', { name: 'Column' }).inputValue()).toBe('Weather')
    await explore.dialog().getByRole('button', { name: 'Close' }).click()
  })

  it('EXP-044: View in SQL Lab posts dataset and SQL to SQL Lab', async () => {
    await explore.button('Dataset actions').click()
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.method() === 'POST' && new URL(each.url()).pathname === '/superset/sqllab/'),
      page.getByRole('menuitem', { name: 'View in SQL Lab' }).click(),
    ])
    const fields = new URLSearchParams(request.postData() ?? '')
    expect(fields.get('datasourceKey')).toBe(`${explore.datasets.get('seattle_weather')}__table`)
    expect(fields.get('sql')).toMatch(/^SELECT/)
    await page.waitForURL(/sqllab/)
    await expect.poll(() => page.locator('.cm-content').first().textContent()).toContain('SELECT')
  })

  it('EXP-030, CTRL-097 to CTRL-100, CTRL-102: a conditional format reports what it lacks', async () => {
    await explore.openChart('Wettest days')
    await page.getByRole('tab', { name: 'Style' }).click()
    await explore.button('Add a rule').click()
    await explore.dialog().getByRole('button', { name: 'Save' }).click()
    await explore.dialog().getByText('Required', { exact: true }).first().waitFor()
    await explore.dialog().getByRole('combobox', { name: 'Operator' }).click()
    // The operators of every rule, and two for cells without a value.
    await expect.poll(() => page.getByRole('option').count()).toBe(11 + 2)
    await page.getByRole('option', { name: '< x <', exact: true }).click()
    await explore.dialog().getByLabel('Left value').fill('9')
    await explore.dialog().getByLabel('Right value').fill('5')
    await explore.dialog().getByLabel('Right value').blur()
    await explore.dialog().getByText('This value should be smaller than the right target value').waitFor()
    await explore.dialog().getByText('This value should be greater than the left target value').waitFor()
    await explore.dialog().getByLabel('Right value').fill('20')
    await explore.dialog().getByRole('button', { name: 'Save' }).click()
    await explore.button('9 < Rain (mm) < 20').waitFor()
  })

  it('EXP-026, CHART-021, CHART-027, CHART-029 to CHART-036: layers are added, queried, named when they fail and removed', async () => {
    const { body: layer } = await client.post('/api/v1/annotation_layer/', { name: 'Seasons' })
    const spring = { short_descr: 'Spring', start_dttm: '2014-03-20T00:00:00', end_dttm: '2014-06-20T00:00:00' }
    const { body: made } = await client.post(`/api/v1/annotation_layer/${layer.id}/annotation/`, spring)
    await explore.openChart('Temperature by week')
    await page.getByRole('tab', { name: 'Style' }).click()
    const layers = explore.control('Annotation layers')
    const legend = page.getByRole('group', { name: 'Legend' })
    const add = async (name: string) => {
      await layers.getByRole('button', { name: 'Add an annotation layer' }).click()
      await explore.dialog().getByRole('textbox', { name: 'Name' }).fill(name)
    }
    const save = () => explore.dialog().getByRole('button', { name: 'Save' }).click()

    await add('Mild')
    await explore.dialog().getByRole('textbox', { name: 'Formula' }).fill('10 +')
    await save()
    await explore.dialog().getByText('Not a valid formula of x').waitFor()
    await explore.dialog().getByRole('textbox', { name: 'Formula' }).fill('10 + 5')
    await save()
    await legend.getByRole('button', { name: 'Mild' }).waitFor()

    await add('Calendar')
    await explore.choose(explore.dialog().getByRole('combobox', { name: 'Annotation layer type' }), 'Interval')
    await explore.choose(explore.dialog().getByRole('combobox', { name: /^Annotation layer( required)?$/ }), 'Seasons')
    const { queries } = await explore.dataRequest(save)
    expect(queries[0].annotation_layers).toMatchObject([
      { name: 'Calendar', annotationType: 'INTERVAL', sourceType: 'NATIVE', value: layer.id, force: true },
    ])
    await legend.getByRole('button', { name: 'Calendar' }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])

    await client.delete(`/api/v1/annotation_layer/${layer.id}/annotation/${made.id}`)
    await client.delete(`/api/v1/annotation_layer/${layer.id}`)
    await explore.dataRequest(() => explore.button('Update chart').click())
    await layers.getByText('The annotation layer does not exist').waitFor()
    await explore.button('1 annotation layer could not be drawn').waitFor()
    await explore.drawnChart().waitFor()

    let isHeld = true
    await intercept(page, '**/api/v1/chart/data', (route) => (isHeld ? undefined : route.fallback()))
    const overtaken = page.waitForEvent('requestfailed', (each) => each.url().endsWith('/api/v1/chart/data'))
    await explore.button('Update chart').click()
    await page.locator('figure[aria-busy=true]').first().waitFor()
    isHeld = false
    await explore.dataRequest(() => layers.getByRole('button', { name: 'Remove Calendar' }).click())
    const { queries: cancelled } = (await overtaken).postDataJSON() as { queries: { annotation_layers: object[] }[] }
    expect(cancelled[0]?.annotation_layers).toMatchObject([{ name: 'Calendar' }])
    await page.unroute('**/api/v1/chart/data')
    await layers.getByRole('alert').waitFor({ state: 'detached' })
    expect(await page.getByRole('figure').getByRole('alert').count()).toBe(0)
    expect(await legend.getByRole('button').allTextContents()).toContain('Mild')
  })
})

describe('the time range', () => {
  it('TIME-001, TIME-003, EXP-019: has six modes and is 600 px wide', async () => {
    await page.getByRole('tab', { name: 'Data' }).click()
    await explore.control('Filters').getByRole('button', { name: 'Add a filter' }).click()
    await explore.choose(explore.dialog().getByRole('combobox', { name: 'Column' }), 'Day')
    await explore.button('Choose a range for Time range').click()
    const modes = explore.dialog().getByRole('radiogroup', { name: 'Range type' }).getByRole('radio')
    expect(await modes.evaluateAll((all) => all.map((each) => each.parentElement?.textContent))).toEqual([
      'Last',
      'Previous',
      'Current',
      'Custom',
      'Advanced',
      'No filter',
    ])
    expect((await explore.dialog().boundingBox())?.width).toBe(600)
  })

  it('TIME-008, TIME-009, TIME-023: Apply is disabled while the range is invalid, and the error is shown', async () => {
    await explore.dialog().getByText('Advanced', { exact: true }).click()
    const help = explore.dialog().locator('details')
    for (const name of ['DATETIME', 'DATEADD', 'DATETRUNC', 'LASTDAY', 'HOLIDAY'])
      expect((await help.textContent())?.toUpperCase()).toContain(name)
    await explore.dialog().getByRole('textbox').first().fill('the day of doom')
    await explore.dialog().getByRole('alert').waitFor()
    await expect
      .poll(() => explore.dialog().getByRole('button', { name: 'Apply' }).getAttribute('aria-disabled'))
      .toBe('true')
  })

  it('TIME-007: nothing is requested before Apply', async () => {
    const requests: string[] = []
    const listen = (each: Request) => void (each.url().endsWith('/api/v1/chart/data') && requests.push(each.url()))
    page.on('request', listen)
    onTestFinished(() => void page.off('request', listen))
    await explore.dialog().getByText('Last', { exact: true }).click()
    await explore
      .dialog()
      .getByRole('radio', { name: /last year/i })
      .check()
    await explore.dialog().getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByRole('textbox', { name: 'Time range' }).inputValue()).toBe('')
    await explore.button('Choose a range for Time range').click()
    await explore.dialog().getByText('Last', { exact: true }).click()
    await explore
      .dialog()
      .getByRole('radio', { name: /last year/i })
      .check()
    await explore.dialog().getByRole('button', { name: 'Apply' }).click()
    const body = await explore.dataRequest(() => explore.dialog().getByRole('button', { name: 'Save' }).click())
    expect(JSON.stringify(body.queries[0])).toContain('Last year')
    expect(requests).toHaveLength(1)
  })
})
