import type { Principal } from '../../access/principal.ts'
import { createDashboardPermalink } from '../../dashboard/permalink.ts'
import { readDashboardState } from '../../picture/report-state.ts'
import { readViewerRules } from '../../settings/viewer-rules.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ReportRow } from '../report-owner.ts'
import { parseReportExtra } from '../stored-json.ts'
import type { RunDeps } from './deps.ts'

/** Origin of links in messages: the setting, or else the address that the server listens on. */
export const linkOrigin = ({ baseUrl, host, port }: Pick<Settings, 'baseUrl' | 'host' | 'port'>): string | null => {
  if (baseUrl !== null) return baseUrl
  return port === 0 ? null : `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

type LinkDeps = Pick<RunDeps, 'db' | 'settings' | 'now'>
type LinkedReport = Pick<ReportRow, 'chart_id' | 'dashboard_id' | 'extra_json'>

/**
 * Returns the page of the chart, or of the dashboard with the filters and tabs of the report. Signing in decides what its reader
 * sees there. Null if no origin is known.
 */
export async function createPageLink(
  deps: LinkDeps,
  { chart_id, dashboard_id, extra_json }: LinkedReport,
  principal: Principal,
): Promise<string | null> {
  const origin = linkOrigin(deps.settings)
  if (origin === null) return null
  if (dashboard_id === null) return chart_id === null ? null : `${origin}/explore/?slice_id=${chart_id}`
  const key = await createStateKey(deps, dashboard_id, extra_json, principal)
  return `${origin}/superset/dashboard/${key === null ? dashboard_id : `p/${key}`}/`
}

/** The permalink of the state that is sent: each run of a report has the same. Null for the defaults, or without space for links. */
async function createStateKey(
  { db, settings, now }: LinkDeps,
  dashboardId: number,
  extra: string,
  principal: Principal,
): Promise<string | null> {
  const dashboard = await db
    .selectFrom('dashboard')
    .select(['uuid', 'position_json'])
    .where('id', '=', dashboardId)
    .executeTakeFirst()
  if (!dashboard) return null
  const { dataMask, tabs } = readDashboardState(parseReportExtra(extra), dashboard)
  if (!dataMask && !tabs) return null
  const context = {
    db,
    principal,
    ...readViewerRules(settings),
    now: now(),
    hasTags: false,
    linkQuotaMb: settings.config.LINK_QUOTA_MB,
  }
  const state = { ...(dataMask && { dataMask }), ...(tabs && { activeTabs: tabs }) }
  // A message is more important than the state of its link.
  return createDashboardPermalink(context, dashboard, state).catch(() => null)
}
