import type { ChartForm } from '@parquetry/charts'
import type { DataMask } from '@parquetry/model'
import { isServerUnreachable } from '../../shared/unreachable.ts'
import type { ChartRecord } from '../document/read-dashboard.ts'
import {
  findBlockingFilters,
  buildChartRequest,
  toFilteredDashboard,
  isAwaitingFirstValue,
  type ChartRequest,
} from '../state/chart-request.ts'
import type { DashboardStore } from '../state/store.ts'
import { shownCharts } from '../state/tabs.ts'
import { ChartDataLoader, type OpenStream, type ResultAge } from './chart-data-loader.ts'
import { ChartStates } from './chart-data.ts'

/**
 * Keeps the results of the shown charts in sync with the applied filters: requests all changed charts in one stream, and none
 * that are hidden or wait for a required filter.
 */
export class DashboardData {
  readonly states: ChartStates
  /** Queries every chart by its form, since the stored dashboard has other filters: the page shows an earlier version. */
  queriesByForm = false
  private readonly loader: ChartDataLoader
  private readonly store: DashboardStore
  private readonly openOne: (id: number, form: ChartForm) => OpenStream
  private readonly requestedKeys = new Map<number, string>()
  private readonly chartStates = new Map<number, Record<string, unknown>>()
  /** Filters of the last request, by chart. */
  private readonly filters = new Map<number, string>()
  /** Number of individual refreshes, by chart. */
  private readonly rounds = new Map<number, number>()
  /** Charts added while editing that the dashboard does not contain yet. */
  private readonly added = new Map<number, ChartRecord>()
  private unsubscribe = () => {}
  /** Returns the nodes in the viewport, as the page reports them; their charts are requested first. */
  private inView: (nodeIds: readonly string[]) => ReadonlySet<string> = () => new Set()

  constructor(
    store: DashboardStore,
    open: OpenStream,
    openOne: (id: number, form: ChartForm) => OpenStream,
    delaysMs?: readonly number[],
    atOnce?: (change: () => void) => void,
  ) {
    this.states = new ChartStates(atOnce)
    this.store = store
    this.openOne = openOne
    this.loader = new ChartDataLoader(this.states, open, delaysMs)
  }

  /** Requests the shown charts in reading order, since the viewport is not known yet. */
  loadVisible(): void {
    this.sync()
  }

  start(inView: (nodeIds: readonly string[]) => ReadonlySet<string>): () => void {
    this.inView = inView
    this.unsubscribe = this.store.subscribe((now, before) => {
      const parts = ['mask', 'awaited', 'openTabs', 'refresh'] as const
      const same = parts.every((part) => now[part] === before[part])
      if (same && now.history.present === before.history.present && now.dashboard === before.dashboard) return
      this.sync(now.refresh !== before.refresh && now.refresh.force ? { force: true } : {})
    })
    this.sync()
    return () => {
      this.unsubscribe()
      this.loader.dispose()
      // Interrupted charts are requested again when the page is shown again.
      for (const id of this.requestedKeys.keys())
        if (this.states.get(id).phase === 'loading') this.requestedKeys.delete(id)
    }
  }

  chart(id: number): ChartRecord | undefined {
    return this.store.getState().dashboard.charts.get(id) ?? this.added.get(id)
  }

  /** Registers a chart from the Add panel. */
  addChart(chart: ChartRecord): void {
    this.added.set(chart.id, chart)
  }

  /** State of a chart that is part of its query: page, sort, search. */
  stateOf(id: number): Record<string, unknown> {
    return this.chartStates.get(id) ?? {}
  }

  setState(id: number, state: Record<string, unknown>): void {
    this.chartStates.set(id, state)
    this.sync()
  }

  /** Requests these charts again. Bypasses the cache unless `age` says otherwise. */
  refresh(ids: readonly number[], age: ResultAge = { force: true }): void {
    for (const id of ids) this.rounds.set(id, (this.rounds.get(id) ?? 0) + 1)
    this.sync(age)
  }

  /** Tries a chart again: a refused one at once, with those that wait with it. */
  retry(id: number): void {
    if (!this.loader.retryNow(id)) this.refresh([id])
  }

  stop(id: number): void {
    this.loader.stop(id)
  }

  /** Requests the charts again that got no response. */
  retryUnanswered(): void {
    for (const id of this.requestedKeys.keys())
      if (isServerUnreachable(this.states.get(id))) this.requestedKeys.delete(id)
    this.sync()
  }

  private sync(age: ResultAge = {}): void {
    const { mask } = this.store.getState()
    const requests = this.visibleFirst(
      this.buildRequests().filter(({ chart, key }) => this.requestedKeys.get(chart.id) !== key),
    )
    for (const { chart, key } of requests) this.requestedKeys.set(chart.id, key)
    const options = { data_mask: dropEmptyEntries(mask), ...age }
    const isStored = ({ chart }: ChartRequest) =>
      !this.queriesByForm && this.store.getState().dashboard.charts.has(chart.id)
    void this.loader.load(
      requests.filter(isStored).map(({ chart }) => chart),
      options,
    )
    // The stream serves charts of the stored dashboard; new ones are queried by their form.
    for (const request of requests.filter((each) => !isStored(each))) {
      void this.loader.load([request.chart], options, this.openOne(request.chart.id, request.chart.form))
    }
  }

  /** Puts charts in the viewport first. Fewer than two requests skip the check, which forces a layout. */
  private visibleFirst(requests: ChartRequest[]): ChartRequest[] {
    if (requests.length < 2) return requests
    const { history, openTabs } = this.store.getState()
    const shown = shownCharts(history.present, openTabs)
    const near = this.inView(shown.map(({ id }) => id))
    const first = new Set(shown.filter(({ id }) => near.has(id)).map(({ meta }) => meta.chartId))
    const isFirst = ({ chart }: ChartRequest) => first.has(chart.id)
    return [...requests.filter(isFirst), ...requests.filter((request) => !isFirst(request))]
  }

  /** Requests of the shown charts, in reading order. */
  private buildRequests(): ChartRequest[] {
    const { dashboard, history, openTabs, mask, refresh, awaited } = this.store.getState()
    const nodes = history.present
    // The server applies filters by the stored layout, so an edited one changes no scope until it is saved.
    const board = toFilteredDashboard(dashboard, dashboard.layout.nodes)
    const ids = new Set(shownCharts(nodes, openTabs).flatMap(({ meta }) => meta.chartId ?? []))
    return [...ids].flatMap((id) => {
      const chart = this.chart(id)
      if (!chart || isAwaitingFirstValue(board, awaited, id) || findBlockingFilters(board, mask, id).length > 0)
        return []
      const round = `${refresh.round}.${this.rounds.get(id) ?? 0}`
      const state = this.chartStates.get(id)
      const request = buildChartRequest(chart, board, mask, { state, round })
      const filters = JSON.stringify(request.chart.form['extra_form_data'] ?? null)
      const isMoved = this.filters.get(id) !== filters
      this.filters.set(id, filters)
      if (!isMoved || !state?.['currentPage']) return [request]
      // Other filters return other rows, so the current page may not exist.
      const first = { ...state, currentPage: 0 }
      this.chartStates.set(id, first)
      return [buildChartRequest(chart, board, mask, { state: first, round })]
    })
  }
}

/** Drops entries without filters, which only make the request longer. */
const dropEmptyEntries = (mask: DataMask): DataMask =>
  Object.fromEntries(
    Object.entries(mask).filter(([, { extraFormData }]) => Object.keys(extraFormData ?? {}).length > 0),
  )
