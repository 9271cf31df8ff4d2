import { roleRoutes as routes } from '@parquetry/model'
import type { App, HttpDeps } from '../http/app.ts'
import { visibleRow } from '../http/resource.ts'
import { serveRemoving } from '../http/removing.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { legacyRolePages } from './legacy-pages.ts'
import { listMembers, listRolePermissions, searchRoles } from './read-role.ts'
import { createRoleResource } from './role-resource.ts'
import { changeMembers, createRole, renameRole, requireUnused, setHolders, setPermissions } from './save-role.ts'

/** `/api/v1/security/roles/` and the pages of roles for older clients. */
export function roleRoutes(app: App, deps: HttpDeps): void {
  const { config } = deps.settings
  const resource = createRoleResource(config)
  serveReading(app, routes, resource)
  serve(app, routes.search, ({ rison, principal }) => searchRoles(readContext(app, principal), rison))
  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const id = await createRole({ ...readContext(app, principal), event }, body)
    return reply.code(201).send({ id, result: { name: body.name } })
  })
  serve(app, routes.update, async ({ params, body, principal, event, request }) => {
    await renameRole({ ...readContext(app, principal), event }, params.id, body, request.headers['if-match'])
    return { id: params.id, result: body }
  })
  serveRemoving(app, routes, {
    resource,
    action: ['can_delete', 'Role'],
    words: ['role', 'roles'],
    async remove(trx, role) {
      await requireUnused(trx, role)
      await trx.deleteFrom('role').where('id', '=', role.id).execute()
    },
  })

  serve(app, routes.permissions, async ({ params, principal }) => {
    await visibleRow(resource, params.id, readContext(app, principal))
    return { result: await listRolePermissions(deps.db, params.id) }
  })
  serve(app, routes.setPermissions, async ({ params, body, principal, event, request }) => {
    const context = { ...readContext(app, principal), event }
    const revision = { changed_on: body.changed_on, ifMatch: request.headers['if-match'] }
    const ids = body.permission_view_menu_ids
    return {
      result: {
        permission_view_menu_ids: await setPermissions(context, config.PUBLIC_ROLE_LIKE, params.id, ids, revision),
      },
    }
  })
  serve(app, routes.setUsers, async ({ params, body, principal, event, request }) => {
    const revision = { changed_on: body.changed_on, ifMatch: request.headers['if-match'] }
    await setHolders({ ...readContext(app, principal), event }, params.id, 'user', body.user_ids, revision)
    return { result: { user_ids: body.user_ids } }
  })
  serve(app, routes.setGroups, async ({ params, body, principal, event, request }) => {
    const revision = { changed_on: body.changed_on, ifMatch: request.headers['if-match'] }
    await setHolders({ ...readContext(app, principal), event }, params.id, 'group', body.group_ids, revision)
    return { result: { group_ids: body.group_ids } }
  })
  serve(app, routes.members, async ({ params, rison, principal }) => {
    const context = readContext(app, principal)
    await visibleRow(resource, params.id, context)
    return listMembers(context, params.id, rison)
  })
  serve(app, routes.changeMembers, async ({ params, body, principal, event }) => {
    await changeMembers({ ...readContext(app, principal), event }, params.id, body)
    return { message: 'OK' }
  })
  legacyRolePages(app, deps)
}
