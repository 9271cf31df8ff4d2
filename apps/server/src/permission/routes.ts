import { permissionNameRoutes, permissionPairRoutes, permissionViewRoutes } from '@parquetry/model'
import type { App } from '../http/app.ts'
import { readContext, serveReading } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { nameResource, pairResource, viewResource } from './permission-resources.ts'
import { createPair, createView, removePair, removeView, renameView, updatePair } from './save-permission.ts'

/** `/api/v1/security/permissions/`, `resources/` and `permissions-resources/`. */
export function permissionRoutes(app: App): void {
  serveReading(app, permissionNameRoutes, nameResource)
  serveReading(app, permissionViewRoutes, viewResource)
  serveReading(app, permissionPairRoutes, pairResource)

  serve(app, permissionViewRoutes.create, async ({ body, principal, event, reply }) => {
    const id = await createView({ ...readContext(app, principal), event }, body.name)
    return reply.code(201).send({ id, result: body })
  })
  serve(app, permissionViewRoutes.update, async ({ params, body, principal, event }) => {
    await renameView({ ...readContext(app, principal), event }, params.id, body)
    return { result: body }
  })
  serve(app, permissionViewRoutes.remove, async ({ params, principal, event }) => {
    await removeView({ ...readContext(app, principal), event }, params.id)
    return { message: 'OK' }
  })

  serve(app, permissionPairRoutes.create, async ({ body, principal, event, reply }) => {
    const id = await createPair({ ...readContext(app, principal), event }, body)
    return reply.code(201).send({ id, result: body })
  })
  serve(app, permissionPairRoutes.update, async ({ params, body, principal, event }) => {
    await updatePair({ ...readContext(app, principal), event }, params.id, body)
    return { result: body }
  })
  serve(app, permissionPairRoutes.remove, async ({ params, principal, event }) => {
    await removePair({ ...readContext(app, principal), event }, params.id)
    return { message: 'OK' }
  })
}
