import { AppError, type FieldMessages, guestToken, type GuestTokenBody, message } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { App, HttpDeps } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import type { Tables } from '../store/tables.ts'
import { signToken } from './tokens.ts'

const maxSeconds = 3600

async function checkResources(db: Kysely<Tables>, resources: GuestTokenBody['resources']): Promise<void> {
  const fieldErrors: FieldMessages = {}
  for (const [at, { type }] of resources.entries())
    if (type !== 'dashboard')
      fieldErrors[at] = { type: [message('errors.security.resourceType', 'Invalid enum value {type}', { type })] }
  if (Object.keys(fieldErrors).length > 0) throw new AppError('invalid_payload', { fields: { resources: fieldErrors } })
  for (const { id } of resources) {
    const row = await db.selectFrom('embedded_dashboard').select('uuid').where('uuid', '=', id).executeTakeFirst()
    if (!row)
      throw new AppError('bad_request', {
        message: message('errors.security.noEmbedded', 'EmbeddedDashboard not found.'),
      })
  }
}

/** Issues guest tokens. Without the flag the endpoint does not exist. */
export function guestTokenRoutes(app: App, { db, keys, settings, now }: HttpDeps): void {
  if (!settings.flags['EMBEDDED_SUPERSET']) return
  const seconds = Math.min(settings.config.GUEST_TOKEN_JWT_EXP_SECONDS, maxSeconds)
  serve(app, guestToken, async ({ body, principal }) => {
    const { user = {}, resources, rls } = body
    await checkResources(db, resources)
    const claims = { user, resources, rls_rules: rls, by: principal.id }
    return { token: signToken(keys.guest, 'guest', claims, now(), seconds) }
  })
}
