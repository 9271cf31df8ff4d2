import { subjectId, subjectTypes } from '@parquetry/model/subject'
import { boot } from '../../shared/boot.ts'
import { newDashboardId, readDashboard, type DashboardDocument } from './read-dashboard.ts'
import { untitled } from './save-body.ts'

/** An empty dashboard of the signed-in user, which exists only in the page. */
export function createNewDashboard(): DashboardDocument {
  const { userId, firstName = '', lastName = '' } = boot.user
  const label = `${firstName} ${lastName}`.trim()
  const editors = userId === undefined ? [] : [{ id: subjectId('user', userId), label, type: subjectTypes.user }]
  const read = readDashboard({ id: newDashboardId, dashboard_title: untitled, published: false, editors }, [])
  return { ...read, flags: boot.common.feature_flags }
}
