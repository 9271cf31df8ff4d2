import {
  AppError,
  oneTimeLinkPage,
  findPasswordProblem,
  signIn,
  signInPage,
  signOut,
  redeemOneTimeLink,
  type SecondStep,
} from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { App, HttpDeps } from '../http/app.ts'
import { isCsrfToken, isDirectRequest, isSameOrigin } from '../http/csrf.ts'
import { redirect } from '../http/redirect.ts'
import { serve } from '../http/serve.ts'
import { type Flash, setFlash } from '../http/flash.ts'
import { loadAnonymousPrincipal } from '../access/load-principal.ts'
import { setSessionCookie } from '../http/cookies.ts'
import { localPath, signInPath } from '../http/local-path.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { canAskForLink } from './forgot-password.ts'
import { linkPath, consumeLink, findLinkUser } from './one-time-link.ts'
import { readPasswordPolicy } from './passwords.ts'
import { beginSetUp, findSecondFactor } from './second-factor.ts'
import { checkPassword } from './sign-in.ts'
import type { BeginAttempt } from './sign-in-throttle.ts'
import { setPassword } from './users.ts'
import { localizeError } from '../settings/messages.ts'

/** Pages for signing in and out, and for setting a password with a one-time link. */
export function signInPages(
  app: App,
  deps: HttpDeps,
  beginAttempt: BeginAttempt,
  { signIn: openAfterPassword, findSecondStep, closeSession }: BrowserSessions,
): void {
  const { db, settings, keys, now } = deps
  const isTrustedForm = (request: FastifyRequest, fields: Record<string, string>) =>
    isSameOrigin(app, request) &&
    isCsrfToken(keys, request.identity?.cookie ?? null, fields['csrf_token'] ?? request.headers['x-csrftoken'])

  serve(app, signInPage, async ({ principal, request, reply }) => {
    if (principal.kind === 'user') return redirect(reply, '/')
    const account = await findSecondStep(request)
    if (!account) return app.renderPage(request, reply, principal, { can_ask_for_link: canAskForLink(settings) })
    const step: SecondStep = (await findSecondFactor(db, account.id))
      ? { step: 'code' }
      : { step: 'set-up', ...(await beginSetUp(deps, account, false)) }
    return app.renderPage(request, reply, principal, { second_factor: step })
  })

  serve(app, signIn, async ({ body, query, principal, request, reply, event }) => {
    const next = localPath(query?.next ?? body['next'])
    const redirectBack = (flash: Flash) => {
      setFlash(reply, settings, flash)
      return redirect(reply, next === '/' ? '/login/?next=/' : signInPath(next))
    }
    event.action = 'sign-in failed'
    const { username = '', password = '' } = body
    event.json = { username: username.slice(0, 64) }
    if (!isTrustedForm(request, body)) return redirectBack('stale')
    let userId: number | undefined
    try {
      userId = await checkPassword(deps, beginAttempt, { username, password, address: request.ip })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_many') throw error
      reply.code(error.status).header('Retry-After', String(error.details['retryAfter']))
      const flash_messages = [['danger', localizeError(error, settings).message]]
      return app.renderPage(request, reply, principal, { flash_messages, can_ask_for_link: canAskForLink(settings) })
    }
    if (userId === undefined) return redirectBack('wrong')
    Object.assign(event, { action: 'sign-in', user_id: userId, json: null })
    const outcome = await openAfterPassword(request, reply, userId)
    if (outcome === 'second step') event.action = 'sign-in needs a second factor'
    return redirect(reply, outcome === 'signed in' ? next : signInPath(next))
  })

  serve(app, signOut, async ({ request, reply }) => {
    // An image or stylesheet in user content may have this address: it must not sign the reader out.
    if (isDirectRequest(request)) {
      await closeSession(request)
      setSessionCookie(reply, settings, '')
    }
    return redirect(reply, '/')
  })

  serve(app, oneTimeLinkPage, async ({ params, request, reply }) => {
    const user = await findLinkUser(db, params.token, now())
    if (!user) {
      setFlash(reply, settings, 'link-over')
      return redirect(reply, '/login/')
    }
    return app.renderPage(request, reply, await loadAnonymousPrincipal(db), {
      one_time_link: { username: user.username },
    })
  })

  serve(app, redeemOneTimeLink, async ({ params, body, request, reply, event }) => {
    const { password = '' } = body
    const user = await findLinkUser(db, params.token, now())
    if (!user || !isTrustedForm(request, body)) {
      setFlash(reply, settings, user ? 'stale' : 'link-over')
      return redirect(reply, user ? linkPath(params.token) : '/login/')
    }
    const problem = findPasswordProblem(password, user.username, readPasswordPolicy(settings.config))
    if (problem) {
      setFlash(reply, settings, problem === 'short' || problem === 'long' ? `password-${problem}` : 'password-weak')
      return redirect(reply, linkPath(params.token))
    }
    if (!(await consumeLink(db, params.token, now()))) {
      setFlash(reply, settings, 'link-over')
      return redirect(reply, '/login/')
    }
    event.user_id = user.id
    await setPassword(db, user.id, password, now())
    const outcome = await openAfterPassword(request, reply, user.id)
    return redirect(reply, outcome === 'signed in' ? '/' : signInPath('/'))
  })
}
