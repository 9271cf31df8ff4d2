import { AppError, type RouteContract } from '@parquetry/model'
import type { App } from './app.ts'
import { serve } from './serve.ts'

/** Where `thumbnail_url` leads. Pictures are not built yet, so that it answers as where the flag THUMBNAILS is off. */
export function serveThumbnail(app: App, contract: RouteContract): void {
  serve(app, contract, () => {
    throw new AppError('not_found')
  })
}
