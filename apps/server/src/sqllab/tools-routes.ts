import { engineOf } from '@parquetry/engines'
import {
  AppError,
  type FormatSql,
  message,
  type RequestedQuery,
  sqllabPages,
  sqllabTools as routes,
} from '@parquetry/model'
import { formatSql } from '@parquetry/sql'
import Type from 'typebox'
import { requesterKey, type Principal } from '../access/principal.ts'
import { databaseResource } from '../database/database-resource.ts'
import type { DatabaseRow } from '../connection/source.ts'
import type { App } from '../http/app.ts'
import { jsonField, jsonFields } from '../http/form-json.ts'
import { parseJson } from '../http/json-body.ts'
import { resolveOrigin } from '../http/origin.ts'
import { type ReadContext, visibleRow } from '../http/resource.ts'
import { readContext } from '../http/serve-resource.ts'
import { serve } from '../http/serve.ts'
import type { SqllabDeps } from './deps.ts'
import { estimateCost } from './estimate.ts'
import { createSqllabPermalink, readSqllabPermalink } from './permalink.ts'

const readSql = jsonField('sql', Type.String())
const readParams = jsonFields(
  Type.Object({ templateParams: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])) }),
)

/** The dialect of an engine or a database; null for a database that the user cannot see. */
async function resolveDialect({ engine, database_id }: FormatSql, context: ReadContext): Promise<string | null> {
  if (engine) return engineOf(engine)?.dialect.name ?? null
  if (database_id == null) return null
  try {
    const { backend } = await visibleRow<DatabaseRow>(databaseResource, database_id, context)
    return engineOf(backend)?.dialect.name ?? null
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

/** @throws AppError `bad_request` when `form_data` is not an object */
function requestedQuery(form: Record<string, string>): RequestedQuery {
  const { form_data, datasourceKey, sql } = form
  if (form_data === undefined) return { ...(datasourceKey && { datasourceKey }), ...(sql !== undefined && { sql }) }
  const value = parseJson(form_data)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AppError('bad_request', {
      message: message('errors.sqllab.formData', 'form_data must be a JSON object.'),
    })
  return value as RequestedQuery
}

/** Longer texts take so long that they would block other requests. */
const shortLength = 2000

const formatText = async (
  { runners }: SqllabDeps,
  { sql, dialect }: { sql: string; dialect: string | null },
  { principal, signal }: { principal: Principal; signal: AbortSignal },
) =>
  sql.length <= shortLength
    ? formatSql(sql, dialect)
    : runners.formatSql({ sql, dialect }, signal, requesterKey(principal))

/** SQL Lab endpoints besides running SQL: links, costs, formatting, and forms that other pages post. */
export function sqllabToolRoutes(app: App, deps: SqllabDeps): void {
  app.pageSubjects.sqlLab = async (context, { key }) => key !== undefined && readSqllabPermalink(context, key)
  serve(app, routes.format, async ({ body, principal, signal }) => ({
    result: await formatText(
      deps,
      { sql: body.sql, dialect: await resolveDialect(body, readContext(app, principal)) },
      { principal, signal },
    ),
  }))

  serve(app, routes.estimate, async ({ body, event, ...call }) => {
    event.json = { database_id: body.database_id }
    return { result: await estimateCost(deps, body, call) }
  })
  for (const route of [routes.olderEstimate, routes.olderEstimateOfSchema] as const)
    serve(app, route, async ({ params, body, event, ...call }) => {
      const sql = await readSql(body)
      const { templateParams: template_params = null } = await readParams(body)
      event.json = { database_id: params.database_id }
      const schema = 'schema' in params ? String(params.schema) : null
      return estimateCost(deps, { database_id: params.database_id, sql, schema, template_params }, call)
    })

  serve(app, routes.createPermalink, async ({ body, principal, event, request, reply }) => {
    const key = await createSqllabPermalink(readContext(app, principal), body)
    event.json = { key }
    return reply.code(201).send({ key, url: `${resolveOrigin(deps.settings, request)}/sqllab/p/${key}/` })
  })
  serve(app, routes.permalink, async ({ params, principal }) => ({
    ...(await readSqllabPermalink(readContext(app, principal), params.key)),
  }))

  for (const route of [sqllabPages.posted, sqllabPages.olderPosted] as const)
    serve(app, route, ({ body, request, reply, principal }) =>
      app.renderPage(request, reply, principal, { requested_query: requestedQuery(body) }),
    )
}
