import { AppError, defineRoute, message } from '@parquetry/model'
import { canDecryptSecrets } from '../store/stored-secrets.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { serve } from '../http/serve.ts'

const health = ['/health', '/healthcheck', '/ping'].map((path) =>
  defineRoute({
    method: 'GET',
    path,
    summary: 'Checks whether the server can handle requests',
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

const wrongKeyFile = message(
  'errors.store.wrongKeys',
  'The stored passwords of connections cannot be read with the key file of the server. Restore the key file, or enter the passwords again.',
)

export function healthRoutes(app: App, { db, keys, checkStore }: HttpDeps): void {
  for (const contract of health)
    serve(app, contract, async ({ reply }) => {
      reply.type('text/html; charset=utf-8')
      try {
        await db.selectFrom('role').select('id').limit(1).execute()
      } catch (cause) {
        if (cause instanceof AppError) throw cause
        throw new AppError('unavailable', {
          message: message('errors.store.notResponding', 'The metadata store is not responding. Try again.'),
          cause,
        })
      }
      checkStore()
      if (!(await canDecryptSecrets(db, keys))) throw new AppError('unavailable', { message: wrongKeyFile })
      return 'OK'
    })
}
