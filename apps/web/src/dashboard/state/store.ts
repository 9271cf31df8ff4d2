import {
  readNativeFilters,
  type DataMask,
  type DataMaskEntry,
  type Layout,
  type LayoutMeta,
  type LayoutNodes,
} from '@parquetry/model'
import { createStore, type StoreApi } from 'zustand'
import type { DashboardDocument } from '../document/read-dashboard.ts'
import { filterBoxMasks } from '../filters/filter-boxes.ts'
import { dashboardSettingsOf, withSettings, type DashboardSettings } from '../document/settings.ts'
import { defaultsToFirst } from '../filters/kinds/registry.ts'
import { defaultMask, hasValue } from '../filters/mask.ts'
import { push, redo, startHistory, undo, type History } from '../layout/history.ts'
import { toFilteredDashboard } from './chart-request.ts'
import { noOutlines, type Outlinable, type OutlineCause, type Outlines } from './outline.ts'
import type { OpenTabs } from './tabs.ts'

/** Everything that editing changes. */
export interface EditableState {
  nodes: LayoutNodes
  settings: DashboardSettings
}

/** The panel to add from. */
export interface AddPanelState {
  /** Null: as wide windows have it from the start. */
  isOpen: boolean | null
  /** The tab that it was opened for, as long as that is shown; null: the end of what is open. */
  into: string | null
}

/** What is typed into a node, and where it will stand in it. */
export interface PendingEdit {
  node: string
  meta: LayoutMeta
}

/** What one open dashboard knows that is neither on the server nor computed. */
export interface DashboardState {
  /** As it was last read or saved; while it is edited with the settings as they are edited. Its layout is the saved one. */
  dashboard: DashboardDocument
  /** As it was last read or saved. */
  saved: DashboardDocument
  history: History<LayoutNodes>
  /** Settings after each step of `history`: the two go step by step. */
  settings: History<DashboardSettings>
  isEditing: boolean
  adding: AddPanelState
  /** Node that the keyboard holds. */
  picked: string | null
  /** In no layout before its field is left. */
  writing: PendingEdit | null
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
  outlines: Outlines
  /** CSS that is being written and tried on the page; null for the dashboard's own. */
  cssPreview: string | null
  /** Counts forced refreshes. */
  refresh: { round: number; force: boolean }
}

export interface DashboardActions {
  /** A document that was read or saved anew; what is being edited starts from it. */
  load(dashboard: DashboardDocument): void
  /** The same document with new settings; the layout that is edited stays. */
  updateDocument(change: (dashboard: DashboardDocument) => DashboardDocument): void
  /** One undoable step; gives the history after it. */
  edit(change: (nodes: LayoutNodes) => LayoutNodes): History<LayoutNodes>
  /** The same for layout and settings at once. */
  change(change: (edited: EditableState) => EditableState): History<LayoutNodes>
  /** A document that was saved while editing went on: what was edited since stays, as one step on top of it. */
  rebase(saved: DashboardDocument): void
  /** What is edited was made from an earlier document than the one that was read: from this state of it, if that is known. */
  setBaseRevision(
    base: { layout: Layout; settings: DashboardSettings; title: string | null } | undefined,
    changed_on: string | null,
  ): void
  /** Shows a layout while the keyboard holds a node; no step of its own. */
  preview(nodes: LayoutNodes): void
  /** Not while the keyboard holds something. */
  undo(): void
  redo(): void
  setEditing(isEditing: boolean): void
  setAdding(adding: AddPanelState): void
  pick(id: string | null): void
  write(writing: PendingEdit | null): void
  openTabs(change: (open: OpenTabs) => OpenTabs): void
  choose(entries: DataMask): void
  /** Puts what is chosen into force. */
  apply(): void
  /** What a filter begins with; null where it has no value. What somebody chose in the meantime stays. */
  setFirstValue(id: string, entry: DataMaskEntry | null): void
  /** Chooses and applies, as cross-filters do. */
  filter(id: string, entry: DataMaskEntry): void
  setFullSize(id: string | null): void
  outline(cause: OutlineCause, these: readonly Outlinable[]): void
  previewCss(css: string | null): void
  refresh(force: boolean): void
}

export type DashboardStore = StoreApi<DashboardState & { actions: DashboardActions }>

export interface StartOptions {
  isEditing?: boolean
  /** From a link; laid over the filters' defaults. */
  mask?: DataMask
  openTabs?: OpenTabs
}

const listNativeFilters = (dashboard: DashboardDocument) =>
  readNativeFilters(toFilteredDashboard(dashboard, dashboard.layout.nodes))

const masksFor = (dashboard: DashboardDocument): DataMask => ({
  ...defaultMask(listNativeFilters(dashboard)),
  ...filterBoxMasks(dashboard),
})

export function createDashboardStore(dashboard: DashboardDocument, start: StartOptions = {}): DashboardStore {
  const mask = { ...masksFor(dashboard), ...start.mask }
  return createStore((set, get) => ({
    dashboard,
    saved: dashboard,
    history: startHistory(dashboard.layout.nodes),
    settings: startHistory(dashboardSettingsOf(dashboard)),
    isEditing: start.isEditing ?? false,
    adding: { isOpen: null, into: null },
    picked: null,
    writing: null,
    openTabs: start.openTabs ?? {},
    mask,
    chosen: mask,
    awaited: listNativeFilters(dashboard).flatMap((filter) =>
      defaultsToFirst(filter) && !hasValue(mask[filter.id]) ? [filter.id] : [],
    ),
    firsts: {},
    fullSize: null,
    outlines: noOutlines,
    cssPreview: null,
    refresh: { round: 0, force: false },
    actions: {
      load: (next) =>
        set((state) => ({
          saved: next,
          history: startHistory(next.layout.nodes),
          settings: startHistory(dashboardSettingsOf(next)),
          picked: null,
          ...withDocument(state, next),
        })),
      updateDocument: (change) =>
        set((state) => {
          const saved = change(state.saved)
          const isEdited = state.settings.present !== settingsBefore(state)
          const next = isEdited
            ? withSettings(change(state.dashboard), state.settings.present)
            : change(state.dashboard)
          const settings = isEdited ? state.settings : { ...state.settings, present: dashboardSettingsOf(next) }
          return { saved, settings, ...withDocument(state, next) }
        }),
      edit: (change) => get().actions.change(({ nodes, settings }) => ({ nodes: change(nodes), settings })),
      change: (change) => {
        const { history, settings, dashboard } = get()
        const before = { nodes: history.present, settings: settings.present }
        const after = change(before)
        if (after.nodes === before.nodes && after.settings === before.settings) return history
        const next = push(history, after.nodes)
        set((state) => ({
          history: next,
          settings: push(settings, after.settings),
          ...(after.settings !== before.settings && withDocument(state, withSettings(dashboard, after.settings))),
        }))
        return next
      },
      rebase: (saved) =>
        set((state) => {
          const { history, settings } = state
          return {
            saved,
            history: { ...startHistory(history.present), past: [saved.layout.nodes] },
            settings: { ...startHistory(settings.present), past: [dashboardSettingsOf(saved)] },
            ...withDocument(state, withSettings(saved, settings.present)),
          }
        }),
      setBaseRevision: (base, changed_on) =>
        set(({ saved, dashboard }) => {
          const seen = {
            ...(changed_on !== null && { changed_on }),
            ...(base && { dashboard_title: base.title }),
          }
          const before = base ? withSettings({ ...saved, layout: base.layout }, base.settings) : saved
          return {
            saved: { ...before, result: { ...before.result, ...seen } },
            dashboard: { ...dashboard, result: { ...dashboard.result, ...seen } },
          }
        }),
      preview: (present) => set(({ history }) => ({ history: { ...history, present } })),
      undo: () => set((state) => (state.picked ? {} : stepped(state, undo))),
      redo: () => set((state) => (state.picked ? {} : stepped(state, redo))),
      setAdding: (adding) => set({ adding }),
      setEditing: (isEditing) => set({ isEditing, picked: null, fullSize: null }),
      pick: (picked) => set({ picked }),
      write: (writing) => set({ writing }),
      openTabs: (change) => set(({ openTabs }) => ({ openTabs: change(openTabs) })),
      choose: (entries) => set(({ chosen }) => ({ chosen: { ...chosen, ...entries } })),
      setFirstValue: (id, entry) =>
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
      outline: (cause, these) =>
        set((state) =>
          String(state.outlines[cause]) === String(these) ? state : { outlines: { ...state.outlines, [cause]: these } },
        ),
      previewCss: (cssPreview) => set({ cssPreview }),
      refresh: (force) => set(({ refresh }) => ({ refresh: { round: refresh.round + 1, force } })),
    },
  }))
}

/** A dashboard with other settings, and the filters in force that it knows. */
function withDocument(
  { mask, chosen, dashboard: before }: DashboardState,
  dashboard: DashboardDocument,
): Partial<DashboardState> {
  if (dashboard.metadata === before.metadata && dashboard.charts === before.charts) return { dashboard }
  const added = masksFor(dashboard)
  // A chart that is not here any more filters nothing.
  const clicked = (own: DataMask) => Object.keys(crossFiltersOf(own)).filter((id) => dashboard.charts.has(Number(id)))
  const keep = (own: DataMask) => ({ ...added, ...pickKeys(own, [...Object.keys(added), ...clicked(own)]) })
  return { dashboard, mask: keep(mask), chosen: keep(chosen) }
}

/** Both histories one step on, and what follows from it. */
function stepped(state: DashboardState, step: <T>(history: History<T>) => History<T>): Partial<DashboardState> {
  const [history, settings] = [step(state.history), step(state.settings)]
  if (settings.present === state.settings.present) return { history, settings }
  return { history, settings, ...withDocument(state, withSettings(state.dashboard, settings.present)) }
}

/** Settings before the first step. */
const settingsBefore = ({ settings }: DashboardState): DashboardSettings => settings.past[0] ?? settings.present

const pickKeys = (mask: DataMask, ids: string[]): DataMask =>
  Object.fromEntries(ids.flatMap((id) => (mask[id] ? [[id, mask[id]]] : [])))

/** Entries of clicked charts: their ids are numbers. */
export const crossFiltersOf = (mask: DataMask): DataMask =>
  Object.fromEntries(Object.entries(mask).filter(([id]) => /^\d+$/.test(id)))
