import {
  AppError,
  avatar,
  legacyUserList,
  message,
  userRoutes as routes,
  type UserPost,
  type UserPut,
} from '@parquetry/model'
import { requireAdministrator } from '../access/last-administrator.ts'
import type { App } from '../http/app.ts'
import { serveRemoving } from '../http/removing.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { refuseApiKey } from '../http/identity.ts'
import { serve } from '../http/serve.ts'
import { unprocessableFields } from '../http/writing.ts'
import type { UserDeps } from './deps.ts'
import { renderLegacyList } from './legacy-list.ts'
import { listOwned, refuseOwner, transferOwned } from './owned-content.ts'
import { requireAdministratorFor } from './protect-administrators.ts'
import { createUser, updateUser } from './save-user.ts'
import { userResource, type UserRow } from './user-resource.ts'

/** The fields of a body that are returned. */
const withoutPassword = ({ password: _password, ...fields }: UserPost | UserPut): Record<string, unknown> => fields

/** `/api/v1/security/users/`, images of users, and the list of users for older clients. */
export function userRoutes(app: App, deps: UserDeps): void {
  const { db, jobs } = deps
  serveReading(app, routes, userResource)
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const id = await createUser(deps, { ...readContext(app, principal), event }, body)
    return reply.code(201).send({ id, result: withoutPassword(body) })
  })
  serve(app, routes.update, async ({ params, body, principal, event, request }) => {
    if (body.password && params.id === principal.id) refuseApiKey(request.identity)
    const context = { ...readContext(app, principal), event }
    const session = request.identity?.session ?? null
    await updateUser(deps, context, params.id, body, { ifMatch: request.headers['if-match'], session })
    return { id: params.id, result: withoutPassword(body) }
  })
  serve(app, routes.owned, async ({ params, principal }) => {
    const { id } = await visibleRow<UserRow>(userResource, params.id, readContext(app, principal))
    return { result: await listOwned(db, id) }
  })
  serve(app, routes.transfer, async ({ params, body, principal, event }) => ({
    result: await transferOwned({ ...readContext(app, principal), event }, params.id, body.to),
  }))
  serveRemoving(app, routes, {
    resource: userResource,
    action: ['can_delete', 'User'],
    words: ['user', 'users'],
    async check([row], { principal }) {
      if (row?.id === principal.id)
        throw unprocessableFields({
          id: [message('errors.user.deletesSelf', 'You cannot delete your own account.')],
        })
    },
    async remove(trx, { id }, { principal }) {
      await requireAdministratorFor(trx, principal, [id])
      await refuseOwner(trx, id)
      await trx.deleteFrom('filter_set').where('owner_type', '=', 'User').where('owner_id', '=', id).execute()
      await trx.deleteFrom('user').where('id', '=', id).execute()
      await requireAdministrator(trx)
    },
    removed: ({ id }) => jobs.stopAll(id),
  })

  serve(app, avatar, async ({ params, reply }) => {
    const found = await db.selectFrom('user').select('id').where('id', '=', params.id).executeTakeFirst()
    if (!found) throw new AppError('not_found')
    return reply.code(204).send()
  })
  serve(app, legacyUserList, async ({ query, reply }) =>
    reply.type('text/html; charset=utf-8').send(await renderLegacyList(db, query)),
  )
}
