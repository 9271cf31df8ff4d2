import { headerId, layoutNode, writeLayout, type DashboardPut, type Layout } from '@parquetry/model'
import type { DashboardDocument, Metadata } from './read-dashboard.ts'
import { changedFields, dashboardSettingsOf } from './settings.ts'

/** DASH-072: title that replaces an empty one. */
export const untitled = '[ untitled dashboard ]'

/** Maximum length of the layout in characters if the server does not set one (DASH-074). */
export const defaultPositionLimit = 65_535

/**
 * Body that saves a layout. Positions are part of `json_metadata`, which is sent with all of its keys because missing keys are
 * reset. Other fields are sent if they differ from `saved`. `changed_on` lets the server refuse if another user has saved since.
 */
export function buildSaveBody(
  dashboard: DashboardDocument,
  layout: Layout,
  {
    overwrite = false,
    saved = dashboard,
    hasRoles = false,
  }: { overwrite?: boolean; saved?: DashboardDocument; hasRoles?: boolean } = {},
): DashboardPut {
  const { result, metadata } = dashboard
  const title = (layoutNode(layout.nodes, headerId)?.meta.text ?? result.dashboard_title ?? '').trim()
  return {
    ...changedFields(dashboardSettingsOf(saved).fields, dashboardSettingsOf(dashboard).fields, hasRoles),
    dashboard_title: title || untitled,
    json_metadata: JSON.stringify({ ...metadata, positions: writeLayout(layout) }),
    ...(!overwrite && result.changed_on && { changed_on: result.changed_on }),
  }
}

/** Body that saves only settings; the stored layout stays. */
export function buildMetadataBody(dashboard: DashboardDocument, metadata: Metadata): DashboardPut {
  const { changed_on } = dashboard.result
  return { json_metadata: JSON.stringify(metadata), ...(changed_on && { changed_on }) }
}

/** DASH-073: certification details require a certifier. */
export const certification = (by: string, details: string) => ({
  certified_by: by.trim(),
  certification_details: by.trim() ? details.trim() : '',
})

/** Size of the layout as a share of the limit; a save above 1 is refused before it is sent (DASH-074). */
export const layoutFill = (layout: Layout, limit = defaultPositionLimit): number =>
  JSON.stringify(writeLayout(layout)).length / limit
