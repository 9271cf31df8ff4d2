import {
  listFilteredCharts,
  readNativeFilters,
  type DataMask,
  type DataMaskEntry,
  type NativeFilter,
} from '@parquetry/model'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { toFilteredDashboard } from '../state/chart-request.ts'
import { useActions, useDashboardState, useDashboard } from '../state/context.ts'
import { crossFiltersOf } from '../state/store.ts'
import { shownCharts } from '../state/tabs.ts'
import { readApplyMode, type ApplyMode } from './bar-settings.ts'
import { debounceEdges } from './debounce-edges.ts'
import { noCrossFilter } from './cross-filter.ts'
import { changedIds, defaultMask, emptyEntry, hasValue, isDivider } from './mask.ts'
import { invalidateValues, findHiddenFilters } from './values.ts'

/** Changes in quicker succession are combined while charts are loading. */
const quietMs = 300

export interface FilterBarState {
  /** Dividers, and filters with visible charts, in order. */
  shown: NativeFilter[]
  hidden: NativeFilter[]
  chosen: DataMask
  /** Ids of entries that wait for Apply. */
  waiting: string[]
  mode: ApplyMode
  /** Number of filters with an applied value, including cross-filters. */
  active: number
  crossFilters: [chart: number, entry: DataMaskEntry][]
  choose(filter: NativeFilter, entry: DataMaskEntry): void
  chooseAll(entries: DataMask): void
  apply(): void
  /** Resets to the defaults; if they are applied already, clears all values. */
  clear(): void
  /** Number of times that `clear` was called: controls also drop what was typed and refused. */
  cleared: number
  removeCrossFilter(chart: number): void
  removeCrossFilters(): void
  /** Charts to outline for a mask entry. */
  reachOf(id: string): number[]
}

export function useFilterBar(): FilterBarState {
  const { store, data } = useDashboard()
  const dashboard = useDashboardState((state) => state.dashboard)
  const nodes = useDashboardState(({ history }) => history.present)
  const openTabs = useDashboardState((state) => state.openTabs)
  const mask = useDashboardState((state) => state.mask)
  const chosen = useDashboardState((state) => state.chosen)
  const firsts = useDashboardState((state) => state.firsts)
  const actions = useActions()
  const [cleared, setCleared] = useState(0)
  const mode = readApplyMode(dashboard.metadata)

  const refresh = useDashboardState((state) => state.refresh)
  const refreshed = useRef(refresh)
  useEffect(() => {
    if (refreshed.current === refresh) return
    refreshed.current = refresh
    invalidateValues(refresh.force)
  }, [refresh])

  const board = useMemo(() => toFilteredDashboard(dashboard, dashboard.layout.nodes), [dashboard])
  const filters = useMemo(() => readNativeFilters(board), [board])
  const away = useMemo(() => {
    const charts = shownCharts(nodes, openTabs).flatMap(({ meta }) => meta.chartId ?? [])
    return findHiddenFilters(board, charts)
  }, [board, nodes, openTabs])

  const applying = useMemo(
    () =>
      debounceEdges(
        () => store.getState().actions.apply(),
        quietMs,
        () => data.states.progress().of > 0,
      ),
    [store, data],
  )
  // A value chosen just before leaving is applied before `useFilterLink` stores the filters, which it does in a passive effect.
  useLayoutEffect(() => {
    addEventListener('pagehide', applying.flush, { capture: true })
    return () => {
      removeEventListener('pagehide', applying.flush, { capture: true })
      applying.flush()
    }
  }, [applying])

  const chooseAll = (entries: DataMask) => {
    actions.choose(entries)
    if (mode === 'at_once') applying.call()
  }
  const crossFilters = Object.entries(crossFiltersOf(mask))
    .filter(([, entry]) => hasValue(entry))
    .map(([id, entry]) => [Number(id), entry] as [number, DataMaskEntry])
  const removeCrossFilters = () => {
    for (const [chart] of crossFilters) actions.filter(String(chart), noCrossFilter)
  }
  return {
    shown: filters.filter((filter) => !away.has(filter.id)),
    hidden: filters.filter((filter) => away.has(filter.id)),
    chosen,
    waiting: changedIds(mask, chosen),
    mode,
    active: filters.filter((filter) => !isDivider(filter) && hasValue(mask[filter.id])).length + crossFilters.length,
    crossFilters,
    chooseAll,
    choose: (filter, entry) => chooseAll({ [filter.id]: entry }),
    apply: () => {
      applying.stop()
      actions.apply()
    },
    cleared,
    clear: () => {
      setCleared(cleared + 1)
      const defaults = { ...defaultMask(filters), ...firsts }
      const isDefault = changedIds({ ...chosen, ...defaults }, chosen).length === 0
      chooseAll(
        isDefault
          ? Object.fromEntries(filters.filter((f) => !isDivider(f)).map((f) => [f.id, emptyEntry(f)]))
          : defaults,
      )
      removeCrossFilters()
    },
    removeCrossFilters,
    removeCrossFilter: (chart) => actions.filter(String(chart), noCrossFilter),
    reachOf: (id) => {
      const reached = listFilteredCharts(board, id)
      // Outlining every chart for a filter that reaches all of them would convey nothing.
      return reached.length < dashboard.charts.size ? reached : []
    },
  }
}
