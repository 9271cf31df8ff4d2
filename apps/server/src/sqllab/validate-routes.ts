import { AppError, databaseMetadataRoutes as routes, message, type ValidateSql } from '@parquetry/model'
import type { DatabaseRow } from '../connection/source.ts'
import { databaseResource } from '../database/database-resource.ts'
import { parseOptionalName } from '../database/optional-name.ts'
import type { App } from '../http/app.ts'
import { parseJson } from '../http/json-body.ts'
import { visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { type Call, serve } from '../http/serve.ts'
import type { SqllabDeps } from './deps.ts'
import { validateSql } from './validate-sql.ts'

const parseParams = (text: string | undefined): Record<string, unknown> | null => {
  if (!text) return null
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

/** Endpoints that editors call while the user types. */
export function validateRoutes(app: App, deps: SqllabDeps): void {
  const validate = async (
    { principal, signal }: Pick<Call<typeof routes.validate>, 'principal' | 'signal'>,
    id: number,
    request: ValidateSql,
  ) => {
    const context = { ...readContext(app, principal), deps, signal }
    return validateSql(context, await visibleRow<DatabaseRow>(databaseResource, id, context), request)
  }

  serve(app, routes.validate, async ({ params, body, ...call }) => ({
    result: await validate(call, params.id, {
      ...body,
      schema: parseOptionalName(body.schema),
      catalog: parseOptionalName(body.catalog),
    }),
  }))
  serve(app, routes.olderValidate, async ({ body, ...call }) => {
    const { database_id = '', sql = '', schema, templateParams } = body
    if (!/^\d{1,15}$/.test(database_id))
      throw new AppError('bad_request', {
        message: message('errors.sqllab.databaseId', 'database_id must be a number.'),
      })
    const request = {
      sql,
      schema: parseOptionalName(schema),
      catalog: null,
      template_params: parseParams(templateParams),
    }
    return [...(await validate(call, Number(database_id), request))]
  })
}
