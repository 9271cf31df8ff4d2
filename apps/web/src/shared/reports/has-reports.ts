import { hasFeature } from '../features.ts'
import { can } from '../rights.ts'

/** Alerts and reports require the feature flag. */
export const hasReports = hasFeature('ALERT_REPORTS')

export const canSeeReports = hasReports && can('can_read', 'ReportSchedule')

/** The user may create alerts and reports, and change their own. */
export const canWriteReports = canSeeReports && can('can_write', 'ReportSchedule')

/** Page with the runs of an alert or report. */
export const reportLogHref = (id: number): string => `/report/${id}/log/`

/** Page with the list of alerts or of reports. */
export const reportListHref = (type: 'Alert' | 'Report'): string =>
  type === 'Alert' ? '/alert/list/' : '/report/list/'
