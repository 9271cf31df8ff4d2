import { boot } from './boot.ts'

const pairs = new Set(Object.values(boot.user.roles).flatMap((role) => role.map(([can, view]) => `${can} ${view}`)))
const roleNames = Object.keys(boot.user.roles).map((name) => name.toLowerCase())

/** Returns whether a role of the user has a permission pair of the API, such as `can_write`, `Chart`. The server checks again. */
export const can = (permission: string, view: string): boolean => pairs.has(`${permission} ${view}`)

/** PERM-002: a role named admin, in any case. */
export const isAdmin = roleNames.includes('admin')

/** For users who may read all data, a missing object is deleted, not hidden. */
export const canReadAllData = isAdmin || can('all_datasource_access', 'all_datasource_access')

/** PERM-003, PERM-004: admins and users with the role `sql_lab`. */
export const hasSqlLab = isAdmin || roleNames.includes('sql_lab')

export const userId = boot.user.userId ?? null

const ownSubjects = new Set(boot.user.subjects)

/** Owners may change an object, themselves or by a role or group; admins too. @param editors  subjects that own it */
export const isOwner = (editors: readonly { id: number }[]): boolean =>
  isAdmin || editors.some(({ id }) => ownSubjects.has(id))
