import type { Principal } from './principal.ts'

const shared = new WeakMap<Principal['permissions'], Map<string, Principal>>()

/**
 * What a principal is by roles and permissions alone. Until rights change, users with the same roles have the same object, so what
 * was decided for it is decided for all of them. Only for decisions that being a certain user can turn from no to yes, such as
 * reading a document, and never from yes to no, as with row-level security rules.
 */
export function withoutUser(principal: Principal): Principal {
  if (principal.kind !== 'user') return principal
  const { roles, permissions, isAdmin } = principal
  const byRoles = shared.get(permissions) ?? new Map<string, Principal>()
  shared.set(permissions, byRoles)
  const key = JSON.stringify([isAdmin, roles.map(({ id }) => id)])
  const found = byRoles.get(key) ?? {
    kind: 'anonymous',
    id: null,
    username: null,
    firstName: '',
    lastName: '',
    email: '',
    roles,
    groups: [],
    attributes: new Map(),
    permissions,
    isAdmin,
    guest: null,
  }
  byRoles.set(key, found)
  return found
}
