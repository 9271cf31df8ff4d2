import { launchBrowser, openSignedInPage } from '../../apps/web/journeys/browser.ts'
import type { Workload } from './bench.ts'
import { median } from './measure.ts'

const [columns, metrics] = [2000, 500]

/** Runs in the page: milliseconds from each of these keys in the focused field to the end of the frame that shows it. */
async function keyTimes(keys: string): Promise<number[]> {
  const field = document.activeElement as HTMLInputElement
  const put = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  const frame = () =>
    new Promise<number>((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))))
  const times: number[] = []
  for (let end = 1; end <= keys.length; end += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const begun = performance.now()
    put?.call(field, keys.slice(0, end))
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    times.push((await frame()) - begun)
  }
  return times
}

/** Explore on a dataset of 2,000 columns and 500 metrics: a key in the field search, in a list of columns, and in a control. */
export const exploreKeys: Workload = async ({ product, client, datasets }) => {
  const source = await client.json<{ result: { database: { id: number } } }>(
    'GET',
    `/api/v1/dataset/${datasets.flights}`,
  )
  const created = await client.json<{ id: number }>('POST', '/api/v1/dataset/', {
    database: source.result.database.id,
    table_name: `wide_${Date.now()}`,
    sql: 'SELECT * FROM flights',
  })
  const detail = await client.json<{ result: { columns: object[] } }>('GET', `/api/v1/dataset/${created.id}`)
  const own = detail.result.columns as { id: number; column_name: string }[]
  await client.json('PUT', `/api/v1/dataset/${created.id}`, {
    columns: [
      ...own.map(({ id, column_name }) => ({ id, column_name })),
      ...Array.from({ length: columns - own.length }, (_, index) => ({
        column_name: `computed_column_${index}`,
        expression: `distance + ${index}`,
        type: 'BIGINT',
      })),
    ],
    metrics: Array.from({ length: metrics }, (_, index) => ({
      metric_name: `metric_${index}`,
      expression: `SUM(distance) + ${index}`,
    })),
  })
  const browser = await launchBrowser()
  try {
    const page = await openSignedInPage(browser, product.url)
    await page.goto(`${product.url}/explore/?datasource_type=table&datasource_id=${created.id}`)
    await page.locator('figure[aria-busy=false] canvas').first().waitFor()
    await page.getByRole('textbox', { name: 'Search fields' }).focus()
    const search = await page.evaluate(keyTimes, 'computed_column_19')
    await page.getByRole('group', { name: 'Filters' }).getByRole('button').last().click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Column' }).click()
    const list = await page.evaluate(keyTimes, 'computed_column_19')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('tab', { name: 'Style' }).click()
    await page.getByRole('textbox', { name: 'X-axis title' }).focus()
    const control = await page.evaluate(keyTimes, 'Days of flights')
    const figure = (name: string, times: number[]) => ({
      name: `Explore, 2,000 columns and 500 metrics: key in ${name}`,
      unit: 'ms' as const,
      value: median(times),
      runs: times.length,
      budget: 50,
    })
    return [figure('the search', search), figure('a list of columns', list), figure('a control', control)]
  } finally {
    await browser.close()
  }
}
