import { buildFrame } from '@parquetry/frame'
import type { DashboardDataRequest, QueryHead, RunHeader } from '@parquetry/model'
import { describe, expect, it, vi } from 'vitest'
import { ChartDataLoader, type OpenStream, type StreamMessage } from './chart-data-loader.ts'
import { ChartStates, findOldestDataTime, computeDataTime } from './chart-data.ts'

const header = (rowcount: number): RunHeader => ({
  columns: [{ name: 'n', type: null, kind: 'number', generic: 0 }],
  rowcount,
  sql_rowcount: rowcount,
  truncated: false,
  labelMap: null,
  indexNames: null,
  engineMs: 1,
  totalMs: 1,
  stepError: null,
})

const head = (chart: number, name = 'rows', more: Partial<QueryHead> = {}): StreamMessage => ({
  head: { type: 'frame', chart, query: 0, name, header: header(2), is_cached: false, cached_dttm: null, ...more },
  frame: null,
})
const frame = (...n: number[]): StreamMessage => ({ head: { type: 'frame' }, frame: buildFrame({ n }) })
const end = (chart: number): StreamMessage => ({ head: { type: 'end', chart }, frame: null })
const done: StreamMessage = { head: { type: 'done' }, frame: null }
const failed = (chart: number): StreamMessage => ({
  head: { type: 'error', chart, query: 0, error: { code: 'query_failed', message: 'no such table', details: {} } },
  frame: null,
})

/** Server stub that responds to each request with the next script and records the request bodies. */
function server(...scripts: ((signal: AbortSignal) => AsyncIterable<StreamMessage>)[]) {
  const requests: DashboardDataRequest[] = []
  const open: OpenStream = (body, signal) => {
    requests.push(body)
    return scripts[requests.length - 1]!(signal)
  }
  return { requests, open }
}
const streamOf = (...messages: StreamMessage[]) =>
  async function* () {
    yield* messages
  }
/** Sends the messages, then hangs until it is aborted. */
const hangs = (...messages: StreamMessage[]) =>
  async function* (signal: AbortSignal) {
    yield* messages
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  }

const chart = (id: number, form = {}) => ({ id, form })
const mask = { data_mask: {} }
const tick = () => new Promise((resolve) => setTimeout(resolve))
const values = (states: ChartStates, id: number, name = 'rows') => {
  const column = states.get(id).answer?.frames[name]?.columns[0]
  return column?.kind === 'number' ? [...column.data] : undefined
}

describe('ChartAsker', () => {
  it('requests all charts in one stream and shows each when it is complete', async () => {
    const { requests, open } = server(hangs(head(1), frame(1), frame(2), end(1), head(2), frame(3)))
    const states = new ChartStates()
    const loader = new ChartDataLoader(states, open)
    void loader.load([chart(1, { a: 1 }), chart(2)], mask)
    await tick()
    expect(requests).toEqual([{ charts: [{ id: 1 }, { id: 2 }], data_mask: {} }])
    expect(values(states, 1)).toEqual([1, 2])
    expect(states.get(1).answer?.form).toEqual({ a: 1 })
    expect(states.get(2)).toMatchObject({ phase: 'loading', answer: null })
    expect(states.progress()).toEqual({ done: 1, of: 2 })
    loader.dispose()
  })

  it('reads columns sent with the head or after it, and several queries per chart', async () => {
    const { open } = server(
      streamOf({ ...head(1), frame: buildFrame({ n: [1] }) }, head(1, 'totals'), frame(9), end(1), done),
    )
    const states = new ChartStates()
    await new ChartDataLoader(states, open).load([chart(1)], mask)
    expect([values(states, 1), values(states, 1, 'totals')]).toEqual([[1], [9]])
  })

  it('draws fast charts in one task and yields once drawing takes longer', async () => {
    const four = [1, 2, 3, 4].flatMap((id) => [head(id), frame(id), end(id)])
    const readyAfterATask = async (drawMs: number) => {
      const clock = vi.spyOn(performance, 'now')
      let now = 0
      clock.mockImplementation(() => now)
      const states = new ChartStates((change) => {
        change()
        now += drawMs
      })
      const loader = new ChartDataLoader(states, server(hangs(...four)).open)
      const task = new Promise((resolve) => setTimeout(resolve))
      void loader.load(
        [1, 2, 3, 4].map((id) => chart(id)),
        mask,
      )
      await task
      clock.mockRestore()
      const ready = [1, 2, 3, 4].filter((id) => states.get(id).phase === 'ready').length
      loader.dispose()
      return ready
    }
    expect(await readyAfterATask(1)).toBe(4)
    expect(await readyAfterATask(50)).toBe(1)
  })

  it('treats a result without frames as a frame without rows', async () => {
    const { open } = server(streamOf(head(1), end(1), done))
    const states = new ChartStates()
    await new ChartDataLoader(states, open).load([chart(1)], mask)
    expect(states.get(1).answer?.frames.rows).toMatchObject({ rows: 0, columns: [{ name: 'n' }] })
  })

  it('CHART-009, CHART-020: an error affects only its chart, which keeps its last good result', async () => {
    const { open } = server(
      streamOf(head(1), frame(1), end(1), done),
      streamOf(failed(1), head(2), frame(2), end(2), done),
    )
    const states = new ChartStates()
    const loader = new ChartDataLoader(states, open)
    await loader.load([chart(1)], mask)
    await loader.load([chart(1), chart(2)], mask)
    expect(states.get(1)).toMatchObject({ phase: 'failed', error: { message: 'no such table' } })
    expect(values(states, 1)).toEqual([1])
    expect(values(states, 2)).toEqual([2])
  })

  it('keeps the previous result and its form while a filter is being applied', async () => {
    const { open } = server(streamOf(head(1), frame(1), end(1), done), hangs())
    const states = new ChartStates()
    const loader = new ChartDataLoader(states, open)
    await loader.load([chart(1, { time_range: 'Last week' })], mask)
    void loader.load([chart(1, { time_range: 'Last year' })], mask)
    await tick()
    expect(states.get(1)).toMatchObject({ phase: 'loading', answer: { form: { time_range: 'Last week' } } })
    loader.dispose()
  })

  it('requests missing charts again when the stream ends early', async () => {
    const { requests, open } = server(
      streamOf(head(1), frame(1), end(1), head(2)),
      streamOf(head(2), frame(2), end(2), done),
    )
    const states = new ChartStates()
    await new ChartDataLoader(states, open, [0]).load([chart(1), chart(2)], mask)
    expect(requests[1]?.charts).toEqual([{ id: 2 }])
    expect(values(states, 2)).toEqual([2])
  })

  it('CHART-010, CHART-018: a lost connection becomes an error after the last retry', async () => {
    const cut = async function* () {
      yield* [head(1)]
      throw new Error('Network error.')
    }
    const { requests, open } = server(cut, cut, cut)
    const states = new ChartStates()
    await new ChartDataLoader(states, open, [0, 0]).load([chart(1)], mask)
    expect(requests).toHaveLength(3)
    expect(states.get(1)).toMatchObject({ phase: 'failed', error: { message: 'Network error.', status: 0 } })
  })

  it('does not retry requests that the server refused', async () => {
    const { requests, open } = server(() => {
      throw Object.assign(new Error('Forbidden'), { status: 403 })
    })
    const states = new ChartStates()
    await new ChartDataLoader(states, open, [0, 0]).load([chart(1)], mask)
    expect(requests).toHaveLength(1)
    expect(states.get(1)).toMatchObject({ phase: 'failed', error: { message: 'Forbidden' } })
  })

  it('ignores late results of a superseded request', async () => {
    let release = () => {}
    const late = async function* () {
      await new Promise<void>((resolve) => (release = resolve))
      yield* [head(1), frame(1), end(1), head(2), frame(2), end(2), done]
    }
    const { open } = server(late, streamOf(head(1), frame(10), end(1), done))
    const states = new ChartStates()
    const loader = new ChartDataLoader(states, open)
    const first = loader.load([chart(1), chart(2)], mask)
    await tick()
    await loader.load([chart(1)], mask)
    release()
    await first
    expect([values(states, 1), values(states, 2)]).toEqual([[10], [2]])
  })

  it('CHART-019: aborts a request silently when none of its charts is left, and all requests on dispose', async () => {
    const signals: AbortSignal[] = []
    const open: OpenStream = (_, signal) => {
      signals.push(signal)
      return hangs()(signal)
    }
    const states = new ChartStates()
    const loader = new ChartDataLoader(states, open)
    void loader.load([chart(1)], mask)
    await tick()
    void loader.load([chart(1), chart(2)], mask)
    await tick()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    loader.stop(1)
    expect(states.get(1).phase).toBe('stopped')
    loader.dispose()
    expect(signals[1]?.aborted).toBe(true)
    await tick()
    expect([1, 2].map((id) => [states.get(id).phase, states.get(id).error])).toEqual([
      ['stopped', null],
      ['loading', null],
    ])
  })

  it('fails charts that the finished stream did not include', async () => {
    const { open } = server(streamOf(head(1), frame(1), end(1), done))
    const states = new ChartStates()
    await new ChartDataLoader(states, open).load([chart(1), chart(2)], mask)
    expect(states.get(2).phase).toBe('failed')
    expect(states.progress()).toEqual({ done: 0, of: 0 })
    expect(states.lastBatchSize(), 'their pictures do not move').toBe(2)
    await new ChartDataLoader(states, open).load([chart(1)], mask)
    expect(states.lastBatchSize()).toBe(1)
  })

  it('sends unsaved forms, chart states, the mask and force', async () => {
    const { requests, open } = server(streamOf(head(1), end(1), done))
    const data_mask = { f: { extraFormData: { time_range: 'Last week' } } }
    const loader = new ChartDataLoader(new ChartStates(), open)
    await loader.load([{ id: 1, form: {}, form_data: { viz_type: 'pie' }, state: { page: 2 } }], {
      data_mask,
      force: true,
    })
    expect(requests[0]).toEqual({
      charts: [{ id: 1, form_data: { viz_type: 'pie' }, state: { page: 2 } }],
      data_mask,
      force: true,
    })
  })
})

describe('age of data', () => {
  const answer = (cached_dttm: string | null, index: number) => ({
    frames: {},
    form: {},
    at: index,
    facts: { rows: { header: header(1), is_cached: true, cached_dttm, applied_filters: [], rejected_filters: [] } },
  })

  it('is the cache time, and for a dashboard that of its oldest chart', () => {
    const time = Date.parse('2026-11-21T10:42:00Z')
    expect(computeDataTime(answer('2026-11-21T10:42:00Z', time + 9000))).toBe(time)
    expect(computeDataTime(answer('2026-11-21T10:42:00', time + 9000)), 'the API writes UTC without a zone').toBe(time)
    expect(computeDataTime(answer(null, 5))).toBe(5)
    expect(findOldestDataTime([answer(null, 7), null, answer(null, 5)])).toBe(5)
    expect(findOldestDataTime([null])).toBeNull()
  })
})
