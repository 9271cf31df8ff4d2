import type { FastifyRequest } from 'fastify'
import { AppError, message, type RouteContract } from '@parquetry/model'
import type { Principal } from '../access/principal.ts'

/** The sender of a request, and how it was authenticated. */
export interface Identity {
  principal: Principal
  via: 'bearer' | 'guest token' | 'cookie' | 'nothing'
  /** Hash of the session, or name of the API key, that the request depends on; null when there is none. */
  session: string | null
  /** The API key that the request was sent with. */
  apiKey?: IdentityApiKey
  /** The `session` cookie as sent, also when not signed in. */
  cookie: string | null
}

export interface IdentityApiKey {
  uuid: string
  name: string
  /** Tests if the scopes of the key include a route. */
  includes(route: Pick<RouteContract, 'method' | 'path'>): boolean
}

/**
 * For changes of how a user signs in: someone who finds a key must not keep the access after it was revoked.
 * @throws AppError `forbidden` when the request was sent with an API key
 */
export function refuseApiKey(identity: Identity | null): void {
  if (identity?.apiKey)
    throw new AppError('forbidden', {
      message: message(
        'errors.security.keyRefused',
        'API keys cannot be used for this. Sign in with your username and password.',
      ),
    })
}

export interface Authenticator {
  /**
   * Identifies the sender. An expired cookie counts as anonymous. So does an invalid bearer token on routes open to anyone
   * (`isForAnyone`), which clients use to refresh a token or sign in again.
   * @throws AppError `not_signed_in` for an expired bearer token or an invalid API key, `unprocessable` for a malformed token
   */
  identify(request: FastifyRequest, isForAnyone: boolean): Promise<Identity>
  /** Returns those of some sessions, given by their hashes, that have not ended. */
  living(sessions: ReadonlySet<string>): Promise<ReadonlySet<string>>
  /**
   * Returns those of some users whose rights have changed since they were loaded; empty while no rights have changed since
   * the last call.
   */
  withChangedRights(principals: readonly Principal[]): Promise<ReadonlySet<Principal>>
  /** Reads who is behind a new session, given by its hash, before its first call, which follows at once. That call reports errors. */
  prepare(session: string, kind: 'cookie' | 'token'): void
  /** Drops a cached session, or all. */
  forget(session?: string): void
}
