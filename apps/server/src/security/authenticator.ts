import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Principal } from '../http/principal.ts'
import { cookiesOf } from './cookies.ts'
import { anonymousPrincipal, principalOf } from './load-principal.ts'
import { sessionHash, userOfSession } from './sessions.ts'
import { readToken, refusedToken } from './tokens.ts'

/** Who sent a request, and by what it is known. */
export interface Identity {
  principal: Principal
  via: 'bearer' | 'cookie' | 'nothing'
  /** Hash of the session; null when there is none. */
  session: string | null
  /** The `session` cookie as it came, also of somebody who has not signed in. */
  cookie: string | null
}

export interface Authenticator {
  /**
   * @throws AppError `not_signed_in` for a bearer token that is over, `unprocessable` for one that is broken; a cookie that
   * is over is just nobody
   */
  identify(request: FastifyRequest): Promise<Identity>
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
    const principal = load()
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

  return {
    async identify(request) {
      const cookie = cookiesOf(request).get('session') ?? null
      const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1]
      if (bearer !== undefined) {
        const { sid } = readToken(keys.access, 'access', bearer, now())
        const principal = await ofSession(sid, 'token')
        if (!principal) throw refusedToken(401, 'Token has been revoked')
        return { principal, via: 'bearer', session: sid, cookie }
      }
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
