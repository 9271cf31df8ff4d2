import { randomUUID } from 'node:crypto'
import {
  AppError,
  type Invitation,
  invitationPage,
  invitationRoutes as routes,
  type AcceptedInvitation,
} from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { App, HttpDeps } from '../http/app.ts'
import { setFlash } from '../http/flash.ts'
import { resolveOrigin } from '../http/origin.ts'
import { redirect } from '../http/redirect.ts'
import { serve } from '../http/serve.ts'
import { unprocessableFields } from '../http/writing.ts'
import { loadAnonymousPrincipal } from '../access/load-principal.ts'
import { parseStoredTime } from '../store/time.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import type { Tables } from '../store/tables.ts'
import { change } from '../store/write.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import { emailLink } from './email-link.ts'
import {
  acceptInvitation,
  describeInvitations,
  findInvitation,
  insertInvitation,
  invitationOver,
  type InvitationRow,
  invitationPath,
  invitedName,
  listInvitations,
} from './invitations.ts'
import { hourMs } from './one-time-link.ts'
import { findWeakness, hashPassword } from './passwords.ts'

/** Invitations of new users by link, and the page that the link opens. */
export function invitationRoutes(app: App, { db, now, settings }: HttpDeps, { signIn }: BrowserSessions): void {
  serve(app, routes.list, async () => ({ result: await listInvitations(db, now()) }))

  serve(app, routes.create, async ({ body, principal, event, request, reply }) => {
    const uuid = randomUUID()
    event.json = { uuid }
    const { row, token } = await change<Awaited<ReturnType<typeof insertInvitation>>>(
      db,
      { ...historyOf(uuid, principal.id, event, now()), document: (trx, { row: stored }) => describe(trx, stored) },
      (trx) => insertInvitation(trx, principal, uuid, body, now()),
    )
    const invitation = await describe(db, row)
    const link = `${resolveOrigin(settings, request)}${invitationPath(token)}`
    const hours = Math.round((parseStoredTime(row.expires_at).getTime() - now().getTime()) / hourMs)
    const emailed = await emailLink(settings, 'invitation', { to: row.email, link, hours })
    return reply.code(201).send({ result: { ...invitation, link, ...emailed } })
  })

  serve(app, routes.revoke, async ({ params, principal, event }) => {
    const { uuid } = params
    event.json = { uuid }
    await change(db, { ...historyOf(uuid, principal.id, event, now()), document: () => null }, async (trx) => {
      const { numDeletedRows } = await trx.deleteFrom('invitation').where('uuid', '=', uuid).executeTakeFirst()
      if (numDeletedRows === 0n) throw new AppError('not_found')
    })
    return { message: 'OK' }
  })

  serve(app, invitationPage, async ({ params, request, reply }) => {
    const invitation = await findInvitation(db, params.token, now())
    if (!invitation) {
      setFlash(reply, settings, 'link-over')
      return redirect(reply, '/login/')
    }
    const { username, first_name, last_name, email } = invitation
    return app.renderPage(request, reply, await loadAnonymousPrincipal(db), {
      invitation: { username, first_name, last_name, email },
    })
  })

  serve(app, routes.accept, async ({ body, request, reply, event }) => {
    const passwordHash = await hashNewPassword(body)
    const uuid = randomUUID()
    const user = await change<Awaited<ReturnType<typeof acceptInvitation>>>(
      db,
      {
        ...historyOf(uuid, null, event, now()),
        kind: 'user',
        document: (_trx, created) => ({ id: created.id, username: created.username }),
      },
      async (trx) => {
        const created = await acceptInvitation(trx, body, { uuid, passwordHash }, now())
        Object.assign(event, { user_id: created.id, json: { user: created.id } })
        return created
      },
    )
    return { signed_in: (await signIn(request, reply, user.id)) === 'signed in' }
  })

  /** Hashes the password only for a valid invitation, because hashing takes time. */
  async function hashNewPassword(body: AcceptedInvitation): Promise<string> {
    const invitation = await findInvitation(db, body.token, now())
    if (!invitation) throw invitationOver()
    const problem = findWeakness(body.password, invitedName(invitation, body), settings.config)
    if (problem !== undefined) throw unprocessableFields({ password: [problem] })
    return hashPassword(body.password)
  }
}

const describe = async (db: Kysely<Tables>, row: InvitationRow): Promise<Invitation> =>
  (await describeInvitations(db, [row]))[0] as Invitation

const historyOf = (uuid: string, author: number | null, event: AuditEvent, now: Date) => ({
  kind: 'invitation',
  uuid,
  author,
  event,
  now,
})
