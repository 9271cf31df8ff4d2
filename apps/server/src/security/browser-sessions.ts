import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App, HttpDeps } from '../http/app.ts'
import { setSessionCookie } from '../http/cookies.ts'
import { buildSessionCookie, isAnonymous, parseSessionId } from '../http/csrf.ts'
import { formatStoredTime } from '../store/time.ts'
import { needsSecondStep } from './second-factor.ts'
import { endOwnSession, sessionHash, startSession } from './sessions.ts'
import { recordSignIn } from './sign-in.ts'

export interface BrowserSessions {
  /**
   * Signs in a user whose password was correct, or who opened a link: opens a session, or one that gives no access until the
   * second factor was entered.
   */
  signIn(request: FastifyRequest, reply: FastifyReply, userId: number): Promise<'signed in' | 'second step'>
  /** The user whose password was correct in this browser, and who has to enter the second factor. */
  findSecondStep(request: FastifyRequest): Promise<{ id: number; uuid: string; username: string } | undefined>
  /**
   * Starts a new session with a new id and ends the browser's previous one; only the CSRF token of the sign-in page stays valid.
   */
  openSession(request: FastifyRequest, reply: FastifyReply, userId: number): Promise<void>
  closeSession(request: FastifyRequest): Promise<void>
}

/** Opens and closes the sessions of browsers, which are in a cookie. */
export function createBrowserSessions(app: App, deps: HttpDeps): BrowserSessions {
  const { db, settings, keys, now } = deps
  async function closeSession(request: FastifyRequest): Promise<void> {
    const { identity } = request
    const session = identity?.session
    if (!session) return
    request.identity = { ...identity, session: null } // this response does not belong to the ended session
    await endOwnSession(db, session)
    app.authenticator.forget(session)
  }
  const cookieHash = ({ identity }: FastifyRequest): string | undefined =>
    identity?.cookie == null || isAnonymous(identity.cookie) ? undefined : sessionHash(parseSessionId(identity.cookie))

  async function setCookie(
    request: FastifyRequest,
    reply: FastifyReply,
    userId: number,
    kind: 'cookie' | 'second-step',
  ) {
    const id = await startSession(db, userId, kind, now(), request.headers['user-agent'])
    setSessionCookie(reply, settings, buildSessionCookie(keys, id, request.identity?.cookie ?? null))
    if (kind === 'cookie') app.authenticator.prepare(sessionHash(id), kind)
  }
  /** A sign-in that was not completed, or that is complete now. */
  async function endSecondStep(request: FastifyRequest): Promise<void> {
    const hash = cookieHash(request)
    if (hash !== undefined)
      await db.deleteFrom('session').where('id', '=', hash).where('kind', '=', 'second-step').execute()
  }
  const sessions: BrowserSessions = {
    async closeSession(request) {
      await endSecondStep(request)
      await closeSession(request)
    },
    async signIn(request, reply, userId) {
      if (!(await needsSecondStep(db, userId))) {
        await sessions.openSession(request, reply, userId)
        return 'signed in'
      }
      await sessions.closeSession(request)
      await setCookie(request, reply, userId, 'second-step')
      return 'second step'
    },
    async findSecondStep(request) {
      const hash = cookieHash(request)
      if (hash === undefined) return undefined
      return db
        .selectFrom('session')
        .innerJoin('user', 'user.id', 'session.user_id')
        .select(['user.id', 'uuid', 'username'])
        .where('session.id', '=', hash)
        .where('kind', '=', 'second-step')
        .where('expires_at', '>', formatStoredTime(now()))
        .where('active', '=', 1)
        .executeTakeFirst()
    },
    async openSession(request, reply, userId) {
      await sessions.closeSession(request)
      await recordSignIn(deps, userId)
      await setCookie(request, reply, userId, 'cookie')
    },
  }
  return sessions
}
