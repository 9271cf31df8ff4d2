import { type Bundle, readArchive } from '@parquetry/bundle'
import { AppError, databaseRoutes } from '@parquetry/model'
import { importBundle } from '../bundle/import-bundle.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import { typedError } from '../http/errors.ts'
import { isMultipart, multipartForm } from '../http/multipart-fields.ts'
import { holds, type Principal } from '../http/principal.ts'
import { serve } from '../http/serve.ts'
import { timeText } from '../store/time.ts'
import { rulesOf } from './save-database.ts'

const failure = 'Error importing database'

const refusedFor = (path: string, problem: object) =>
  new AppError('unprocessable', { message: failure, details: { [path]: problem } })

/** Other kinds than databases and their datasets have imports and rights of their own. */
function ofDatabases({ metadata, files }: Bundle, principal: Principal): Bundle {
  if (metadata.type !== 'Database') throw refusedFor('metadata.yaml', { type: ['Must be equal to Database.'] })
  const dataset = [...files.keys()].find((path) => path.startsWith('datasets/'))
  if (dataset && !holds(principal, ['can_write', 'Dataset']))
    throw refusedFor(dataset, { _schema: ['You may not add datasets.'] })
  return { metadata, files: new Map([...files].filter(([path]) => /^(databases|datasets)\//.test(path))) }
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

/** `POST /api/v1/database/import/`. */
export function databaseImportRoutes(app: App, deps: Deps): void {
  const { import: contract } = databaseRoutes
  serve(app, contract, async ({ principal, event, request, reply }) => {
    if (!isMultipart(request)) throw new AppError('not_json', { message: 'Request is not multipart/form-data' })
    const { fields, files } = await multipartForm(request, contract.bodyLimit)
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
      const bundle = ofDatabases(await readArchive(packed), principal)
      await importBundle(deps.db, bundle, {
        authorId: principal.id,
        at: timeText(deps.now()),
        overwrite,
        failure,
        vault,
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error
      return reply.code(422).send({ errors: [{ ...typedError(error), level: 'warning' }] })
    }
    event.json = { overwrite }
    return { message: 'OK' }
  })
}
