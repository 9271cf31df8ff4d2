import type { Removal } from '../http/removing.ts'
import { refuseUsedByReports } from '../http/report-uses.ts'
import { dashboardResource, type DashboardRow } from './dashboard-resource.ts'
import { removeDashboard } from './save-dashboard.ts'

/** How dashboards are deleted: they go to the trash. */
export const dashboardRemoval: Removal<DashboardRow> = {
  resource: dashboardResource,
  action: ['can_write', 'Dashboard'],
  words: ['dashboard', 'dashboards'],
  check: (rows, context) => refuseUsedByReports(context, 'dashboard', rows),
  trash: { kind: 'dashboard', name: ({ dashboard_title }) => dashboard_title ?? '' },
  remove: removeDashboard,
  entry: ({ id }) => ({ dashboard_id: id }),
}
