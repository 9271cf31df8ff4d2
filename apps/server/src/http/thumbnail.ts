import { AppError, type RouteContract } from '@parquetry/model'
import type { App } from './app.ts'
import { serve } from './serve.ts'

/** Route of `thumbnail_url`. Thumbnails are not implemented, so it responds as if the flag THUMBNAILS is off. */
export function serveThumbnail(app: App, contract: RouteContract): void {
  serve(app, contract, () => {
    throw new AppError('not_found')
  })
}
