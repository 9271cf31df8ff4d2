import type { Bundle } from '@parquetry/bundle'
import { AppError, type FieldMessages, message, importRoutes } from '@parquetry/model'
import { importUpload, pickFolders } from './import-upload.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { hasPermission } from '../access/principal.ts'
import type { ReadContext } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { can } from '../access/access.ts'

const failure = message('errors.bundle.importSavedQueries', 'Error importing saved_queries')

/** Accepts saved queries and their databases; adding a new database requires the permission. */
async function admit(bundle: Bundle, context: ReadContext): Promise<Bundle> {
  const problems: FieldMessages = {}
  if (bundle.metadata.type !== 'SavedQuery')
    throw new AppError('unprocessable', {
      message: failure,
      detailMessages: {
        'metadata.yaml': {
          type: [message('errors.bundle.equal', 'Must be equal to {value}.', { value: 'SavedQuery' })],
        },
      },
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
      : hasPermission(context.principal, ['can_write', 'Database'])
    if (!isAllowed)
      problems[path] = {
        _schema: [
          message('errors.bundle.addDatabase', 'Database not found, and you do not have permission to add it.'),
        ],
      }
  }
  if (Object.keys(problems).length > 0)
    throw new AppError('unprocessable', { message: failure, detailMessages: problems })
  return pickFolders(bundle, ['databases', 'queries'])
}

/** `POST /api/v1/saved_query/import/`. */
export function savedQueryImportRoutes(app: App, deps: ConnectionDeps): void {
  serve(app, importRoutes.saved_query, (call) =>
    importUpload(deps, call, {
      failure,
      admit: (bundle) => admit(bundle, readContext(app, call.principal)),
    }),
  )
}
