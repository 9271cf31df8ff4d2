import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError, message, type RouteContract } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { Keys } from '../store/keys.ts'
import type { App } from './app.ts'
import type { Identity } from './identity.ts'
import { resolveOrigin } from './origin.ts'

/** The CSRF token of a cookie: nobody who cannot read the cookie or the key can make it. */
export const computeCsrfToken = (keys: Keys, cookie: string): string =>
  createHmac('sha256', keys.session).update(`csrf ${cookie}`).digest('base64url')

/** A value for the cookie of somebody who has not signed in: it only ties the sign-in form to this browser. */
export const anonymousCookie = (): string => `a.${randomBytes(32).toString('base64url')}`
export const isAnonymous = (cookie: string): boolean => cookie.startsWith('a.')

/**
 * The cookie of a new session. Scripts that sign in by the form hold on to its CSRF token: the cookie names it, by its hash.
 * @param before  the cookie that the form came with
 */
export const buildSessionCookie = (keys: Keys, id: string, before: string | null): string =>
  before === null ? id : `${id}.${hash('sha256', computeCsrfToken(keys, before), 'base64url')}`

/** The secret id of the session in a cookie. */
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

/** Whether the browser says that the request comes from a page of ours; scripts outside of browsers say nothing. */
export function isSameOrigin(app: App, request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = request.headers
  return origin === undefined || origin === resolveOrigin(app.deps.settings, request)
}

/** Whether the browser goes to the address or a script asks it, and no element of a page fetches it by itself. */
export function isDirectRequest({ headers }: FastifyRequest): boolean {
  const given = headers['sec-fetch-dest']
  return given === undefined || given === 'document' || given === 'empty'
}

/**
 * The contract's CSRF rule. A bearer or guest token needs none: no other page can make a browser send it.
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
