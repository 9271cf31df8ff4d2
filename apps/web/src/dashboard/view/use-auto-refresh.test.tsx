import type { DashboardDataRequest } from '@parquetry/model'
import { show } from '@parquetry/ui/show.testing.tsx'
import { flushSync } from 'react-dom'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { boot } from '../../shared/boot.ts'
import type { OpenStream } from '../data/chart-data-loader.ts'
import { DashboardData } from '../data/dashboard-data.ts'
import { readDashboard } from '../document/read-dashboard.ts'
import { DashboardContext, type DashboardContextValue } from '../state/context.ts'
import { createDashboardStore, type DashboardStore } from '../state/store.ts'
import { useAutoRefresh } from './use-auto-refresh.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }))
afterEach(() => {
  vi.useRealTimers()
  boot.common.conf.DASHBOARD_AUTO_REFRESH_MODE = undefined
})

function AutoRefresh() {
  useAutoRefresh()
  return null
}

/** Opens a dashboard of two charts that refreshes every minute; records what it requests afterwards. */
async function openRefreshing(): Promise<{ requests: DashboardDataRequest[]; store: DashboardStore }> {
  const charts = [1, 2].map((id) => ({ id, slice_name: `Chart ${id}`, form_data: {} }))
  const json_metadata = JSON.stringify({ refresh_frequency: 60, stagger_time: 2000 })
  const store = createDashboardStore(readDashboard({ id: 1, json_metadata }, charts))
  const requests: DashboardDataRequest[] = []
  const open: OpenStream = async function* (body) {
    requests.push(body)
    yield* body.charts.map(({ id }) => ({ head: { type: 'end' as const, chart: id }, frame: null }))
    yield { head: { type: 'done' }, frame: null }
  }
  const data = new DashboardData(store, open, () => open)
  data.start(() => new Set())
  await show(
    <DashboardContext value={{ store, data } as unknown as DashboardContextValue}>
      <AutoRefresh />
    </DashboardContext>,
  )
  requests.length = 0
  return { requests, store }
}

it('a timed refresh says its interval, so that the server can share its results among viewers', async () => {
  const { requests } = await openRefreshing()
  await vi.advanceTimersByTimeAsync(59_990)
  expect(requests).toEqual([])
  await vi.advanceTimersByTimeAsync(2011)
  expect(requests).toEqual([1, 2].map((id) => ({ charts: [{ id }], data_mask: {}, refresh_interval: 60 })))
})

it('a manual refresh is forced and starts the interval again', async () => {
  const { requests, store } = await openRefreshing()
  await vi.advanceTimersByTimeAsync(30_000)
  flushSync(() => store.getState().actions.refresh(true))
  expect(requests.splice(0)).toEqual([{ charts: [{ id: 1 }, { id: 2 }], data_mask: {}, force: true }])
  await vi.advanceTimersByTimeAsync(59_000)
  expect(requests).toEqual([])
  await vi.advanceTimersByTimeAsync(1001)
  expect(requests).toMatchObject([{ refresh_interval: 60 }])
})

it('a timed refresh accepts any cached result where the configuration says so', async () => {
  boot.common.conf.DASHBOARD_AUTO_REFRESH_MODE = 'fetch'
  const { requests } = await openRefreshing()
  await vi.advanceTimersByTimeAsync(60_001)
  expect(requests).toEqual([{ charts: [{ id: 1 }], data_mask: {} }])
})
