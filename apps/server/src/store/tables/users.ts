import type { Generated } from 'kysely'
import type { Audit } from './audit.ts'

export interface UserTable extends Audit {
  id: Generated<number>
  uuid: string
  username: string
  first_name: string
  last_name: string
  email: string
  /** argon2id; null for users who have not set a password. */
  password: string | null
  active: number
  login_count: number
  /** Failed sign-ins since the last successful one. */
  fail_login_count: Generated<number>
  last_login: string | null
}

export interface RoleTable extends Audit {
  id: Generated<number>
  uuid: string
  name: string
  /** Users with the role must sign in with a second factor. */
  requires_second_factor: Generated<number>
}

/** Users who share roles, attributes and row-level security rules. */
export interface UserGroupTable extends Audit {
  id: Generated<number>
  uuid: string
  name: string
  label: string | null
  description: string | null
}

/**
 * View of everyone to whom something can be granted: users (type 1), roles (2) and groups (3). The id is computed by
 * `packages/model/src/subject.ts`.
 */
export interface SubjectView {
  id: number
  uuid: string
  label: string
  secondary_label: string
  type: 1 | 2 | 3
  /** State of a user; null for roles and groups. */
  active: number | null
  extra_search: string
  user_id: number | null
  role_id: number | null
  group_id: number | null
  created_on: string
  changed_on: string
  changed_by_fk: number | null
}

/** Someone who asked for an account and has none yet. */
export interface UserRegistrationTable {
  id: Generated<number>
  uuid: string
  username: string
  email: string
  first_name: string
  last_name: string
  registration_date: string
}

export interface PermissionTable {
  id: Generated<number>
  name: string
  view: string
}

/** View of the names in one part of the permission pairs (`apps/server/src/store/migrations/0023-names-of-permissions.ts`). */
export interface PermissionNameView {
  id: number
  name: string
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
  /**
   * `cookie`, `token` (a JWT login: access and refresh tokens carry this session's id), or `second-step` (the password was
   * correct, and the second factor is missing; it gives no access).
   */
  kind: string
  /** Header of the browser or program that signed in. */
  user_agent: string | null
}

/** A link with which a user sets a new password, once. */
export interface OneTimeLinkTable {
  /** SHA-256 of the token in the link. */
  id: string
  user_id: number
  expires_at: string
  used_at: string | null
  /** Null for links that were made before version 22 of the store. */
  uuid: string | null
  created_on: string | null
  /** Null for links that were made on the command line. */
  created_by_fk: number | null
}

/** A personal key with which programs call the API. Only its hash is stored. */
export interface ApiKeyTable {
  id: Generated<number>
  uuid: string
  user_id: number
  name: string
  /** The first characters of the key, to recognize it. */
  key_prefix: string
  hash: string
  /** Comma-separated; null: everything that the owner may do. */
  scopes: string | null
  created_on: string
  expires_on: string | null
  revoked_on: string | null
  last_used_on: string | null
}

/** A link with which a new person creates their account. Deleted when it is accepted or revoked. */
export interface InvitationTable {
  id: Generated<number>
  uuid: string
  hash: string
  /** Null: the person chooses it. */
  username: string | null
  first_name: string
  last_name: string
  email: string
  created_on: string
  created_by_fk: number | null
  expires_at: string
}

export interface SecondFactorTable {
  user_id: number
  /** Base32 secret of the authenticator app, encrypted and bound to the uuid of the user. */
  secret: string
  created_on: string
  /** Null until the user has entered a first code. */
  confirmed_on: string | null
  /** Time step of the last accepted code, which is not accepted again. */
  last_step: Generated<number>
}

/** An open request of a user; it is deleted when an owner grants or refuses it. */
export interface AccessRequestTable {
  id: Generated<number>
  kind: 'dashboard' | 'chart' | 'dataset'
  object_id: number
  user_id: number
  message: string
  created_on: string
}
