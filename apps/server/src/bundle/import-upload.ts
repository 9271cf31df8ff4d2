import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bundle, loadBundle } from '@parquetry/bundle'
import { AppError, message, type Message } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConnectionDeps } from '../connection/deps.ts'
import { toConnectionRules } from '../database/save-database.ts'
import { typedError } from '../http/errors.ts'
import { parseJson } from '../http/json-body.ts'
import { firstValues, isMultipart, readMultipart } from '../http/multipart.ts'
import { errorTranslator } from '../settings/messages.ts'
import { requesterKey, type Principal } from '../access/principal.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import { formatStoredTime } from '../store/time.ts'
import { importBundle } from './import-bundle.ts'

interface ImportCall {
  principal: Principal
  event: AuditEvent
  signal: AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

/** Parses a form field that contains JSON: secrets by the path of their file. */
function parseSecrets(fields: Record<string, string>, name: string): Record<string, string> {
  try {
    const found: unknown = parseJson(fields[name] || '{}')
    if (typeof found !== 'object' || found === null) throw new Error('not an object')
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch (cause) {
    throw new AppError('bad_request', {
      message: message('errors.bundle.jsonField', 'The field {name} is not a JSON object.', { name }),
      cause,
    })
  }
}

const fieldsLimit = 1 << 20

const importTooLarge = (limit: number): AppError =>
  new AppError('too_large', {
    message: message(
      'errors.bundle.uploadTooLarge',
      'The file is larger than {mb, number} MB, the limit IMPORT_UPLOAD_LIMIT_MB of this server.',
      { mb: limit / 2 ** 20 },
    ),
  })

/** Reads the form. Its archive is a temporary file in the home folder, deleted after use. */
async function withForm<T>(
  { settings }: ConnectionDeps,
  request: FastifyRequest,
  handle: (fields: Record<string, string>, path: string) => Promise<T>,
): Promise<T> {
  if (!isMultipart(request))
    throw new AppError('not_json', {
      message: message('errors.bundle.notForm', 'Request is not multipart/form-data'),
    })
  const folder = join(settings.home, 'uploads')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const limit = settings.config.IMPORT_UPLOAD_LIMIT_MB * 2 ** 20
  const { fields, fileName } = await readMultipart(request, {
    limit: fieldsLimit,
    file: { field: 'formData', path, limit, tooLarge: () => importTooLarge(limit) },
  })
  if (fileName === undefined)
    throw new AppError('bad_request', {
      message: message('errors.bundle.noFile', 'The file is missing. Send it in the field formData.'),
    })
  try {
    return await handle(firstValues(fields), path)
  } finally {
    await rm(path, { force: true })
  }
}

async function readBundle(
  { runners }: ConnectionDeps,
  path: string,
  signal: AbortSignal,
  principal: Principal,
): Promise<Bundle> {
  const source = await runners.readBundle(path, signal, requesterKey(principal))
  try {
    return await loadBundle(source)
  } finally {
    await source.close()
  }
}

/**
 * `POST /api/v1/<resource>/import/`: a bundle in the form field `formData`, with secrets of its new databases in other fields.
 * Problems are returned by file path.
 * @param failure  heading of the problems
 * @param admit    returns the accepted part of the bundle; throws `unprocessable` when it is rejected
 */
export async function importUpload(
  deps: ConnectionDeps,
  { principal, event, signal, request, reply }: ImportCall,
  { failure, admit }: { failure: Message; admit(bundle: Bundle): Promise<Bundle> | Bundle },
) {
  return withForm(deps, request, async (fields, path) => {
    const secrets = {
      keys: deps.keys,
      rules: toConnectionRules(deps),
      passwords: parseSecrets(fields, 'passwords'),
      tunnel: {
        password: parseSecrets(fields, 'ssh_tunnel_passwords'),
        private_key: parseSecrets(fields, 'ssh_tunnel_private_keys'),
        private_key_password: parseSecrets(fields, 'ssh_tunnel_private_key_passwords'),
      },
    }
    const overwrite = fields['overwrite'] === 'true'
    try {
      const bundle = await admit(await readBundle(deps, path, signal, principal))
      const at = formatStoredTime(deps.now())
      await importBundle(deps.db, bundle, {
        authorId: principal.id,
        principal,
        at,
        overwrite,
        hasTags: deps.settings.flags['TAGGING_SYSTEM'] === true,
        failure,
        secrets: secrets,
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error
      const entry = typedError(error, errorTranslator(deps.settings))
      return reply.code(422).send({ errors: [{ ...entry, level: 'warning' }] })
    }
    event.json = { overwrite }
    return { message: 'OK' }
  })
}

/** Returns the part of a bundle in these folders: other kinds have their own imports and permissions. */
export const pickFolders = ({ metadata, files }: Bundle, folders: readonly string[]): Bundle => ({
  metadata,
  files: new Map([...files].filter(([path]) => folders.includes(path.slice(0, path.indexOf('/'))))),
})
