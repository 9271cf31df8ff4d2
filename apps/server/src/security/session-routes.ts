import { AppError, sessionRoutes as routes } from '@parquetry/model'
import type { FastifyRequest } from 'fastify'
import type { App, HttpDeps } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import { endUserSession, endUserSessions, listSessions } from './sessions.ts'
import { requireManageableUser } from './user-management.ts'

/** Sessions at `/api/v1/me/sessions/`, and those of other users for administrators. */
export function sessionRoutes(app: App, { db, now }: HttpDeps): void {
  const current = ({ identity }: FastifyRequest): string | null => identity?.session ?? null

  async function list(request: FastifyRequest, userId: number) {
    const result = await listSessions(db, userId, current(request), now())
    return { count: result.length, result }
  }
  async function end(userId: number, session: string, event: AuditEvent) {
    event.json = { user: userId, count: 1 }
    if (!(await endUserSession(db, userId, session))) throw new AppError('not_found')
    app.authenticator.forget(session)
    return { message: 'OK', count: 1 }
  }
  async function endAll(request: FastifyRequest, userId: number, event: AuditEvent) {
    const ended = await endUserSessions(db, userId, current(request))
    const count = ended.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0)
    event.json = { user: userId, count }
    app.authenticator.forget()
    return { message: 'OK', count }
  }

  serve(app, routes.list, ({ principal, request }) => list(request, principal.id ?? -1))
  serve(app, routes.end, ({ params, principal, event }) => end(principal.id ?? -1, params.session, event))
  serve(app, routes.endOthers, ({ principal, request, event }) => endAll(request, principal.id ?? -1, event))

  serve(app, routes.userList, async ({ params, principal, request }) => {
    await requireManageableUser(db, principal, params.id, 'read')
    return list(request, params.id)
  })
  serve(app, routes.userEnd, async ({ params, principal, event }) => {
    await requireManageableUser(db, principal, params.id, 'write')
    return end(params.id, params.session, event)
  })
  serve(app, routes.userEndAll, async ({ params, principal, request, event }) => {
    await requireManageableUser(db, principal, params.id, 'write')
    return endAll(request, params.id, event)
  })
}
