import { headerId, layoutNode, writeLayout, type DashboardPut, type Layout } from '@parquetry/model'
import type { DashboardDocument, Metadata } from './read-dashboard.ts'
import { changedFields, dashboardSettingsOf } from './settings.ts'

/** DASH-072: what an emptied title becomes. */
export const untitled = '[ untitled dashboard ]'

/** Characters that the layout may have when the server does not say (DASH-074). */
export const defaultPositionLimit = 65_535

/**
 * The body that saves a layout: positions travel inside `json_metadata`, and all of its keys go along, because what is left out
 * is reset. Other fields go along when they differ from `saved`. `changed_on` lets the server refuse when somebody else saved since.
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

/** The body that saves settings alone; the layout is left as it is stored. */
export function buildMetadataBody(dashboard: DashboardDocument, metadata: Metadata): DashboardPut {
  const { changed_on } = dashboard.result
  return { json_metadata: JSON.stringify(metadata), ...(changed_on && { changed_on }) }
}

/** DASH-073: details of a certification need somebody who certified. */
export const certification = (by: string, details: string) => ({
  certified_by: by.trim(),
  certification_details: by.trim() ? details.trim() : '',
})

/** How full the layout is, 1 being the limit; a save over 1 is refused before it is sent (DASH-074). */
export const layoutFill = (layout: Layout, limit = defaultPositionLimit): number =>
  JSON.stringify(writeLayout(layout)).length / limit
