import { openApiRoute } from '@parquetry/model'
import type { App } from '../http/app.ts'
import { resolveOrigin } from '../http/origin.ts'
import { serve } from '../http/serve.ts'
import { buildDocument } from './build-document.ts'

/** The OpenAPI document, which the page at `/swagger/v1` shows. */
export function openApiRoutes(app: App): void {
  let document: Record<string, unknown> | undefined
  serve(app, openApiRoute, ({ request }) => {
    document ??= buildDocument(app.contracts)
    return { ...document, servers: [{ url: resolveOrigin(app.deps.settings, request) }] }
  })
}
