import type { LabelSlots } from '@parquetry/charts'
import { flushSync } from 'react-dom'
import { boot } from '../../shared/boot.ts'
import { resolveDashboardRights } from '../document/rights.ts'
import { loadFirstValues } from '../filters/first-values.ts'
import { createDashboardStore, type DashboardStore, type StartOptions } from '../state/store.ts'
import { openChartStream, openStream, type LoadedDashboard } from './calls.ts'
import type { OpenStream } from './chart-data-loader.ts'
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
  /** The page shows an earlier version of the dashboard, which cannot be changed. */
  version?: ShownVersion | undefined
}

/** A version that is shown in place of the dashboard. */
export interface ShownVersion {
  n: number
  at: Date
  /** Name of the user who saved it; null if unknown. */
  author: string | null
}

/** State that a link carries: filters, tabs, the node to scroll to. */
export interface OpenDashboardOptions extends StartOptions {
  anchor: string | undefined
  /** Why the page shows default filters instead of those of the link; null if it has none or all were read. */
  missingFilters: MissingLinkFilters | null
  /** Colors that the labels had for the sender of the link. */
  labelSlots: LabelSlots
  version?: ShownVersion | undefined
}

/**
 * Opens a dashboard and queries its charts before the page exists, so that the server works while the browser renders. Edit mode
 * requires the right to edit.
 */
export function openDashboard(
  loaded: LoadedDashboard,
  { anchor, missingFilters, labelSlots, version, isEditing = false, ...start }: OpenDashboardOptions,
): OpenedDashboard {
  const { result } = loaded.dashboard
  const mayEdit = resolveDashboardRights(boot.user, result).edit
  const store = createDashboardStore(loaded.dashboard, { ...start, isEditing: isEditing && mayEdit && !version })
  // A new dashboard gets its id when it is first stored.
  const stream: OpenStream = (body, signal) => openStream(store.getState().dashboard.result.id)(body, signal)
  const data = new DashboardData(store, stream, openChartStream, undefined, flushSync)
  data.queriesByForm = version !== undefined
  data.loadVisible()
  loadFirstValues(store)
  return { loaded, store, data, anchor, missingFilters, labelSlots, version }
}
