import { AppError, linkPage, signIn, signInPage, signOut, useLink } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import { isCsrfToken, isSameOrigin } from '../http/csrf.ts'
import { redirect } from '../http/redirect.ts'
import { serve } from '../http/serve.ts'
import { setFlash } from '../page/flash.ts'
import { anonymousPrincipal } from './load-principal.ts'
import { setSessionCookie } from './cookies.ts'
import { localPath, signInPath } from './local-path.ts'
import { linkPath, takeLink, userOfLink } from './one-time-link.ts'
import { weakness } from './passwords.ts'
import { endSession, startSession } from './sessions.ts'
import { checkPassword } from './sign-in.ts'
import type { Throttle } from './throttle.ts'
import { setPassword } from './users.ts'

/** Signing in and out by page, and setting a password by a one-time link. */
export function signInPages(app: App, deps: Deps, throttle: Throttle): void {
  const { db, settings, keys, now } = deps
  const isOurForm = (request: FastifyRequest, fields: Record<string, string>) =>
    isSameOrigin(app, request) &&
    isCsrfToken(keys, request.identity?.cookie ?? null, fields['csrf_token'] ?? request.headers['x-csrftoken'])

  /** A new session with a new id; what the browser had before is over. */
  async function enter(request: FastifyRequest, reply: FastifyReply, userId: number): Promise<void> {
    if (request.identity?.session) await leave(request)
    setSessionCookie(reply, settings, await startSession(db, userId, 'cookie', now()))
  }
  async function leave(request: FastifyRequest): Promise<void> {
    const session = request.identity?.session
    if (!session) return
    await endSession(db, session)
    app.authenticator.forget(session)
  }

  serve(app, signInPage, async ({ principal, request, reply }) =>
    principal.kind === 'user' ? redirect(reply, '/') : app.renderPage(request, reply, principal),
  )

  serve(app, signIn, async ({ body, query, request, reply, event }) => {
    const next = localPath(query?.next ?? body['next'])
    const back = (flash: Parameters<typeof setFlash>[2], n?: number) => {
      setFlash(reply, settings, flash, n)
      return redirect(reply, next === '/' ? '/login/?next=/' : signInPath(next))
    }
    event.action = 'sign-in failed'
    const { username = '', password = '' } = body
    event.json = { username: username.slice(0, 64) }
    if (!isOurForm(request, body)) return back('stale')
    let userId: number | undefined
    try {
      userId = await checkPassword(deps, throttle, { username, password, address: request.ip })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'too_many') throw error
      return back('locked', Math.ceil(Number(error.details['retryAfter']) / 60))
    }
    if (userId === undefined) return back('wrong')
    Object.assign(event, { action: 'sign-in', user_id: userId, json: null })
    await enter(request, reply, userId)
    return redirect(reply, next)
  })

  serve(app, signOut, async ({ request, reply }) => {
    await leave(request)
    setSessionCookie(reply, settings, '')
    return redirect(reply, '/')
  })

  serve(app, linkPage, async ({ params, request, reply }) => {
    const user = await userOfLink(db, params.token, now())
    if (!user) {
      setFlash(reply, settings, 'link-over')
      return redirect(reply, '/login/')
    }
    return app.renderPage(request, reply, await anonymousPrincipal(db), { one_time_link: { username: user.username } })
  })

  serve(app, useLink, async ({ params, body, request, reply, event }) => {
    const { password = '' } = body
    const user = await userOfLink(db, params.token, now())
    if (!user || !isOurForm(request, body)) {
      setFlash(reply, settings, user ? 'stale' : 'link-over')
      return redirect(reply, user ? linkPath(params.token) : '/login/')
    }
    if (weakness(password, user.username) !== undefined) {
      setFlash(reply, settings, [...password].length < 8 ? 'password-short' : 'password-weak')
      return redirect(reply, linkPath(params.token))
    }
    if (!(await takeLink(db, params.token, now()))) {
      setFlash(reply, settings, 'link-over')
      return redirect(reply, '/login/')
    }
    event.user_id = user.id
    await setPassword(db, user.id, password, now())
    await enter(request, reply, user.id)
    return redirect(reply, '/')
  })
}
