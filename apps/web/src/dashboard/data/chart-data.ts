import type { Frame } from '@parquetry/frame'
import type { AnnotationResults, RunHeader, WireError } from '@parquetry/model'

/** One query's answer beside its rows. */
export interface ResultMetadata {
  header: RunHeader
  is_cached: boolean
  cached_dttm: string | null
  /** Up to where the answer reaches in time. */
  until?: number | undefined
  annotations?: AnnotationResults | undefined
  applied_filters: { column: string }[]
  rejected_filters: { column: string; reason: string }[]
}

/** A complete answer of one chart: what its picture is made of. */
export interface ChartDataResult {
  /** Under the names of the chart's `queries`. */
  frames: Record<string, Frame>
  facts: Record<string, ResultMetadata>
  /** The form that was asked, filters laid over it: the one to draw with. */
  form: Record<string, unknown>
  /** When it arrived. */
  at: number
}

/** `idle`: never asked. While `loading`, and after a failure, `answer` is the last good one. */
export interface ChartState {
  phase: 'idle' | 'loading' | 'ready' | 'failed' | 'stopped'
  answer: ChartDataResult | null
  error: WireError | null
  /** When the running request was sent; null when none is. */
  since: number | null
}

export const idle: ChartState = { phase: 'idle', answer: null, error: null, since: null }

export interface LoadProgress {
  done: number
  of: number
}

const noProgress: LoadProgress = { done: 0, of: 0 }

/** States of a dashboard's charts, each with its own listeners, so that one answer renders one tile. */
export class ChartStates {
  private readonly states = new Map<number, ChartState>()
  private readonly listeners = new Map<number | 'progress', Set<() => void>>()
  /** Charts of the requests since the last time that none was open. */
  private readonly batch = new Set<number>()
  private shownProgress: LoadProgress = noProgress
  private batchSize = 0
  private readonly commitSync: (change: () => void) => void

  /** @param atOnce  carries out a change and has it drawn before it returns; without a page there is nothing to draw */
  constructor(atOnce: (change: () => void) => void = (change) => change()) {
    this.commitSync = atOnce
  }

  get(id: number): ChartState {
    return this.states.get(id) ?? idle
  }

  /** Charts answered of those asked, while any is open; `{0, 0}` when none is. */
  progress = (): LoadProgress => this.shownProgress

  /** How many charts were asked together with those drawn last. */
  lastBatchSize = (): number => this.batchSize

  subscribe(id: number | 'progress', listener: () => void): () => void {
    const own = this.listeners.get(id) ?? new Set()
    this.listeners.set(id, own.add(listener))
    return () => void own.delete(listener)
  }

  /** The same as `set`, drawn when it returns: by then it is known how long that took. */
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

/** The oldest answer's age is what the header of a dashboard shows. */
export const findOldestDataTime = (answers: readonly (ChartDataResult | null)[]): number | null => {
  const times = answers.flatMap((answer) => (answer ? [computeDataTime(answer)] : []))
  return times.length ? Math.min(...times) : null
}

/** When the data of an answer was read from the database: the cache's time, else the arrival. */
export function computeDataTime({ facts, at }: ChartDataResult): number {
  const cached = Object.values(facts).flatMap(({ cached_dttm }) => (cached_dttm ? [utcTime(cached_dttm)] : []))
  return Math.min(at, ...cached.filter((time) => !Number.isNaN(time)))
}

/** ISO text as the API writes it: UTC, with or without a zone. */
const utcTime = (text: string): number => Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`)
