import { AppError, message, resetLinkRoutes as routes } from '@parquetry/model'
import type { App, HttpDeps } from '../http/app.ts'
import { resolveOrigin } from '../http/origin.ts'
import { serve } from '../http/serve.ts'
import { unprocessable } from '../http/writing.ts'
import { formatStoredTime } from '../store/time.ts'
import { change } from '../store/write.ts'
import { emailLink } from './email-link.ts'
import { insertLink, linkHours, linkPath } from './one-time-link.ts'
import { nameAuthor, namesOfUsers, requireManageableUser } from './user-management.ts'

/** Links with which users set a new password, made by administrators. */
export function resetLinkRoutes(app: App, { db, now, settings }: HttpDeps): void {
  serve(app, routes.list, async ({ params, principal }) => {
    await requireManageableUser(db, principal, params.id, 'read')
    const rows = await db
      .selectFrom('one_time_link')
      .selectAll()
      .where('user_id', '=', params.id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', formatStoredTime(now()))
      .execute()
    const names = await namesOfUsers(db, rows)
    return {
      result: rows.flatMap(({ uuid, created_on, created_by_fk, expires_at }) =>
        uuid === null || created_on === null
          ? []
          : [{ uuid, created_on, created_by: nameAuthor(names, created_by_fk), expires_on: expires_at }],
      ),
    }
  })

  serve(app, routes.create, async ({ params, body, principal, event, request, reply }) => {
    await requireManageableUser(db, principal, params.id, 'write')
    const user = await db
      .selectFrom('user')
      .select(['uuid', 'active', 'email'])
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (user?.active !== 1)
      throw unprocessable(
        message('errors.security.inactiveLink', 'This account is deactivated. Activate it before you create a link.'),
      )
    event.json = { user: params.id }
    const history = { kind: 'reset_link', uuid: user.uuid, author: principal.id, event, now: now() }
    const hours = body.expires_in_hours ?? linkHours
    const { token, row } = await change(db, { ...history, document: () => ({ user: params.id }) }, (trx) =>
      insertLink(trx, { userId: params.id, authorId: principal.id, hours }, now()),
    )
    const names = await namesOfUsers(db, [row])
    const link = `${resolveOrigin(settings, request)}${linkPath(token)}`
    const emailed = await emailLink(settings, 'reset', { to: user.email, link, hours })
    return reply.code(201).send({
      result: {
        uuid: row.uuid,
        created_on: row.created_on,
        created_by: nameAuthor(names, row.created_by_fk),
        expires_on: row.expires_at,
        link,
        ...emailed,
      },
    })
  })

  serve(app, routes.revoke, async ({ params, principal, event }) => {
    await requireManageableUser(db, principal, params.id, 'write')
    event.json = { user: params.id }
    const { numDeletedRows } = await db
      .deleteFrom('one_time_link')
      .where('user_id', '=', params.id)
      .where('uuid', '=', params.uuid)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError('not_found')
    return { message: 'OK' }
  })
}
