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

export function isCsrfToken(keys: Keys, cookie: string | null, given: unknown): boolean {
  if (cookie === null || typeof given !== 'string') return false
  const [, kept] = cookie.split('.')
  const isKept = kept !== undefined && !isAnonymous(cookie) && isSame(kept, hash('sha256', given, 'base64url'))
  return isKept || isSame(computeCsrfToken(keys, cookie), given)
}

function isSame(wanted: string, given: string): boolean {
  const [a, b] = [Buffer.from(wanted), Buffer.from(given)]
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
  const given = headers['sec-fetch-dest']
  return given === undefined || given === 'document' || given === 'empty'
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
  const given = request.headers['x-csrftoken'] ?? field
  if (given === undefined) throw new AppError('csrf')
  if (identity.cookie === null)
    throw new AppError('csrf', {
      message: message('errors.http.csrfSessionMissing', '400 Bad Request: The CSRF session token is missing.'),
    })
  if (!isCsrfToken(app.deps.keys, identity.cookie, given))
    throw new AppError('csrf', {
      message: message('errors.http.csrfNotValid', '400 Bad Request: The CSRF token is invalid.'),
    })
}
