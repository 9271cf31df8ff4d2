import { readNativeFilters } from '@parquetry/model'
import { isEmptyTree, type DashboardDocument } from './read-dashboard.ts'
import { untitled } from './save-body.ts'

/** True if it is as "New dashboard" created it, so that deleting it loses nothing. */
export const isPristineDashboard = ({ result, layout, metadata, charts }: DashboardDocument): boolean =>
  (result.dashboard_title ?? untitled) === untitled &&
  !result.published &&
  !result.slug &&
  charts.size === 0 &&
  isEmptyTree(layout.nodes) &&
  readNativeFilters({ nodes: layout.nodes, metadata }).length === 0
