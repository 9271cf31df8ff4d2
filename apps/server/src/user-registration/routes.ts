import { randomUUID } from 'node:crypto'
import { userRegistrationRoutes as routes } from '@parquetry/model'
import type { App } from '../http/app.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { checkAccountFields, requireUnique } from '../security/account.ts'
import { formatStoredTime } from '../store/time.ts'
import { change } from '../store/write.ts'
import { type RegistrationRow, registrationResource } from './registration-resource.ts'

/** `/api/v1/security/user_registrations/` */
export function userRegistrationRoutes(app: App): void {
  const { db } = app.deps
  serveReading(app, routes, registrationResource)
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const { now } = readContext(app, principal)
    checkAccountFields(body, body.username, app.deps.settings.config)
    const row = { ...body, uuid: randomUUID(), registration_date: formatStoredTime(now) }
    const history = { kind: 'user_registration', uuid: row.uuid, author: principal.id, event, now }
    const id = await change(db, { ...history, document: () => row }, async (trx) => {
      await requireUnique(trx, body, null)
      return (await trx.insertInto('user_registration').values(row).returning('id').executeTakeFirstOrThrow()).id
    })
    return reply.code(201).send({ id, result: body })
  })
  serve(app, routes.update, async ({ params: { id }, body, principal, event }) => {
    const context = readContext(app, principal)
    const row = await visibleRow<RegistrationRow>(registrationResource, id, context)
    checkAccountFields(body, body.username ?? row.username, app.deps.settings.config)
    event.json = { id }
    const history = { kind: 'user_registration', uuid: row.uuid, author: principal.id, event, now: context.now }
    await change(db, { ...history, document: () => ({ ...row, ...body }) }, async (trx) => {
      await requireUnique(trx, body, null)
      if (Object.keys(body).length > 0)
        await trx.updateTable('user_registration').set(body).where('id', '=', id).execute()
    })
    return { id, result: body }
  })
  serveRemoving(app, routes, {
    resource: registrationResource,
    action: ['can_delete', 'UserRegistrationsRestAPI'],
    words: ['registration', 'registrations'],
    async remove(trx, { id }) {
      await trx.deleteFrom('user_registration').where('id', '=', id).execute()
    },
  })
}
