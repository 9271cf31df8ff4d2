import { AppError, message } from '@parquetry/model'
import type { Principal } from '../access/principal.ts'
import type { HttpDeps } from '../http/app.ts'
import { parseCookies } from '../http/cookies.ts'
import { isAnonymous, parseSessionId } from '../http/csrf.ts'
import type { Authenticator, Identity } from '../http/identity.ts'
import { loadAnonymousPrincipal, type GuestClaims, guestPrincipal, loadPrincipal } from '../access/load-principal.ts'
import { findLiveSessions, sessionHash, findSessionUser } from './sessions.ts'
import { type Claims, readToken, refusedToken, revoked } from './tokens.ts'

const cacheMs = 1000

/** Caches principals for one second per session, so that every server notices the end of a session within that time. */
export function createAuthenticator({
  db,
  keys,
  now,
  steadyMs,
}: Pick<HttpDeps, 'db' | 'keys' | 'now' | 'steadyMs'>): Authenticator {
  const cache = new Map<string, { until: number; principal: Promise<Principal | undefined> }>()
  function remember(key: string, load: () => Promise<Principal | undefined>): Promise<Principal | undefined> {
    const time = steadyMs()
    const cached = cache.get(key)
    if (cached && cached.until > time) return cached.principal
    // Expired entries are deleted, oldest first: data that was read for them lives as long as they do.
    cache.delete(key)
    for (const [old, { until }] of cache) {
      if (until > time) break
      cache.delete(old)
    }
    if (cache.size > 10_000) cache.clear()
    const principal = load().catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause
      throw new AppError('unavailable', {
        message: message('errors.store.notResponding', 'The metadata store is not responding. Try again.'),
        cause,
      })
    })
    const entry = { until: time + cacheMs, principal }
    cache.set(key, entry)
    principal.catch(() => cache.get(key) === entry && cache.delete(key))
    return principal
  }
  const anonymous = () => remember('', () => loadAnonymousPrincipal(db)) as Promise<Principal>
  const sessionPrincipal = (hash: string, kind: 'cookie' | 'token') =>
    remember(`${kind} ${hash}`, async () => {
      const user = await findSessionUser(db, hash, kind, now())
      return user && loadPrincipal(db, user)
    })

  async function authenticateBearer(token: string, cookie: string | null): Promise<Identity> {
    const { sid } = readToken(keys.access, 'access', token, now())
    const principal = await sessionPrincipal(sid, 'token')
    if (!principal) throw refusedToken(401, revoked)
    return { principal, via: 'bearer', session: sid, cookie }
  }

  function authenticateGuest(token: string): Principal {
    try {
      return guestPrincipal(readToken(keys.guest, 'guest', token, now()) as Claims & GuestClaims)
    } catch (error) {
      throw error instanceof AppError ? refusedToken(401, error.sentence) : error
    }
  }

  return {
    async identify(request, isForAnyone) {
      const cookie = parseCookies(request).get('session') ?? null
      const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1]
      if (bearer !== undefined) {
        try {
          return await authenticateBearer(bearer, cookie)
        } catch (error) {
          if (!isForAnyone || !(error instanceof AppError)) throw error
        }
      }
      const guest = request.headers['x-guesttoken']
      if (typeof guest === 'string')
        return { principal: authenticateGuest(guest), via: 'guest token', session: null, cookie }
      if (cookie !== null && !isAnonymous(cookie)) {
        const session = sessionHash(parseSessionId(cookie))
        const principal = await sessionPrincipal(session, 'cookie')
        if (principal) return { principal, via: 'cookie', session, cookie }
      }
      return { principal: await anonymous(), via: 'nothing', session: null, cookie }
    },
    living: (sessions) => findLiveSessions(db, sessions, now()),
    forget(session) {
      if (session === undefined) return cache.clear()
      cache.delete(`cookie ${session}`)
      cache.delete(`token ${session}`)
    },
  }
}
