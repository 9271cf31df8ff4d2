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

/** State that editing changes. */
export interface EditableState {
  nodes: LayoutNodes
  settings: DashboardSettings
}

/** State of the Add panel. */
export interface AddPanelState {
  /** Null until the user opens or closes it: open on wide windows. */
  isOpen: boolean | null
  /** Tab for which it was opened, while that tab is shown; null adds at the end of the open content. */
  into: string | null
}

/** Text being typed into a node, as the meta that it will become. */
export interface PendingEdit {
  node: string
  meta: LayoutMeta
}

/** State of one open dashboard that is neither on the server nor derived. */
export interface DashboardState {
  /** Dashboard as last loaded or saved, with the edited settings while it is edited. Its layout is the saved one. */
  dashboard: DashboardDocument
  /** Dashboard as last loaded or saved. */
  saved: DashboardDocument
  history: History<LayoutNodes>
  /** Settings after each step of `history`; the two always have the same steps. */
  settings: History<DashboardSettings>
  isEditing: boolean
  adding: AddPanelState
  /** Node picked up by keyboard. */
  picked: string | null
  /** Not part of any layout until its field is left. */
  writing: PendingEdit | null
  openTabs: OpenTabs
  /** Applied filters. */
  mask: DataMask
  /** Chosen filters; they differ from `mask` by what waits for Apply. */
  chosen: DataMask
  /** Filters whose initial value is their first one, which is not known yet; the charts that they reach wait for it. */
  awaited: readonly string[]
  /** Entries of filters whose initial value is their first one, once it is known. */
  firsts: DataMask
  /** Node of the chart shown in full size. */
  fullSize: string | null
  outlines: Outlines
  /** Unsaved CSS previewed on the page; null for the dashboard's own. */
  cssPreview: string | null
  /** Number of refreshes, and whether the last one bypasses the cache. */
  refresh: { round: number; force: boolean }
}

export interface DashboardActions {
  /** Replaces the document with one that was loaded or saved; editing starts from it. */
  load(dashboard: DashboardDocument): void
  /** Changes settings of the document; the edited layout stays. */
  updateDocument(change: (dashboard: DashboardDocument) => DashboardDocument): void
  /** Makes one undoable step; returns the history after it. */
  edit(change: (nodes: LayoutNodes) => LayoutNodes): History<LayoutNodes>
  /** Same for layout and settings together. */
  change(change: (edited: EditableState) => EditableState): History<LayoutNodes>
  /** Adopts a document that was saved during editing; later edits stay as one step on top of it. */
  rebase(saved: DashboardDocument): void
  /** Marks the edits as based on an earlier document than the loaded one, in this state if it is known. */
  setBaseRevision(
    base: { layout: Layout; settings: DashboardSettings; title: string | null } | undefined,
    changed_on: string | null,
  ): void
  /** Shows a layout while a node is picked up by keyboard; adds no step. */
  preview(nodes: LayoutNodes): void
  /** Does nothing while a node is picked up by keyboard. */
  undo(): void
  redo(): void
  setEditing(isEditing: boolean): void
  setAdding(adding: AddPanelState): void
  pick(id: string | null): void
  write(writing: PendingEdit | null): void
  openTabs(change: (open: OpenTabs) => OpenTabs): void
  choose(entries: DataMask): void
  /** Applies the chosen filters. */
  apply(): void
  /** Sets the first value of a filter; null if it has none. A value chosen in the meantime stays. */
  setFirstValue(id: string, entry: DataMaskEntry | null): void
  /** Remembers the entry of a filter with its first value, which is another one under other parents. */
  rememberFirst(id: string, entry: DataMaskEntry): void
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
  /** From a link; overrides the defaults of the filters. */
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
      rememberFirst: (id, entry) => set(({ firsts }) => ({ firsts: { ...firsts, [id]: entry } })),
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

/** Dashboard with new settings, and the masks of the filters that it still has. */
function withDocument(
  { mask, chosen, dashboard: before }: DashboardState,
  dashboard: DashboardDocument,
): Partial<DashboardState> {
  if (dashboard.metadata === before.metadata && dashboard.charts === before.charts) return { dashboard }
  const added = masksFor(dashboard)
  // A chart that no longer exists filters nothing.
  const clicked = (own: DataMask) => Object.keys(crossFiltersOf(own)).filter((id) => dashboard.charts.has(Number(id)))
  const keepKnownEntries = (own: DataMask) => ({ ...added, ...pickKeys(own, [...Object.keys(added), ...clicked(own)]) })
  return { dashboard, mask: keepKnownEntries(mask), chosen: keepKnownEntries(chosen) }
}

/** Steps both histories, and updates the state that depends on them. */
function stepped(state: DashboardState, step: <T>(history: History<T>) => History<T>): Partial<DashboardState> {
  const [history, settings] = [step(state.history), step(state.settings)]
  if (settings.present === state.settings.present) return { history, settings }
  return { history, settings, ...withDocument(state, withSettings(state.dashboard, settings.present)) }
}

/** Settings before the first step. */
const settingsBefore = ({ settings }: DashboardState): DashboardSettings => settings.past[0] ?? settings.present

const pickKeys = (mask: DataMask, ids: string[]): DataMask =>
  Object.fromEntries(ids.flatMap((id) => (mask[id] ? [[id, mask[id]]] : [])))

/** Entries of clicked charts, whose ids are numeric. */
export const crossFiltersOf = (mask: DataMask): DataMask =>
  Object.fromEntries(Object.entries(mask).filter(([id]) => /^\d+$/.test(id)))
