import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { createApiClient } from './product.ts'

type Client = Awaited<ReturnType<typeof createApiClient>>

/** Steps that journeys over datasets share, on one page and with one API client. */
export function datasetTools(page: Page, client: Client) {
  const alertDialog = (name: string): Locator => page.getByRole('alertdialog', { name })

  const toast = (text: string | RegExp): Promise<void> =>
    page.getByRole('region', { name: 'Messages' }).getByText(text).first().waitFor()

  const detailOf = async (id: number) => (await client.get(`/api/v1/dataset/${id}`)).body.result

  return {
    alertDialog,
    toast,
    detailOf,

    grid: (): Locator => page.getByRole('grid'),

    cell: (row: string, column: number): Locator =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: row, exact: true }) })
        .getByRole('gridcell')
        .nth(column),

    columnOf: async (id: number, name: string) =>
      (await detailOf(id)).columns.find(({ column_name }: { column_name: string }) => column_name === name),

    /** Creates a dataset of this SQL in the database and schema of another dataset and returns its ID. */
    async addSqlDataset(beside: number, table_name: string, sql: string, more: object = {}): Promise<number> {
      const { database } = await detailOf(beside)
      const body = { database: database.id, schema: 'main', table_name, sql, ...more }
      const response = await client.post('/api/v1/dataset/', body)
      expect(response.status, JSON.stringify(response.body)).toBe(201)
      return response.body.id as number
    },

    /** Clears what the browser stores for the product, at a URL that does not load its code. */
    async clearStorage(): Promise<void> {
      await page.goto('/health')
      await page.evaluate(() => localStorage.clear())
    },

    /** Opens the editor without a draft. */
    async edit(id: number, tab = 'columns'): Promise<void> {
      await this.clearStorage()
      await page.goto(`/dataset/${id}?tab=${tab}`)
      await page.getByRole('tab', { name: /^Columns/ }).waitFor()
    },

    async save(): Promise<void> {
      await page.keyboard.press('Control+s')
      await alertDialog('Confirm save').waitFor()
      await page.keyboard.press('Enter')
      await toast(/^The dataset has been saved/)
      await alertDialog('Confirm save').waitFor({ state: 'detached' })
    },
  }
}
