import { type Bundle, readArchive } from '@parquetry/bundle'
import { AppError } from '@parquetry/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rulesOf } from '../database/save-database.ts'
import type { Deps } from '../deps.ts'
import { typedError } from '../http/errors.ts'
import { isMultipart, multipartForm } from '../http/multipart-fields.ts'
import type { Principal } from '../http/principal.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import { timeText } from '../store/time.ts'
import { importBundle } from './import-bundle.ts'

interface ImportCall {
  principal: Principal
  event: AuditEvent
  request: FastifyRequest
  reply: FastifyReply
}

/** A field of the form that holds JSON: secrets by the path of the file that they belong to. */
function secretsOf(fields: Record<string, string>, name: string): Record<string, string> {
  try {
    const found: unknown = JSON.parse(fields[name] || '{}')
    if (typeof found !== 'object' || found === null) throw new Error('no object')
    return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === 'string'))
  } catch (cause) {
    throw new AppError('bad_request', { message: `The field ${name} is not a JSON object.`, cause })
  }
}

/**
 * `POST /api/v1/<resource>/import/`: a bundle in the form field `formData`, secrets of its new databases beside it. What is wrong
 * with it is answered by the path of the file.
 * @param failure  the sentence above that
 * @param admit    what of the bundle is taken; throws `unprocessable` for one that is not
 */
export async function importSent(
  deps: Deps,
  { principal, event, request, reply }: ImportCall,
  { limit, failure, admit }: { limit: number; failure: string; admit(bundle: Bundle): Promise<Bundle> | Bundle },
) {
  if (!isMultipart(request)) throw new AppError('not_json', { message: 'Request is not multipart/form-data' })
  const { fields, files } = await multipartForm(request, limit)
  const packed = files.get('formData')
  if (!packed) throw new AppError('bad_request', { message: 'The file is missing: field formData.' })
  const vault = {
    keys: deps.keys,
    rules: rulesOf(deps),
    passwords: secretsOf(fields, 'passwords'),
    tunnel: {
      password: secretsOf(fields, 'ssh_tunnel_passwords'),
      private_key: secretsOf(fields, 'ssh_tunnel_private_keys'),
      private_key_password: secretsOf(fields, 'ssh_tunnel_private_key_passwords'),
    },
  }
  const overwrite = fields['overwrite'] === 'true'
  try {
    const bundle = await admit(await readArchive(packed))
    const at = timeText(deps.now())
    await importBundle(deps.db, bundle, { authorId: principal.id, at, overwrite, failure, vault })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error
    return reply.code(422).send({ errors: [{ ...typedError(error), level: 'warning' }] })
  }
  event.json = { overwrite }
  return { message: 'OK' }
}

/** The part of a bundle in these folders: other kinds have imports and rights of their own. */
export const onlyFolders = ({ metadata, files }: Bundle, folders: readonly string[]): Bundle => ({
  metadata,
  files: new Map([...files].filter(([path]) => folders.includes(path.slice(0, path.indexOf('/'))))),
})
