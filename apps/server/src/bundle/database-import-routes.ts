import type { Bundle } from '@parquetry/bundle'
import { AppError, type FieldMessages, importRoutes, message } from '@parquetry/model'
import { importUpload, pickFolders } from './import-upload.ts'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import { serve } from '../http/serve.ts'

const failure = message('errors.bundle.importDatabase', 'Error importing database')

const fileError = (path: string, problem: FieldMessages) =>
  new AppError('unprocessable', { message: failure, detailMessages: { [path]: problem } })

/** Accepts only databases and their datasets. */
function admit(bundle: Bundle, principal: Principal): Bundle {
  if (bundle.metadata.type !== 'Database')
    throw fileError('metadata.yaml', {
      type: [message('errors.bundle.equal', 'Must be equal to {value}.', { value: 'Database' })],
    })
  const dataset = [...bundle.files.keys()].find((path) => path.startsWith('datasets/'))
  if (dataset && !hasPermission(principal, ['can_write', 'Dataset']))
    throw fileError(dataset, {
      _schema: [message('errors.bundle.addDatasets', 'You do not have permission to add datasets.')],
    })
  return pickFolders(bundle, ['databases', 'datasets'])
}

/** `POST /api/v1/database/import/`. */
export function databaseImportRoutes(app: App, deps: ConnectionDeps): void {
  const contract = importRoutes.database
  serve(app, contract, (call) =>
    importUpload(deps, call, {
      limit: contract.bodyLimit,
      failure,
      admit: (bundle) => admit(bundle, call.principal),
    }),
  )
}
