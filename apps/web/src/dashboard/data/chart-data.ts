import type { Frame } from '@parquetry/frame'
import type { AnnotationResults, RunHeader, WireError } from '@parquetry/model'

/** Metadata of one query result. */
export interface ResultMetadata {
  header: RunHeader
  is_cached: boolean
  cached_dttm: string | null
  /** Time up to which the result contains data, in ms. */
  until?: number | undefined
  annotations?: AnnotationResults | undefined
  applied_filters: { column: string }[]
  rejected_filters: { column: string; reason: string }[]
}

/** Complete result of one chart, from which it is drawn. */
export interface ChartDataResult {
  /** By the names of the chart's `queries`. */
  frames: Record<string, Frame>
  facts: Record<string, ResultMetadata>
  /** The form that was queried, including filters; the chart is drawn with it. */
  form: Record<string, unknown>
  /** Time of arrival, in ms. */
  at: number
}

/** `idle`: never requested. While `loading` and after a failure, `answer` is the last good result. */
export interface ChartState {
  phase: 'idle' | 'loading' | 'ready' | 'failed' | 'stopped'
  answer: ChartDataResult | null
  error: WireError | null
  /** Time when the running request was sent; null if none is running. */
  since: number | null
  /** The chart was refused because too much is waiting; time of the next try, in ms. */
  retryAt?: number | null
}

export const idle: ChartState = { phase: 'idle', answer: null, error: null, since: null }

export interface LoadProgress {
  done: number
  of: number
}

const noProgress: LoadProgress = { done: 0, of: 0 }

/** Chart states of a dashboard, with listeners per chart so that one result renders one tile. */
export class ChartStates {
  private readonly states = new Map<number, ChartState>()
  private readonly listeners = new Map<number | 'progress', Set<() => void>>()
  /** Charts requested since the last time that no request was open. */
  private readonly batch = new Set<number>()
  private shownProgress: LoadProgress = noProgress
  private batchSize = 0
  private readonly commitSync: (change: () => void) => void

  /** @param atOnce  applies a change and renders it synchronously; without a page there is nothing to render */
  constructor(atOnce: (change: () => void) => void = (change) => change()) {
    this.commitSync = atOnce
  }

  get(id: number): ChartState {
    return this.states.get(id) ?? idle
  }

  /** Number of finished and requested charts while any is loading, otherwise `{ done: 0, of: 0 }`. */
  progress = (): LoadProgress => this.shownProgress

  /** Number of charts that were requested together with those drawn last. */
  lastBatchSize = (): number => this.batchSize

  subscribe(id: number | 'progress', listener: () => void): () => void {
    const own = this.listeners.get(id) ?? new Set()
    this.listeners.set(id, own.add(listener))
    return () => void own.delete(listener)
  }

  /** Same as `set`, but rendered synchronously, so that the caller can measure how long it took. */
  setSync(id: number, change: Partial<ChartState>): void {
    this.commitSync(() => this.set(id, change))
  }

  set(id: number, change: Partial<ChartState>): void {
    this.states.set(id, { ...this.get(id), ...change })
    if (change.phase === 'loading') this.batchSize = this.batch.add(id).size
    for (const listener of this.listeners.get(id) ?? []) listener()
    this.count()
  }

  private count(): void {
    const open = [...this.batch].filter((id) => this.get(id).phase === 'loading').length
    const progress = open === 0 ? noProgress : { done: this.batch.size - open, of: this.batch.size }
    if (open === 0) this.batch.clear()
    if (progress.done === this.shownProgress.done && progress.of === this.shownProgress.of) return
    this.shownProgress = progress
    for (const listener of this.listeners.get('progress') ?? []) listener()
  }
}

/** Time of the oldest data, which the header of a dashboard shows; null without results. */
export const findOldestDataTime = (answers: readonly (ChartDataResult | null)[]): number | null => {
  const times = answers.flatMap((answer) => (answer ? [computeDataTime(answer)] : []))
  return times.length ? Math.min(...times) : null
}

/** Time when the data was read from the database: the cache time, otherwise the arrival. */
export function computeDataTime({ facts, at }: ChartDataResult): number {
  const cached = Object.values(facts).flatMap(({ cached_dttm }) => (cached_dttm ? [utcTime(cached_dttm)] : []))
  return Math.min(at, ...cached.filter((time) => !Number.isNaN(time)))
}

/** Parses ISO text from the API: UTC, with or without a zone. */
const utcTime = (text: string): number => Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`)
