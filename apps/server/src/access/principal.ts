import type { PermissionPair } from '@parquetry/model'

/** Limits in a guest token: the visible dashboards and their rows. */
export interface GuestLimits {
  resources: readonly { type: string; id: string }[]
  /** Combined with AND; a rule without a dataset applies to every dataset. */
  rlsRules: readonly { dataset: number | null; clause: string }[]
}

/**
 * The requester with all permissions and restrictions in one object, so that no data access can omit one. Kept per session until
 * rights change: the same object then stands for the same rights.
 */
export interface Principal {
  /** `guest`: a visitor of an embedding page, identified by the guest token issued to that page. */
  kind: 'user' | 'anonymous' | 'guest'
  /** Null except for users. */
  id: number | null
  username: string | null
  firstName: string
  lastName: string
  email: string
  /** Roles of the user and of their groups. */
  roles: { id: number; name: string }[]
  groups: { id: number; name: string }[]
  /** Values by attribute: those of the user, otherwise those of all their groups. */
  attributes: ReadonlyMap<string, readonly string[]>
  /** Pairs as `permission view`, such as `can_read Chart`. */
  permissions: ReadonlySet<string>
  isAdmin: boolean
  /** Null except for guests. */
  guest: GuestLimits | null
  /** The session or API key of the request, with which work in the background ends. */
  session?: string
}

/**
 * Key that identifies the principal among those sharing a resource; guests are distinguished by the name that the embedding page
 * set.
 */
export const requesterKey = ({ kind, id, username }: Pick<Principal, 'kind' | 'id' | 'username'>): string =>
  kind === 'user' ? `user ${id}` : `${kind} ${username ?? ''}`

export const hasPermission = (principal: Principal, [permission, view]: PermissionPair): boolean =>
  principal.permissions.has(`${permission} ${view}`)

/** E-mail addresses of other users are visible only to those who manage users. */
export const canReadEmails = (principal: Principal): boolean =>
  principal.isAdmin ||
  hasPermission(principal, ['can_read', 'User']) ||
  hasPermission(principal, ['menu_access', 'List Users'])

/** Everything that decides what a principal may do and which rows they see, for comparison. */
export const formatRights = ({ isAdmin, roles, groups, attributes, permissions }: Principal): string =>
  JSON.stringify([
    isAdmin,
    roles.map(({ id }) => id),
    groups.map(({ id }) => id),
    [...attributes.keys()].toSorted().map((name) => [name, attributes.get(name)]),
    [...permissions].toSorted(),
  ])
