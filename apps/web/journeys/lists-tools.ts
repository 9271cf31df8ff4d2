import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { intercept } from './browser.ts'
import type { createApiClient } from './product.ts'

type Client = Awaited<ReturnType<typeof createApiClient>>

/** Steps that journeys over lists share, on one page and with one API client. */
export async function listTools(page: Page, client: Client) {
  const { body } = await client.get('/api/v1/dataset/?q=(filters:!((col:table_name,opr:eq,value:flights)))')
  const flights = body.result[0].id as number

  return {
    /** The dataset that new charts use. */
    flights,

    /** Creates a chart and returns its ID. */
    async addChart(slice_name: string, more: object = {}): Promise<number> {
      const chart = { slice_name, viz_type: 'pie', datasource_id: flights, datasource_type: 'table', ...more }
      const response = await client.post('/api/v1/chart/', chart)
      expect(response.status).toBe(201)
      return response.body.id as number
    },

    link: (name: string | RegExp): Locator => page.getByRole('table').getByRole('link', { name, exact: true }),

    /** The names of the rows on the page, in their order. */
    names: (): Promise<string[]> => page.locator('tbody a[data-row]').allTextContents(),

    search: (): Locator => page.getByRole('search').getByRole('searchbox'),

    toast: (text: string | RegExp): Promise<void> =>
      page.getByRole('region', { name: 'Messages' }).getByText(text).first().waitFor(),

    /** Closes all toasts in one step, so that one that disappears automatically is not waited for. */
    closeToasts: (): Promise<void> =>
      page.getByRole('button', { name: 'Close message' }).evaluateAll((buttons) => {
        for (const button of buttons as HTMLElement[]) button.click()
      }),

    menuOf: (name: string): Promise<void> =>
      page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click(),

    choose: (entry: string): Promise<void> => page.getByRole('menuitem', { name: entry }).click(),

    /** The next request whose decoded URL contains all these texts. */
    call: (...parts: string[]) =>
      page.waitForRequest((request) =>
        parts.every((part) => decodeURIComponent(request.url().replaceAll('+', ' ')).includes(part)),
      ),

    /** Answers the requests of one method with status 500 and this message. */
    fail: (url: string | RegExp, message: string, method = 'GET') =>
      intercept(page, url, (route) =>
        route.request().method() === method
          ? route.fulfill({ status: 500, contentType: 'application/json', body: JSON.stringify({ message }) })
          : route.fallback(),
      ),
  }
}
