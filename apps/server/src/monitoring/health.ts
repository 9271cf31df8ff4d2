import { AppError, defineRoute } from '@parquetry/model'
import type { App, HttpDeps } from '../http/app.ts'
import { serve } from '../http/serve.ts'

const health = ['/health', '/healthcheck', '/ping'].map((path) =>
  defineRoute({
    method: 'GET',
    path,
    summary: 'Whether the server can answer calls',
    body: 'none',
    reply: 'bytes',
    can: 'anyone',
    object: 'none',
    rate: 'read',
    audit: 'none',
    csrf: 'none',
    errors: 'plain',
    fails: ['unavailable'],
    deadlineMs: 2500,
  }),
)

export function healthRoutes(app: App, { db, checkStore }: HttpDeps): void {
  for (const contract of health)
    serve(app, contract, async ({ reply }) => {
      reply.type('text/html; charset=utf-8')
      try {
        await db.selectFrom('role').select('id').limit(1).execute()
      } catch (cause) {
        throw new AppError('unavailable', { message: 'The metadata store does not answer.', cause })
      }
      checkStore()
      return 'OK'
    })
}
