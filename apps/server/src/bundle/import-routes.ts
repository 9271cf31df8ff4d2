import { bundleFolders, type BundleType } from '@parquetry/bundle'
import { bundledKinds, dashboardImportForm, importRoutes as routes, message } from '@parquetry/model'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import { kindInfo } from './bundled-kinds.ts'
import { fileProblem } from './fields.ts'
import { importUpload } from './import-upload.ts'

/** @throws AppError `unprocessable` for a bundle of another type */
function refuseOtherTypes(found: BundleType, expected: BundleType): void {
  if (found === expected) return
  throw fileProblem('metadata.yaml', {
    type: [message('errors.bundle.equal', 'Must be equal to {value}.', { value: expected })],
    _schema: [message('errors.bundle.otherType', 'This is a bundle of type {type}.', { type: found })],
  })
}

/** `POST /api/v1/<resource>/import/` of all kinds of objects. */
export function importRoutes(app: App, deps: ConnectionDeps): void {
  for (const kind of bundledKinds) {
    const { folder, failure } = kindInfo[kind]
    serve(app, routes[kind], (call) =>
      importUpload(deps, call, readContext(app, call.principal), {
        fileFields: ['formData'],
        failure,
        alwaysOverwrites: false,
        admit: ({ type }) => refuseOtherTypes(type, bundleFolders[folder]),
      }),
    )
  }
  serve(app, routes.assets, (call) =>
    importUpload(deps, call, readContext(app, call.principal), {
      fileFields: ['bundle', 'formData'],
      failure: message('errors.bundle.importAssets', 'Error importing assets'),
      alwaysOverwrites: true,
      mayBeSparse: true,
      admit: ({ type }) => refuseOtherTypes(type, 'assets'),
    }),
  )
  serve(app, dashboardImportForm, (call) =>
    importUpload(deps, call, readContext(app, call.principal), {
      fileFields: ['file', 'formData'],
      failure: kindInfo.dashboard.failure,
      alwaysOverwrites: true,
      leadsTo: '/dashboard/list/',
      admit: ({ type }) => refuseOtherTypes(type, 'Dashboard'),
    }),
  )
}
