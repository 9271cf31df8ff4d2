import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { createApiClient } from './product.ts'

type Client = Awaited<ReturnType<typeof createApiClient>>

/** Steps and locators that several journeys through Explore share, on one page and with one API client. */
export async function exploreTools(page: Page, client: Client) {
  const charts = new Map<string, number>()
  const datasets = new Map<string, number>()
  const { body: chartList } = await client.get('/api/v1/chart/?q=(page_size:100)')
  for (const { id, slice_name } of chartList.result) charts.set(slice_name, id)
  const { body: datasetList } = await client.get('/api/v1/dataset/?q=(page_size:100)')
  for (const { id, table_name } of datasetList.result) datasets.set(table_name, id)

  // Unless the user chose otherwise, Explore updates the chart during editing only while responses take less than two seconds.
  await page.addInitScript(
    (databases) => {
      if (!location.protocol.startsWith('http')) return
      for (const id of databases) localStorage.setItem(`parquetry.explore.itself.${id}`, 'on')
    },
    datasetList.result.map(({ database }: { database: { id: number } }) => database.id),
  )

  const controls = () => page.getByRole('region', { name: 'Controls' })

  /** Opens a chart without waiting for its data. */
  async function openWithoutData(name: string): Promise<void> {
    await page.goto(`/explore/?slice_id=${charts.get(name)}`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }

  return {
    /** IDs by name. */
    charts,
    datasets,
    controls,
    openWithoutData,

    drawnChart: () => page.locator('figure[aria-busy=false] canvas, figure[aria-busy=false] [role=grid]').first(),
    button: (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' }),
    dialog: () => page.getByRole('dialog').last(),
    toast: (text: string) => page.getByText(text, { exact: true }).first().waitFor(),
    control: (name: string) => controls().getByRole('group', { name }),
    unsaved: () => page.getByText('Unsaved changes'),

    async openChart(name: string): Promise<void> {
      await openWithoutData(name)
      await page.locator('figure[aria-busy=false]').first().waitFor()
    },

    async openDataset(name: string, more = ''): Promise<void> {
      await page.goto(`/explore/?datasource_type=table&datasource_id=${datasets.get(name)}${more}`)
      await page.getByRole('heading', { level: 1, name: 'New chart' }).waitFor()
    },

    /** Saves a chart through the API, which `openChartStream` then finds by its name. */
    async createChart(slice_name: string, dataset: string, params: { viz_type: string; [name: string]: unknown }) {
      const { status, body } = await client.post('/api/v1/chart/', {
        slice_name,
        viz_type: params.viz_type,
        datasource_id: datasets.get(dataset),
        datasource_type: 'table',
        params: JSON.stringify(params),
      })
      expect(status, JSON.stringify(body)).toBe(201)
      charts.set(slice_name, body.id)
      return body.id as number
    },

    /** Chooses the first option whose text begins with `words`. */
    async choose(field: Locator, words: string): Promise<void> {
      await field.click()
      await page
        .getByRole('option', { name: new RegExp(`^${words.replace(/[()]/g, String.raw`\$&`)}`) })
        .first()
        .click()
    },

    /** The body of the next data request that the page sends. */
    async dataRequest(act: () => Promise<unknown>) {
      const [request] = await Promise.all([
        page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/api/v1/chart/data')),
        act(),
      ])
      return request.postDataJSON()
    },
  }
}
