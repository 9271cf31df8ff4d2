import type { FastifyRequest } from 'fastify'
import type { Principal } from '../access/principal.ts'

/** Who sent a request, and by what it is known. */
export interface Identity {
  principal: Principal
  via: 'bearer' | 'guest token' | 'cookie' | 'nothing'
  /** Hash of the session that the call lives and dies with; null when there is none. */
  session: string | null
  /** The `session` cookie as it came, also of somebody who has not signed in. */
  cookie: string | null
}

export interface Authenticator {
  /**
   * A cookie that is over is just nobody; so is a bad bearer token where anyone may call (`isForAnyone`): those who send a
   * refresh token or sign in again come there.
   * @throws AppError `not_signed_in` for a bearer token that is over, `unprocessable` for one that is broken
   */
  identify(request: FastifyRequest, isForAnyone: boolean): Promise<Identity>
  /** Those of some sessions, by their hashes, that are not over. */
  living(sessions: ReadonlySet<string>): Promise<ReadonlySet<string>>
  /** At once instead of within a second: one session, or everybody. */
  forget(session?: string): void
}
