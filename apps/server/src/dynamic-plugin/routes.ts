import { AppError, dynamicPluginRoutes as routes } from '@parquetry/model'
import type { App, HttpDeps } from '../http/app.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { framePage, framePolicy } from './frame-page.ts'
import { createPlugin, findModule, listPlugins, removePlugin, updatePlugin } from './plugins.ts'

const columns = ['id', 'name', 'key', 'bundle_url', 'form']
const labels: Record<string, string> = { id: 'Id', name: 'Name', key: 'Key', bundle_url: 'Bundle Url', form: 'Form' }

/** `/dynamic-plugins/`, with the flag DYNAMIC_PLUGINS. */
export function dynamicPluginRoutes(app: App, { db, settings }: HttpDeps): void {
  if (settings.flags['DYNAMIC_PLUGINS'] !== true) {
    app.pageSubjects.plugins = () => {
      throw new AppError('not_found')
    }
    return
  }
  serve(app, routes.read, async () => {
    const result = await listPlugins(db)
    return {
      count: result.length,
      pks: result.map(({ id }) => id),
      result,
      list_columns: columns,
      label_columns: labels,
      order_columns: [],
      page: null,
      page_size: null,
      modelview_name: 'DynamicPluginsView',
    }
  })
  serve(app, routes.create, async ({ body, principal, event, reply }) =>
    reply.code(201).send(await createPlugin({ ...readContext(app, principal), event }, body)),
  )
  serve(app, routes.update, ({ params, body, principal, event }) =>
    updatePlugin({ ...readContext(app, principal), event }, params.id, body),
  )
  serve(app, routes.remove, async ({ params, principal, event }) => {
    await removePlugin({ ...readContext(app, principal), event }, params.id)
    return { message: 'OK' }
  })
  serve(app, routes.module, async ({ params, reply }) => {
    const module = await findModule(db, params.id, params.hash.replace(/\.js$/, ''))
    return reply
      .headers({ 'cache-control': 'private, max-age=31536000, immutable', vary: 'Cookie, Authorization, X-GuestToken' })
      .type('text/javascript; charset=utf-8')
      .send(module)
  })
  serve(app, routes.frame, ({ reply }) =>
    reply
      .headers({ 'content-security-policy': framePolicy, 'x-frame-options': 'SAMEORIGIN', 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(framePage),
  )
}
