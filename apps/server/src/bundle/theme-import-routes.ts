import type { Bundle } from '@parquetry/bundle'
import { AppError, message, importRoutes } from '@parquetry/model'
import type { ConnectionDeps } from '../connection/deps.ts'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { importUpload, pickFolders } from './import-upload.ts'

const failure = message('errors.bundle.importThemes', 'Error importing themes')

/** Accepts themes and nothing else. */
function admit(bundle: Bundle): Bundle {
  if (bundle.metadata.type === 'Theme') return pickFolders(bundle, ['themes'])
  throw new AppError('unprocessable', {
    message: failure,
    detailMessages: {
      'metadata.yaml': { type: [message('errors.bundle.equal', 'Must be equal to {value}.', { value: 'Theme' })] },
    },
  })
}

/** `POST /api/v1/theme/import/`. */
export function themeImportRoutes(app: App, deps: ConnectionDeps): void {
  serve(app, importRoutes.theme, (call) => importUpload(deps, call, { failure, admit }))
}
