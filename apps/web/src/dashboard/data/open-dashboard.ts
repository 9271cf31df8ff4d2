import type { LabelSlots } from '@parquetry/charts'
import { flushSync } from 'react-dom'
import { boot } from '../../shared/boot.ts'
import { resolveDashboardRights } from '../document/rights.ts'
import { loadFirstValues } from '../filters/first-values.ts'
import { createDashboardStore, type DashboardStore, type StartOptions } from '../state/store.ts'
import { openChartStream, openStream, type LoadedDashboard } from './calls.ts'
import { DashboardData } from './dashboard-data.ts'
import type { MissingLinkFilters } from './link-part.ts'

/** A loaded dashboard with its state, whose charts are being queried. */
export interface OpenedDashboard {
  loaded: LoadedDashboard
  store: DashboardStore
  data: DashboardData
  /** Node to scroll to. */
  anchor: string | undefined
  missingFilters: MissingLinkFilters | null
  labelSlots: LabelSlots
}

/** State that a link carries: filters, tabs, the node to scroll to. */
export interface OpenDashboardOptions extends StartOptions {
  anchor: string | undefined
  /** Why the page shows default filters instead of those of the link; null if it has none or all were read. */
  missingFilters: MissingLinkFilters | null
  /** Colors that the labels had for the sender of the link. */
  labelSlots: LabelSlots
}

/**
 * Opens a dashboard and queries its charts before the page exists, so that the server works while the browser renders. Edit mode
 * requires the right to edit.
 */
export function openDashboard(
  loaded: LoadedDashboard,
  { anchor, missingFilters, labelSlots, isEditing = false, ...start }: OpenDashboardOptions,
): OpenedDashboard {
  const { result } = loaded.dashboard
  const mayEdit = resolveDashboardRights(boot.user, result).edit
  const store = createDashboardStore(loaded.dashboard, { ...start, isEditing: isEditing && mayEdit })
  const data = new DashboardData(store, openStream(result.id), openChartStream, undefined, flushSync)
  data.loadVisible()
  loadFirstValues(store)
  return { loaded, store, data, anchor, missingFilters, labelSlots }
}
