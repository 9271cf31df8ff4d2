import {
  advancedDataTypeRoutes as routes,
  AppError,
  availableDomains,
  legacyDataRoutes,
  message,
  toPlainText,
} from '@parquetry/model'
import type { App } from '../http/app.ts'
import { serve } from '../http/serve.ts'
import { listDomains } from '../settings/domains.ts'
import { errorTranslator } from '../settings/messages.ts'
import { advancedTypes, convertValues } from './types.ts'

/** `/api/v1/advanced_data_type/`, and the further domains of the server (CONST-035, CONST-036). */
export function advancedDataTypeRoutes(app: App): void {
  serve(app, routes.types, () => ({ result: [...advancedTypes] }))
  serve(app, routes.convert, ({ rison: { type, values } }) => {
    const result = convertValues(type, values, errorTranslator(app.deps.settings))
    if (!result)
      throw new AppError('bad_request', {
        message: message('errors.advancedDataType.notKnown', 'Invalid advanced data type: {type}', {
          type: toPlainText(type),
        }),
      })
    return { result }
  })
  const domains = listDomains(app.deps.settings)
  const listed = domains.length > 0 ? [...domains] : null
  serve(app, legacyDataRoutes.availableDomains, ({ reply }) =>
    reply.type('application/json; charset=utf-8').send(JSON.stringify(listed)),
  )
  serve(app, availableDomains, () => ({ result: { domains: listed } }))
}
