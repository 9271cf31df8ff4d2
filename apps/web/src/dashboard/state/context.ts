import type { ChartForm, ColorScale, LabelSlots } from '@parquetry/charts'
import { createContext, use, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { LoadedDataset } from '../data/calls.ts'
import type { ChartState } from '../data/chart-data.ts'
import type { DashboardData } from '../data/dashboard-data.ts'
import type { DashboardRights } from '../document/rights.ts'
import type { ChartHosts } from '../grid/hosts.ts'
import type { ViewportProximity } from './viewport-proximity.ts'
import type { DashboardActions, DashboardState, DashboardStore } from './store.ts'
import type { RenderQueue } from './render-queue.ts'

/** Objects that all parts of one open dashboard share. */
export interface DashboardContextValue {
  store: DashboardStore
  data: DashboardData
  hosts: ChartHosts
  renderQueue: RenderQueue
  proximity: ViewportProximity
  datasets: readonly LoadedDataset[]
  /** Color scale that all charts share. */
  colors(form: ChartForm): ColorScale
  /** Slots of the labels that the dashboard has shown; `colors` adds to it. */
  shownColors: LabelSlots
  rights: DashboardRights
  /** Announces a sentence to screen readers. */
  announce(text: string): void
}

export const DashboardContext = createContext<DashboardContextValue | null>(null)

export function useDashboard(): DashboardContextValue {
  const open = use(DashboardContext)
  if (!open) throw new Error('This belongs inside a dashboard.')
  return open
}

/** Selects a part of the dashboard's state; renders again when it changes. */
export const useDashboardState = <T>(select: (state: DashboardState) => T): T => useStore(useDashboard().store, select)

export const useActions = (): DashboardActions => useStore(useDashboard().store, ({ actions }) => actions)

export function useChartState(id: number): ChartState {
  const { states } = useDashboard().data
  return useSyncExternalStore(
    (listener) => states.subscribe(id, listener),
    () => states.get(id),
  )
}

export function useProgress(): { done: number; of: number } {
  const { states } = useDashboard().data
  return useSyncExternalStore((listener) => states.subscribe('progress', listener), states.progress)
}

/** True while any chart is loading; unlike `useProgress` it does not change with each result. */
export function useIsLoading(): boolean {
  const { states } = useDashboard().data
  return useSyncExternalStore(
    (listener) => states.subscribe('progress', listener),
    () => states.progress().of > 0,
  )
}
