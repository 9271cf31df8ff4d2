import { ApiError } from '@parquetry/client'
import type { QueryView } from '@parquetry/model'
import type { StoreApi } from 'zustand'
import { readRefusedCall, readRefusedRun, type ServerRefusal } from '../../shared/refusal.ts'
import { toQuery } from '../persistence/tab-state.ts'
import { changeQuery, isLive, startQuery } from '../queries.ts'
import type { Query, SqlLabState, TableSchema } from '../state.ts'
import type { ExecuteResponse, RunResult, QueryRunnerCalls } from './execute.ts'
import { offlineError, queryError, readQueryError } from './query-error.ts'

/** Polls every 2000 ms with 5000 ms of overlap, for at most 6 hours. */
export const polling = { everyMs: 2000, overlapMs: 5000, atMostMs: 6 * 3_600_000 } as const

/** A run that the server has not confirmed is polled with more overlap, since no server time is known. */
const unseenOverlapMs = 60_000
/** After this many responses without a run, the server never received it. */
const unseenAtMost = 3

/** A run request: defaults to the tab's database, schema, limit and parameters. */
export interface RunRequest {
  sql: string
  /** Offset in the tab's text. */
  from?: number
  queryLimit?: number
  schema?: string | null
  catalog?: string | null
  ctas?: { method: 'TABLE' | 'VIEW'; name: string }
  batch?: string
  /** A data preview of this panel; it neither becomes the tab's latest query nor stops one. */
  preview?: TableSchema
}

export interface QueryRunnerOptions {
  store: StoreApi<SqlLabState>
  /** Returns whether runs on this database are asynchronous, by the setting of the database or the server's flag. */
  isAsync(dbId: number): boolean
  /** Returns whether the browser has a network. */
  isOnline(): boolean
  /** Returns the text to send (SQL-075). */
  toSend(sql: string, dbId: number): string
  events: {
    /** SQL-085, SQL-086. */
    stopped(): void
    stopFailed(error: unknown): void
    /** SQL-088. */
    resultsFailed(error: unknown): void
    /** Message of SQL-113. */
    unknown: string
    /** Message for a run that the server ended because the connection was lost. */
    cut: string
    /** Message for a run that the server never received. */
    unsent: string
    /** Message for a run started without a network. */
    offline: string
    finished(query: Query): void
  }
  calls: QueryRunnerCalls
}

const newClientId = (): string =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(11)),
    (byte) => 'abcdefghijklmnopqrstuvwxyz0123456789_-'[byte % 38],
  ).join('')

/**
 * Runs queries, polls asynchronous ones, repeats those that the server refuses because too much is waiting, and resumes those of
 * an earlier visit. Only this class updates the state of a run.
 */
export class QueryRunner {
  readonly #options: QueryRunnerOptions
  readonly #calls: QueryRunnerCalls
  readonly #running = new Map<string, AbortController>()
  readonly #leaving = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #since = Infinity
  #isAsking = false
  /** A run ended during a poll whose response may not include it yet. */
  #hasNews = false
  #unlisten: (() => void) | undefined
  /** Number of responses that lack a run not yet confirmed by the server. */
  readonly #missed = new Map<string, number>()
  /** Ids that the server knows the tabs by, for runs of this visit that have not ended. Only these are repeated. */
  readonly #editorIds = new Map<string, string>()
  /** Timers of refused runs until their next try. */
  readonly #retries = new Map<string, ReturnType<typeof setTimeout>>()

  constructor(options: QueryRunnerOptions) {
    this.#options = options
    this.#calls = options.calls
  }

  /** Resumes runs that were active when the page was left. */
  attach(): void {
    this.#options.store.subscribe(({ queries: now }, { queries: before }) => {
      // Closing a tab ends its run.
      if (now !== before)
        for (const id of Object.keys(before)) if (!now[id] && isLive(before[id] as Query)) this.#drop(id)
    })
    this.#follow()
  }

  /** Leaves asynchronous runs alone; the others end with the page. */
  leave(): void {
    clearTimeout(this.#timer)
    for (const timer of this.#retries.values()) clearTimeout(timer)
    this.#unlisten?.()
    this.#leaving.abort()
    for (const running of this.#running.values()) running.abort()
  }

  /** @returns the client id; '' when the tab has no database */
  run(tabId: string, request: RunRequest): string {
    const state = this.#options.store.getState()
    const editor = state.queryEditors.find(({ id }) => id === tabId)
    const dbId = request.preview?.dbId ?? editor?.dbId ?? null
    if (!editor || dbId === null) return ''
    if (!request.preview)
      for (const other of Object.values(state.queries))
        if (other.sqlEditorId === tabId && isLive(other) && !other.isDataPreview) {
          this.#change(other.id, { state: 'stopped', endDttm: Date.now() })
          this.#drop(other.id)
        }
    const runAsync = !request.preview && this.#options.isAsync(dbId)
    const query: Query = {
      id: newClientId(),
      dbId,
      sql: request.sql,
      sqlEditorId: tabId,
      tab: editor.name,
      catalog: request.catalog !== undefined ? request.catalog : editor.catalog,
      schema: request.schema !== undefined ? request.schema : editor.schema,
      runAsync,
      tempTable: request.ctas?.name ?? null,
      ctas: request.ctas !== undefined,
      ctas_method: request.ctas?.method ?? null,
      templateParams: editor.templateParams,
      queryLimit: request.queryLimit ?? editor.queryLimit,
      state: runAsync ? 'pending' : 'running',
      progress: 0,
      startDttm: Date.now(),
      endDttm: null,
      cached: false,
      isDataPreview: request.preview !== undefined,
      resultsKey: null,
      from: request.from ?? 0,
      ...(request.batch !== undefined && { batch: request.batch }),
      rows: null,
      error: null,
      view: null,
      results: null,
    }
    this.#options.store.setState((now) => startQuery(now, query))
    this.#editorIds.set(query.id, String(editor.tabStateId ?? tabId))
    if (this.#options.isOnline()) void this.#execute(query)
    else this.#finish(query.id, { state: 'failed', error: offlineError(this.#options.events.offline) })
    return query.id
  }

  /** Runs requests sequentially, each as a separate query of one batch; the first one without success ends the batch. */
  runBatch(tabId: string, requests: readonly RunRequest[], batch: string = newClientId()): void {
    const [first, ...rest] = requests
    if (!first) return
    const id = this.run(tabId, { ...first, batch })
    if (id === '' || rest.length === 0) return
    const unsubscribe = this.#options.store.subscribe(({ queries }) => {
      const state = queries[id]?.state
      if (state !== undefined && isLive({ state })) return
      unsubscribe()
      if (state === 'success') this.runBatch(tabId, rest, batch)
    })
  }

  async #execute(query: Query): Promise<void> {
    const abort = new AbortController()
    this.#running.set(query.id, abort)
    const looking = query.runAsync ? undefined : setInterval(() => void this.#lookAt(query.id), polling.everyMs)
    try {
      const done = await this.#calls.execute(
        { ...query, sql: this.#options.toSend(query.sql, query.dbId) },
        {
          editorId: this.#editorIds.get(query.id) ?? query.sqlEditorId,
          signal: AbortSignal.any([abort.signal, this.#leaving.signal]),
          onRows: (rows) => this.#change(query.id, { rows }),
        },
      )
      this.#running.delete(query.id)
      this.#complete(query.id, done)
    } catch (error) {
      this.#running.delete(query.id)
      if (abort.signal.aborted || this.#leaving.signal.aborted) return
      // Connection lost: the server may still run it, or already has the result.
      if (error instanceof ApiError && error.status === 0) {
        const now = this.#options.store.getState().queries[query.id]
        if (now && isLive(now)) this.#change(query.id, { state: 'offline' })
        return this.#follow()
      }
      const refusal = readRefusedCall(error)
      if (refusal && this.#postpone(query.id, refusal)) return
      this.#finish(query.id, { state: 'failed', error: readQueryError(error, this.#options.events.unknown) })
    } finally {
      clearInterval(looking)
    }
  }

  /** Repeats a refused run later, under the same id. @returns false when it is not repeated */
  #postpone(id: string, refusal: ServerRefusal): boolean {
    const query = this.#options.store.getState().queries[id]
    if (!query || !isLive(query) || !this.#editorIds.has(id)) return false
    if (refusal.retryAt - query.startDttm > polling.atMostMs) return false
    this.#change(id, { state: query.runAsync ? 'pending' : 'running', refusal })
    this.#retries.set(
      id,
      setTimeout(() => this.tryNow(id), refusal.retryAt - Date.now()),
    )
    return true
  }

  #cancelRetry(id: string): boolean {
    clearTimeout(this.#retries.get(id))
    return this.#retries.delete(id)
  }

  /** Repeats a run that waits for its next try, with the text and settings that it was started with. */
  tryNow(id: string): void {
    if (!this.#cancelRetry(id)) return
    this.#change(id, { refusal: null, view: null })
    const query = this.#options.store.getState().queries[id]
    if (query) void this.#execute(query)
  }

  /** Polls the state of a run whose response is pending, such as its position in the queue. */
  async #lookAt(id: string): Promise<void> {
    const query = this.#options.store.getState().queries[id]
    if (!query || query.rows !== null) return
    const since = query.startDttm - unseenOverlapMs
    const views = await this.#calls.updatedSince(since, this.#leaving.signal).catch(() => [])
    const view = views.find((one) => one.id === id)
    const isAwaited = this.#running.has(id) && this.#options.store.getState().queries[id]?.state === 'running'
    if (view && isAwaited) this.#change(id, { view })
  }

  #complete(id: string, done: ExecuteResponse): void {
    if ('query' in done) {
      this.#change(id, { state: 'pending', view: done.query, resultsKey: done.query.resultsKey })
      this.#follow()
    } else this.#take(id, done)
  }

  #take(id: string, { answer, frame }: RunResult): void {
    const { query } = answer
    this.#finish(id, {
      state: 'success',
      progress: 100,
      rows: frame.rows,
      view: query,
      resultsKey: query.resultsKey,
      tempTable: query.tempTable,
      results: { answer, frame },
    })
  }

  /** Ends a live run. Stopped or closed ones keep their end: late responses change nothing. */
  #finish(id: string, part: Partial<Omit<Query, 'id'>>): void {
    this.#editorIds.delete(id)
    const query = this.#options.store.getState().queries[id]
    if (!query || !isLive(query)) return
    this.#change(id, { endDttm: Date.now(), ...part })
    const finished = this.#options.store.getState().queries[id]
    if (finished) this.#options.events.finished(finished)
  }

  /** SQL-060: shows the run as stopped immediately, and as running again when the engine cannot stop it. */
  stop(id: string): void {
    const query = this.#options.store.getState().queries[id]
    if (!query || !isLive(query)) return
    if (this.#cancelRetry(id)) {
      this.#finish(id, { state: 'stopped', refusal: null })
      return this.#options.events.stopped()
    }
    this.#change(id, { state: 'stopped', endDttm: Date.now() })
    this.#stopThere(id).then(
      () => {
        this.#running.get(id)?.abort()
        // It may have become asynchronous since.
        this.#finish(id, { state: 'stopped' })
        this.#options.events.stopped()
      },
      (error: unknown) => {
        const isStillRunning = this.#running.has(id) || query.runAsync || query.state === 'offline'
        if (isStillRunning) this.#change(id, { state: query.state, endDttm: null })
        this.#follow()
        this.#options.events.stopFailed(error)
      },
    )
  }

  /**
   * Stops a run on the server. A run unknown to the server may still be in transit: the request is retried until the run has
   * arrived.
   */
  async #stopThere(id: string): Promise<void> {
    for (;;) {
      const isInTransit = this.#running.has(id)
      try {
        await this.#calls.stopQuery(id)
        return
      } catch (error) {
        if (!isInTransit || !(error instanceof ApiError && error.status === 404)) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, firstMs))
    }
  }

  #drop(id: string): void {
    this.#editorIds.delete(id)
    // Nothing of a refused run is left on the server.
    if (this.#cancelRetry(id)) return
    this.#running.get(id)?.abort()
    void this.#calls.stopQuery(id).catch(() => undefined)
  }

  fetchResults(id: string): void {
    const query = this.#options.store.getState().queries[id]
    if (!query?.resultsKey) return
    const { state } = query
    this.#change(id, { state: 'fetching' })
    this.#calls
      .fetchResults(query.resultsKey, this.#leaving.signal, (rows) => this.#change(id, { rows }))
      .then(
        ({ answer, frame }) =>
          this.#finish(id, { state: 'success', rows: frame.rows, endDttm: query.endDttm, results: { answer, frame } }),
        (error: unknown) => {
          if (this.#leaving.signal.aborted) return
          this.#change(id, {
            state: state === 'fetching' ? 'success' : state,
            resultsKey: isGone(error) ? null : query.resultsKey,
          })
          this.#options.events.resultsFailed(error)
        },
      )
  }

  #change(id: string, part: Partial<Omit<Query, 'id'>>): void {
    this.#options.store.setState((state) => changeQuery(state, id, part))
  }

  #waiting(): Query[] {
    const now = Date.now()
    return Object.values(this.#options.store.getState().queries).filter(
      (query) =>
        isLive(query) &&
        query.state !== 'fetching' &&
        !this.#isInHand(query.id) &&
        now - query.startDttm < polling.atMostMs,
    )
  }

  /** Its response is pending, or it waits for its next try. */
  #isInHand(id: string): boolean {
    return this.#running.has(id) || this.#retries.has(id)
  }

  #follow(): void {
    const waiting = this.#waiting()
    this.#since = Math.min(this.#since, ...waiting.map(({ startDttm }) => startDttm))
    if (waiting.length === 0 || this.#timer !== undefined || this.#leaving.signal.aborted) return
    this.#timer = setTimeout(() => void this.#poll(), firstMs)
    this.#unlisten ??= this.#calls.onQueryEnded((id) => this.#hear(id))
  }

  /** Polls immediately when the server reports the end of a run. Regular polling continues, since reports may get lost. */
  #hear(id: string): void {
    if (!this.#waiting().some((query) => query.id === id)) return
    this.#hasNews = true
    if (this.#isAsking) return
    clearTimeout(this.#timer)
    void this.#poll()
  }

  async #poll(): Promise<void> {
    const startedAt = Date.now()
    this.#isAsking = true
    this.#hasNews = false
    const unseen = this.#waiting().filter(({ view }) => view === null)
    const since = Math.min(this.#since - polling.overlapMs, ...unseen.map((q) => q.startDttm - unseenOverlapMs))
    try {
      const views = await this.#calls.updatedSince(since, this.#leaving.signal)
      // The server's clock counts; its timestamps tell how far we have read.
      this.#since = views.reduce((latest, view) => Math.max(latest, changedAt(view)), this.#since)
      for (const view of views) this.#see(view)
      for (const { id } of unseen) this.#miss(id, views)
    } catch {
      // No response: the run continues on the server, and the next poll finds it.
    }
    this.#isAsking = false
    if (this.#leaving.signal.aborted) return
    const rest = this.#hasNews ? 0 : Math.max(0, polling.everyMs - (Date.now() - startedAt))
    this.#timer = this.#waiting().length > 0 ? setTimeout(() => void this.#poll(), rest) : undefined
    if (this.#timer !== undefined) return
    this.#since = Infinity
    this.#unlisten?.()
    this.#unlisten = undefined
  }

  #miss(id: string, views: readonly QueryView[]): void {
    const times = (this.#missed.get(id) ?? 0) + 1
    this.#missed.delete(id)
    if (views.some((view) => view.id === id)) return
    if (times < unseenAtMost) this.#missed.set(id, times)
    else this.#finish(id, { state: 'stopped', error: queryError(this.#options.events.unsent, []) })
  }

  #see(view: QueryView): void {
    const query = this.#options.store.getState().queries[view.id]
    if (!query || !isLive(query) || query.state === 'fetching' || this.#isInHand(query.id)) return
    const seen = toQuery(view, query)
    if (isLive(seen))
      return this.#change(view.id, {
        // Only for a synchronous run is the connection lost until its end is found.
        state: query.state === 'offline' && !query.runAsync ? 'offline' : seen.state,
        progress: seen.progress,
        rows: seen.rows,
        view,
      })
    if (seen.state === 'success' && seen.resultsKey) {
      this.#change(view.id, { ...seen, state: 'success' })
      this.fetchResults(view.id)
      return
    }
    const refusal = seen.state === 'failed' ? readRefusedRun(seen.error?.errors ?? []) : null
    if (refusal && this.#postpone(view.id, refusal)) return
    // Only an asynchronous run outlives the request that started it.
    const isCut = seen.state === 'stopped' && !query.runAsync
    this.#finish(view.id, { ...seen, ...(isCut && { error: queryError(this.#options.events.cut, []) }) })
  }
}

/** The first poll comes sooner, for runs that end before the page listens to events. */
const firstMs = 100

const isGone = (error: unknown): boolean => error instanceof ApiError && [404, 410].includes(error.status)

const changedAt = ({ changed_on }: QueryView): number =>
  Date.parse(/[Zz]|[+-]\d\d:?\d\d$/.test(changed_on) ? changed_on : `${changed_on}Z`) || 0
