import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { createApiClient } from './product.ts'
import { intercept } from './browser.ts'

type Client = Awaited<ReturnType<typeof createApiClient>>

/** Steps that journeys over dashboards share, on one page and with one API client. */
export function dashboardTools(page: Page, client: Client) {
  const button = (name: string | RegExp, on = page) =>
    on.getByRole('button', { name, exact: typeof name === 'string' }).first()

  /** Waits until every visible chart has its data. */
  async function answered(on = page): Promise<void> {
    await on.locator('figure').first().waitFor()
    await on.waitForFunction(() => !document.querySelector('[aria-busy="true"]'), undefined, { polling: 100 })
  }

  const chartNamed = async (name: string): Promise<number> => {
    const q = `(filters:!((col:slice_name,opr:eq,value:'${name}')))`
    return (await client.get(`/api/v1/chart/?q=${encodeURIComponent(q)}`)).body.result[0].id
  }

  const stored = async (id: number | string) => (await client.get(`/api/v1/dashboard/${id}`)).body.result

  return {
    button,
    answered,
    chartNamed,
    stored,

    /** The frame of a chart. */
    tile: (name: string, on = page) => on.locator(`figure[aria-label="${name}"]`),

    waitForText: (text: string | RegExp, on = page) => on.getByText(text).last().waitFor(),

    choose: (item: string) => page.locator('[role^="menuitem"]', { hasText: item }).first().click(),

    async open(name: string | number, query = '', on = page): Promise<void> {
      await on.goto(`/superset/dashboard/${name}/${query}`)
      await answered(on)
    },

    /** Opens a dashboard inside the loaded page, as a link does. */
    async openInside(id: number, query = ''): Promise<void> {
      const { dashboard_title } = await stored(id)
      await page.evaluate((to) => history.pushState({}, '', to), `/superset/dashboard/${id}/${query}`)
      await page.getByRole('heading', { level: 1, name: dashboard_title, exact: true }).waitFor()
      await answered()
    },

    /** Opens a dashboard that has no charts yet. */
    async openEmpty(id: number, on = page): Promise<void> {
      await on.goto(`/superset/dashboard/${id}/`)
      await on.getByRole('heading', { level: 1 }).waitFor()
    },

    /** Creates a dashboard with example charts in one row, each four columns wide. */
    async boardOf(title: string, names: string[], metadata: object = {}): Promise<number> {
      const created = await client.post('/api/v1/dashboard/', { dashboard_title: title, published: true })
      const ids = await Promise.all(names.map(chartNamed))
      const json_metadata = JSON.stringify({ positions: buildPositions(ids), ...metadata })
      expect((await client.put(`/api/v1/dashboard/${created.body.id}`, { json_metadata })).status).toBe(200)
      return created.body.id
    },

    /** Creates a dashboard with one chart of the flights example, and the filters of that example. */
    async filteredFlights(title: string): Promise<number> {
      const { native_filter_configuration } = JSON.parse((await stored('flights')).json_metadata)
      return this.boardOf(title, ['Flights'], { native_filter_configuration })
    },

    /** Rows of the stored layout, each as its content with widths, such as `Penguins 4 | Penguins by island 4`. */
    async rows(id: number): Promise<string[]> {
      const charts: { id: number; slice_name: string }[] = (await client.get(`/api/v1/dashboard/${id}/charts`)).body
        .result
      const nodes = JSON.parse((await stored(id)).position_json) as Record<string, StoredNode>
      const words = ({ type, meta, children }: StoredNode): string =>
        type === 'ROW'
          ? children.map((child) => words(nodes[child]!)).join(' | ')
          : type === 'CHART'
            ? `${charts.find((chart) => chart.id === meta?.chartId)?.slice_name} ${meta?.width}`
            : (meta?.text ?? type)
      return nodes['GRID_ID']!.children.map((row) => words(nodes[row]!))
    },

    /** Replaces one response of the server. */
    refuse: (pattern: RegExp, method: string, status: number, body: object) =>
      intercept(
        page,
        pattern,
        (route) =>
          route.request().method() === method
            ? route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
            : route.fallback(),
        { times: 1 },
      ),
  }
}

interface StoredNode {
  type: string
  children: string[]
  meta?: { chartId?: number; width?: number; text?: string }
}

/** One row with the charts side by side. */
function buildPositions(charts: number[]): object {
  const parents = ['ROOT_ID', 'GRID_ID']
  const row = {
    id: 'ROW-1',
    type: 'ROW',
    children: charts.map((chart) => `CHART-${chart}`),
    parents,
    meta: { background: 'BACKGROUND_TRANSPARENT' },
  }
  const tiles = charts.map((chartId) => ({
    id: `CHART-${chartId}`,
    type: 'CHART',
    children: [],
    parents: [...parents, 'ROW-1'],
    meta: { chartId, width: 4, height: 24 },
  }))
  return {
    DASHBOARD_VERSION_KEY: 'v2',
    ROOT_ID: { id: 'ROOT_ID', type: 'ROOT', children: ['GRID_ID'] },
    GRID_ID: { id: 'GRID_ID', type: 'GRID', children: charts.length ? ['ROW-1'] : [], parents: ['ROOT_ID'] },
    ...(charts.length && { 'ROW-1': row }),
    ...Object.fromEntries(tiles.map((each) => [each.id, each])),
  }
}
