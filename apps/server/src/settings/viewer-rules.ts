import type { Settings } from './settings.ts'

/** Rights of the viewers of a dashboard or chart. */
export interface ViewerRules {
  /** The viewers of a dashboard decide who may see it. */
  dashboardRoles: boolean
  /** Viewers read the data of an object within it, without access to its datasets. */
  viewerData: { dashboards: boolean; charts: boolean }
  /** The groups of a creator become viewers of new charts and dashboards (`ASSIGN_CREATOR_GROUPS_AS_VIEWERS`). */
  showsToCreatorGroups: boolean
}

/** `DASHBOARD_RBAC` of older releases is `ENABLE_VIEWERS`, with `VIEWER_PROMISCUOUS_MODE` for dashboards. */
export function readViewerRules({ flags, config }: Pick<Settings, 'flags' | 'config'>): ViewerRules {
  const isOlder = flags['DASHBOARD_RBAC'] === true
  const isNewer = flags['ENABLE_VIEWERS'] === true
  // Where viewers are turned off, those that are stored read no data.
  const isOpen = config.VIEWER_PROMISCUOUS_MODE && (isOlder || isNewer)
  return {
    dashboardRoles: isOlder || isNewer,
    viewerData: { dashboards: isOlder || isOpen, charts: isOpen },
    showsToCreatorGroups: flags['ASSIGN_CREATOR_GROUPS_AS_VIEWERS'] === true && (isOlder || isNewer),
  }
}
