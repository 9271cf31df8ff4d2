import type { PermissionPair } from '@parquetry/model'
import { newDashboardId, type DashboardRecord } from './read-dashboard.ts'

/** The signed-in user in the bootstrap data. */
export interface BootstrapUser {
  userId?: number
  subjects?: readonly number[]
  username?: string
  roles?: Record<string, readonly PermissionPair[]>
}

export interface DashboardRights {
  /** Change and save the dashboard itself. */
  edit: boolean
  /** Save a copy of it. */
  saveAs: boolean
  /** Export it as a bundle. */
  export: boolean
  share: boolean
  explore: boolean
  shareChart: boolean
  csv: boolean
  editChart: boolean
  favorite: boolean
}

/** Rights on an earlier version: it can only be looked at. */
export const withoutChanges = (rights: DashboardRights): DashboardRights => ({
  ...rights,
  edit: false,
  saveAs: false,
  export: false,
  share: false,
  favorite: false,
})

const mainView = 'Superset'

/** Rights of a user on a dashboard (PERM-007 to PERM-016). The server enforces them; the page only hides unavailable actions. */
export function resolveDashboardRights(
  user: BootstrapUser,
  dashboard: Pick<DashboardRecord, 'editors' | 'is_managed_externally'> & { id?: number },
): DashboardRights {
  const roles = Object.entries(user.roles ?? {})
  const can = (permission: string, view: string) =>
    roles.some(([, pairs]) => pairs.some(([p, v]) => p === permission && v === view))
  const isAdmin = roles.some(([name]) => name === 'Admin')
  const isOwner = (dashboard.editors ?? []).some(({ id }) => user.subjects?.includes(id))
  const isStored = dashboard.id !== newDashboardId
  const mayWrite = isAdmin || (isOwner && can('can_write', 'Dashboard'))
  return {
    edit: mayWrite && !dashboard.is_managed_externally,
    saveAs: isStored && (can('can_save_dash', mainView) || can('can_write', 'Dashboard')),
    export: can('can_export', 'Dashboard'),
    share: can('can_share_dashboard', mainView),
    explore: can('can_explore', mainView),
    shareChart: can('can_share_chart', mainView),
    csv: can('can_csv', mainView),
    editChart: can('can_slice', mainView),
    favorite: isStored && user.userId !== undefined,
  }
}
