import { AppError } from '@parquetry/model'
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
  loadSessionGrants,
} from '../access/load-principal.ts'
import { countAccessChanges } from '../store/changes.ts'
import { findLiveSessions, sessionOfKey } from '../store/live-sessions.ts'
import { findApiKey, isApiKey, isOver, recordKeyUse, refuseKey } from './api-keys.ts'
import { createScopeCheck } from './api-key-scopes.ts'
import { IdentityCache } from './identity-cache.ts'
import { findSession, isSessionLive, recordSessionUse, sessionHash, type SessionUser } from './sessions.ts'
import { type Claims, readToken, refusedToken, revoked } from './tokens.ts'

/** The principal with the session that its background work ends with. */
const withSession = (principal: Principal, session: string): Principal => ({ ...principal, session })

interface KnownSession {
  session: SessionUser
  principal: Principal
}

/** Keeps principals until a change (`identity-cache.ts`): the same object while nothing has changed. */
export function createAuthenticator({
  db,
  keys,
  now,
  steadyMs,
  settings,
}: Pick<HttpDeps, 'db' | 'keys' | 'now' | 'steadyMs' | 'settings'>): Authenticator {
  const { FAB_API_KEY_ENABLED: areKeysEnabled, FAB_API_KEY_PREFIXES: prefixes } = settings.config
  let checkedChanges = 0
  const cache = new IdentityCache({ db, steadyMs })
  const anonymous = async () => (await cache.read('', () => loadAnonymousPrincipal(db))) as Principal

  async function loadSession(
    hash: string,
    kind: 'cookie' | 'token',
    previous: KnownSession | undefined,
  ): Promise<KnownSession | undefined> {
    const [session, grants] = await Promise.all([
      findSession(db, hash, kind),
      previous === undefined ? loadSessionGrants(db, hash) : undefined,
    ])
    if (!session) return undefined
    const known = previous?.principal.id === session.id ? previous.principal : undefined
    return { session, principal: known ?? withSession(await loadPrincipal(db, session, grants), hash) }
  }

  async function sessionPrincipal(hash: string, kind: 'cookie' | 'token'): Promise<Principal | undefined> {
    const key = `${kind} ${hash}`
    const read = () => cache.read<KnownSession>(key, (previous) => loadSession(hash, kind, previous))
    let known = await read()
    if (known && !isSessionLive(known.session, now())) {
      // Another server may have recorded its use since.
      cache.forget(key)
      known = await read()
    }
    if (!known || !isSessionLive(known.session, now())) return undefined
    // The call does not wait for it.
    void recordSessionUse(db, hash, known.session, now())
    return known.principal
  }

  async function authenticateKey(key: string, cookie: string | null): Promise<Identity> {
    const stored = await cache.read(`key ${sessionHash(key)}`, async () => {
      const found = await findApiKey(db, sessionHash(key))
      const owner = found && (await loadPrincipalById(db, found.user_id))
      return owner && { ...found, principal: withSession(owner, sessionOfKey(found.uuid)) }
    })
    if (!stored || isOver(stored, now())) throw refuseKey()
    void recordKeyUse(db, stored, now())
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
      const isAnonymousOpen = principals.some(({ kind }) => kind === 'anonymous')
      const anonymousRights = isAnonymousOpen ? formatRights(await loadAnonymousPrincipal(db)) : undefined
      checkedChanges = changes
      const rightsNow = ({ kind, id }: Principal) => (kind === 'anonymous' ? anonymousRights : rights.get(id ?? 0))
      return new Set(principals.filter((principal) => rightsNow(principal) !== formatRights(principal)))
    },
    prepare: (session, kind) => void sessionPrincipal(session, kind).catch(() => undefined),
    forget(session) {
      if (session === undefined) return cache.forget()
      cache.forget(`cookie ${session}`)
      cache.forget(`token ${session}`)
    },
  }
}
