import {
  AppError,
  oneTimeLinkPage,
  findPasswordProblem,
  signIn,
  signInPage,
  signOut,
  redeemOneTimeLink,
} from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, HttpDeps } from '../http/app.ts'
import { isCsrfToken, isDirectRequest, isSameOrigin, buildSessionCookie } from '../http/csrf.ts'
import { redirect } from '../http/redirect.ts'
import { serve } from '../http/serve.ts'
import { type Flash, setFlash } from '../http/flash.ts'
import { loadAnonymousPrincipal } from '../access/load-principal.ts'
import { setSessionCookie } from '../http/cookies.ts'
import { localPath, signInPath } from '../http/local-path.ts'
import { linkPath, consumeLink, findLinkUser } from './one-time-link.ts'
import { endSession, startSession } from './sessions.ts'
import { checkPassword } from './sign-in.ts'
import type { Throttle } from './sign-in-throttle.ts'
import { setPassword } from './users.ts'
import { localizeError } from '../settings/messages.ts'

/** Pages for signing in and out, and for setting a password with a one-time link. */
export function signInPages(app: App, deps: HttpDeps, throttle: Throttle): void {
  const { db, settings, keys, now } = deps
  const isTrustedForm = (request: FastifyRequest, fields: Record<string, string>) =>
    isSameOrigin(app, request) &&
    isCsrfToken(keys, request.identity?.cookie ?? null, fields['csrf_token'] ?? request.headers['x-csrftoken'])

  /**
   * Starts a new session with a new id and ends the browser's previous one; only the CSRF token of the sign-in page stays valid.
   */
  async function openSession(request: FastifyRequest, reply: FastifyReply, userId: number): Promise<void> {
    if (request.identity?.session) await closeSession(request)
    const id = await startSession(db, userId, 'cookie', now())
    setSessionCookie(reply, settings, buildSessionCookie(keys, id, request.identity?.cookie ?? null))
  }
  async function closeSession(request: FastifyRequest): Promise<void> {
    const { identity } = request
    const session = identity?.session
    if (!session) return
    request.identity = { ...identity, session: null } // this response does not belong to the ended session
    await endSession(db, session)
    app.authenticator.forget(session)
  }

  serve(app, signInPage, async ({ principal, request, reply }) =>
    principal.kind === 'user' ? redirect(reply, '/') : app.renderPage(request, reply, principal),
  )

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
      userId = await checkPassword(deps, throttle, { username, password, address: request.ip })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_many') throw error
      reply.code(error.status).header('Retry-After', String(error.details['retryAfter']))
      const flash_messages = [['danger', localizeError(error, settings).message]]
      return app.renderPage(request, reply, principal, { flash_messages })
    }
    if (userId === undefined) return redirectBack('wrong')
    Object.assign(event, { action: 'sign-in', user_id: userId, json: null })
    await openSession(request, reply, userId)
    return redirect(reply, next)
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
    const problem = findPasswordProblem(password, user.username)
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
    await openSession(request, reply, user.id)
    return redirect(reply, '/')
  })
}
