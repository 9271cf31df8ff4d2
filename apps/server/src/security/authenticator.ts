import { AppError } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Principal } from '../http/principal.ts'
import { cookiesOf } from './cookies.ts'
import { anonymousPrincipal, guestPrincipal, principalOf } from './load-principal.ts'
import { sessionHash, userOfSession } from './sessions.ts'
import { readToken, refusedToken } from './tokens.ts'

/** Who sent a request, and by what it is known. */
export interface Identity {
  principal: Principal
  via: 'bearer' | 'guest token' | 'cookie' | 'nothing'
  /** Hash of the session; null when there is none. */
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
  /** At once instead of within a second: one session, or everybody. */
  forget(session?: string): void
}

const keepMs = 1000

/** Keeps principals for a second per session, so that ending one is felt by every server within that time. */
export function createAuthenticator({ db, keys, now }: Pick<Deps, 'db' | 'keys' | 'now'>): Authenticator {
  const kept = new Map<string, { until: number; principal: Promise<Principal | undefined> }>()
  function remember(key: string, load: () => Promise<Principal | undefined>): Promise<Principal | undefined> {
    const time = now().getTime()
    const known = kept.get(key)
    if (known && known.until > time) return known.principal
    if (kept.size > 10_000) kept.clear()
    const principal = load().catch((cause: unknown) => {
      throw new AppError('unavailable', { message: 'The metadata store does not answer.', cause })
    })
    kept.set(key, { until: time + keepMs, principal })
    principal.catch(() => kept.delete(key))
    return principal
  }
  const nobody = () => remember('', () => anonymousPrincipal(db)) as Promise<Principal>
  const ofSession = (hash: string, kind: 'cookie' | 'token') =>
    remember(`${kind} ${hash}`, async () => {
      const user = await userOfSession(db, hash, kind, now())
      return user && principalOf(db, user)
    })

  async function byBearer(token: string, cookie: string | null): Promise<Identity> {
    const { sid } = readToken(keys.access, 'access', token, now())
    const principal = await ofSession(sid, 'token')
    if (!principal) throw refusedToken(401, 'Token has been revoked')
    return { principal, via: 'bearer', session: sid, cookie }
  }

  function byGuestToken(token: string): Principal {
    try {
      return guestPrincipal(readToken(keys.guest, 'guest', token, now()))
    } catch (error) {
      throw error instanceof AppError ? refusedToken(401, error.message) : error
    }
  }

  return {
    async identify(request, isForAnyone) {
      const cookie = cookiesOf(request).get('session') ?? null
      const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1]
      if (bearer !== undefined) {
        try {
          return await byBearer(bearer, cookie)
        } catch (error) {
          if (!isForAnyone || !(error instanceof AppError)) throw error
        }
      }
      const guest = request.headers['x-guesttoken']
      if (typeof guest === 'string')
        return { principal: byGuestToken(guest), via: 'guest token', session: null, cookie }
      if (cookie !== null && !cookie.startsWith('a.')) {
        const session = sessionHash(cookie)
        const principal = await ofSession(session, 'cookie')
        if (principal) return { principal, via: 'cookie', session, cookie }
      }
      return { principal: await nobody(), via: 'nothing', session: null, cookie }
    },
    forget(session) {
      if (session === undefined) return kept.clear()
      kept.delete(`cookie ${session}`)
      kept.delete(`token ${session}`)
    },
  }
}
