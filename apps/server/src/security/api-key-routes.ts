import { apiKeyRoutes as routes, AppError, type ApiKeyPost, message, parseScopes } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { App, HttpDeps } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { FieldErrorCollector, invalidPayload, unprocessable } from '../http/writing.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import type { Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'
import { change } from '../store/write.ts'
import { type ApiKeyRow, describeKey, findOwnKey, generateApiKey, listApiKeys } from './api-keys.ts'
import { requireManageableUser } from './user-management.ts'

const maxKeys = 100

/** `/api/v1/security/api_keys/`, and the keys of other users for administrators. Without FAB_API_KEY_ENABLED there are none. */
export function apiKeyRoutes(app: App, { db, now, settings }: HttpDeps): void {
  const { FAB_API_KEY_ENABLED: isEnabled, FAB_API_KEY_PREFIXES: prefixes } = settings.config
  if (!isEnabled) return

  serve(app, routes.list, async ({ principal }) => ({ result: await listApiKeys(db, principal.id ?? -1, now()) }))

  serve(app, routes.item, async ({ params, principal }) => ({
    result: describeKey(await findOwnKey(db, principal.id, params.uuid), now()),
  }))

  serve(app, routes.create, async ({ body, principal, event, reply }) => {
    const { id: userId } = principal
    if (userId === null) throw new AppError('forbidden')
    const fields = readKeyFields(body, now())
    const { key, ...generated } = generateApiKey(prefixes[0] as string)
    const row = { ...generated, ...fields, user_id: userId, created_on: formatStoredTime(now()) }
    event.json = { uuid: row.uuid, name: row.name }
    await change(db, { ...historyOf(row, principal, event, now()), document: () => shownPart(row) }, async (trx) => {
      const keys = await listApiKeys(trx, userId, now())
      if (keys.filter(({ active }) => active).length >= maxKeys)
        throw unprocessable(
          message('errors.security.tooManyKeys', 'You have {count} API keys. Revoke one that is not used.', {
            count: maxKeys,
          }),
        )
      await trx.insertInto('api_key').values(row).execute()
    })
    return reply.code(201).send({ result: { ...shownPart(row), key } })
  })

  serve(app, routes.revoke, async ({ params, principal, event }) => {
    await revoke(db, await findOwnKey(db, principal.id, params.uuid), principal, event, now())
    return { message: 'OK' }
  })

  serve(app, routes.userKeys, async ({ params, principal }) => {
    await requireManageableUser(db, principal, params.id, 'read')
    return { result: await listApiKeys(db, params.id, now()) }
  })

  serve(app, routes.revokeUserKey, async ({ params, principal, event }) => {
    await requireManageableUser(db, principal, params.id, 'write')
    await revoke(db, await findOwnKey(db, params.id, params.uuid), principal, event, now())
    return { message: 'OK' }
  })
}

/** @throws AppError `invalid_payload` naming the fields that are wrong */
function readKeyFields(
  body: ApiKeyPost,
  now: Date,
): { name: string; scopes: string | null; expires_on: string | null } {
  const errors = new FieldErrorCollector(invalidPayload)
  const name = body.name.trim()
  if (name === '') errors.add('name', message('errors.security.keyName', 'Enter a name.'))
  const { scopes, unknown } = body.scopes ? parseScopes(body.scopes) : { scopes: [], unknown: [] }
  if (unknown.length > 0)
    errors.add(
      'scopes',
      message('errors.security.scopes', 'Unknown scope "{scope}". Use scopes such as superset:chart:read.', {
        scope: unknown[0] ?? '',
      }),
    )
  const expiry = body.expires_on == null ? null : parseExpiry(body.expires_on)
  if (expiry !== null && (Number.isNaN(expiry.getTime()) || expiry.getUTCFullYear() > 9999))
    errors.add(
      'expires_on',
      message('errors.security.keyExpiryFormat', 'Use an ISO time such as 2030-01-31T12:00:00Z.'),
    )
  else if (expiry !== null && expiry <= now)
    errors.add('expires_on', message('errors.security.keyExpiryPast', 'Choose a time in the future.'))
  errors.throwIfAny()
  return {
    name,
    scopes: scopes.length === 0 ? null : scopes.join(','),
    expires_on: expiry && formatStoredTime(expiry),
  }
}

/** Times without a zone are UTC. */
function parseExpiry(text: string): Date {
  const isTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text)
  if (!isTime) return new Date(Number.NaN)
  const hasTime = text.length > 10
  return new Date(hasTime && isTime[1] === undefined ? `${text.replace(' ', 'T')}Z` : text)
}

async function revoke(
  db: Kysely<Tables>,
  row: ApiKeyRow,
  principal: Principal,
  event: AuditEvent,
  now: Date,
): Promise<void> {
  event.json = { uuid: row.uuid, name: row.name, ...(row.user_id !== principal.id && { user: row.user_id }) }
  const revoked_on = row.revoked_on ?? formatStoredTime(now)
  const document = () => ({ ...shownPart(row), revoked_on })
  await change(db, { ...historyOf(row, principal, event, now), document }, async (trx) => {
    await trx.updateTable('api_key').set({ revoked_on }).where('id', '=', row.id).execute()
  })
}

const historyOf = ({ uuid }: { uuid: string }, { id }: Principal, event: AuditEvent, now: Date) => ({
  kind: 'api_key',
  uuid,
  author: id,
  event,
  now,
})

/** The parts of a key that may be shown. */
const shownPart = ({
  uuid,
  name,
  key_prefix,
  scopes,
  created_on,
  expires_on,
}: Pick<ApiKeyRow, 'uuid' | 'name' | 'key_prefix' | 'scopes' | 'created_on' | 'expires_on'>) => ({
  uuid,
  name,
  key_prefix,
  scopes,
  created_on,
  expires_on,
})
