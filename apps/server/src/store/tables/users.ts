import type { Generated } from 'kysely'

export interface UserTable {
  id: Generated<number>
  username: string
  first_name: string
  last_name: string
  email: string
  /** argon2id; null for users who have not set a password. */
  password: string | null
  active: number
  login_count: number
  last_login: string | null
  created_on: string
  changed_on: string
}

export interface RoleTable {
  id: Generated<number>
  name: string
}

export interface PermissionTable {
  id: Generated<number>
  name: string
  view: string
}

/**
 * A signed-in session; the cookie or token contains its random id. It ends on sign-out, on a password change, or when the user is
 * disabled.
 */
export interface SessionTable {
  /** SHA-256 of the id in the cookie or token. */
  id: string
  user_id: number
  created_at: string
  seen_at: string
  expires_at: string
  /** `cookie` or `token` (a JWT login: access and refresh tokens carry this session's id). */
  kind: string
}

export interface OneTimeLinkTable {
  id: string
  user_id: number
  expires_at: string
  used_at: string | null
}
