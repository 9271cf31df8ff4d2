import { expect, it } from 'vitest'
import { readDashboard, type ChartRecord } from '../document/read-dashboard.ts'
import { createDashboardStore } from '../state/store.ts'
import type { OpenStream } from './chart-data-loader.ts'
import { DashboardData } from './dashboard-data.ts'

const chart = (id: number): ChartRecord => ({ id, slice_name: `Chart ${id}`, form_data: {} })

/** Server stub that never responds and records the requested charts and abort signals. */
function silentServer() {
  const requests: { charts: number[]; signal: AbortSignal }[] = []
  const open: OpenStream = async function* ({ charts }, signal) {
    requests.push({ charts: charts.map(({ id }) => id), signal })
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    yield* []
  }
  return { requests, open }
}

it('requests charts before the page exists, and the page does not request them again', () => {
  const { requests, open } = silentServer()
  const data = new DashboardData(createDashboardStore(readDashboard({ id: 1 }, [chart(2), chart(1)])), open, () => open)
  data.loadVisible()
  expect(requests.map(({ charts }) => charts)).toEqual([[2, 1]])
  expect(data.states.get(1).phase).toBe('loading')
  const leave = data.start(() => new Set())
  expect(requests).toHaveLength(1)
  leave()
  expect(requests[0]?.signal.aborted).toBe(true)
})

it('requests charts in the viewport first, and measures the viewport only when there is something to request', () => {
  const { requests, open } = silentServer()
  const store = createDashboardStore(readDashboard({ id: 1 }, [chart(1), chart(2), chart(3)]))
  const data = new DashboardData(store, open, () => open)
  const looks: (readonly string[])[] = []
  const nodeOf = (id: number) =>
    Object.values(store.getState().history.present).find((node) => node.meta.chartId === id)
  data.loadVisible()
  data.start((ids) => {
    looks.push(ids)
    return new Set([nodeOf(3)?.id ?? ''])
  })
  expect(looks).toEqual([])
  store.getState().actions.refresh(false)
  expect(looks).toHaveLength(1)
  expect(requests.map(({ charts }) => charts)).toEqual([
    [1, 2, 3],
    [3, 1, 2],
  ])
})

it('requests interrupted charts again when the page is shown again', () => {
  const { requests, open } = silentServer()
  const data = new DashboardData(createDashboardStore(readDashboard({ id: 1 }, [chart(1)])), open, () => open)
  data.loadVisible()
  data.start(() => new Set())()
  data.start(() => new Set())()
  expect(requests.map(({ charts }) => charts)).toEqual([[1], [1]])
})

it('regression: requests charts again that got no response, but not those that the server refused', async () => {
  const failures = new Map([
    [1, Object.assign(new Error('Network error.'), { status: 0 })],
    [2, Object.assign(new Error('Forbidden'), { status: 403 })],
  ])
  const requests: number[][] = []
  const open: OpenStream = ({ charts }) => {
    requests.push(charts.map(({ id }) => id))
    throw failures.get(charts[0]!.id)!
  }
  const store = createDashboardStore(readDashboard({ id: 1 }, [chart(1)]))
  const data = new DashboardData(store, open, () => open, [])
  data.loadVisible()
  await expect.poll(() => data.states.get(1).phase).toBe('failed')
  data.retryUnanswered()
  expect(requests).toEqual([[1], [1]])

  const other = new DashboardData(createDashboardStore(readDashboard({ id: 1 }, [chart(2)])), open, () => open, [])
  other.loadVisible()
  await expect.poll(() => other.states.get(2).phase).toBe('failed')
  other.retryUnanswered()
  expect(requests).toEqual([[1], [1], [2]])
})

it('regression: resets a chart to its first page when its filters change', () => {
  const pages: unknown[] = []
  const open: OpenStream = ({ charts }) => {
    pages.push(...charts.map(({ state }) => state?.['currentPage']))
    throw new Error('no answer')
  }
  const store = createDashboardStore(readDashboard({ id: 1 }, [chart(1)]))
  const data = new DashboardData(store, open, () => open, [])
  data.start(() => new Set())
  data.setState(1, { currentPage: 3, pageSize: 20 })
  const filter = {
    id: 'f',
    filterType: 'filter_select',
    scope: { rootPath: ['ROOT_ID'], excluded: [] },
    chartsInScope: [1],
  }
  store.setState(
    (now) =>
      ({
        dashboard: { ...now.dashboard, metadata: { ...now.dashboard.metadata, native_filter_configuration: [filter] } },
        mask: { f: { id: 'f', extraFormData: { filters: [{ col: 'a', op: 'IN', val: ['x'] }] } } },
      }) as never,
  )
  expect(pages).toEqual([undefined, 3, 0])
  expect(data.stateOf(1)).toEqual({ currentPage: 0, pageSize: 20 })
})
