import {
  accessRequestRoutes,
  AppError,
  dashboardAccessRoutes,
  datasetAccessRoutes,
  type PermissionPair,
} from '@parquetry/model'
import { can } from '../access/access.ts'
import { loadPrincipalById } from '../access/load-principal.ts'
import type { Principal } from '../access/principal.ts'
import type { App, HttpDeps } from '../http/app.ts'
import type { ReadContext } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { authorizeChange } from '../http/writing.ts'
import { listAccess, selectEntriesOf, type SharedKind } from './access-list.ts'
import { findRequest, listRequests, storeRequest } from './access-requests.ts'
import { requireSubject, share, unshare } from './share.ts'

const views = { dashboard: 'Dashboard', dataset: 'Dataset' } as const
const contracts = { dashboard: dashboardAccessRoutes, dataset: datasetAccessRoutes }

/** Routes that list who can open dashboards and datasets, share them, and handle requests for access. */
export function sharingRoutes(app: App, { db }: HttpDeps): void {
  /** @throws AppError `not_found` for objects that the caller may not see, `missing_ownership` for those of others */
  async function requireOwnership(context: ReadContext, kind: SharedKind, id: number): Promise<void> {
    const read: PermissionPair = ['can_read', views[kind]]
    if (!(await can(context, read, { kind, id }))) throw new AppError('not_found')
    await authorizeChange(context, ['can_write', views[kind]], { kind, id })
  }

  for (const kind of ['dashboard', 'dataset'] as const) {
    const routes = contracts[kind]
    serve(app, routes.list, async ({ params: { id }, principal }) => {
      const context = readContext(app, principal)
      await requireOwnership(context, kind, id)
      return { result: await listAccess(db, kind, id, principal) }
    })
    serve(app, routes.user, async ({ params: { id, user }, principal }) => {
      const context = readContext(app, principal)
      await requireOwnership(context, kind, id)
      const other = await loadPrincipalById(db, user)
      if (!other) throw new AppError('not_found')
      const { entries } = await listAccess(db, kind, id, principal)
      return {
        result: {
          can: await can({ ...context, principal: other }, ['can_read', views[kind]], { kind, id }),
          reasons: selectEntriesOf(entries, other),
        },
      }
    })
    serve(app, routes.share, async ({ params: { id }, body, principal, event }) => {
      await requireOwnership(readContext(app, principal), kind, id)
      event.json = { id, subject: body.subject }
      await db.transaction().execute(async (trx) => {
        await share(trx, kind, id, await requireSubject(trx, kind, body.subject), principal)
      })
      return { message: 'OK' }
    })
    serve(app, routes.unshare, async ({ params: { id, subject }, principal, event }) => {
      await requireOwnership(readContext(app, principal), kind, id)
      event.json = { id, subject }
      await db.transaction().execute(async (trx) => {
        await unshare(trx, kind, id, await requireSubject(trx, kind, subject), principal)
      })
      return { message: 'OK' }
    })
  }

  const requireUser = ({ id }: Principal): void => {
    if (id === null) throw new AppError('forbidden')
  }
  serve(app, accessRequestRoutes.create, async ({ body, principal, event, reply }) => {
    requireUser(principal)
    event.json = { kind: body.kind, id: body.id }
    await storeRequest(readContext(app, principal), body)
    return reply.code(201).send({ message: 'OK' })
  })
  serve(app, accessRequestRoutes.list, async ({ principal }) => {
    const result = principal.id === null ? [] : await listRequests(readContext(app, principal))
    return { count: result.length, result }
  })
  serve(app, accessRequestRoutes.grant, async ({ params, principal, event }) => {
    const { id, user, target } = await findRequest(readContext(app, principal), params.id)
    event.json = { request: id, user, ...target }
    await db.transaction().execute(async (trx) => {
      await share(trx, target.kind, target.id, { type: 'user', id: user }, principal)
      await trx.deleteFrom('access_request').where('id', '=', id).execute()
    })
    return { message: 'OK' }
  })
  serve(app, accessRequestRoutes.refuse, async ({ params, principal, event }) => {
    const { id, user, target } = await findRequest(readContext(app, principal), params.id)
    event.json = { request: id, user, ...target }
    await db.deleteFrom('access_request').where('id', '=', id).execute()
    return { message: 'OK' }
  })
}
