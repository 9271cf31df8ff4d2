import { concat, type Frame, buildFrame } from '@parquetry/frame'
import {
  type DashboardDataRequest,
  type DashboardStreamHead,
  dashboardHeartbeatMs,
  type DataMask,
  errorCodes,
  type QueryHead,
  type WireError,
} from '@parquetry/model'
import { yieldToEventLoop } from '@parquetry/charts/views/yield-to-event-loop'
import { renderBudgetMs } from '../state/render-queue.ts'
import { readRefusal, readRefusedCall, type ServerRefusal } from '../../shared/refusal.ts'
import type { ResultMetadata, ChartStates } from './chart-data.ts'

/** Decoded message of the stream; `frame` contains its columns, if any. */
export interface StreamMessage {
  head: DashboardStreamHead
  frame: Frame | null
}

/**
 * Opens the stream.
 * @throws an error with a `status` from 400 to 499 when a retry is pointless
 */
export type OpenStream = (body: DashboardDataRequest, signal: AbortSignal) => AsyncIterable<StreamMessage>

export interface RequestedChart {
  id: number
  /** Form to draw with; it includes the dashboard's filters. */
  form: Record<string, unknown>
  /** Form to query, if it differs from the saved one. */
  form_data?: Record<string, unknown>
  state?: Record<string, unknown>
}

/** Which results the server may send: any from its cache, none, or those of the current interval of timed refreshes. */
export type ResultAge = Pick<DashboardDataRequest, 'force' | 'refresh_interval'>

export interface ChartLoadOptions extends ResultAge {
  data_mask: DataMask
}

const retryDelaysMs = [500, 2000, 5000]
const silenceMs = 3 * dashboardHeartbeatMs

/**
 * Requests the charts of a dashboard over one stream per request and writes the results into `states`. Requesting a chart again
 * supersedes its earlier request; a request without remaining charts is aborted, down to the engine. If a stream ends before
 * `done`, the missing charts are requested again. So are charts that the server refused because it is busy, when it says.
 */
export class ChartDataLoader {
  private readonly states: ChartStates
  private readonly open: OpenStream
  private readonly delaysMs: readonly number[]
  private readonly running = new Map<number, StreamRequest>()

  constructor(states: ChartStates, open: OpenStream, delaysMs: readonly number[] = retryDelaysMs) {
    this.states = states
    this.open = open
    this.delaysMs = delaysMs
  }

  /** Resolves when every chart of this request is finished, failed or superseded; never rejects. */
  async load(
    charts: readonly RequestedChart[],
    options: ChartLoadOptions,
    open: OpenStream = this.open,
  ): Promise<void> {
    if (charts.length === 0) return
    const request = new StreamRequest(charts, options, open)
    for (const { id } of charts) {
      this.release(id)
      this.running.set(id, request)
      this.states.set(id, { phase: 'loading', since: Date.now(), retryAt: null })
    }
    try {
      await this.run(request)
    } catch (error) {
      for (const chart of request.pending.values()) this.fail(request, chart.id, toWireError(error))
    }
  }

  /** Stops waiting for a chart, which keeps its last result. */
  stop(id: number): void {
    if (!this.running.has(id)) return
    this.release(id)
    this.states.set(id, { phase: 'stopped', since: null, retryAt: null })
  }

  /** Tries a refused chart now, with all charts that wait with it. @returns false when it was not refused */
  retryNow(id: number): boolean {
    const request = this.running.get(id)
    if (!request?.refused.has(id)) return false
    request.hurry()
    return true
  }

  /** Aborts all running requests when the page closes. */
  dispose(): void {
    for (const request of new Set(this.running.values())) request.aborter.abort()
    this.running.clear()
  }

  private release(id: number): void {
    const request = this.running.get(id)
    this.running.delete(id)
    request?.pending.delete(id)
    request?.refused.delete(id)
    if (request?.pending.size === 0) request.aborter.abort()
  }

  private async run(request: StreamRequest): Promise<void> {
    const delaysMs = [...this.delaysMs]
    for (;;) {
      let failure: unknown = null
      try {
        if (await this.read(request)) return
      } catch (error) {
        failure = error
      }
      if (request.isOver) return
      const refusal = readRefusedCall(failure)
      if (refusal) for (const id of request.pending.keys()) this.postpone(request, id, refusal)
      if (request.refused.size > 0) {
        await this.waitUntilRetry(request)
      } else {
        const delayMs = delaysMs.shift()
        if (delayMs === undefined || (failure !== null && isFinal(failure)))
          throw failure ?? new Error('Network error.')
        await wait(delayMs, request.aborter.signal)
      }
      if (request.isOver) return
    }
  }

  private postpone(request: StreamRequest, id: number, { error, retryAt }: ServerRefusal): void {
    if (!request.pending.has(id)) return
    request.refused.set(id, retryAt)
    this.states.set(id, { phase: 'failed', error, since: null, retryAt })
  }

  private async waitUntilRetry(request: StreamRequest): Promise<void> {
    await request.waitUntilRetry()
    for (const id of request.refused.keys()) this.states.set(id, { phase: 'loading', since: Date.now(), retryAt: null })
    request.refused.clear()
  }

  /** Returns true when no chart is left to wait for, false when the stream ended early. */
  private async read(request: StreamRequest): Promise<boolean> {
    const attempt = new AbortController()
    const signal = AbortSignal.any([attempt.signal, request.aborter.signal])
    const silent = () => attempt.abort(new Error('The server went silent.'))
    let timer = setTimeout(silent, silenceMs)
    const parts = new FrameCollector()
    const yielder = new EventLoopYielder()
    try {
      for await (const message of request.stream(request.body(), signal)) {
        clearTimeout(timer)
        timer = setTimeout(silent, silenceMs)
        if (message.head.type === 'done') return this.finish(request)
        this.handleMessage(request, parts, message)
        if (request.pending.size === 0) return true
        if (message.head.type === 'end') await yielder.yieldIfDue()
      }
      return false
    } finally {
      clearTimeout(timer)
      attempt.abort()
    }
  }

  private handleMessage(request: StreamRequest, parts: FrameCollector, { head, frame }: StreamMessage): void {
    if (head.type === 'frame') return parts.add(head.chart === undefined ? null : head, frame)
    if (head.type === 'error') {
      if (head.chart === undefined) throw new StreamError(head.error)
      const refusal = readRefusal(head.error)
      if (refusal) return this.postpone(request, head.chart, refusal)
      return this.fail(request, head.chart, head.error)
    }
    if (head.type !== 'end' || head.chart === undefined) return
    const chart = request.pending.get(head.chart)
    if (!chart) return
    const { frames, facts } = parts.of(head.chart)
    const answer = { frames, facts, form: chart.form, at: Date.now() }
    this.complete(request, head.chart)
    this.states.setSync(head.chart, { phase: 'ready', answer, error: null, since: null })
  }

  private fail(request: StreamRequest, id: number, error: WireError): void {
    if (!request.pending.has(id)) return
    this.complete(request, id)
    this.states.set(id, { phase: 'failed', error, since: null })
  }

  /** @returns false when charts were refused, which are requested again */
  private finish(request: StreamRequest): boolean {
    for (const id of request.pending.keys()) {
      if (!request.refused.has(id))
        this.fail(request, id, { code: 'internal', message: 'The server did not answer this chart.', details: {} })
    }
    return request.refused.size === 0
  }

  private complete(request: StreamRequest, id: number): void {
    request.pending.delete(id)
    this.running.delete(id)
  }
}

class StreamRequest {
  readonly aborter = new AbortController()
  /** Charts still waiting for a result. */
  readonly pending: Map<number, RequestedChart>
  /** Those of them that the server refused, with the time of the next try in ms. */
  readonly refused = new Map<number, number>()
  readonly stream: OpenStream
  private hurried = new AbortController()
  private readonly options: ChartLoadOptions

  constructor(charts: readonly RequestedChart[], options: ChartLoadOptions, stream: OpenStream) {
    this.pending = new Map(charts.map((chart) => [chart.id, chart]))
    this.options = options
    this.stream = stream
  }

  /** No chart is left to wait for. */
  get isOver(): boolean {
    return this.pending.size === 0 || this.aborter.signal.aborted
  }

  /** Ends the wait for the next try. */
  hurry(): void {
    this.hurried.abort()
  }

  /** Refused charts are tried together, when the last of them may be. */
  async waitUntilRetry(): Promise<void> {
    this.hurried = new AbortController()
    const ms = Math.max(...this.refused.values()) - Date.now()
    await wait(ms, AbortSignal.any([this.aborter.signal, this.hurried.signal]))
  }

  body(): DashboardDataRequest {
    const charts = [...this.pending.values()].map(({ id, form_data, state }) => ({
      id,
      ...(form_data && { form_data }),
      ...(state && { state }),
    }))
    return { charts, ...this.options }
  }
}

/** Collects arriving frames by chart and query. */
class FrameCollector {
  private readonly byChart = new Map<number, Map<string, { head: QueryHead; frames: Frame[] }>>()
  private last: Frame[] = []

  add(head: QueryHead | null, frame: Frame | null): void {
    if (head) {
      const queries = this.byChart.get(head.chart) ?? new Map<string, { head: QueryHead; frames: Frame[] }>()
      this.byChart.set(head.chart, queries)
      const known = queries.get(head.name)
      this.last = known?.frames ?? []
      if (!known) queries.set(head.name, { head, frames: this.last })
    }
    if (frame) this.last.push(frame)
  }

  of(chart: number): { frames: Record<string, Frame>; facts: Record<string, ResultMetadata> } {
    const queries = [...(this.byChart.get(chart) ?? [])]
    const [first] = queries
    if (!first) return { frames: {}, facts: {} }
    return {
      frames: Object.fromEntries(queries.map(([name, { head, frames }]) => [name, joinFrames(head, frames)])),
      facts: Object.fromEntries(queries.map(([name, { head }]) => [name, toResultMetadata(head)])),
    }
  }
}

const joinFrames = ({ header }: QueryHead, frames: Frame[]): Frame =>
  frames.length > 0 ? concat(frames) : buildFrame(Object.fromEntries(header.columns.map(({ name }) => [name, []])))

const toResultMetadata = ({
  header,
  is_cached,
  cached_dttm,
  until,
  applied_filters,
  rejected_filters,
  annotations,
}: QueryHead): ResultMetadata => ({
  header,
  is_cached,
  cached_dttm,
  ...(until !== undefined && { until }),
  applied_filters: applied_filters ?? [],
  rejected_filters: rejected_filters ?? [],
  ...(annotations && { annotations }),
})

class StreamError extends Error {
  readonly wire: WireError
  readonly status: number
  constructor(wire: WireError) {
    super(wire.message)
    this.wire = wire
    this.status = wire.status ?? errorCodes[wire.code].status
  }
}

/** True for 4xx: the server would refuse the same request again. */
const isFinal = (error: unknown): boolean => readStatus(error) >= 400 && readStatus(error) < 500

const toWireError = (error: unknown): WireError =>
  error instanceof StreamError
    ? error.wire
    : {
        code: 'unavailable',
        message: error instanceof Error ? error.message : String(error),
        details: {},
        status: readStatus(error),
      }

/** Returns 0 if there was no response. */
const readStatus = (error: unknown): number => Number((error as { status?: unknown }).status ?? 0)

/**
 * Draws results that arrive together in slices of up to `renderBudgetMs`, then yields so that the page can render and handle input. A
 * frame after each result would cost as much as drawing it.
 */
class EventLoopYielder {
  private since = performance.now()

  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.since < renderBudgetMs) return
    await yieldToEventLoop()
    this.since = performance.now()
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
