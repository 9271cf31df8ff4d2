import type { Bundle } from '@parquetry/bundle'
import { AppError, databaseRoutes, message } from '@parquetry/model'
import { importUpload, pickFolders } from './import-upload.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import { serve } from '../http/serve.ts'

const failure = message('errors.bundle.importDatabase', 'Error importing database')

const fileError = (path: string, problem: object) =>
  new AppError('unprocessable', { message: failure, details: { [path]: problem } })

/** Accepts only databases and their datasets. */
function admit(bundle: Bundle, principal: Principal): Bundle {
  if (bundle.metadata.type !== 'Database') throw fileError('metadata.yaml', { type: ['Must be equal to Database.'] })
  const dataset = [...bundle.files.keys()].find((path) => path.startsWith('datasets/'))
  if (dataset && !hasPermission(principal, ['can_write', 'Dataset']))
    throw fileError(dataset, { _schema: ['You do not have permission to add datasets.'] })
  return pickFolders(bundle, ['databases', 'datasets'])
}

/** `POST /api/v1/database/import/`. */
export function databaseImportRoutes(app: App, deps: ConnectionDeps): void {
  const { import: contract } = databaseRoutes
  serve(app, contract, (call) =>
    importUpload(deps, call, {
      limit: contract.bodyLimit,
      failure,
      admit: (bundle) => admit(bundle, call.principal),
    }),
  )
}
