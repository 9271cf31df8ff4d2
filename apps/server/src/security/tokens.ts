import { createHmac, createSecretKey, type KeyObject, randomUUID, timingSafeEqual } from 'node:crypto'
import { AppError, translateMessage, message, type Message, englishTranslator } from '@parquetry/model'
import { LRUCache } from 'lru-cache'
import type { KeyRing } from '../store/keys.ts'

export type TokenKind = 'access' | 'refresh' | 'guest'

export interface Claims {
  type: TokenKind
  /** User id. */
  sub: string
  /** Session of the token, which ends with it. */
  sid: string
  iat: number
  nbf: number
  exp: number
  jti: string
  /** Only in guest tokens. */
  aud?: string
}

/** Audience by kind of token; tokens of our own users have none. */
const audiences: Record<TokenKind, string | undefined> = { access: undefined, refresh: undefined, guest: 'guest' }
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Error for a rejected token: API clients check its status and `msg`. */
export const refusedToken = (status: 401 | 422, text: string | Message): AppError =>
  new AppError(status === 401 ? 'not_signed_in' : 'unprocessable', {
    message: text,
    details: { msg: translateMessage(text, englishTranslator) },
  })

export const revoked = message('errors.security.tokenRevoked', 'Token has been revoked')

const issuer = 'parquetry'
const noKey = createSecretKey(Buffer.alloc(32))
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const sign = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** A JWT of one kind, HS256, with the id of the key in its header. */
export function signToken<C extends Record<string, unknown>>(
  ring: KeyRing,
  type: TokenKind,
  claims: C,
  now: Date,
  lifeSeconds: number,
): string {
  const iat = Math.floor(now.getTime() / 1000)
  const head = part({ alg: 'HS256', typ: 'JWT', kid: ring.current.id })
  const standardClaims = {
    type,
    iss: issuer,
    aud: audiences[type],
    iat,
    nbf: iat,
    exp: iat + lifeSeconds,
    jti: randomUUID(),
  }
  const body = part({ ...claims, ...standardClaims })
  return `${head}.${body}.${sign(ring.current.key, `${head}.${body}`).toString('base64url')}`
}

function parse(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // falls through to the same rejection: the content of a token is arbitrary input
  }
  throw refusedToken(422, message('errors.security.tokenHeader', 'Invalid header string'))
}

type SignedClaims = Claims & { iss: string }

/**
 * Tokens with a valid signature, and the key that they were signed with. Nothing else is cached: claims are checked each time.
 */
const verifiedTokens = new LRUCache<string, { key: KeyObject; claims: SignedClaims }>({ max: 2000 })
const maxCachedLength = 4096

function signedClaims(ring: KeyRing, token: string): SignedClaims {
  const cached = verifiedTokens.get(token)
  if (cached && ring.has(cached.key)) return cached.claims
  const [head, body, signature, ...more] = token.split('.')
  const { alg, kid } = parse(head)
  const key = typeof kid === 'string' ? ring.find(kid) : undefined
  if (alg !== 'HS256' || more.length > 0)
    throw refusedToken(422, message('errors.security.tokenAlgorithm', 'The specified alg value is not allowed'))
  const actual = Buffer.from(signature ?? '', 'base64url')
  const expected = sign(key ?? noKey, `${head}.${body}`)
  if (!key || actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw refusedToken(422, message('errors.security.tokenSignature', 'Signature verification failed'))
  const claims = parse(body) as unknown as SignedClaims
  if (token.length <= maxCachedLength) verifiedTokens.set(token, { key, claims })
  return claims
}

/**
 * Verifies a token of the given kind and returns its claims.
 * @throws AppError 401 when it has expired, 422 when it is malformed, forged or of another kind
 */
export function readToken(ring: KeyRing, type: TokenKind, token: string, now: Date): Claims {
  const claims = signedClaims(ring, token)
  if (claims.iss !== issuer) throw refusedToken(422, message('errors.security.tokenIssuer', 'Invalid issuer'))
  if (claims.type !== type)
    throw refusedToken(
      422,
      type === 'refresh'
        ? message('errors.security.tokenNotRefresh', 'Only refresh tokens are allowed')
        : message('errors.security.tokenRefresh', 'Only non-refresh tokens are allowed'),
    )
  if (claims.aud !== audiences[type])
    throw refusedToken(422, message('errors.security.tokenAudience', 'Invalid audience'))
  if (![claims.exp, claims.nbf, claims.iat].every(isTime))
    throw refusedToken(422, message('errors.security.tokenTimes', 'Missing claim: exp'))
  const seconds = now.getTime() / 1000
  if (claims.exp <= seconds) throw refusedToken(401, message('errors.security.tokenExpired', 'Token has expired'))
  if (claims.nbf > seconds + 60)
    throw refusedToken(422, message('errors.security.tokenNotYet', 'The token is not yet valid (nbf)'))
  return claims
}
