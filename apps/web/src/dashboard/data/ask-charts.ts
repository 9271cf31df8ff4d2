import { concat, type Frame, frameOf } from '@parquetry/frame'
import {
  type DashboardDataRequest,
  type DashboardStreamHead,
  dashboardBeatMs,
  type DataMask,
  errorCodes,
  type QueryHead,
  type WireError,
} from '@parquetry/model'
import type { AnswerFacts, ChartStates } from './chart-data.ts'

/** A message of the stream, decoded; `frame` when columns came with it. */
export interface StreamMessage {
  head: DashboardStreamHead
  frame: Frame | null
}

/** Opens the stream. @throws an error with a `status` below 500 when asking again is of no use */
export type OpenStream = (body: DashboardDataRequest, signal: AbortSignal) => AsyncIterable<StreamMessage>

export interface AskedChart {
  id: number
  /** With the dashboard's filters laid over it: the form to draw with. */
  form: Record<string, unknown>
  /** Sent when the chart is not saved so. */
  form_data?: Record<string, unknown>
  state?: Record<string, unknown>
}

export interface AskOptions {
  data_mask: DataMask
  force?: boolean
}

const retryDelaysMs = [500, 2000, 5000]
const silenceMs = 3 * dashboardBeatMs

/**
 * Asks a dashboard's charts over one stream per question and puts what arrives into `states`. A chart asked again forgets the
 * older question; a question of which no chart is left is aborted, down to the engine. A stream that ends before `done` is
 * asked again for the charts that are missing.
 */
export class ChartAsker {
  private readonly states: ChartStates
  private readonly open: OpenStream
  private readonly delaysMs: readonly number[]
  private readonly running = new Map<number, Question>()

  constructor(states: ChartStates, open: OpenStream, delaysMs: readonly number[] = retryDelaysMs) {
    this.states = states
    this.open = open
    this.delaysMs = delaysMs
  }

  /** Resolves when every chart of this question is answered, failed or asked otherwise; never throws. */
  async ask(charts: readonly AskedChart[], options: AskOptions, open: OpenStream = this.open): Promise<void> {
    if (charts.length === 0) return
    const question = new Question(charts, options, open)
    for (const { id } of charts) {
      this.leave(id)
      this.running.set(id, question)
      this.states.set(id, { phase: 'loading', since: Date.now() })
    }
    try {
      await this.run(question)
    } catch (error) {
      for (const chart of question.open.values()) this.fail(question, chart.id, wireOf(error))
    }
  }

  /** Stops waiting for a chart; its last picture stays. */
  stop(id: number): void {
    if (!this.running.has(id)) return
    this.leave(id)
    this.states.set(id, { phase: 'stopped', since: null })
  }

  /** Leaves the page: everything that runs is cancelled. */
  dispose(): void {
    for (const question of new Set(this.running.values())) question.aborter.abort()
    this.running.clear()
  }

  private leave(id: number): void {
    const question = this.running.get(id)
    this.running.delete(id)
    question?.open.delete(id)
    if (question?.open.size === 0) question.aborter.abort()
  }

  private async run(question: Question): Promise<void> {
    for (const delayMs of [...this.delaysMs, null]) {
      try {
        if (await this.read(question)) return
      } catch (error) {
        if (question.aborter.signal.aborted) return
        if (delayMs === null || isFinal(error)) throw error
      }
      if (question.open.size === 0 || question.aborter.signal.aborted) return
      if (delayMs === null) throw new Error('Network error.')
      await wait(delayMs, question.aborter.signal)
    }
  }

  /** True when the stream said that it was complete. */
  private async read(question: Question): Promise<boolean> {
    const attempt = new AbortController()
    const signal = AbortSignal.any([attempt.signal, question.aborter.signal])
    const silent = () => attempt.abort(new Error('The server went silent.'))
    let timer = setTimeout(silent, silenceMs)
    const parts = new Parts()
    const breather = new Breather()
    try {
      for await (const message of question.stream(question.body(), signal)) {
        clearTimeout(timer)
        timer = setTimeout(silent, silenceMs)
        if (message.head.type === 'done') return this.finish(question)
        this.take(question, parts, message)
        if (question.open.size === 0) return true
        if (message.head.type === 'end') await breather.pause()
      }
      return false
    } finally {
      clearTimeout(timer)
      attempt.abort()
    }
  }

  private take(question: Question, parts: Parts, { head, frame }: StreamMessage): void {
    if (head.type === 'frame') return parts.add(head.chart === undefined ? null : head, frame)
    if (head.type === 'error') {
      if (head.chart === undefined) throw new StreamError(head.error)
      return this.fail(question, head.chart, head.error)
    }
    if (head.type !== 'end' || head.chart === undefined) return
    const chart = question.open.get(head.chart)
    if (!chart) return
    const { frames, facts } = parts.of(head.chart)
    const answer = { frames, facts, form: chart.form, at: Date.now() }
    this.settle(question, head.chart)
    this.states.set(head.chart, { phase: 'ready', answer, error: null, since: null })
  }

  private fail(question: Question, id: number, error: WireError): void {
    if (!question.open.has(id)) return
    this.settle(question, id)
    this.states.set(id, { phase: 'failed', error, since: null })
  }

  private finish(question: Question): true {
    for (const id of question.open.keys()) {
      this.fail(question, id, { code: 'internal', message: 'The server did not answer this chart.', details: {} })
    }
    return true
  }

  private settle(question: Question, id: number): void {
    question.open.delete(id)
    this.running.delete(id)
  }
}

class Question {
  readonly aborter = new AbortController()
  /** Not answered yet. */
  readonly open: Map<number, AskedChart>
  readonly stream: OpenStream
  private readonly options: AskOptions

  constructor(charts: readonly AskedChart[], options: AskOptions, stream: OpenStream) {
    this.open = new Map(charts.map((chart) => [chart.id, chart]))
    this.options = options
    this.stream = stream
  }

  body(): DashboardDataRequest {
    const { data_mask, force } = this.options
    const charts = [...this.open.values()].map(({ id, form_data, state }) => ({
      id,
      ...(form_data && { form_data }),
      ...(state && { state }),
    }))
    return { charts, data_mask, ...(force && { force }) }
  }
}

/** Frames as they come, by chart and query. */
class Parts {
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

  of(chart: number): { frames: Record<string, Frame>; facts: Record<string, AnswerFacts> } {
    const queries = [...(this.byChart.get(chart) ?? [])]
    const [first] = queries
    if (!first) return { frames: {}, facts: {} }
    return {
      frames: Object.fromEntries(queries.map(([name, { head, frames }]) => [name, whole(head, frames)])),
      facts: Object.fromEntries(queries.map(([name, { head }]) => [name, factsOf(head)])),
    }
  }
}

const whole = ({ header }: QueryHead, frames: Frame[]): Frame =>
  frames.length > 0 ? concat(frames) : frameOf(Object.fromEntries(header.columns.map(({ name }) => [name, []])))

const factsOf = ({ header, is_cached, cached_dttm, applied_filters, rejected_filters }: QueryHead): AnswerFacts => ({
  header,
  is_cached,
  cached_dttm,
  applied_filters: applied_filters ?? [],
  rejected_filters: rejected_filters ?? [],
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

/** The server understood and refused; the same question would be refused again. */
function isFinal(error: unknown): boolean {
  const { status } = error as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500
}

const wireOf = (error: unknown): WireError =>
  error instanceof StreamError
    ? error.wire
    : { code: 'unavailable', message: error instanceof Error ? error.message : String(error), details: {} }

const drawMs = 24

/**
 * Answers that came together are drawn together, as many as take no longer than a moment; then the page takes what the user
 * does and shows them. A frame after each one would cost as much as drawing them.
 */
class Breather {
  private since = performance.now()

  async pause(): Promise<void> {
    if (performance.now() - this.since < drawMs) return
    await nextTask()
    this.since = performance.now()
  }
}

const nextTask = (): Promise<void> =>
  'scheduler' in globalThis
    ? (globalThis as unknown as { scheduler: { yield(): Promise<void> } }).scheduler.yield()
    : new Promise((resolve) => setTimeout(resolve))

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
