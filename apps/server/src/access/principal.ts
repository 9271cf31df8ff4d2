import type { PermissionPair } from '@parquetry/model'

/** What the token of a guest names: the dashboards that he may see, and the rows of them. */
export interface GuestLimits {
  resources: readonly { type: string; id: string }[]
  /** All of them hold; one without a dataset holds on every dataset. */
  rlsRules: readonly { dataset: number | null; clause: string }[]
}

/** Who asks, with everything that he may do and everything that limits it, so that no way to data can forget a part; loaded once per request and kept for a second per session. */
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
  /** Null for all but guests. */
  guest: GuestLimits | null
}

/** One word for each person among those who share something: guests are told apart by the name that their page gave them. */
export const requesterKey = ({ kind, id, username }: Pick<Principal, 'kind' | 'id' | 'username'>): string =>
  kind === 'user' ? `user ${id}` : `${kind} ${username ?? ''}`

export const hasPermission = (principal: Principal, [permission, view]: PermissionPair): boolean =>
  principal.permissions.has(`${permission} ${view}`)

/** E-mail addresses of others are for those who manage users. */
export const canReadEmails = (principal: Principal): boolean =>
  principal.isAdmin ||
  hasPermission(principal, ['can_read', 'User']) ||
  hasPermission(principal, ['menu_access', 'List Users'])
