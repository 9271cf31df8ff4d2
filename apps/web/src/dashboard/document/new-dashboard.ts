import { boot } from '../../shared/boot.ts'
import { newDashboardId, readDashboard, type DashboardDocument } from './read-dashboard.ts'
import { untitled } from './save-body.ts'

/** An empty dashboard of the signed-in user, which exists only in the page. */
export function createNewDashboard(): DashboardDocument {
  const { userId: id, username, firstName: first_name = '', lastName: last_name = '' } = boot.user
  const owners = id === undefined ? [] : [{ id, first_name, last_name, ...(username && { username }) }]
  const read = readDashboard({ id: newDashboardId, dashboard_title: untitled, published: false, owners }, [])
  return { ...read, flags: boot.common.feature_flags }
}
