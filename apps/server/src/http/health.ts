import { AppError, defineRoute } from '@parquetry/model'
import type { Deps } from '../deps.ts'
import type { App } from './app.ts'
import { serve } from './serve.ts'

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
  }),
)

export function healthRoutes(app: App, { db }: Deps): void {
  for (const contract of health)
    serve(app, contract, async ({ reply }) => {
      try {
        await db.selectFrom('role').select('id').limit(1).execute()
      } catch (cause) {
        throw new AppError('unavailable', { message: 'The metadata store does not answer.', cause })
      }
      return reply.type('text/html; charset=utf-8').send('OK')
    })
}
