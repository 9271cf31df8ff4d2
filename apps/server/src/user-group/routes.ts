import { userGroupRoutes as routes } from '@parquetry/model'
import type { App } from '../http/app.ts'
import { serveRemoving } from '../http/removing.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { groupResource } from './group-resource.ts'
import { createGroup, removeGroup, updateGroup } from './save-group.ts'

/** `/api/v1/security/groups/` */
export function userGroupRoutes(app: App): void {
  serveReading(app, routes, groupResource)
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const id = await createGroup({ ...readContext(app, principal), event }, body)
    return reply.code(201).send({ id, result: body })
  })
  serve(app, routes.update, async ({ params, body, principal, event, request }) => {
    const context = { ...readContext(app, principal), event }
    await updateGroup(context, params.id, body, request.headers['if-match'])
    return { id: params.id, result: body }
  })
  serveRemoving(app, routes, {
    resource: groupResource,
    action: ['can_delete', 'Group'],
    words: ['group', 'groups'],
    remove: (trx, { id }, context) => removeGroup(trx, context, id),
  })
}
