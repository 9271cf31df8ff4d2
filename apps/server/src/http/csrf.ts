import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError, message, type RouteContract } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { Keys } from '../store/keys.ts'
import type { App } from './app.ts'
import type { Identity } from './identity.ts'
import { resolveOrigin } from './origin.ts'

/** CSRF token of a cookie. Computing it requires the cookie and the key. */
export const computeCsrfToken = (keys: Keys, cookie: string): string =>
  createHmac('sha256', keys.session).update(`csrf ${cookie}`).digest('base64url')

/** Cookie value for a user who is not signed in; it only ties the sign-in form to this browser. */
export const anonymousCookie = (): string => `a.${randomBytes(32).toString('base64url')}`
export const isAnonymous = (cookie: string): boolean => cookie.startsWith('a.')

/**
 * Cookie of a new session. It contains the hash of the previous CSRF token, because scripts that sign in through the form
 * continue to use that token.
 * @param before  the cookie that the form was sent with
 */
export const buildSessionCookie = (keys: Keys, id: string, before: string | null): string =>
  before === null ? id : `${id}.${hash('sha256', computeCsrfToken(keys, before), 'base64url')}`

/** Secret session id in a cookie. */
export const parseSessionId = (cookie: string): string => cookie.split('.', 1)[0] ?? ''

export function isCsrfToken(keys: Keys, cookie: string | null, token: unknown): boolean {
  if (cookie === null || typeof token !== 'string') return false
  const [, previousHash] = cookie.split('.')
  const matchesPrevious =
    previousHash !== undefined && !isAnonymous(cookie) && isSame(previousHash, hash('sha256', token, 'base64url'))
  return matchesPrevious || isSame(computeCsrfToken(keys, cookie), token)
}

function isSame(expected: string, actual: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(actual)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Tests if the request comes from one of our own pages, according to the browser; scripts outside of browsers send no such
 * headers and pass.
 */
export function isSameOrigin(app: App, request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = request.headers
  return origin === undefined || origin === resolveOrigin(app.deps.settings, request)
}

/** Tests if the browser navigates to the URL or a script requests it, as opposed to an element of a page loading it. */
export function isDirectRequest({ headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest']
  return destination === undefined || destination === 'document' || destination === 'empty'
}

/**
 * Applies the contract's CSRF rule. Bearer and guest tokens need no check: no other page can make a browser send them.
 * @throws AppError `csrf`
 */
export function checkCsrf(app: App, contract: RouteContract, identity: Identity, request: FastifyRequest): void {
  if (contract.csrf === 'none' || contract.method === 'GET') return
  if (identity.via === 'bearer' || identity.via === 'guest token') return
  if (!isSameOrigin(app, request))
    throw new AppError('csrf', {
      message: message(
        'errors.http.csrfOtherSite',
        '400 Bad Request: The CSRF check failed: the request comes from another site.',
      ),
    })
  if (contract.csrf === 'same-origin') return
  const field =
    contract.body === 'form' ? (request.body as Record<string, unknown> | undefined)?.['csrf_token'] : undefined
  const token = request.headers['x-csrftoken'] ?? field
  if (token === undefined) throw new AppError('csrf')
  if (identity.cookie === null)
    throw new AppError('csrf', {
      message: message('errors.http.csrfSessionMissing', '400 Bad Request: The CSRF session token is missing.'),
    })
  if (!isCsrfToken(app.deps.keys, identity.cookie, token))
    throw new AppError('csrf', {
      message: message('errors.http.csrfNotValid', '400 Bad Request: The CSRF token is invalid.'),
    })
}
