import { ApiError } from '@parquetry/client'
import type { DashboardDataRequest } from '@parquetry/model'
import { expect, it, vi } from 'vitest'
import { ChartDataLoader, type StreamMessage } from './chart-data-loader.ts'
import { ChartStates } from './chart-data.ts'

const message = 'The database is busy. Try again in 1 second.'
const refusal = (retryAfter: number) => ({
  message,
  error_type: '',
  level: 'error' as const,
  extra: { retryAfter, issue_codes: [{ code: 1027, message: '' }] },
})
const refused = (retryAfter: number) => new ApiError(503, message, [refusal(retryAfter)])
const refusedChart = (chart: number, retryAfter: number): StreamMessage => ({
  head: { type: 'error', chart, error: { code: 'source_busy', message, details: { retryAfter } } },
  frame: null,
})
const end = (chart: number): StreamMessage => ({ head: { type: 'end', chart }, frame: null })
const done: StreamMessage = { head: { type: 'done' }, frame: null }

/** A server that responds to each request with the next of these responses, and afterwards with all charts. */
function start(...responses: (StreamMessage[] | ApiError)[]) {
  const requests: DashboardDataRequest[] = []
  const states = new ChartStates()
  const loader = new ChartDataLoader(states, async function* (body) {
    requests.push(body)
    const response = responses.shift() ?? [...body.charts.map(({ id }) => end(id)), done]
    if (response instanceof ApiError) throw response
    yield* response
  })
  const load = (...ids: number[]) =>
    loader.load(
      ids.map((id) => ({ id, form: {} })),
      { data_mask: {} },
    )
  const phases = () => [1, 2].map((id) => states.get(id).phase)
  return { requests, states, loader, load, phases }
}
const idsOf = (requests: DashboardDataRequest[]) => requests.map(({ charts }) => charts.map(({ id }) => id))

it('requests a refused dashboard again when the server says, as often as it is refused', async () => {
  const { requests, load, phases } = start(...Array.from({ length: 6 }, () => refused(0.001)))
  await load(1, 2)
  expect(requests).toHaveLength(7)
  expect(phases()).toEqual(['ready', 'ready'])
})

it('shows why and until when the charts wait, not before the time that the server named', async () => {
  const { states, load } = start(refused(30))
  void load(1, 2)
  await vi.waitFor(() => expect(states.get(2).phase).toBe('failed'))
  const { error, retryAt, since } = states.get(1)
  expect({ code: error?.code, since }).toEqual({ code: 'source_busy', since: null })
  const waitMs = retryAt! - Date.now()
  expect(waitMs).toBeGreaterThan(29_000)
  expect(waitMs).toBeLessThanOrEqual(45_000)
})

it('requests only the refused charts of a stream again, and keeps the others', async () => {
  const { requests, load, phases } = start([end(1), refusedChart(2, 0.001), done])
  await load(1, 2)
  expect(idsOf(requests)).toEqual([[1, 2], [2]])
  expect(phases()).toEqual(['ready', 'ready'])
})

it('tries again immediately on request, with all charts that wait', async () => {
  const { requests, states, loader, load, phases } = start(refused(3600))
  const loaded = load(1, 2)
  expect(loader.retryNow(1), 'not refused yet').toBe(false)
  await vi.waitFor(() => expect(states.get(1).retryAt).toBeGreaterThan(0))
  expect(loader.retryNow(1)).toBe(true)
  await loaded
  expect(idsOf(requests)).toEqual([
    [1, 2],
    [1, 2],
  ])
  expect(phases()).toEqual(['ready', 'ready'])
  expect(states.get(1)).toMatchObject({ retryAt: null, error: null })
})

it('replaces the waiting try by a new request, for example after a filter changed', async () => {
  const { requests, states, load } = start(refused(3600))
  const first = load(1, 2)
  await vi.waitFor(() => expect(states.get(1).retryAt).toBeGreaterThan(0))
  await load(1, 2)
  await first
  expect(requests).toHaveLength(2)
})
