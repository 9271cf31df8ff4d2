import type { PermissionPair } from '@parquetry/model'

/** Who asks, with everything that `can` needs; loaded once per request and kept for a second per session. */
export interface Principal {
  /** `guest`: a visitor of another page, known by the token that this page was given. */
  kind: 'user' | 'anonymous' | 'guest'
  /** Null for all but users. */
  id: number | null
  username: string | null
  firstName: string
  lastName: string
  email: string
  roles: { id: number; name: string }[]
  /** `permission view` texts, such as `can_read Chart`. */
  permissions: ReadonlySet<string>
  isAdmin: boolean
}

export const holds = (principal: Principal, [permission, view]: PermissionPair): boolean =>
  principal.permissions.has(`${permission} ${view}`)
