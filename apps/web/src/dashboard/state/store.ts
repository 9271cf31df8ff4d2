import { nativeFilters, type DataMask, type DataMaskEntry, type LayoutNodes } from '@parquetry/model'
import { createStore, type StoreApi } from 'zustand'
import type { Dashboard } from '../document/read-dashboard.ts'
import { filterBoxMasks } from '../filters/filter-boxes.ts'
import { beginsWithFirst } from '../filters/kinds/registry.ts'
import { defaultMask, hasValue } from '../filters/mask.ts'
import { record, redo, startHistory, undo, type History } from '../layout/history.ts'
import { filteredDashboard } from './chart-request.ts'
import type { OpenTabs } from './tabs.ts'

/** What one open dashboard knows that is neither on the server nor computed. */
export interface DashboardState {
  /** As it was last read or saved. */
  dashboard: Dashboard
  history: History<LayoutNodes>
  isEditing: boolean
  /** Node that the keyboard holds. */
  picked: string | null
  openTabs: OpenTabs
  /** Filters in force. */
  mask: DataMask
  /** Filters as chosen; the same as `mask` but for what waits for Apply. */
  chosen: DataMask
  /** Filters that begin with their first value and do not know it yet: charts that they reach wait for them. */
  awaited: readonly string[]
  /** The entries of filters that begin with their first value, once it is known. */
  firsts: DataMask
  /** Node of the chart that fills the window. */
  fullSize: string | null
  /** Charts outlined because their filter, or the one that they are filtered by, is pointed at. */
  outlined: readonly number[]
  /** Counts forced refreshes. */
  refresh: { round: number; force: boolean }
}

export interface DashboardActions {
  /** A document that was read or saved anew; what is being edited starts from it. */
  load(dashboard: Dashboard): void
  /** The same document with new settings; the layout that is edited stays. */
  settle(change: (dashboard: Dashboard) => Dashboard): void
  /** One undoable step; gives the history after it. */
  edit(change: (nodes: LayoutNodes) => LayoutNodes): History<LayoutNodes>
  /** Shows a layout while the keyboard holds a node; no step of its own. */
  preview(nodes: LayoutNodes): void
  /** Not while the keyboard holds something. */
  undo(): void
  redo(): void
  setEditing(isEditing: boolean): void
  pick(id: string | null): void
  openTabs(change: (open: OpenTabs) => OpenTabs): void
  choose(entries: DataMask): void
  /** Puts what is chosen into force. */
  apply(): void
  /** What a filter begins with; null where it has no value. What somebody chose in the meantime stays. */
  begin(id: string, entry: DataMaskEntry | null): void
  /** Chooses and applies, as cross-filters do. */
  filter(id: string, entry: DataMaskEntry): void
  setFullSize(id: string | null): void
  outline(charts: readonly number[]): void
  refresh(force: boolean): void
}

export type DashboardStore = StoreApi<DashboardState & { actions: DashboardActions }>

export interface StartOptions {
  isEditing?: boolean
  /** From a link; laid over the filters' defaults. */
  mask?: DataMask
  openTabs?: OpenTabs
}

const filtersOf = (dashboard: Dashboard) => nativeFilters(filteredDashboard(dashboard, dashboard.layout.nodes))

const masksFor = (dashboard: Dashboard): DataMask => ({
  ...defaultMask(filtersOf(dashboard)),
  ...filterBoxMasks(dashboard),
})

export function createDashboardStore(dashboard: Dashboard, start: StartOptions = {}): DashboardStore {
  const mask = { ...masksFor(dashboard), ...start.mask }
  return createStore((set, get) => ({
    dashboard,
    history: startHistory(dashboard.layout.nodes),
    isEditing: start.isEditing ?? false,
    picked: null,
    openTabs: start.openTabs ?? {},
    mask,
    chosen: mask,
    awaited: filtersOf(dashboard).flatMap((filter) =>
      beginsWithFirst(filter) && !hasValue(mask[filter.id]) ? [filter.id] : [],
    ),
    firsts: {},
    fullSize: null,
    outlined: [],
    refresh: { round: 0, force: false },
    actions: {
      load: (next) => set({ dashboard: next, history: startHistory(next.layout.nodes), picked: null }),
      settle: (change) =>
        set((state) => {
          const next = change(state.dashboard)
          const added = masksFor(next)
          // A chart that is not here any more filters nothing.
          const clicked = (own: DataMask) =>
            Object.keys(crossFiltersOf(own)).filter((id) => next.charts.has(Number(id)))
          const keep = (own: DataMask) => ({ ...added, ...pickKeys(own, [...Object.keys(added), ...clicked(own)]) })
          return { dashboard: next, mask: keep(state.mask), chosen: keep(state.chosen) }
        }),
      edit: (change) => {
        const { history } = get()
        const next = record(history, change(history.present))
        if (next !== history) set({ history: next })
        return next
      },
      preview: (present) => set(({ history }) => ({ history: { ...history, present } })),
      undo: () => set(({ history, picked }) => ({ history: picked ? history : undo(history) })),
      redo: () => set(({ history, picked }) => ({ history: picked ? history : redo(history) })),
      setEditing: (isEditing) => set({ isEditing, picked: null, fullSize: null }),
      pick: (picked) => set({ picked }),
      openTabs: (change) => set(({ openTabs }) => ({ openTabs: change(openTabs) })),
      choose: (entries) => set(({ chosen }) => ({ chosen: { ...chosen, ...entries } })),
      begin: (id, entry) =>
        set(({ mask, chosen, awaited, firsts }) => {
          const added = entry ? { [id]: entry } : {}
          const under = (own: DataMask) => (hasValue(own[id]) ? own : { ...own, ...added })
          return {
            awaited: awaited.filter((each) => each !== id),
            firsts: { ...firsts, ...added },
            mask: under(mask),
            chosen: under(chosen),
          }
        }),
      apply: () => set(({ chosen }) => ({ mask: chosen })),
      filter: (id, entry) =>
        set(({ mask, chosen }) => ({ mask: { ...mask, [id]: entry }, chosen: { ...chosen, [id]: entry } })),
      setFullSize: (fullSize) => set({ fullSize }),
      outline: (outlined) => set({ outlined }),
      refresh: (force) => set(({ refresh }) => ({ refresh: { round: refresh.round + 1, force } })),
    },
  }))
}

const pickKeys = (mask: DataMask, ids: string[]): DataMask =>
  Object.fromEntries(ids.flatMap((id) => (mask[id] ? [[id, mask[id]]] : [])))

/** Entries of clicked charts: their ids are numbers. */
export const crossFiltersOf = (mask: DataMask): DataMask =>
  Object.fromEntries(Object.entries(mask).filter(([id]) => /^\d+$/.test(id)))
