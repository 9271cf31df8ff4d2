import { AppError, message } from '@parquetry/model'
import { formatRights, type Principal } from '../access/principal.ts'
import type { HttpDeps } from '../http/app.ts'
import { parseCookies } from '../http/cookies.ts'
import { isAnonymous, parseSessionId } from '../http/csrf.ts'
import type { Authenticator, Identity } from '../http/identity.ts'
import {
  loadAnonymousPrincipal,
  type GuestClaims,
  guestPrincipal,
  loadPrincipal,
  loadPrincipalById,
  loadRights,
} from '../access/load-principal.ts'
import { countAccessChanges, countSessionChanges } from '../store/changes.ts'
import { findLiveSessions, sessionOfKey } from '../store/live-sessions.ts'
import { findApiKey, isApiKey, isOver, recordKeyUse, refuseKey } from './api-keys.ts'
import { createScopeCheck } from './api-key-scopes.ts'
import { sessionHash, findSessionUser } from './sessions.ts'
import { type Claims, readToken, refusedToken, revoked } from './tokens.ts'

const cacheMs = 1000

/** The principal with the session that its background work ends with. */
const withSession = (principal: Principal, session: string): Principal => ({ ...principal, session })

/**
 * Caches principals per session until users, roles or sessions change, and for one second at most, so that changes by another
 * server on a shared store are noticed within that time.
 */
export function createAuthenticator({
  db,
  keys,
  now,
  steadyMs,
  settings,
}: Pick<HttpDeps, 'db' | 'keys' | 'now' | 'steadyMs' | 'settings'>): Authenticator {
  const { FAB_API_KEY_ENABLED: areKeysEnabled, FAB_API_KEY_PREFIXES: prefixes } = settings.config
  let checkedChanges = 0
  const cache = new Map<string, { until: number; changes: number; found: Promise<unknown> }>()
  function remember<T>(key: string, load: () => Promise<T>): Promise<T> {
    const time = steadyMs()
    const cached = cache.get(key)
    const changes = countAccessChanges(db) + countSessionChanges(db)
    if (cached && cached.until > time && cached.changes === changes) return cached.found as Promise<T>
    // Expired entries are deleted, oldest first: data that was read for them lives as long as they do.
    cache.delete(key)
    for (const [old, { until }] of cache) {
      if (until > time) break
      cache.delete(old)
    }
    if (cache.size > 10_000) cache.clear()
    const found = load().catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause
      throw new AppError('unavailable', {
        message: message('errors.store.notResponding', 'The metadata store is not responding. Try again.'),
        cause,
      })
    })
    const entry = { until: time + cacheMs, changes, found }
    cache.set(key, entry)
    found.catch(() => cache.get(key) === entry && cache.delete(key))
    return found
  }
  const anonymous = () => remember('', () => loadAnonymousPrincipal(db))
  const sessionPrincipal = (hash: string, kind: 'cookie' | 'token') =>
    remember(`${kind} ${hash}`, async () => {
      const user = await findSessionUser(db, hash, kind, now())
      return user && withSession(await loadPrincipal(db, user), hash)
    })

  async function authenticateKey(key: string, cookie: string | null): Promise<Identity> {
    const stored = await remember(`key ${sessionHash(key)}`, async () => {
      const found = await findApiKey(db, sessionHash(key))
      const owner = found && (await loadPrincipalById(db, found.user_id))
      return owner && { ...found, principal: withSession(owner, sessionOfKey(found.uuid)) }
    })
    if (!stored || isOver(stored, now())) throw refuseKey()
    await recordKeyUse(db, stored, now())
    const { uuid, name, scopes, principal } = stored
    const apiKey = { uuid, name, includes: createScopeCheck(scopes) }
    return { principal, via: 'bearer', session: sessionOfKey(uuid), apiKey, cookie }
  }

  async function authenticateBearer(token: string, cookie: string | null): Promise<Identity> {
    if (areKeysEnabled && isApiKey(token, prefixes)) return authenticateKey(token, cookie)
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
    async withChangedRights(principals) {
      const changes = countAccessChanges(db)
      if (changes === checkedChanges) return new Set()
      const rights = new Map<number, string | undefined>()
      for (const id of new Set(principals.flatMap((principal) => principal.id ?? []))) {
        rights.set(id, await loadRights(db, id))
      }
      checkedChanges = changes
      return new Set(principals.filter((principal) => rights.get(principal.id ?? 0) !== formatRights(principal)))
    },
    forget(session) {
      if (session === undefined) return cache.clear()
      cache.delete(`cookie ${session}`)
      cache.delete(`token ${session}`)
    },
  }
}
