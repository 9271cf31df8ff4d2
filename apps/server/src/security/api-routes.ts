import { AppError, changePassword, csrfToken, login, me, message, myRoles, refresh } from '@parquetry/model'
import type { App, HttpDeps } from '../http/app.ts'
import { missingField } from '../http/check-fields.ts'
import { anonymousCookie, computeCsrfToken } from '../http/csrf.ts'
import { serve } from '../http/serve.ts'
import { bootUser } from './boot-user.ts'
import { setSessionCookie } from '../http/cookies.ts'
import { sessionHash, startSession, findSessionUser } from './sessions.ts'
import { findWeakness } from './passwords.ts'
import { checkPassword } from './sign-in.ts'
import type { Throttle } from './sign-in-throttle.ts'
import { readToken, refusedToken, revoked, signToken } from './tokens.ts'
import { setPassword } from './users.ts'

const accessSeconds = 15 * 60
const refreshSeconds = 7 * 24 * 3600
const otherProvider = message('errors.security.otherProvider', 'Alternative authentication provider is not allowed')
const providers = message('errors.security.providers', 'Must be one of: db, ldap.')

/** Endpoints for signing in with tokens, the current user and their password. */
export function signInApi(app: App, deps: HttpDeps, throttle: Throttle): void {
  const { db, keys, now } = deps

  serve(app, login, async ({ body, event, request }) => {
    const { username, password, provider } = body
    if (provider === undefined) throw new AppError('invalid_payload', { fields: { provider: [missingField] } })
    if (provider === 'ldap') throw new AppError('invalid_payload', { fields: { provider: [otherProvider] } })
    if (provider !== 'db') throw new AppError('invalid_payload', { fields: { provider: [providers, otherProvider] } })
    const userId = await checkPassword(deps, throttle, { username, password, address: request.ip })
    if (userId === undefined) {
      await app.audit.now({ ...event, action: 'sign-in failed', json: { username: username.slice(0, 64) } }, 0, null)
      throw new AppError('not_signed_in', { details: { msg: 'Not authorized' } })
    }
    event.user_id = userId
    const sid = sessionHash(await startSession(db, userId, 'token', now()))
    const claims = { sub: String(userId), sid, fresh: true }
    return {
      access_token: signToken(keys.access, 'access', claims, now(), accessSeconds),
      ...((body.refresh === true || body.refresh === 'true') && {
        refresh_token: signToken(keys.access, 'refresh', claims, now(), refreshSeconds),
      }),
    }
  })

  serve(app, refresh, async ({ request }) => {
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw new AppError('not_signed_in')
    const { sub, sid } = readToken(keys.access, 'refresh', token, now())
    if (!(await findSessionUser(db, sid, 'token', now()))) throw refusedToken(401, revoked)
    return { access_token: signToken(keys.access, 'access', { sub, sid, fresh: false }, now(), accessSeconds) }
  })

  serve(app, csrfToken, ({ request, reply }) => {
    let cookie = request.identity?.cookie ?? null
    if (cookie === null) {
      cookie = anonymousCookie()
      setSessionCookie(reply, deps.settings, cookie)
    }
    return { result: computeCsrfToken(keys, cookie) }
  })

  serve(app, me, ({ principal }) => ({
    result: {
      id: principal.id,
      username: principal.username ?? '',
      first_name: principal.firstName,
      last_name: principal.lastName,
      email: principal.email,
      is_active: principal.kind === 'user',
      is_anonymous: false,
    },
  }))

  serve(app, changePassword, async ({ body, principal, request, reply }) => {
    const { id, username } = principal
    if (id === null || username === null) throw new AppError('forbidden')
    const { current, password } = body
    if ((await checkPassword(deps, throttle, { username, password: current, address: request.ip })) !== id)
      throw new AppError('unprocessable', {
        message: message('errors.security.currentPassword', 'The current password is incorrect.'),
      })
    const problem = findWeakness(password, username)
    if (problem !== undefined) throw new AppError('unprocessable', { message: problem })
    await setPassword(db, id, password, now())
    app.authenticator.forget()
    // The requesting page continues in a new session.
    if (request.identity?.via === 'cookie')
      setSessionCookie(reply, deps.settings, await startSession(db, id, 'cookie', now()))
    return { message: 'OK' }
  })

  serve(app, myRoles, async ({ principal }) => ({ result: await bootUser(deps, principal) }))
}
