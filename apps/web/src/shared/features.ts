import { boot } from './boot.ts'

/** Returns whether a feature flag is on. Missing or unreadable flags are off (PERM-040). */
export function hasFeature(name: string): boolean {
  try {
    return boot.common.feature_flags[name] === true
  } catch {
    // oxlint-disable-next-line no-console -- PERM-039: the page of a server that says nothing of flags
    console.error(`Failed to query feature flag ${name}`)
    return false
  }
}

/** Labels beyond the colors of a scheme get analogous colors (PERM-038). */
export const hasAnalogousColors = (): boolean => hasFeature('USE_ANALAGOUS_COLORS')

/** Dashboards and charts can have viewers (PERM-018). */
export const hasViewers = (): boolean => hasFeature('DASHBOARD_RBAC') || hasFeature('ENABLE_VIEWERS')
