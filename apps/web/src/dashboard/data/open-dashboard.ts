import { flushSync } from 'react-dom'
import { boot } from '../../shared/boot.ts'
import { resolveDashboardRights } from '../document/rights.ts'
import { loadFirstValues } from '../filters/first-values.ts'
import { createDashboardStore, type DashboardStore, type StartOptions } from '../state/store.ts'
import { openChartStream, openStream, type LoadedDashboard } from './calls.ts'
import { DashboardData } from './dashboard-data.ts'

/** A dashboard that is loaded, with its own state, and whose charts are asked for. */
export interface OpenedDashboard {
  loaded: LoadedDashboard
  store: DashboardStore
  data: DashboardData
  /** Node to scroll to. */
  anchor: string | undefined
}

/** What a link carries beside the address: filters, tabs, the node to scroll to. */
export interface OpenDashboardOptions extends StartOptions {
  anchor: string | undefined
}

/** Asks before there is a page: the server works while the browser makes it. Editing is left out for who may not. */
export function openDashboard(
  loaded: LoadedDashboard,
  { anchor, isEditing = false, ...start }: OpenDashboardOptions,
): OpenedDashboard {
  const { result } = loaded.dashboard
  const mayEdit = resolveDashboardRights(boot.user, result).edit
  const store = createDashboardStore(loaded.dashboard, { ...start, isEditing: isEditing && mayEdit })
  const data = new DashboardData(store, openStream(result.id), openChartStream, undefined, flushSync)
  data.loadVisible()
  loadFirstValues(store)
  return { loaded, store, data, anchor }
}
