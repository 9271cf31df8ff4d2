import {
  AppError,
  changePassword,
  csrfToken,
  login,
  type Login,
  me,
  message,
  myRoles,
  refresh,
  updateMe,
} from '@parquetry/model'
import type { Principal } from '../access/principal.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { missingField } from '../http/check-fields.ts'
import { anonymousCookie, computeCsrfToken } from '../http/csrf.ts'
import { refuseApiKey } from '../http/identity.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { checkAccountFields, updateOwnAccount } from './account.ts'
import { bootUser } from './boot-user.ts'
import { setSessionCookie } from '../http/cookies.ts'
import { detachJobs, sessionHash, startSession, findSessionUser } from './sessions.ts'
import { findWeakness } from './passwords.ts'
import { throttleCodes } from './code-attempts.ts'
import { findSecondFactor, needsSecondStep, acceptCode } from './second-factor.ts'
import { checkPassword, recordSignIn } from './sign-in.ts'
import type { BeginAttempt } from './sign-in-throttle.ts'
import { readToken, refusedToken, revoked, signToken } from './tokens.ts'
import { setPassword } from './users.ts'

const accessSeconds = 15 * 60
const refreshSeconds = 7 * 24 * 3600
const wrongPassword = message('errors.security.currentPassword', 'The current password is incorrect.')
const codeMissing = message(
  'errors.security.codeMissing',
  'This account has a second factor. Send its current code in the field "code", or use an API key.',
)
const codeWrong = message(
  'errors.security.codeWrong',
  'The code of the second factor is not correct, or it was already used.',
)
const secondFactorMissing = message(
  'errors.security.secondFactorMissing',
  'This account must have a second factor. Sign in with a browser to set it up.',
)
const otherProvider = message('errors.security.otherProvider', 'Alternative authentication provider is not allowed')
const providers = message('errors.security.providers', 'Must be one of: db, ldap.')

/** The caller as `GET /api/v1/me/` returns them. */
const describeCaller = (principal: Principal) => ({
  id: principal.id,
  username: principal.username ?? '',
  first_name: principal.firstName,
  last_name: principal.lastName,
  email: principal.email,
  is_active: principal.kind === 'user',
  is_anonymous: false,
})

/** Endpoints for signing in with tokens, the current user and their password. */
export function signInApi(app: App, deps: HttpDeps, beginAttempt: BeginAttempt): void {
  const { db, keys, now } = deps

  /** @throws AppError `not_signed_in` for an account that needs a second factor, without its code or with a wrong one */
  async function requireSecondFactor(id: number, { code }: Pick<Login, 'code'>): Promise<void> {
    if (!(await needsSecondStep(db, id))) return
    const { uuid, username } = await db
      .selectFrom('user')
      .select(['uuid', 'username'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const account = { id, uuid, username }
    if (!(await findSecondFactor(db, id))) throw refusedToken(401, secondFactorMissing)
    if (code === undefined) throw refusedToken(401, codeMissing)
    const isCorrect = await throttleCodes(beginAttempt)(
      account,
      async () => (await acceptCode(deps, account, code)) || null,
    )
    if (isCorrect === null) throw refusedToken(401, codeWrong)
  }

  serve(app, login, async ({ body, event, request }) => {
    const { username, password, provider } = body
    if (provider === undefined) throw new AppError('invalid_payload', { fields: { provider: [missingField] } })
    if (provider === 'ldap') throw new AppError('invalid_payload', { fields: { provider: [otherProvider] } })
    if (provider !== 'db') throw new AppError('invalid_payload', { fields: { provider: [providers, otherProvider] } })
    const userId = await checkPassword(deps, beginAttempt, { username, password, address: request.ip })
    if (userId === undefined) {
      await app.audit.now({ ...event, action: 'sign-in failed', json: { username: username.slice(0, 64) } }, 0, null)
      throw new AppError('not_signed_in', { details: { msg: 'Not authorized' } })
    }
    event.user_id = userId
    await requireSecondFactor(userId, body)
    await recordSignIn(deps, userId)
    const sid = sessionHash(await startSession(db, userId, 'token', now(), request.headers['user-agent']))
    app.authenticator.prepare(sid, 'token')
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

  serve(app, me, ({ principal }) => ({ result: describeCaller(principal) }))

  serve(app, updateMe, async ({ body, principal, request, event }) => {
    const { id, username } = principal
    if (id === null || username === null) throw new AppError('forbidden')
    const { current_password: current, password, ...names } = body
    if (Object.keys(names).length === 0 && password === undefined)
      throw new AppError('bad_request', {
        message: message(
          'errors.security.nothingSent',
          'Send at least one field to change: first_name, last_name, email, or password with current_password.',
        ),
      })
    checkAccountFields(body, username, deps.settings.config)
    if (password !== undefined) {
      refuseApiKey(request.identity)
      if (current === undefined) throw new AppError('invalid_payload', { fields: { current_password: [missingField] } })
      if ((await checkPassword(deps, beginAttempt, { username, password: current, address: request.ip })) !== id)
        throw new AppError('unprocessable', { fields: { current_password: [wrongPassword] } })
    }
    const context = { ...readContext(app, principal), event }
    await updateOwnAccount(context, id, { ...names, password }, request.identity?.session ?? null)
    return { result: { ...describeCaller(principal), ...names } }
  })

  serve(app, changePassword, async ({ body, principal, request, reply }) => {
    const { id, username } = principal
    if (id === null || username === null) throw new AppError('forbidden')
    const { current, password } = body
    if ((await checkPassword(deps, beginAttempt, { username, password: current, address: request.ip })) !== id)
      throw new AppError('unprocessable', {
        message: wrongPassword,
      })
    const problem = findWeakness(password, username, deps.settings.config)
    if (problem !== undefined) throw new AppError('unprocessable', { message: problem })
    if (request.identity?.session) await detachJobs(db, request.identity.session)
    await setPassword(db, id, password, now())
    app.authenticator.forget()
    // The requesting page continues in a new session.
    if (request.identity?.via === 'cookie')
      setSessionCookie(reply, deps.settings, await startSession(db, id, 'cookie', now(), request.headers['user-agent']))
    return { message: 'OK' }
  })

  serve(app, myRoles, async ({ principal }) => ({ result: await bootUser(deps, principal) }))
}
