import type { FastifyRequest } from 'fastify'
import type { Principal } from '../access/principal.ts'

/** The sender of a request, and how it was authenticated. */
export interface Identity {
  principal: Principal
  via: 'bearer' | 'guest token' | 'cookie' | 'nothing'
  /** Hash of the session that the request depends on; null when there is none. */
  session: string | null
  /** The `session` cookie as sent, also when not signed in. */
  cookie: string | null
}

export interface Authenticator {
  /**
   * Identifies the sender. An expired cookie counts as anonymous. So does an invalid bearer token on routes open to anyone
   * (`isForAnyone`), which clients use to refresh a token or sign in again.
   * @throws AppError `not_signed_in` for an expired bearer token, `unprocessable` for a malformed one
   */
  identify(request: FastifyRequest, isForAnyone: boolean): Promise<Identity>
  /** Returns those of some sessions, given by their hashes, that have not ended. */
  living(sessions: ReadonlySet<string>): Promise<ReadonlySet<string>>
  /** Drops a cached session, or all, immediately instead of within a second. */
  forget(session?: string): void
}
