import { type Bundle, readArchive } from '@parquetry/bundle'
import { AppError, savedQueryImport } from '@parquetry/model'
import { importBundle } from '../bundle/import-bundle.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app.ts'
import { typedError } from '../http/errors.ts'
import { isMultipart, multipartForm } from '../http/multipart-fields.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import type { WriteContext } from '../http/writing.ts'
import { holds } from '../http/principal.ts'
import { can } from '../security/access.ts'
import { timeText } from '../store/time.ts'

const failure = 'Error importing saved_queries'

/** A bundle of saved queries brings its databases along; what it may touch of them is only that they are there. */
async function checkBundle(bundle: Bundle, context: WriteContext): Promise<void> {
  const problems: Record<string, unknown> = {}
  if (bundle.metadata.type !== 'SavedQuery')
    throw new AppError('unprocessable', {
      message: failure,
      details: { 'metadata.yaml': { type: ['Must be equal to SavedQuery.'] } },
    })
  for (const [path, { uuid }] of bundle.files) {
    if (!path.startsWith('databases/')) continue
    const found = await context.db
      .selectFrom('database')
      .select('id')
      .where('uuid', '=', String(uuid))
      .executeTakeFirst()
    const isAllowed = found
      ? await can(context, ['can_read', 'Database'], { kind: 'database', id: found.id })
      : holds(context.principal, ['can_write', 'Database'])
    if (!isAllowed) problems[path] = { _schema: ['Database not found, and you may not add it.'] }
  }
  if (Object.keys(problems).length > 0) throw new AppError('unprocessable', { message: failure, details: problems })
}

/** Only what saved queries need: other kinds have rights of their own. */
const onlyQueries = ({ metadata, files }: Bundle): Bundle => ({
  metadata,
  files: new Map([...files].filter(([path]) => /^(databases|queries)\//.test(path))),
})

/** `POST /api/v1/saved_query/import/`. */
export function savedQueryImportRoutes(app: App, deps: Deps): void {
  serve(app, savedQueryImport, async ({ principal, event, request, reply }) => {
    if (!isMultipart(request)) throw new AppError('not_json', { message: 'Request is not multipart/form-data' })
    const { fields, files } = await multipartForm(request, savedQueryImport.bodyLimit)
    const packed = files.get('formData')
    if (!packed) throw new AppError('bad_request', { message: 'The file is missing: field formData.' })
    const context: WriteContext = { ...readContext(app, principal), event }
    try {
      const bundle = await readArchive(packed)
      await checkBundle(bundle, context)
      await importBundle(deps.db, onlyQueries(bundle), {
        authorId: principal.id,
        at: timeText(context.now),
        overwrite: fields['overwrite'] === 'true',
        failure,
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error
      return reply.code(422).send({ errors: [{ ...typedError(error), level: 'warning' }] })
    }
    event.json = { overwrite: fields['overwrite'] === 'true' }
    return { message: 'OK' }
  })
}
